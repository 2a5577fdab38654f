#include "surface/http/http_who.h"

#include <ctype.h>
#include <pthread.h>

#include "base/digest.h"
#include "base/time.h"
#include "command/call.h"
#include "engine/project/access_check.h"
#include "engine/project/access_token.h"
#include "surface/http/http_edge.h"
#include "surface/http/http_kept.h"
#include "surface/http/http_server.h"

enum {
  SESSION_MS = 12 * 3600 * 1000,
  LINK_MS = 5 * 60 * 1000,
  FAILURES_MOST = 30, /* in a minute, from one address */
  MINUTE_MS = 60000,
};

/* ---- How it begins. */

static const char *const *words(const ho_call *call, const char *name)
{
  const ho_node *list = ho_arg(call, name);
  const char **out = ho_arena_array(call->arena, (list ? list->count : 0) + 1, sizeof *out);
  size_t n = 0;
  HO_EACH_CONST (item, out ? list : NULL)
    out[n++] = ho_arena_z(call->arena, item->text);
  return out;
}

ho_code ho_http_who_begin(ho_http_doors *doors, const ho_call *call, ho_error *err)
{
  const ho_node *list = ho_arg(call, "proxy_user");
  ho_http_user *users = ho_arena_array(call->arena, (list ? list->count : 0) + 1, sizeof *users);
  char random[9];
  ho_code code = ho_random_hex(random, 4, err);
  doors->hosts = words(call, "host");
  doors->proxies = words(call, "proxy");
  doors->proxy_header = ho_arena_z(call->arena, ho_arg_str(call, "proxy_header"));
  doors->users = users;
  if (!code)
    code = ho_arena_code(call->arena, err);
  if (!code)
    snprintf(doors->cookie, sizeof doors->cookie, "handoff-%s", random);
  HO_EACH_CONST (item, code ? NULL : list) {
    ho_str rest = item->text, name;
    ho_http_user *user = &users[doors->user_count++];
    if (!ho_str_next(&rest, '=', &name) || !name.n)
      return ho_fail(err, HO_USAGE, "'%.*s' is not a user and a role; use alice=decide:alice", HO_ARG(item->text));
    user->name = name;
    code = ho_access_parse(rest, &user->role, &user->who, err);
    if (code)
      return code;
  }
  return code;
}

ho_code ho_http_who_link(ho_http_doors *doors, ho_error *err)
{
  doors->link_until_ms = ho_time_monotonic_ms() + LINK_MS;
  return ho_random_hex(doors->link, HO_HTTP_SECRET_BYTES, err);
}

/* ---- Failures, so that nobody tries long. */

static pthread_mutex_t failing = PTHREAD_MUTEX_INITIALIZER;

/* What failed from that address in the last minute; one more, if add. */
static unsigned failures(ho_http_doors *doors, const ho_http_peer *peer, bool add)
{
  int64_t now = ho_time_monotonic_ms();
  pthread_mutex_lock(&failing);
  struct ho_http_failures *found = NULL, *oldest = &doors->failures[0];
  for (size_t i = 0; i < HO_COUNT(doors->failures) && !found; i++) {
    struct ho_http_failures *each = &doors->failures[i];
    if (now - each->since_ms > MINUTE_MS)
      each->count = 0;
    if (each->count && strcmp(each->address, peer->address) == 0)
      found = each;
    else if (!each->count || (oldest->count && each->since_ms < oldest->since_ms))
      oldest = each;
  }
  if (!found && add) {
    found = oldest;
    *found = (struct ho_http_failures){.since_ms = now};
    ho_error_copy(found->address, sizeof found->address, ho_str_of(peer->address));
  }
  if (add)
    found->count++;
  unsigned count = found ? found->count : 0;
  pthread_mutex_unlock(&failing);
  return count;
}

static void answer(ho_http_exchange *x, int status, ho_code code, const char *message)
{
  ho_error err = {0};
  ho_fail(&err, code, "%s", message);
  if (status == 401)
    ho_http_header_add(x, "WWW-Authenticate", HO_STR("Bearer realm=\"handoff\""));
  if (status == 429)
    ho_http_header_add(x, "Retry-After", HO_STR("60"));
  ho_http_answer_error(x, status, &err);
}

/* ---- Who it is. */

static ho_access *set(ho_http_exchange *x, ho_access access)
{
  ho_access *kept = HO_NEW(&x->arena, ho_access);
  if (!kept)
    return NULL;
  *kept = access;
  kept->files = access.role == HO_ACCESS_AGENT && x->peer.local && !ho_http_edge_passed_on(&x->request);
  x->access = kept;
  return kept;
}

static bool is_proxy(const ho_http_doors *doors, const ho_http_peer *peer)
{
  for (const char *const *each = doors->proxies; *each; each++)
    if (strcmp(*each, peer->address) == 0)
      return true;
  return false;
}

/* Can the log have it as it is? A role for everybody is also one for users who chose their name themselves, so none is a
 * sentence, or has characters that nobody sees. */
static bool is_user(ho_str name)
{
  for (size_t i = 0; i < name.n; i++)
    if (!isalnum((unsigned char)name.p[i]) && !strchr("._-@/+\\", name.p[i]))
      return false;
  return name.n > 0;
}

/* The user whom the proxy names. False with an answer if that one may do nothing. */
static bool by_proxy(ho_http_exchange *x, const ho_http_doors *doors)
{
  ho_str name = ho_http_request_header(&x->request, doors->proxy_header);
  const ho_http_user *found = NULL;
  if (ho_http_request_count(&x->request, doors->proxy_header) > 1 || name.n > 64) {
    answer(x, 403, HO_GATED, "the proxy names more than one user");
    return false;
  }
  for (size_t i = 0; i < doors->user_count && !found; i++)
    if (ho_str_eq(doors->users[i].name, name) || (ho_str_is(doors->users[i].name, "*") && is_user(name)))
      found = &doors->users[i];
  if (!found) {
    answer(x, 403, HO_GATED, "the proxy names a user that --proxy-user gives no role");
    return false;
  }
  return set(x, (ho_access){.role = found->role, .how = HO_ACCESS_PROXY, .name = name, .who = found->who});
}

static ho_http_session *session_of(ho_http_doors *doors, const ho_http_request *request)
{
  ho_str id = ho_http_edge_cookie(request, doors->cookie);
  int64_t now = ho_time_monotonic_ms();
  ho_http_session *found = NULL;
  for (size_t i = 0; id.n && i < HO_HTTP_SESSIONS; i++) {
    ho_http_session *each = &doors->sessions[i];
    if (each->until_ms > now && ho_digest_eq(id, ho_str_of(each->id)))
      found = each;
  }
  return found;
}

static bool changes(const ho_http_request *request)
{
  return !ho_str_is(request->method, "GET") && !ho_str_is(request->method, "HEAD");
}

/* A browser's request is its person's only if a page of ours has made it. */
static bool by_session(ho_http_exchange *x, const ho_http_session *session)
{
  ho_str token = ho_http_request_header(&x->request, "handoff-csrf");
  if (changes(&x->request) && !ho_digest_eq(token, ho_str_of(session->csrf))) {
    answer(x, 403, HO_GATED, "a change from a browser needs the header Handoff-CSRF; GET /session says its value");
    return false;
  }
  x->csrf = session->csrf;
  return set(x, (ho_access){.role = HO_ACCESS_DECIDE, .how = HO_ACCESS_LINK});
}

bool ho_http_who_know(ho_http_exchange *x, ho_http_doors *doors)
{
  bool bad = false;
  ho_access found;
  x->bearer = ho_http_edge_bearer(&x->request, &bad);
  const ho_http_session *session = bad || x->bearer.n ? NULL : session_of(doors, &x->request);
  if (bad)
    answer(x, 401, HO_GATED, "the header Authorization is not: Bearer TOKEN");
  else if (x->bearer.n && ho_http_kept_token(x, &found))
    set(x, found);
  else if (x->bearer.n)
    return false;
  else if (session)
    by_session(x, session);
  else if (is_proxy(doors, &x->peer) && ho_http_request_count(&x->request, doors->proxy_header))
    by_proxy(x, doors);
  else if (x->peer.ours)
    set(x, (ho_access){.role = HO_ACCESS_READ, .how = HO_ACCESS_LINK});
  else
    answer(x, 401, HO_GATED,
           "send a token (Authorization: Bearer TOKEN); a person makes one with: handoff token new NAME");
  return true;
}

/* Whoever has a token is served, however many others at the same address have wrong ones. */
static void refuse_token(ho_http_exchange *x, const ho_error *err)
{
  if (failures(&x->server->doors, &x->peer, true) > FAILURES_MOST)
    answer(x, 429, HO_LIMIT, "too many requests with a wrong token; try again in a minute");
  else
    answer(x, 401, HO_GATED, err->message);
}

void ho_http_who_ask(ho_http_exchange *x)
{
  ho_access found = {0};
  ho_error err = {0};
  ho_code code = ho_host_token(ho_http_host(x->server), &x->arena, x->bearer, &found, &err);
  if (!code)
    ho_http_kept_token_put(x, x->changes, &found);
  if (!code)
    set(x, found);
  else if (code == HO_GATED)
    refuse_token(x, &err);
  else
    ho_http_answer_error(x, 0, &err);
}

bool ho_http_who_still(const ho_http_exchange *x)
{
  ho_arena arena;
  ho_access found = {0};
  ho_error err = {0};
  ho_arena_init(&arena, 0);
  bool gone = x->bearer.n && ho_host_token(ho_http_host(x->server), &arena, x->bearer, &found, &err) == HO_GATED;
  ho_arena_free(&arena);
  return !gone;
}

/* ---- The link. */

static void page(ho_http_exchange *x, int status, const char *text, const char *form)
{
  ho_buf html;
  ho_buf_init(&html, 0);
  ho_buf_puts(&html, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>handoff</title>\n");
  ho_buf_puts(&html,
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<main><h1>handoff</h1>\n");
  ho_buf_printf(&html, "<p>%s</p>\n", text);
  if (form)
    ho_buf_printf(&html, "<form method=\"post\">%s<button>Sign in</button></form>\n", form);
  ho_buf_puts(&html, "</main></html>\n");
  ho_http_header_add(x, "Content-Security-Policy",
                     HO_STR("default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"));
  ho_http_header_add(x, "Referrer-Policy", HO_STR("no-referrer"));
  ho_http_answer(x, status, "text/html; charset=utf-8", ho_buf_str(&html));
  ho_buf_free(&html);
}

/* A place for a new session: a free one, or that of the oldest. */
static ho_http_session *new_session(ho_http_doors *doors, ho_error *err)
{
  ho_http_session *oldest = &doors->sessions[0];
  for (size_t i = 1; i < HO_HTTP_SESSIONS; i++)
    if (doors->sessions[i].until_ms < oldest->until_ms)
      oldest = &doors->sessions[i];
  oldest->until_ms = 0;
  if (ho_random_hex(oldest->id, HO_HTTP_SECRET_BYTES, err) || ho_random_hex(oldest->csrf, HO_HTTP_SECRET_BYTES, err))
    return NULL;
  oldest->until_ms = ho_time_monotonic_ms() + SESSION_MS;
  return oldest;
}

static bool is_link(const ho_http_doors *doors, ho_str given)
{
  ho_str link = ho_str_of(doors->link);
  return link.n && ho_time_monotonic_ms() < doors->link_until_ms && ho_digest_eq(given, link);
}

static void enter(ho_http_exchange *x, ho_http_doors *doors)
{
  ho_error err = {0};
  ho_http_session *session = new_session(doors, &err);
  doors->link[0] = '\0';
  if (!session) {
    ho_http_answer_error(x, 0, &err);
    return;
  }
  ho_http_header_add(x, "Set-Cookie",
                     ho_arena_printf(&x->arena, "%s=%s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%d", doors->cookie,
                                     session->id, SESSION_MS / 1000));
  page(x, 200, "You are signed in: this browser may read and decide for twelve hours, or until the server ends.", NULL);
}

/* What the person has: the end of the link, or what was typed into the field. */
static ho_str given(ho_http_exchange *x)
{
  ho_str body = x->request.body, name, value = x->rest;
  bool bad = false;
  if (!x->rest.n && (!ho_http_request_param(&x->arena, &body, &name, &value, &bad) || bad || !ho_str_is(name, "link")))
    return HO_EMPTY;
  size_t slash = value.n;
  while (slash && value.p[slash - 1] != '/')
    slash--;
  return ho_str_sub(value, slash, value.n);
}

void ho_http_who_page(ho_http_exchange *x)
{
  static const char field[] =
      "<label>Link from the terminal: <input name=\"link\" autocomplete=\"off\" required></label> ";
  ho_http_doors *doors = &x->server->doors;
  if (!changes(&x->request)) {
    page(x, 200, "Sign in to this project as the person who started the server.", x->rest.n ? "" : field);
  } else if (is_link(doors, given(x))) { /* whatever others guess from the same address */
    enter(x, doors);
  } else if (failures(doors, &x->peer, true) > FAILURES_MOST) {
    answer(x, 429, HO_LIMIT, "too many wrong links; try again in a minute");
  } else {
    page(x, 403,
         "This link was used, is older than five minutes, or was never one. Start the server again for a new one.",
         NULL);
  }
}

void ho_http_who_am_i(ho_http_exchange *x)
{
  ho_node *map = ho_node_new(&x->arena, HO_KIND_MAP);
  ho_map_put(&x->arena, map, "role", ho_access_role_text(&x->arena, x->access->role, x->access->who));
  ho_map_put(&x->arena, map, "name", ho_access_recorded(x->access, &x->arena));
  if (x->csrf)
    ho_map_addz(map, "csrf", ho_node_textz(&x->arena, x->csrf));
  ho_http_answer_json(x, 200, map);
}
