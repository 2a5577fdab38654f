/* Servers of the Model Context Protocol behind /mcp: one per session of the era of `initialize`; for the stateless era, one per
 * access and session of its agent. Each is what one at a pipe would be: it takes one message at a time, whoever's turn it is.
 * A request to it is a visit, which lasts as long as its answer does. */
#ifndef HO_SURFACE_HTTP_HTTP_MCP_HUB_H
#define HO_SURFACE_HTTP_HTTP_MCP_HUB_H

#include "surface/http/http_exchange.h"
#include "surface/mcp/mcp.h"

typedef struct ho_http_mcp_hub ho_http_mcp_hub;
typedef struct ho_http_mcp_visit {
  ho_http_exchange *x; /* NULL: it has gone; only looked at with the hub's turn and ho_http_mcp_hub_each */
  ho_http_mcp_hub *hub;
  ho_mcp_channel own, *channel; /* `own`, or the server's main one */
  ho_mcp_head head;
  bool taken;   /* its message was taken */
  bool streams; /* its answer comes in pieces */
  bool queued;
  struct ho_http_mcp_visit *next, *after; /* of the hub; in the queue */
} ho_http_mcp_visit;

/* Makes the visit of an exchange, which ends with it, to the hub of the session `id`, or, "", to that of whoever asks, or,
 * `fresh`, to a new one. HO_NOT_FOUND: there is no such session (any more). */
ho_code ho_http_mcp_hub_visit(ho_http_exchange *x, ho_str id, bool fresh, ho_http_mcp_visit **out,
                              ho_error *err) HO_NODISCARD;
/* Is it the visit's turn? If not, its exchange is called again when it is. */
bool ho_http_mcp_hub_enter(ho_http_mcp_visit *visit);
/* Its turn is over. */
void ho_http_mcp_hub_leave(ho_http_mcp_visit *visit);

/* ---- While it is the visit's turn. */
ho_mcp *ho_http_mcp_hub_server(const ho_http_mcp_visit *visit);
/* Makes a session of a fresh hub; its id. */
ho_code ho_http_mcp_hub_name(ho_http_mcp_visit *visit, ho_str *id, ho_error *err) HO_NODISCARD;
/* Nobody finds it any more. */
void ho_http_mcp_hub_close(ho_http_mcp_visit *visit);
/* Has it a visit at the server's main channel? If not, it is this one. */
bool ho_http_mcp_hub_main(ho_http_mcp_visit *visit);
/* Calls `each` for all others whose exchanges have not gone, and cannot go meanwhile. */
void ho_http_mcp_hub_each(ho_http_mcp_visit *visit, void (*each)(ho_http_mcp_visit *other, void *data), void *data);
#endif
