/* tools/call: an answer at once, or later. */
#include "doc/json/json.h"
#include "surface/mcp/mcp_fixture.h"
#include "surface/mcp/mcp_tool.h"

/* How often it is looked for what a call waits for; and if changes of the store are told, for what only time changes. */
enum { LOOK_MS = 200, TOLD_LOOK_MS = 5000 };

/* The same twice: as text for the model, and as data, which some clients show it instead. */
static void put_result(ho_mcp_request *r, const ho_mcp_act *act)
{
  ho_buf json;
  ho_arena *arena = r->arena;
  ho_node *content = ho_map_addz(r->result, "content", ho_node_new(arena, HO_KIND_LIST));
  ho_node *text = ho_list_add(content, ho_node_new(arena, HO_KIND_MAP));
  ho_buf_init(&json, 0);
  ho_json_write(&json, act->result, 0);
  ho_map_addz(text, "type", ho_node_textz(arena, "text"));
  ho_map_addz(text, "text", ho_node_text(arena, ho_buf_move(&json, arena)));
  ho_map_addz(r->result, "structuredContent", act->result);
  if (act->failed)
    ho_map_addz(r->result, "isError", ho_node_bool(arena, true));
}

/* What a call waits for is looked for again; a client that knows tasks asks for it itself. */
static void put_wait(ho_mcp_request *r, const ho_mcp_act *act)
{
  long long seconds = ho_mcp_act_number(act, "wait");
  if (!act->waits || seconds <= 0)
    return;
  r->look_ms = r->mcp->told ? TOLD_LOOK_MS : LOOK_MS;
  r->changes = true;
  r->wait_ms = seconds * 1000;
  r->keep = ho_node_copy(r->arena, act->args);
  r->lasts = ho_mcp_stateless_tasks(&r->client);
}

ho_mcp_rpc_code ho_mcp_tool_call(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str name;
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "name", &name, fault);
  const ho_node *given = ho_map_getz(r->params, "arguments");
  if (code)
    return code;
  if (given && !ho_node_absent(given) && !ho_node_is(given, HO_KIND_MAP))
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "params.arguments is an object");
  const ho_node *fixture = ho_mcp_fixture_named(r->mcp, "tools", name);
  if (fixture)
    return ho_mcp_fixture_run(r, fixture, fault);
  ho_mcp_act act = {
      .r = r, .mcp = r->mcp, .arena = r->arena, .client = &r->client, .tool = ho_mcp_tool_named(r->mcp, name)};
  if (!act.tool)
    return ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "there is no tool '%.*s'", HO_ARG(ho_str_sub(name, 0, 80)));
  ho_mcp_act_run(&act, r->kept && r->kept->count ? r->kept : given);
  put_result(r, &act);
  put_wait(r, &act);
  return HO_MCP_RPC_OK;
}
