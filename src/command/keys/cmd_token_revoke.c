#include "base/term.h"
#include "command/commands.h"
#include "command/keys/token_shown.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_personal place;
  ho_access_token token = {0};
  ho_code code = ho_token_shown_place(call, &place, err);
  if (!code)
    code = ho_access_token_revoke(&place, ho_arg_str(call, "name"), ho_project_now(&call->project), &token, err);
  if (code)
    return code;
  HO_EACH (field, ho_token_shown(call, &token))
    ho_map_addz(call->result, ho_arena_z(call->arena, field->key), ho_node_copy(call->arena, field));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_buf_puts(out, "token ");
  ho_term_put(out, ho_map_str(call->result, "name"), HO_TERM_LINE);
  ho_buf_puts(out, " is revoked\n");
}

static const ho_field params[] = {
    {.name = "name", .label = "NAME", .doc = "The token.", .type = HO_T_TEXT, .flags = HO_REQUIRED | HO_POSITIONAL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "token revoke", .fields = params};

const ho_command ho_command_token_revoke = {
    .name = "token revoke",
    .group = "keys",
    .summary = "End a token",
    .doc = "It counts from the next request on. What was done with it remains.",
    .examples = "handoff token revoke phone",
    .person = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &ho_token_shown_record,
    .run = run,
    .render = render,
};
