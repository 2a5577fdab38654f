#include "command/commands.h"
#include "command/send_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_send in = {.returns = ho_arg_str(call, "id")};
  return ho_send_call_run(call, &in, err);
}

static const ho_field params[] = {HO_PARAM_ID, HO_PARAM_DOCUMENT,           HO_PARAM_TOKEN,
                                  HO_PARAM_AS, HO_PARAM_FORMAT("document"), HO_FIELDS_END};
static const ho_record params_record = {.name = "return", .fields = params};

const ho_command ho_command_return = {
    .name = "return",
    .group = "handoffs",
    .summary = "Send the result of a handoff back to its sender",
    .doc = "Sends the document to the sender of handoff ID and marks that handoff as done, both or neither. Use it to "
           "close a delegation. You need to have claimed and acknowledged the handoff.",
    .examples = "handoff return HO-2026-015 response.json",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_send_call_result,
    .run = run,
    .render = ho_send_call_render,
};
