/* Completion: what can stand in a template of resources, or as an argument of a prompt. */
#ifndef HO_SURFACE_MCP_MCP_COMPLETE_H
#define HO_SURFACE_MCP_MCP_COMPLETE_H

#include "surface/mcp/mcp_server.h"

ho_mcp_rpc_code ho_mcp_complete(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
#endif
