#include "command/commands.h"
#include "command/ledger_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_say say = {.id = ho_arg_str(call, "id"), .token = ho_token_arg(call), .by = ho_arg_str(call, "by")};
  return ho_ledger_call_say(call, &say, ho_receive_supersede, err);
}

static const ho_field params[] = {
    HO_PARAM_ID,
    {.name = "by", .label = "ID", .doc = "The handoff that replaces it.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_PARAM_TOKEN,
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "supersede", .fields = params};

const ho_command ho_command_supersede = {
    .name = "supersede",
    .group = "handoffs",
    .summary = "Replace an open handoff with another one",
    .doc =
        "Ends the handoff ID in favour of a newer one. For its sender, whoever holds it, or a person. Whoever works on "
        "it finds out with the next command. If it waits for a gate, the newer one waits instead.",
    .examples = "handoff supersede HO-2026-015 --by HO-2026-016",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_changed_record,
    .run = run,
    .render = ho_render_state,
};
