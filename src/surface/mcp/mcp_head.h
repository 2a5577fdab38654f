/* Headers of HTTP that repeat what the message says, so that servers on the way can go by them: they have to say the same. */
#ifndef HO_SURFACE_MCP_MCP_HEAD_H
#define HO_SURFACE_MCP_MCP_HEAD_H

#include "surface/mcp/mcp_server.h"

/* HO_MCP_RPC_HEADERS if there is a version in the head, and it is another one. head NULL: the message did not come by HTTP. */
ho_mcp_rpc_code ho_mcp_head_version(const ho_mcp_head *head, ho_str version, ho_mcp_rpc_fault *fault);
/* The same of all that a request of the stateless era has to bring along: none may be missing. */
ho_mcp_rpc_code ho_mcp_head_judge(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
#endif
