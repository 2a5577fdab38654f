/* tools/call: an answer at once, or later. */
#include "doc/json/json.h"
#include "surface/mcp/mcp_waiting.h"

/* The same twice: as text for the model, and as data, which some clients show it instead. */
void ho_mcp_reply(ho_mcp_request *r, const ho_mcp_act *act)
{
  ho_buf json;
  ho_arena *arena = r->arena;
  r->result = ho_node_new(arena, HO_KIND_MAP);
  ho_node *content = ho_map_addz(r->result, "content", ho_node_new(arena, HO_KIND_LIST));
  ho_node *text = ho_list_add(content, ho_node_new(arena, HO_KIND_MAP));
  ho_buf_init(&json, 0);
  ho_json_write(&json, act->result, 0);
  ho_map_addz(text, "type", ho_node_textz(arena, "text"));
  ho_map_addz(text, "text", ho_node_text(arena, ho_buf_move(&json, arena)));
  ho_map_addz(r->result, "structuredContent", act->result);
  if (act->failed)
    ho_map_addz(r->result, "isError", ho_node_bool(arena, true));
  if (r->stateless)
    ho_mcp_stateless_finish(r, -1);
}

ho_mcp_rpc_code ho_mcp_tool_call(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str name;
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "name", &name, fault);
  const ho_node *given = ho_map_getz(r->params, "arguments");
  if (code)
    return code;
  ho_mcp_act act = {.mcp = r->mcp, .arena = r->arena, .client = &r->client, .tool = ho_mcp_tool_named(r->mcp, name)};
  if (!act.tool)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "there is no tool '%.*s'", HO_ARG(ho_str_sub(name, 0, 80)));
  if (given && !ho_node_absent(given) && !ho_node_is(given, HO_KIND_MAP))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params.arguments is an object");
  ho_mcp_act_run(&act, given);
  long long seconds = act.waits ? ho_mcp_act_number(&act, "wait") : 0;
  r->later = seconds > 0 && ho_mcp_waiting_add(r, &act, seconds);
  if (!r->later)
    ho_mcp_reply(r, &act);
  return HO_MCP_RPC_OK;
}
