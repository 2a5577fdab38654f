/* The era in which a client says once who it is and what it speaks, from 2024-11-05 to 2025-11-25. */
#include "surface/mcp/mcp.h"
#include "surface/mcp/mcp_server.h"

/* The newest first: a client that asks for another one is offered that. */
static const char *const versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

bool ho_mcp_initialize_speaks(ho_str version)
{
  for (size_t i = 0; i < HO_COUNT(versions); i++)
    if (ho_str_is(version, versions[i]))
      return true;
  return false;
}

bool ho_mcp_initialize_batches(const ho_mcp *mcp)
{
  return mcp->version && strcmp(mcp->version, "2025-03-26") == 0;
}

ho_mcp_rpc_code ho_mcp_initialize(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str wanted;
  ho_mcp *mcp = r->mcp;
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "protocolVersion", &wanted, fault);
  if (code)
    return code;
  mcp->version = versions[0];
  for (size_t i = 0; i < HO_COUNT(versions); i++)
    if (ho_str_is(wanted, versions[i]))
      mcp->version = versions[i];
  mcp->client =
      ho_mcp_client_of(&mcp->arena, ho_map_getz(r->params, "clientInfo"), ho_map_getz(r->params, "capabilities"));
  ho_map_addz(r->result, "protocolVersion", ho_node_textz(r->arena, mcp->version));
  ho_map_addz(r->result, "capabilities", ho_mcp_server_capabilities(mcp, r->arena, false));
  ho_map_addz(r->result, "serverInfo", ho_mcp_server_info(r->arena));
  ho_map_addz(r->result, "instructions", ho_node_textz(r->arena, ho_mcp_server_instructions));
  return HO_MCP_RPC_OK;
}

ho_mcp_rpc_code ho_mcp_initialize_ping(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  (void)r, (void)fault;
  return HO_MCP_RPC_OK;
}

ho_mcp_rpc_code ho_mcp_initialize_level(ho_mcp_request *r, ho_mcp_rpc_fault *fault)
{
  ho_str level;
  ho_mcp_rpc_code code = ho_mcp_server_need(r, "level", &level, fault);
  if (!code && ho_mcp_level_of(level) < 0)
    code = ho_mcp_rpc_fail(fault, HO_MCP_RPC_PARAMS, "there is no level '%.*s'", HO_ARG(ho_str_sub(level, 0, 40)));
  if (!code)
    r->mcp->level = ho_mcp_level_of(level);
  return code;
}
