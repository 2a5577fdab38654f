#include "base/term.h"
#include "command/commands.h"
#include "command/delivered.h"
#include "command/gate_call.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/write.h"
#include "engine/project/quote.h"
#include "store/handoffs/gates.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_gate gate;
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  ho_ledger_settle(&call->project);
  code = ho_gate_read(&call->project, ho_gate_call_id(call, ho_arg_str(call, "gate")), call->arena, &gate, err);
  if (!code)
    code = ho_gate_shown_put(call, call->result, &gate, true, err);
  return code;
}

/* What a person, or whoever was asked, can do next. */
static void put_advice(const ho_call *call, ho_buf *out)
{
  ho_str id = ho_map_str(call->result, "id");
  bool asked = ho_str_is(ho_map_str(call->result, "decision"), "question");
  if (!ho_str_is(ho_map_str(call->result, "state"), "open"))
    return;
  ho_buf_printf(out, "# next: handoff gate decide %.*s approve|reject|question [--note TEXT]\n", HO_ARG(id));
  if (asked)
    ho_buf_printf(out, "# or:   handoff answer %.*s --note TEXT\n", HO_ARG(id));
}

static ho_str person(ho_str name)
{
  return ho_str_starts(name, HO_PROJECT_PERSON) ? ho_str_sub(name, sizeof HO_PROJECT_PERSON - 1, name.n) : name;
}

/* Nobody else has looked at it: that is allowed, but worth a word. */
static void put_same(const ho_call *call, ho_buf *out)
{
  ho_str by = ho_map_str(call->result, "decided_by");
  if (!by.n || !ho_str_eq(person(by), person(ho_map_str(call->result, "raised_by"))))
    return;
  ho_buf_puts(out, "# raised and decided by the same person: ");
  ho_quote_put_name(out, by);
  ho_buf_putc(out, '\n');
}

/* Are these words among what was said? Then they stand there, with who said them; a rebuild knows only the words. */
static bool was_said(const ho_call *call, ho_str words)
{
  HO_EACH_CONST (said, ho_map_getz(call->result, "talk"))
    if (ho_str_eq(ho_map_str(said, "text"), words))
      return true;
  return false;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  static const char *const lines[] = {"name",   "raised_by", "raised", "deadline", "receiver",
                                      "digest", "note",      "signer", "doubt",    "halted"};
  ho_buf_puts(out, "# ");
  ho_gate_shown_line(call, out, colour);
  for (size_t i = 0; i < HO_COUNT(lines); i++) {
    ho_str text = ho_map_str(call->result, lines[i]);
    bool idle = strcmp(lines[i], "signer") == 0 && ho_str_is(ho_map_str(call->result, "proof"), "unsigned");
    bool twice = strcmp(lines[i], "note") == 0 && was_said(call, text);
    if (!text.n || idle || twice) /* whose key it was says nothing if it did not sign */
      continue;
    ho_buf_printf(out, "# %s: ", lines[i]);
    ho_term_put(out, text, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  put_same(call, out);
  ho_delivered_talk(out, ho_map_getz(call->result, "talk"));
  put_advice(call, out);
  ho_str text = ho_map_str(call->result, "text"), waiting = ho_map_str(call->result, "waiting");
  if (waiting.n) {
    ho_buf_puts(out, "# ---- The document to be approved: ----\n");
    ho_delivered_marked(out, call->arena, text);
    ho_buf_puts(out, "# What waits, and is delivered if it is approved:\n");
  }
  ho_delivered_body(out, call->arena, ho_map_str(call->result, "kind"), waiting.n ? waiting : text);
}

static const ho_field params[] = {HO_PARAM_GATE, HO_FIELDS_END};
static const ho_record params_record = {.name = "gate show", .fields = params};

const ho_command ho_command_gate_show = {
    .name = "gate show",
    .group = "gates",
    .summary = "Show a gate and the document to be approved",
    .doc = "Lines that start with '# ' say what is known about the gate, and what has been said about it. Below a line "
           "that says so comes the text that the decision applies to; its own comments at the top then start with '#|' "
           "(--json has it as it was sent). If another document waits and is delivered once it is approved, that "
           "follows.",
    .examples = "handoff gate show G-2026-001",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &ho_gate_shown_record,
    .run = run,
    .render = render,
    .raw = true,
};
