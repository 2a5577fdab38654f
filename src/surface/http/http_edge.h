/* May this request come in at all? Judged by its head alone, before anybody looks at who asks: a page of another origin, or a
 * name that somebody points at this machine (DNS rebinding), gets nothing. Pure functions. */
#ifndef HO_SURFACE_HTTP_HTTP_EDGE_H
#define HO_SURFACE_HTTP_HTTP_EDGE_H

#include "surface/http/http_request.h"

/* HTTP status 0: it may. Otherwise it is answered with that status and *why. hosts: names by which this server may be called,
 * besides those of the machine itself; NULL-ended, or NULL. */
int ho_http_edge_judge(const ho_http_request *request, const char *const *hosts, const char **why);
/* Is it a name of this machine, or an address that is one: "localhost:8420", "[::1]"? */
bool ho_http_edge_is_here(ho_str host);
/* The value of a cookie; "" if it is not sent, or twice. */
ho_str ho_http_edge_cookie(const ho_http_request *request, const char *name);
/* The token of "Authorization: Bearer TOKEN"; "" if there is none. *bad: there is another kind of authorization, or two. */
ho_str ho_http_edge_bearer(const ho_http_request *request, bool *bad);
/* Did another server pass it on? Then it may come from anywhere. */
bool ho_http_edge_passed_on(const ho_http_request *request);
#endif
