#include "command/commands.h"
#include "command/ledger_call.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_say say = {.id = ho_arg_str(call, "id"), .token = ho_token_arg(call), .note = ho_arg_str(call, "note")};
  ho_code code = ho_ledger_call_say(call, &say, ho_receive_done, err);
  if (!code && ho_str_is(say.row.type, "delegation"))
    ho_call_note(call, "this was a delegation; next time close it with: handoff return ID PATH");
  return code;
}

static const ho_field params[] = {HO_PARAM_ID,
                                  {.name = "note", .label = "TEXT", .doc = "What was achieved.", .type = HO_T_TEXT},
                                  HO_PARAM_TOKEN,
                                  HO_PARAM_AS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "done", .fields = params};

const ho_command ho_command_done = {
    .name = "done",
    .group = "handoffs",
    .summary = "Mark an acknowledged handoff as done",
    .doc = "Also writes the handoff's copy to the archive. To end a delegation, use 'handoff return', which sends the "
           "result back.",
    .examples = "handoff done HO-2026-014 --token \"$(jq -r .token claim.json)\"",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_changed_record,
    .run = run,
    .render = ho_render_state,
};
