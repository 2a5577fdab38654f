/* The Model Context Protocol over HTTP: a message is a POST, and its answer is JSON, or a stream of events if there is more to
 * say than that, or later. In the era of `initialize`, a GET is the stream of what belongs to no request. */
#include "surface/http/http_edge.h"
#include "surface/http/http_mcp_hub.h"
#include "surface/http/http_route.h"
#include "surface/http/http_who.h"

#define EVENTS "text/event-stream"
enum { UNHEARD_MOST = 65536 }; /* bytes that are kept for a client that does not listen */

/* ---- What it says. */

/* Every line is an event. */
static void put_events(ho_http_exchange *x, ho_mcp_channel *channel)
{
  ho_str lines = ho_buf_str(&channel->out), line;
  ho_buf events;
  ho_buf_init(&events, 0);
  while (ho_str_next_line(&lines, &line))
    ho_buf_printf(&events, "event: message\ndata: %.*s\n\n", HO_ARG(line));
  ho_http_put(x, ho_buf_str(&events));
  ho_buf_free(&events);
  ho_buf_free(&channel->out);
}

static void begin_stream(ho_http_mcp_visit *v)
{
  v->streams = true;
  ho_http_header_add(v->x, "X-Accel-Buffering", HO_STR("no"));
  ho_http_stream(v->x, 200, EVENTS);
}

static bool is_main(const ho_http_mcp_visit *v)
{
  return v->channel != &v->own;
}

/* What a visit has been told meanwhile, and whether that was all. `watches` (data): somebody waits for changes now. */
static void tell(ho_http_mcp_visit *v, void *data)
{
  const bool *watches = data;
  if (!v->streams)
    return;
  put_events(v->x, v->channel);
  if (!is_main(v) && !v->channel->pending)
    ho_http_end(v->x);
  else if (is_main(v) && *watches)
    ho_http_again(v->x); /* it is it that looks */
}

/* The first answer: one message that is all of it, or a stream. */
static void answer(ho_http_mcp_visit *v)
{
  ho_mcp_channel *channel = v->channel;
  ho_str lines = ho_buf_str(&channel->out), first;
  bool one = ho_str_next_line(&lines, &first) && !lines.n;
  if (channel->out.failed)
    ho_http_answer(v->x, 507, NULL, HO_EMPTY);
  else if (!channel->pending && one)
    ho_http_answer(v->x, channel->status, HO_HTTP_JSON, ho_buf_str(&channel->out));
  else if (!channel->pending && !channel->out.n)
    ho_http_answer(v->x, 202, NULL, HO_EMPTY);
  else
    begin_stream(v);
}

/* ---- Its turn. */

/* Takes the message of a visit. */
static void take(ho_http_mcp_visit *v, ho_mcp *mcp)
{
  ho_str id;
  ho_error err = {0};
  bool agreed = ho_mcp_agreed(mcp);
  v->taken = true;
  ho_mcp_take(mcp, v->channel, v->x->request.body);
  if (!agreed && ho_mcp_agreed(mcp)) {
    if (ho_http_mcp_hub_name(v, &id, &err))
      ho_http_answer_error(v->x, 0, &err);
    else
      ho_http_header_add(v->x, "Mcp-Session-Id", id);
  }
  answer(v);
}

static void fail(ho_http_exchange *x, int status, ho_code code, const char *why)
{
  ho_error err = {0};
  ho_fail(&err, code, "%s", why);
  ho_http_answer_error(x, status, &err);
}

static void end_stream(ho_http_mcp_visit *v, void *data)
{
  (void)data;
  if (v->streams)
    ho_http_end(v->x);
}

static void end_session(ho_http_mcp_visit *v)
{
  ho_http_mcp_hub_close(v);
  ho_http_mcp_hub_each(v, end_stream, NULL);
  ho_http_answer(v->x, 204, NULL, HO_EMPTY);
}

static bool is(const ho_http_exchange *x, const char *method)
{
  return ho_str_is(x->request.method, method);
}

static void go_on(ho_http_mcp_visit *v)
{
  ho_http_exchange *x = v->x;
  ho_mcp *mcp = ho_http_mcp_hub_server(v);
  (void)ho_mcp_look(mcp);
  if (is(x, "DELETE"))
    end_session(v);
  else if (is(x, "GET") && !v->streams && !ho_http_mcp_hub_main(v))
    fail(x, 409, HO_CONFLICT, "the session has such a stream already");
  else if (is(x, "GET") && !v->streams)
    begin_stream(v);
  else if (is(x, "POST") && !v->taken)
    take(v, mcp);
  int ms = ho_mcp_look(mcp);
  bool watches = ho_mcp_watches(mcp), no = false;
  tell(v, &no);
  ho_http_mcp_hub_each(v, tell, &watches);
  if (ho_mcp_main(mcp)->out.n > UNHEARD_MOST)
    ho_buf_free(&ho_mcp_main(mcp)->out);
  ho_http_wait(x, ms, watches);
}

/* ---- Requests. */

static bool accepts(const ho_http_exchange *x, const char *type)
{
  ho_str accept = ho_http_request_header(&x->request, "accept");
  return !accept.n || ho_str_has_nocase(accept, "*/*") || ho_str_has_nocase(accept, type);
}

/* NULL p: there is none. */
static ho_str header(const ho_http_exchange *x, const char *name)
{
  return ho_http_request_count(&x->request, name) ? ho_http_request_header(&x->request, name) : (ho_str){NULL, 0};
}

static bool is_stateless(ho_str version)
{
  return version.n && !ho_mcp_initialize_speaks(version);
}

static bool visit(ho_http_exchange *x)
{
  ho_http_mcp_visit *v;
  ho_error err = {0};
  ho_str id = ho_http_request_header(&x->request, "mcp-session-id"), version = header(x, "mcp-protocol-version");
  bool stateless = is_stateless(version);
  ho_code code = ho_http_mcp_hub_visit(x, stateless ? HO_EMPTY : id, !stateless && !id.n, &v, &err);
  if (code)
    ho_http_answer_error(x, code == HO_LIMIT ? 503 : 0, &err);
  else
    v->head = (ho_mcp_head){version, header(x, "mcp-method"), header(x, "mcp-name")};
  return !code;
}

/* Called again and again, until all is said. */
static void serve(ho_http_exchange *x)
{
  if (!x->world && !visit(x))
    return;
  ho_http_mcp_visit *v = x->world;
  if (v->streams && (ho_http_ending(x) || !ho_http_who_still(x))) {
    ho_http_end(x);
  } else if (ho_http_ending(x)) {
    fail(x, 503, HO_LIMIT, "the server is about to end");
  } else if (ho_http_mcp_hub_enter(v)) {
    go_on(v);
    ho_http_mcp_hub_leave(v);
  } else {
    ho_http_wait(x, -1, false); /* until it is its turn */
  }
}

void ho_http_mcp(ho_http_exchange *x)
{
  bool posts = is(x, "POST");
  if (!posts &&
      (!ho_http_request_header(&x->request, "mcp-session-id").n || is_stateless(header(x, "mcp-protocol-version")))) {
    ho_http_header_add(x, "Allow", HO_STR("POST"));
    fail(x, 405, HO_USAGE, "without a session (Mcp-Session-Id), there is only POST");
  } else if (posts && !ho_str_starts_nocase(ho_http_request_header(&x->request, "content-type"), HO_HTTP_JSON)) {
    fail(x, 415, HO_USAGE, "the message is not said to be JSON; send the header Content-Type: application/json");
  } else if (posts && ho_str_blank(x->request.body)) {
    fail(x, 400, HO_USAGE, "there is no message in the body");
  } else if (!is(x, "DELETE") && (!accepts(x, EVENTS) || (posts && !accepts(x, HO_HTTP_JSON)))) {
    fail(x, 406, HO_USAGE, "send the header Accept: application/json, " EVENTS);
  } else {
    ho_http_work(x, serve, HO_HTTP_QUICK);
  }
}
