/* What a client keeps for the server between two requests, sealed with a key of the user's own: nobody can change it, or use
 * it for another request, for another client, or after its time. It can be read; nothing secret belongs into it. */
#ifndef HO_SURFACE_MCP_MCP_SEAL_H
#define HO_SURFACE_MCP_MCP_SEAL_H

#include "surface/mcp/mcp_server.h"

/* "" if there is no key. */
ho_str ho_mcp_seal(const ho_mcp_request *r, const ho_node *state);
/* NULL unless it was sealed for a request like this one. */
const ho_node *ho_mcp_seal_open(const ho_mcp_request *r, ho_str sealed);
#endif
