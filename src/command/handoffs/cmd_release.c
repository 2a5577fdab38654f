#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/which/which.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_say say = {.id = ho_arg_str(call, "id"), .token = ho_token_arg(call), .note = ho_arg_str(call, "note")};
  ho_which_work work;
  ho_code code = ho_ledger_call_say(call, &say, ho_receive_release, err);
  if (code)
    return code;
  ho_which_load(&call->project, call->arena, &work);
  if (!work.at && work.task.n && ho_str_eq(work.task, say.row.task) && ho_str_eq(work.phase, say.row.phase))
    ho_which_remember(&call->project, call->arena, work.task, work.phase, HO_WHICH_LEFT);
  return HO_OK;
}

static const ho_field params[] = {
    HO_PARAM_ID,
    {.name = "note", .label = "TEXT", .doc = "Why, or what the next one should know.", .type = HO_T_TEXT},
    HO_PARAM_TOKEN,
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "release", .fields = params};

const ho_command ho_command_release = {
    .name = "release",
    .group = "handoffs",
    .summary = "Give a claimed handoff back",
    .doc = "The handoff is ready again, for you and for others. An agent can release only what it "
           "holds itself, a person what any agent holds: that agent is told, and what is known of its work "
           "is drafted.",
    .examples = "handoff release HO-2026-015 --note 'No database here'",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_changed_record,
    .run = run,
    .render = ho_render_state,
};
