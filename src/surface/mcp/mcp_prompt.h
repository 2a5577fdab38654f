/* Prompts: texts that a person has a client put before its model, by their name. They repeat what hooks and tools give. */
#ifndef HO_SURFACE_MCP_MCP_PROMPT_H
#define HO_SURFACE_MCP_MCP_PROMPT_H

#include "surface/mcp/mcp_server.h"

ho_mcp_rpc_code ho_mcp_prompt_list(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_prompt_get(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
#endif
