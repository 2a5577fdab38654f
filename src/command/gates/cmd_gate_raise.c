#include "command/commands.h"
#include "command/send_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_send in = {.gates = ho_arg_str(call, "for"), .only_gate = true, .once = !ho_arg_true(call, "again")};
  if (ho_arg(call, "for") && ho_str_blank(in.gates)) /* else nothing would wait for it, unnoticed */
    return ho_fail(err, HO_USAGE, "--for is empty; name the handoff that waits, or leave --for out");
  return ho_send_call_run(call, &in, err);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str gate = ho_map_str(call->result, "gate");
  (void)colour;
  if (gate.n)
    ho_buf_printf(out, "%.*s\n", HO_ARG(gate));
}

static const ho_field params[] = {
    HO_PARAM_DOCUMENT,
    {.name = "for",
     .label = "ID",
     .doc = "Handoff that waits for the decision. Default: none, the gate is a handoff of its own.",
     .type = HO_T_TEXT},
    HO_PARAM_SEND_AGAIN,
    HO_PARAM_AS,
    HO_PARAM_FORMAT("document"),
    HO_FIELDS_END};
static const ho_record params_record = {.name = "gate raise", .fields = params};

const ho_command ho_command_gate_raise = {
    .name = "gate raise",
    .group = "gates",
    .summary = "Ask a person for a decision",
    .doc = "Prints the id of the gate. With --for and a blocking gate, the handoff waits until a person has decided. "
           "Otherwise the gate is a handoff of its own that becomes ready for whoever raised it once it is approved. "
           "If the document states a deadline and nobody has decided by then, it is rejected; with --for, only the "
           "sender, receiver or holder of the handoff, or a person, may state one. "
           "The command in the setting 'notify' tells people about it.",
    .examples = "handoff template gate >gate.yaml # then replace what is in braces\nhandoff gate raise gate.yaml --for "
                "HO-2026-015",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_send_call_result,
    .run = run,
    .render = render,
};
