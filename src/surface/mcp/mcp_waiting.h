/* Calls that are answered later. Nothing blocks meanwhile: the same call is run again until what it waits for has
 * happened, its time is over, or its client cancels it. */
#ifndef HO_SURFACE_MCP_MCP_WAITING_H
#define HO_SURFACE_MCP_MCP_WAITING_H

#include "surface/mcp/mcp_tool.h"

/* args: those of the call that is run again. Takes copies. False if there are too many, or no memory. */
bool ho_mcp_waiting_add(ho_mcp_request *r, const ho_mcp_act *act, long long seconds);
void ho_mcp_waiting_cancel(ho_mcp *mcp, const ho_node *id);
/* See ho_mcp_look. */
int ho_mcp_waiting_look(ho_mcp *mcp);
void ho_mcp_waiting_end(ho_mcp *mcp);

/* The result of a call as the protocol has it, in r->result. */
void ho_mcp_reply(ho_mcp_request *r, const ho_mcp_act *act);
#endif
