/* Agent2Agent (surface/a2a), carried over HTTP: requests are bodies, streams are server-sent events. What follows a task is
 * called again when the project's store was changed, so that nothing waits on a thread. */
#include "base/time.h"
#include "surface/a2a/a2a.h"
#include "surface/http/http_act.h"
#include "surface/http/http_route.h"

enum { WAIT_MS = 50000 }; /* clients give up after a minute */

typedef struct world {
  ho_a2a a2a;
  int64_t until_ms; /* monotonic; 0: nothing was answered yet */
} world;

static ho_code run(ho_a2a *a, const ho_command *command, ho_call *call, ho_str session, ho_str document, ho_error *err)
{
  return ho_http_act(a->world, command, call, session, document, err);
}

/* By which address the client has found us. */
static ho_str base_of(ho_http_exchange *x)
{
  bool tls = ho_str_is(ho_http_request_header(&x->request, "x-forwarded-proto"), "https");
  return ho_arena_printf(&x->arena, "http%s://%.*s", tls ? "s" : "",
                         HO_ARG(ho_http_request_header(&x->request, "host")));
}

static ho_a2a make(ho_http_exchange *x)
{
  return (ho_a2a){.arena = &x->arena,
                  .kept = &x->arena,
                  .access = x->access,
                  .base = base_of(x),
                  .version = ho_http_request_header(&x->request, "a2a-version"),
                  .task = HO_EMPTY,
                  .told = HO_EMPTY,
                  .run = run,
                  .world = x};
}

static void send(ho_http_exchange *x, const world *w, bool first, ho_a2a_then then, ho_str text)
{
  if (then == HO_A2A_WAITS)
    return;
  if (!w->a2a.events) {
    ho_http_answer(x, 200, HO_HTTP_JSON, text);
    return;
  }
  if (first) {
    ho_http_header_add(x, "X-Accel-Buffering", HO_STR("no"));
    ho_http_stream(x, 200, "text/event-stream");
  }
  ho_http_put(x, text);
  if (then == HO_A2A_DONE)
    ho_http_end(x);
}

/* A look has memory of its own: a stream may be looked at for days. */
static void act(ho_http_exchange *x)
{
  world *w = x->world;
  ho_arena arena;
  ho_buf out;
  int64_t now = ho_time_monotonic_ms();
  bool first = !w->until_ms;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  w->a2a.arena = &arena;
  if (first)
    w->until_ms = now + WAIT_MS;
  ho_a2a_then then = first ? ho_a2a_take(&w->a2a, x->request.body, &out)
                           : ho_a2a_look(&w->a2a, ho_http_ending(x) || (!w->a2a.events && now >= w->until_ms), &out);
  ho_error err = {0};
  if (then != HO_A2A_WAITS && ho_buf_code(&out, &err) && first)
    ho_http_answer_error(x, 0, &err);
  else
    send(x, w, first, err.code ? HO_A2A_DONE : then, ho_buf_str(&out));
  if (!err.code && then != HO_A2A_DONE)
    ho_http_wait(x, then == HO_A2A_WAITS && w->until_ms > now ? (int)(w->until_ms - now) : -1, true);
  ho_buf_free(&out);
  ho_arena_free(&arena);
}

void ho_http_a2a(ho_http_exchange *x)
{
  world *w = HO_NEW(&x->arena, world);
  ho_error err = {0};
  ho_code code = ho_arena_code(&x->arena, &err);
  if (!code && !ho_str_starts_nocase(ho_http_request_header(&x->request, "content-type"), HO_HTTP_JSON))
    code = ho_fail(&err, HO_USAGE, "the body is not said to be JSON; send the header Content-Type: application/json");
  if (code) {
    ho_http_answer_error(x, 0, &err);
    return;
  }
  w->a2a = make(x);
  x->world = w;
  ho_http_work(x, act, HO_HTTP_QUICK);
}

static void show_card(ho_http_exchange *x)
{
  ho_error err = {0};
  ho_a2a a2a = make(x);
  const ho_node *card = ho_a2a_card(&a2a, &err);
  if (card)
    ho_http_answer_json(x, 200, card);
  else
    ho_http_answer_error(x, 0, &err);
}

void ho_http_agent_card(ho_http_exchange *x)
{
  ho_http_work(x, show_card, HO_HTTP_QUICK);
}
