#include "command/commands.h"
#include "command/gate_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  return ho_gate_call_decide(call, ho_arg_str(call, "gate"), HO_DECISION_APPROVE, ho_arg_str(call, "note"), NULL,
                             call->result, err);
}

static const ho_field params[] = {HO_PARAM_GATE, HO_PARAM_GATE_NOTE("The reason, or the answer."), HO_FIELDS_END};
static const ho_record params_record = {.name = "approve", .fields = params};

const ho_command ho_command_approve = {
    .name = "approve",
    .group = "gates",
    .summary = "Approve what waits at a gate, as a person",
    .doc = "The same as 'handoff gate decide G approve'. If it asks for one of several options, --note takes its "
           "words, the beginning of them, or its number. 'handoff reject G' rejects it.",
    .examples = "handoff approve G-2026-001 --note 'CSV comes first'",
    .person = true,
    .roles = HO_MAY_DECIDE,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_gate_shown_record,
    .run = run,
    .render = ho_gate_shown_line,
};
