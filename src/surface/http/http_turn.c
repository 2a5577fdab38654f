/* Whose turn it is: an exchange is with its handler, with a thread, or waits to be called again. */
#include "base/memory.h"
#include "surface/http/http_server.h"

ho_http_exchange *ho_http_exchange_new(ho_http_server *server, ho_http_conn *conn, const ho_http_peer *peer)
{
  ho_http_exchange *x = ho_malloc(sizeof *x);
  ho_http_inside *in = ho_malloc(sizeof *in);
  if (!x || !in) {
    ho_free(x);
    ho_free(in);
    return NULL;
  }
  *x = (ho_http_exchange){.peer = *peer, .server = server, .inside = in, .rest = HO_EMPTY};
  *in = (ho_http_inside){.conn = conn};
  ho_arena_init(&x->arena, 0);
  ho_buf_init(&in->head, 0);
  ho_buf_init(&in->out, 0);
  pthread_mutex_init(&in->lock, NULL);
  return x;
}

static void unpark(ho_http_exchange *x)
{
  ho_http_inside *in = x->inside;
  if (!in->parked)
    return;
  if (in->timer)
    ho_http_event_in(in->timer, -1);
  if (in->prev)
    in->prev->inside->next = in->next;
  else
    x->server->parked = in->next;
  if (in->next)
    in->next->inside->prev = in->prev;
  in->next = in->prev = NULL;
  in->parked = false;
  x->server->parked_count--;
  atomic_store(&x->server->counts.waiting, x->server->parked_count);
}

/* The loop is no longer told of it. */
static void forget(ho_http_exchange *x)
{
  ho_http_exchange **link = &x->server->news;
  pthread_mutex_lock(&x->server->lock);
  while (x->inside->told && *link && *link != x)
    link = &(*link)->inside->news;
  if (*link == x)
    *link = x->inside->news;
  pthread_mutex_unlock(&x->server->lock);
}

static void free_exchange(ho_http_exchange *x)
{
  ho_http_inside *in = x->inside;
  if (x->gone) /* first: from then on, no other thread knows it */
    x->gone(x);
  unpark(x);
  forget(x);
  ho_http_event_free(in->timer);
  ho_buf_free(&in->head);
  ho_buf_free(&in->out);
  pthread_mutex_destroy(&in->lock);
  ho_arena_free(&x->arena);
  ho_free(in);
  ho_free(x);
}

void ho_http_exchange_drop(ho_http_exchange *x)
{
  x->inside->conn = NULL;
  atomic_store(&x->inside->client_gone, true);
  if (!x->inside->busy) /* else when its work has returned */
    free_exchange(x);
}

static void refuse(ho_http_exchange *x, ho_code code, int status, const char *message)
{
  ho_error err = {0};
  if (x->inside->streams) { /* its head is sent */
    ho_http_end(x);
    return;
  }
  ho_fail(&err, code, "%s", message);
  if (status == 503)
    ho_http_header_add(x, "Retry-After", HO_STR("1"));
  ho_http_answer_error(x, status, &err);
}

/* Gives it to a thread. must: it had one before. */
static void hand_over(ho_http_exchange *x, bool must)
{
  x->inside->wants = HO_HTTP_WANTS_NOTHING;
  x->inside->busy = ho_http_work_add(&x->server->pool, x, must);
  if (!x->inside->busy)
    refuse(x, HO_LIMIT, 503, "the server is busy; try again in a moment");
}

static void resume(ho_http_exchange *x)
{
  unpark(x);
  x->inside->due = false;
  hand_over(x, true);
  if (!x->inside->busy && x->inside->conn)
    ho_http_conn_send(x->inside->conn, x);
}

static void time_over(void *data)
{
  resume(data);
}

/* It waits to be called again, unless it is due already. */
static void park(ho_http_exchange *x)
{
  ho_http_inside *in = x->inside;
  ho_http_server *server = x->server;
  if (in->due) {
    in->due = false;
    hand_over(x, true);
    return;
  }
  in->wants = HO_HTTP_WANTS_NOTHING;
  in->parked = true;
  in->next = server->parked;
  if (in->next)
    in->next->inside->prev = x;
  server->parked = x;
  atomic_store(&server->counts.waiting, ++server->parked_count);
  if (in->wait_ms >= 0 && !in->timer)
    in->timer = ho_http_loop_timer(server->loop, time_over, x);
  if (in->wait_ms >= 0 && in->timer)
    ho_http_event_in(in->timer, in->wait_ms);
}

/* After the handler or the work has returned: does what it asked for, and sends what there is. */
static void go_on(ho_http_exchange *x)
{
  ho_http_inside *in = x->inside;
  in->busy = false;
  if (!in->conn) {
    free_exchange(x);
    return;
  }
  pthread_mutex_lock(&in->lock);
  bool answered = in->answered; /* perhaps by another thread (ho_http_again) */
  pthread_mutex_unlock(&in->lock);
  if (!answered && in->wants == HO_HTTP_WANTS_NOTHING && x->access && !in->entered) {
    in->entered = true;
    ho_http_conn_entered(in->conn);
    return;
  }
  if (!answered && in->wants == HO_HTTP_WANTS_WORK)
    hand_over(x, in->streams);
  else if (!answered && in->wants == HO_HTTP_WANTS_WAIT && !ho_http_ending(x))
    park(x);
  else if (!answered && in->wants == HO_HTTP_WANTS_WAIT)
    refuse(x, HO_LIMIT, 503, "the server is about to end");
  else if (!answered)
    refuse(x, HO_BUG, 500, "the request was not answered");
  ho_http_conn_send(in->conn, x);
}

void ho_http_exchange_begin(ho_http_exchange *x, ho_http_handler *handler)
{
  x->inside->busy = true;
  handler(x);
  go_on(x);
}

void ho_http_exchange_news(ho_http_server *server)
{
  for (;;) {
    pthread_mutex_lock(&server->lock);
    ho_http_exchange *x = server->news;
    bool returned = x && x->inside->returned;
    if (x) {
      server->news = x->inside->news;
      x->inside->due = x->inside->due || x->inside->again;
      x->inside->told = x->inside->returned = x->inside->again = false;
    }
    pthread_mutex_unlock(&server->lock);
    if (!x)
      return;
    if (returned)
      go_on(x);
    else if (x->inside->parked && x->inside->due)
      resume(x);
    else if (x->inside->conn)
      ho_http_conn_send(x->inside->conn, x);
  }
}

void ho_http_exchange_wake(ho_http_server *server, bool all)
{
  for (ho_http_exchange *x = server->parked, *next; x; x = next) {
    next = x->inside->next;
    if (all || x->inside->wait_changes)
      resume(x);
  }
}
