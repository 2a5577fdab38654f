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
static void put_proof(ho_buf *out, const ho_node *gate)
{
  ho_str proof = ho_map_str(gate, "proof");
  if (ho_map_str(gate, "doubt").n)
    ho_buf_puts(out, "(in doubt)");
  else if (proof.n)
    ho_buf_printf(out, "(%.*s)", HO_ARG(proof));
  else if (ho_map_str(gate, "decision").n)
    ho_buf_puts(out, "(no person)");
}

static void put_state(ho_buf *out, const ho_node *gate)
{
  ho_str decision = ho_map_str(gate, "decision");
  ho_term_put(out, decision.n ? decision : ho_map_str(gate, "state"), HO_TERM_LINE);
}

/* In quotes that the name cannot end. */
static void put_name(ho_buf *out, const ho_node *gate)
{
  ho_buf name;
  ho_buf_init(&name, 0);
  ho_json_write_text(&name, ho_map_str(gate, "name"));
  ho_term_put(out, ho_buf_str(&name), HO_TERM_LINE);
  ho_buf_free_into(&name, out);
}

static const ho_table_column columns[] = {
    {.title = "GATE", .key = "id", .as = HO_CELL_ID},
    {.title = "STATE", .key = "state", .as = HO_CELL_STATE, .put = put_state},
    {.title = "PROOF", .key = "proof", .put = put_proof},
    {.title = "HANDOFF", .key = "handoff"},
    {.title = "QUESTION", .key = "name", .put = put_name, .least = 20},
    {.title = "RAISED BY", .key = "raised_by", .as = HO_CELL_NAME, .least = 8, .spare = true},
    {.title = "RAISED", .key = "raised", .as = HO_CELL_TIME},
    HO_COLUMNS_END};
static const ho_table table = {.list = "gates", .record = &ho_gate_record, .columns = columns};

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
    .table = &table,
};
