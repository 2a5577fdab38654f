#include "surface/mcp/mcp_ask.h"

#include "surface/mcp/mcp_seal.h"

static const struct {
  const char *method, *capability;
} kinds[] = {{"elicitation/create", "elicitation"}, {"sampling/createMessage", "sampling"}, {"roots/list", "roots"}};

static const char *capability_of(ho_str method)
{
  for (size_t i = 0; i < HO_COUNT(kinds); i++)
    if (ho_str_is(method, kinds[i].method))
      return kinds[i].capability;
  return "";
}

bool ho_mcp_ask_can(const ho_mcp_client *client, ho_str method)
{
  return ho_mcp_client_can(client, capability_of(method));
}

ho_node *ho_mcp_ask_needs(ho_arena *arena, ho_str method)
{
  ho_node *needs = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(needs, capability_of(method), ho_node_new(arena, HO_KIND_MAP));
  return needs;
}

const ho_node *ho_mcp_ask(ho_mcp_request *r, ho_str key, ho_str method, ho_node *params)
{
  const ho_node *answer = ho_map_get(r->answers, key);
  if (ho_node_is(answer, HO_KIND_MAP)) /* anything else is no answer */
    return answer;
  if (!r->asks)
    r->asks = ho_node_new(r->arena, HO_KIND_MAP);
  ho_node *one = ho_map_add(r->asks, key, ho_node_new(r->arena, HO_KIND_MAP));
  ho_map_addz(one, "method", ho_node_text(r->arena, method));
  ho_map_addz(one, "params", params);
  return NULL;
}

ho_mcp_rpc_code ho_mcp_ask_take(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  const ho_node *answers = ho_map_getz(r->params, "inputResponses"), *sealed = ho_map_getz(r->params, "requestState");
  if (!r->stateless)
    return HO_MCP_RPC_OK;
  if (answers && !ho_node_is(answers, HO_KIND_MAP))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params.inputResponses is an object");
  r->answers = answers;
  if (!sealed)
    return HO_MCP_RPC_OK;
  const ho_node *state = ho_mcp_seal_open(r, ho_node_str(sealed));
  if (!state)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS,
                           "params.requestState is not what this server gave for this request, or too old");
  r->kept = ho_map_getz(state, "kept");
  /* What was answered earlier counts as long as it is not answered anew. */
  ho_node *all = ho_node_copy(r->arena, ho_map_getz(state, "answers"));
  if (!all)
    return HO_MCP_RPC_OK;
  HO_EACH_CONST (answer, answers)
    ho_map_set(all, answer->key, ho_node_copy(r->arena, answer));
  r->answers = all;
  return HO_MCP_RPC_OK;
}

void ho_mcp_ask_result(ho_mcp_request *r)
{
  ho_node *state = ho_node_new(r->arena, HO_KIND_MAP);
  if (r->keep)
    ho_map_addz(state, "kept", r->keep);
  if (r->answers && r->answers->count)
    ho_map_addz(state, "answers", ho_node_copy(r->arena, r->answers));
  ho_str sealed = ho_mcp_seal(r, state);
  r->result = ho_node_new(r->arena, HO_KIND_MAP);
  ho_map_addz(r->result, "resultType", ho_node_textz(r->arena, "input_required"));
  ho_map_addz(r->result, "inputRequests", r->asks);
  if (sealed.n)
    ho_map_addz(r->result, "requestState", ho_node_text(r->arena, sealed));
  ho_mcp_stateless_finish(r, -1);
}
