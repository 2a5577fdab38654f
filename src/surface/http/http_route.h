/* What is at which path. */
#ifndef HO_SURFACE_HTTP_HTTP_ROUTE_H
#define HO_SURFACE_HTTP_HTTP_ROUTE_H

#include "surface/http/http_exchange.h"

typedef struct ho_http_route {
  const char *path;    /* "/mcp"; one that ends in '/' is for everything below it */
  const char *methods; /* "GET|POST"; GET includes HEAD */
  ho_http_handler *handler;
  bool open;   /* for everybody, whoever it is */
  size_t body; /* the longest body that it takes; 0: none */
} ho_http_route;

extern const ho_http_route ho_http_routes[]; /* ended by one without a path */
/* The route of a request. NULL with the status to answer with, and the methods that there are (405). */
const ho_http_route *ho_http_route_of(const ho_http_request *request, ho_str *rest, int *status, const char **methods);

/* ---- Handlers, each in a file of its own. */
ho_http_handler ho_http_health, ho_http_metrics; /* http_health */
ho_http_handler ho_http_events;
ho_http_handler ho_http_mcp;
ho_http_handler ho_http_a2a, ho_http_agent_card; /* http_a2a */
#endif
