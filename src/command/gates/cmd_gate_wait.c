#include "command/commands.h"
#include "command/gate_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  ho_str gate = ho_gate_call_id(call, ho_arg_str(call, "gate"));
  return ho_gate_call_wait(call, gate, ho_number_arg(call, "timeout"), call->result, err);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_gate_call_put_waited(call, out, call->result);
}

static const ho_field params[] = {HO_PARAM_GATE,
                                  HO_PARAM_AS,
                                  {.name = "timeout",
                                   .label = "S",
                                   .doc = "Wait up to S seconds. Default: until it is decided.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 31536000},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "gate wait", .fields = params};

const ho_command ho_command_gate_wait = {
    .name = "gate wait",
    .group = "gates",
    .summary = "Wait until a gate is decided, or the person has a question",
    .doc = "Exits 0 if it was approved, 1 if it was rejected, and 7 if nobody decided in time or the person has a "
           "question, which is printed with the command that answers it.",
    .examples = "handoff gate wait G-2026-001 --timeout 60",
    .teammate = true,
    .roles = HO_MAY_ALL,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &ho_gate_shown_record,
    .run = run,
    .render = render,
};
