/* Asking the client: to show its person a form, what its model says, which folders it has open.
 *
 * Whoever answers a request asks, and goes on if there is an answer; if there is none, it returns, and is called again
 * once there is. In the stateless era the client is told what is asked as the result, and sends the request again with its
 * answers and what was kept, sealed; in that of `initialize` the server sends requests of its own; of a task, it is told
 * when it asks how that stands. */
#ifndef HO_SURFACE_MCP_MCP_ASK_H
#define HO_SURFACE_MCP_MCP_ASK_H

#include "surface/mcp/mcp_server.h"

/* Has the client declared that it answers this: "elicitation/create", "sampling/createMessage", "roots/list"? */
bool ho_mcp_ask_can(const ho_mcp_client *client, ho_str method);
/* The capability that it would need, as the client would declare it. */
ho_node *ho_mcp_ask_needs(ho_arena *arena, ho_str method);
/* What the client answers: a map. NULL: it was asked. params: of the request; in the arena of r. */
const ho_node *ho_mcp_ask(ho_mcp_request *r, ho_str key, ho_str method, ho_node *params);

/* Reads what a request of the stateless era carries: answers, and what was kept. HO_MCP_RPC_PARAMS if that is not ours. */
ho_mcp_rpc_code ho_mcp_ask_take(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
/* Makes what is asked the result of a request of that era. */
void ho_mcp_ask_result(ho_mcp_request *r);
#endif
