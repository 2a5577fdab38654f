#include "command/ledger.h"
#include "engine/receive.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_ledger ledger;
  ho_say say = {.id = ho_arg_str(call, "id"), .token = ho_token_arg(call), .note = ho_arg_str(call, "why")};
  ho_code code = ho_open_ledger(call, false, &ledger, err);
  if (code)
    return code;
  code = ho_receive_reject(&ledger, call->arena, &say, err);
  if (!code)
    ho_put_handoff(call, &say.row);
  ho_close_ledger(call, &ledger);
  return code;
}

static const ho_field params[] = {
    HO_PARAM_ID,
    {.name = "why", .label = "TEXT", .doc = "Why.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_PARAM_TOKEN,
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "reject", .fields = params};
static const ho_field result[] = {HO_HANDOFF_FIELDS, HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "reject result", .fields = result};

extern const ho_command ho_command_reject;
const ho_command ho_command_reject = {
    .name = "reject",
    .group = "Receive",
    .summary = "Refuse an acknowledged handoff, and say why",
    .doc = "Ends an acknowledged handoff without its work being done. The reason is recorded for the sender.",
    .examples = "handoff reject HO-2026-015 --why 'The export is not part of this release'",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_state,
};
