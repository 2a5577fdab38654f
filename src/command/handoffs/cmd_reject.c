#include "command/commands.h"
#include "command/ledger_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_say say = {.id = ho_arg_str(call, "id"), .token = ho_token_arg(call), .note = ho_arg_str(call, "why")};
  return ho_ledger_call_say(call, &say, ho_receive_reject, err);
}

static const ho_field params[] = {HO_PARAM_ID,
                                  {.name = "why",
                                   .aliases = "note",
                                   .label = "TEXT",
                                   .doc = "The reason, for the sender. --note is the same.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED},
                                  HO_PARAM_TOKEN,
                                  HO_PARAM_AS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "reject", .fields = params};

const ho_command ho_command_reject = {
    .name = "reject",
    .group = "handoffs",
    .summary = "Refuse an acknowledged handoff, or discard a draft",
    .doc = "Ends the handoff without its work being done.",
    .examples = "handoff reject HO-2026-015 --why 'The export is not part of this release'",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_changed_record,
    .run = run,
    .render = ho_render_state,
};
