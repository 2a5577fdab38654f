#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "doc/json/json.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/write.h"
#include "store/handoffs/gates.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_gate_list list = {0};
  ho_gate_state state = ho_arg_true(call, "all") ? HO_GATE_ANY : HO_GATE_OPEN;
  ho_node *gates = ho_map_addz(call->result, "gates", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_ledger_call_maybe(call, err);
  if (code || !project->store)
    return code;
  ho_ledger_settle(project);
  code = ho_gate_read_list(project, state, HO_EMPTY, ho_number_arg(call, "limit"), call->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    ho_list_add(gates, ho_describe_gate(&list.rows[i], call->arena));
  if (!code && !list.count)
    ho_call_note(call, state == HO_GATE_ANY ? "no gates found" : "no gate waits for a person");
  return code;
}

/* What is known about who decided: before the name, which anybody can write. */
static const char *proof(const ho_call *call, const ho_node *gate)
{
  ho_str given = ho_map_str(gate, "proof");
  if (ho_map_str(gate, "doubt").n)
    return "(in doubt)";
  if (given.n)
    return ho_arena_z(call->arena, ho_arena_printf(call->arena, "(%.*s)", HO_ARG(given)));
  return ho_map_str(gate, "decision").n ? "(no person)" : "";
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_buf name;
  (void)colour;
  ho_buf_init(&name, 0);
  HO_EACH_CONST (gate, ho_map_getz(call->result, "gates")) {
    ho_str decision = ho_map_str(gate, "decision");
    ho_put_padded(out, ho_map_str(gate, "id"), 12);
    ho_buf_putc(out, ' ');
    ho_put_padded(out, decision.n ? decision : ho_map_str(gate, "state"), 9);
    ho_buf_putc(out, ' ');
    ho_put_padded(out, ho_str_of(proof(call, gate)), 13);
    ho_buf_putc(out, ' ');
    ho_put_padded(out, ho_map_str(gate, "handoff"), 13);
    ho_buf_putc(out, ' ');
    ho_buf_reset(&name);
    ho_json_write_text(&name, ho_map_str(gate, "name"));
    ho_term_put(out, ho_buf_str(&name), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  ho_buf_free(&name);
}

static const ho_field params[] = {{.name = "all", .doc = "Include gates that are decided.", .type = HO_T_BOOL},
                                  {.name = "limit",
                                   .label = "N",
                                   .doc = "Maximum number of results.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 1000000,
                                   .fallback = "100"},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "gate list", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("gates", "The gates, oldest first.", ho_gate_record), HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "gate list result", .fields = result};

const ho_command ho_command_gate_list = {
    .name = "gate list",
    .group = "gates",
    .summary = "List gates that wait for a person",
    .doc = "The oldest come first. How a gate was decided follows in brackets: (signed), (unconfirmed), (unsigned), or "
           "(no person) if the program rejected it because its deadline had passed or its handoff was superseded. "
           "A gate that is (in doubt) was changed in the store; run: handoff gate show.",
    .examples = "handoff gate list --all",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
