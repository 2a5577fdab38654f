/* Who is told of changes: streams of the stateless era, each of which says what it wants to hear of, and what a client of the
 * era of `initialize` has subscribed to. */
#ifndef HO_SURFACE_MCP_MCP_LISTEN_H
#define HO_SURFACE_MCP_MCP_LISTEN_H

#include "surface/mcp/mcp_server.h"

ho_mcp_rpc_code ho_mcp_listen_open(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_listen_subscribe(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_listen_unsubscribe(ho_mcp_request *r, ho_mcp_rpc_fault *fault);

/* The list of "tools" or "prompts" is not what it was. */
void ho_mcp_listen_changed(ho_mcp *mcp, ho_arena *arena, ho_str what);
/* The store was changed: resources are looked at next. Does anybody want to hear of any? */
void ho_mcp_listen_news(ho_mcp *mcp);
bool ho_mcp_listen_watches(const ho_mcp *mcp);
/* Tells of resources that have changed. The milliseconds until it is time again; -1: nobody has subscribed to any. */
int ho_mcp_listen_look(ho_mcp *mcp);
void ho_mcp_listen_cancel(ho_mcp *mcp, const ho_mcp_channel *channel, const ho_node *id);
void ho_mcp_listen_leave(ho_mcp *mcp, const ho_mcp_channel *channel);
void ho_mcp_listen_end(ho_mcp *mcp);
#endif
