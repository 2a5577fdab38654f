#include "command/commands.h"
#include "command/keys/key_shown.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str text = HO_EMPTY, path = ho_arg_str(call, "file");
  ho_deciders_changing in = {.project = &call->project, .arena = call->arena, .person = &ho_person_terminal};
  ho_code code = path.n ? ho_read_text(call, path, &text, err) : HO_OK;
  if (!code && path.n && ho_str_blank(text))
    code = ho_fail_file(err, HO_INVALID, path, "has no keys");
  if (!code)
    code = ho_open_ledger(call, true, err);
  if (!code)
    code = ho_deciders_enrol(&in, text, err);
  if (!code)
    ho_key_shown_put(call, &in);
  return code;
}

static const ho_field params[] = {{.name = "file",
                                   .label = "FILE",
                                   .doc =
                                       "Keys of others, one line each as 'key list' prints it; - for standard input. "
                                       "Default: your own key.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_POSITIONAL | HO_IS_FILE},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "key enrol", .fields = params};

const ho_command ho_command_key_enrol = {
    .name = "key enrol",
    .group = "keys",
    .summary = "Let people decide gates of this project with their keys",
    .doc =
        "From then on only decisions signed by a decider count. The first decider enrols their own key; after that, a "
        "decider signs for each new one, at a terminal. Unsigned decisions made before the first enrolment remain "
        "valid.\n\n"
        "Deciders are recorded in the ledger and in .handoff/deciders, which should be committed. In a clone, that "
        "file alone counts for nothing: compare the keys with their owners, then run 'handoff key enrol "
        ".handoff/deciders'.",
    .examples = "handoff key enrol\nhandoff key enrol bob.key",
    .person = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_key_shown_change,
    .run = run,
    .render = ho_key_shown_render,
};
