#include "command/keys/token_shown.h"

#include "base/time.h"

static const ho_field fields[] = {HO_TOKEN_SHOWN_FIELDS, HO_FIELDS_END};
const ho_record ho_token_shown_record = {.name = "token", .fields = fields};

static void put_time(const ho_call *call, ho_node *map, const char *key, int64_t at)
{
  ho_map_put(call->arena, map, key, at ? ho_time_str(call->arena, at) : HO_EMPTY);
}

ho_node *ho_token_shown(const ho_call *call, const ho_access_token *token)
{
  static const char *const states[] = {"active", "expired", "revoked"};
  ho_arena *a = call->arena;
  ho_node *map = ho_node_new(a, HO_KIND_MAP);
  ho_map_put(a, map, "name", token->name);
  ho_map_put(a, map, "role", ho_access_role_text(a, token->role, token->who));
  ho_map_put(a, map, "state", ho_str_of(states[ho_access_token_state_of(token, ho_project_now(&call->project))]));
  put_time(call, map, "made", token->made);
  put_time(call, map, "expires", token->expires);
  put_time(call, map, "revoked", token->revoked);
  put_time(call, map, "used", token->used);
  return map;
}

ho_code ho_token_shown_place(ho_call *call, ho_personal *out, ho_error *err)
{
  ho_project *project = &call->project;
  ho_code code = ho_project_begin(project, err);
  *out = ho_access_token_place(call->arena, project->home, project->root);
  return code;
}
