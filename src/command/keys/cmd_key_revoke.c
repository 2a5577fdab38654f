#include "command/commands.h"
#include "command/keys/key_shown.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_deciders_changing in = {.project = &call->project, .arena = call->arena, .person = &ho_person_terminal};
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_deciders_revoke(&in, ho_arg_str(call, "who"), err);
  if (!code)
    ho_key_shown_put(call, &in);
  return code;
}

static const ho_field params[] = {{.name = "who",
                                   .label = "NAME|FINGERPRINT",
                                   .doc = "The decider.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "key revoke", .fields = params};

const ho_command ho_command_key_revoke = {
    .name = "key revoke",
    .group = "keys",
    .summary = "Revoke a decider's right to decide this project's gates",
    .doc = "A decider signs this, at a terminal. Earlier signatures remain valid; later ones do not count. The last "
           "decider cannot be revoked; enrol another one first.",
    .examples = "handoff key revoke bob",
    .person = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_key_shown_change,
    .run = run,
    .render = ho_key_shown_render,
};
