/* Where messages of a client come from, and where what is said about them goes: standard input and output, or one HTTP
 * request and its answer. */
#ifndef HO_SURFACE_MCP_MCP_CHANNEL_H
#define HO_SURFACE_MCP_MCP_CHANNEL_H

#include "base/buf.h"

typedef struct ho_mcp ho_mcp;
typedef struct ho_mcp_channel {
  ho_buf out;       /* lines; whoever has carried them resets it */
  unsigned pending; /* requests that came here and are not answered yet */
  bool stateless;   /* what comes here belongs to the stateless era, whatever it says itself */
  int status;       /* the HTTP status of the last answer */
} ho_mcp_channel;

void ho_mcp_channel_begin(ho_mcp_channel *channel);
void ho_mcp_channel_end(ho_mcp_channel *channel);
#endif
