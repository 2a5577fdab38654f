#include "surface/mcp/mcp_complete.h"

#include "surface/mcp/mcp_resource.h"
#include "surface/mcp/mcp_tool.h"

enum { MOST = 100 }; /* what the protocol allows */

/* Whose names are wanted: those of a template's kind; a prompt's `id` is that of a handoff. */
static const ho_mcp_resource_kind *kind_of(ho_arena *arena, const ho_node *ref, ho_str argument)
{
  ho_str uri = ho_map_str(ref, "uri");
  for (const ho_mcp_resource_kind *kind = ho_mcp_resource_kinds; kind->name; kind++) {
    if (!kind->argument || !ho_str_is(argument, kind->argument))
      continue;
    if (!uri.n || ho_str_eq(uri, ho_arena_printf(arena, "%s{%s}", kind->uri, kind->argument)))
      return kind;
  }
  return NULL;
}

ho_mcp_rpc_code ho_mcp_complete(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_error none = {0};
  ho_code answer;
  const ho_node *ref = ho_map_getz(r->params, "ref"), *argument = ho_map_getz(r->params, "argument");
  if (!ho_node_is(ref, HO_KIND_MAP) || !ho_node_is(argument, HO_KIND_MAP))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params.ref and params.argument are objects");
  ho_node *completion = ho_map_addz(r->result, "completion", ho_node_new(r->arena, HO_KIND_MAP));
  ho_node *values = ho_map_addz(completion, "values", ho_node_new(r->arena, HO_KIND_LIST));
  const ho_mcp_resource_kind *kind = kind_of(r->arena, ref, ho_map_str(argument, "name"));
  const char *begin = ho_arena_z(r->arena, ho_map_str(argument, "value"));
  ho_mcp_act act = {.r = r, .mcp = r->mcp, .arena = r->arena, .client = &r->client};
  const ho_node *list =
      kind ? ho_map_getz(ho_mcp_act_try(&act, kind->lists, NULL, HO_EMPTY, &answer, &none), kind->list) : NULL;
  long long total = 0;
  HO_EACH_CONST (item, list) {
    ho_str value = ho_map_str(item, kind->key);
    if (!ho_str_starts_nocase(value, begin))
      continue;
    if (total++ < MOST)
      ho_list_add(values, ho_node_text(r->arena, value));
  }
  ho_map_addz(completion, "total", ho_node_number(r->arena, total));
  ho_map_addz(completion, "hasMore", ho_node_bool(r->arena, total > MOST));
  return HO_MCP_RPC_OK;
}
