#include "base/user.h"
#include "command/commands.h"
#include "command/keys/key_shown.h"
#include "engine/project/identity.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_key_file made;
  ho_str name = ho_arg_str(call, "name");
  if (!name.n)
    name = ho_user_name(call->arena);
  if (!ho_key_file_name_fits(name))
    return ho_fail(err, HO_USAGE,
                   "'%.*s' cannot be a decider's name; use --name with at most 64 letters, digits and the characters . "
                   "_ @ -; " HO_IDENTITY_RESERVED,
                   HO_ARG(name));
  ho_code code = ho_person_not_agent(err);
  if (!code)
    code = ho_key_file_make(call->arena, name, &ho_person_terminal, &made, err);
  if (code)
    return code;
  HO_EACH (field, ho_key_shown_own(call->arena, &made))
    ho_map_addz(call->result, ho_arena_z(call->arena, field->key), ho_node_copy(call->arena, field));
  ho_call_note(call, "keep a copy of %.*s; to decide gates of a project, run there: handoff key enrol",
               HO_ARG(made.path));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_key_shown_line(out, call->result);
}

static const ho_field params[] = {
    {.name = "name", .label = "NAME", .doc = "Your name as a decider. Default: your account's.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "key new", .fields = params};
static const ho_field result[] = {HO_TEXT_FIELD("name", "Your name."),
                                  HO_TEXT_FIELD("key", "The public key."),
                                  HO_TEXT_FIELD("fingerprint", "What people compare."),
                                  HO_TEXT_FIELD("path", "Its file."),
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "key new result", .fields = result};

const ho_command ho_command_key_new = {
    .name = "key new",
    .group = "keys",
    .summary = "Make a key that signs your decisions",
    .doc = "Asks for a passphrase at the terminal. The key is stored in ~/.config/handoff/key (or below "
           "XDG_CONFIG_HOME), locked with the passphrase: Ed25519, Argon2id. Its public half is printed, and its "
           "fingerprint: "
           "compare that with the one a decider is shown when enrolling you.",
    .examples = "handoff key new --name alice",
    .person = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
