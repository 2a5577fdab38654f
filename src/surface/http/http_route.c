#include "surface/http/http_route.h"

#include "base/limits.h"
#include "surface/http/http_api.h"
#include "surface/http/http_who.h"

/* A document of the greatest size, written as a JSON text. */
enum { BODY = HO_LIMIT_DOCUMENT / 8 * 9 };

/* The first that fits. */
const ho_http_route ho_http_routes[] = {
    {.path = "/healthz", .methods = "GET", .handler = ho_http_health, .open = true},
    {.path = "/link", .methods = "GET|POST", .handler = ho_http_who_page, .open = true, .body = 256},
    {.path = "/link/", .methods = "GET|POST", .handler = ho_http_who_page, .open = true, .body = 64},
    {.path = "/session", .methods = "GET", .handler = ho_http_who_am_i},
    {.path = "/metrics", .methods = "GET", .handler = ho_http_metrics},
    {.path = "/.well-known/agent-card.json", .methods = "GET", .handler = ho_http_agent_card},
    {.path = "/a2a", .methods = "POST", .handler = ho_http_a2a, .body = BODY},
    {.path = "/api/v1/openapi.json", .methods = "GET", .handler = ho_http_openapi},
    {.path = "/api/v1/events", .methods = "GET", .handler = ho_http_events},
    {.path = "/mcp", .methods = "GET|POST|DELETE", .handler = ho_http_mcp, .body = BODY},
    {.path = HO_HTTP_API, .methods = "GET|POST", .handler = ho_http_api, .body = BODY},
    {0}};

const ho_http_route *ho_http_route_of(const ho_http_request *request, ho_str *rest, int *status, const char **methods)
{
  *status = 404;
  for (const ho_http_route *route = ho_http_routes; route->path; route++) {
    size_t n = strlen(route->path);
    bool below = route->path[n - 1] == '/' && ho_str_starts(request->path, route->path);
    if (!below && !ho_str_is(request->path, route->path))
      continue;
    *rest = ho_str_sub(request->path, below ? n : request->path.n, request->path.n);
    if (ho_str_list_has(route->methods, ho_str_is(request->method, "HEAD") ? HO_STR("GET") : request->method))
      return route;
    *status = 405;
    *methods = route->methods;
  }
  return NULL;
}
