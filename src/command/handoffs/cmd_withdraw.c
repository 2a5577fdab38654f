#include "command/commands.h"
#include "command/ledger_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_say say = {.id = ho_arg_str(call, "id"), .note = ho_arg_str(call, "note")};
  return ho_ledger_call_say(call, &say, ho_receive_withdraw, err);
}

static const ho_field params[] = {HO_PARAM_ID,
                                  {.name = "note",
                                   .label = "TEXT",
                                   .doc = "Why, for whoever holds or sent it.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED},
                                  HO_PARAM_AS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "withdraw", .fields = params};

const ho_command ho_command_withdraw = {
    .name = "withdraw",
    .group = "handoffs",
    .summary = "Take a sent handoff back",
    .doc =
        "For its sender, or a person. Whoever holds it finds that in the inbox; so does its sender, if a person takes "
        "it back. If a person had approved it, that no longer holds. If it waits for a gate, it is no longer asked "
        "about, but the same document sent again waits again.",
    .examples = "handoff withdraw HO-2026-015 --note 'Sent to the wrong agent'",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_changed_record,
    .run = run,
    .render = ho_render_state,
};
