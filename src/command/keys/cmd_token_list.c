#include "command/commands.h"
#include "command/keys/token_shown.h"
#include "command/table.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_personal place;
  ho_access_token_list tokens = {0};
  ho_node *list = ho_map_addz(call->result, "tokens", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_token_shown_place(call, &place, err);
  if (!code)
    code = ho_access_tokens_read(&place, &tokens, err);
  for (size_t i = 0; !code && i < tokens.count; i++)
    ho_list_add(list, ho_token_shown(call, &tokens.rows[i]));
  if (!code && !tokens.count)
    ho_call_note(call, "this project has no tokens; a person makes one: handoff token new NAME --role ROLE");
  return code;
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "token list", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("tokens", "The project's tokens, oldest first.", ho_token_shown_record),
                                  HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "token list result", .fields = result};
static const ho_table_column columns[] = {{.title = "NAME", .key = "name", .as = HO_CELL_NAME},
                                          {.title = "ROLE", .key = "role", .least = 6},
                                          {.title = "STATE", .key = "state"},
                                          {.title = "EXPIRES", .key = "expires", .as = HO_CELL_TIME},
                                          {.title = "LAST USE", .key = "used", .as = HO_CELL_TIME},
                                          HO_COLUMNS_END};
static const ho_table table = {.list = "tokens", .record = &ho_token_shown_record, .columns = columns};

const ho_command ho_command_token_list = {
    .name = "token list",
    .group = "keys",
    .summary = "List the tokens of this project",
    .doc = "Also those that have expired or were revoked: what the log says of a token goes on meaning it. The tokens "
           "themselves are not kept.",
    .examples = "handoff token list",
    .local = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .table = &table,
};
