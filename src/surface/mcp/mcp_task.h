/* Tasks (extension io.modelcontextprotocol/tasks): requests whose clients ask how they stand, instead of waiting. That of a
 * gate is known by the gate's id, also to a server that is started later. */
#ifndef HO_SURFACE_MCP_MCP_TASK_H
#define HO_SURFACE_MCP_MCP_TASK_H

#include "surface/mcp/mcp_server.h"

ho_mcp_rpc_code ho_mcp_task_get(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_task_update(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_task_cancel(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
#endif
