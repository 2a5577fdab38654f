/* Where messages of a client come from, and where what is said about them goes: standard input and output, or one HTTP
 * request and its answer. */
#ifndef HO_SURFACE_MCP_MCP_CHANNEL_H
#define HO_SURFACE_MCP_MCP_CHANNEL_H

#include "base/buf.h"

typedef struct ho_mcp ho_mcp;

/* What the headers of an HTTP request say of its message; p NULL: there is no such header. */
typedef struct ho_mcp_head {
  ho_str version, method, name;
} ho_mcp_head;

typedef struct ho_mcp_channel {
  ho_buf out;              /* lines; whoever has carried them resets it */
  unsigned pending;        /* requests that came here and are not answered yet */
  const ho_mcp_head *head; /* of the request whose answer this is; NULL: none */
  int status;              /* the HTTP status of the last answer */
} ho_mcp_channel;

void ho_mcp_channel_begin(ho_mcp_channel *channel);
void ho_mcp_channel_end(ho_mcp_channel *channel);
#endif
