#include "surface/http/http_edge.h"

#include <strings.h>

/* Without the port. */
static ho_str name_of(ho_str host)
{
  size_t colon = host.n;
  while (colon && host.p[colon - 1] != ':')
    colon--;
  bool six = ho_str_starts(host, "[");
  if (!colon || (six && ho_str_find_char(host, ']') > colon - 1))
    return host;
  for (size_t i = colon; i < host.n; i++)
    if (!isdigit((unsigned char)host.p[i]))
      return host;
  return ho_str_sub(host, 0, colon - 1);
}

bool ho_http_edge_is_here(ho_str host)
{
  ho_str name = name_of(host);
  return ho_str_is_nocase(name, "localhost") || ho_str_is(name, "127.0.0.1") || ho_str_is(name, "[::1]");
}

static bool is_ours(ho_str host, const char *const *hosts)
{
  if (ho_http_edge_is_here(host))
    return true;
  for (; hosts && *hosts; hosts++)
    if (ho_str_is_nocase(name_of(host), *hosts) || ho_str_is_nocase(host, *hosts))
      return true;
  return false;
}

/* A page of ours: the origin is the host that was asked. */
static bool is_same_origin(ho_str origin, ho_str host)
{
  ho_str rest = ho_str_starts(origin, "http://")    ? ho_str_sub(origin, 7, origin.n)
                : ho_str_starts(origin, "https://") ? ho_str_sub(origin, 8, origin.n)
                                                    : HO_EMPTY;
  return rest.n && rest.n == host.n && strncasecmp(rest.p, host.p, rest.n) == 0;
}

int ho_http_edge_judge(const ho_http_request *request, const char *const *hosts, const char **why)
{
  ho_str host = ho_http_request_header(request, "host"), origin = ho_http_request_header(request, "origin");
  ho_str site = ho_http_request_header(request, "sec-fetch-site");
  *why = "this server is not called by that name (Host); name it with --host";
  if (!is_ours(host, hosts))
    return 403;
  *why = "the request comes from a page of another origin";
  if (ho_http_request_count(request, "origin") > 1 || (origin.n && !is_same_origin(origin, host)))
    return 403;
  if (site.n && !ho_str_is(site, "same-origin") && !ho_str_is(site, "none"))
    return 403;
  return 0;
}

ho_str ho_http_edge_cookie(const ho_http_request *request, const char *name)
{
  ho_str found = HO_EMPTY;
  size_t n = strlen(name);
  for (size_t i = 0; i < request->count; i++) {
    ho_str rest = request->headers[i].value, part;
    if (!ho_str_is_nocase(request->headers[i].name, "cookie"))
      continue;
    while (ho_str_next(&rest, ';', &part)) {
      part = ho_str_trim(part);
      if (!ho_str_starts(part, name) || part.n <= n || part.p[n] != '=')
        continue;
      if (found.n)
        return HO_EMPTY;
      found = ho_str_sub(part, n + 1, part.n);
    }
  }
  return found;
}

ho_str ho_http_edge_bearer(const ho_http_request *request, bool *bad)
{
  ho_str value = ho_http_request_header(request, "authorization");
  size_t count = ho_http_request_count(request, "authorization");
  ho_str token = ho_str_starts_nocase(value, "bearer ") ? ho_str_trim(ho_str_sub(value, 7, value.n)) : HO_EMPTY;
  *bad = count > 1 || (count && !token.n);
  return *bad ? HO_EMPTY : token;
}

bool ho_http_edge_passed_on(const ho_http_request *request)
{
  static const char *const signs[] = {"via", "forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"};
  for (size_t i = 0; i < HO_COUNT(signs); i++)
    if (ho_http_request_count(request, signs[i]))
      return true;
  return false;
}
