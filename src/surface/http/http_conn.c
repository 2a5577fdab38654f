/* A connection: reading requests from it, one after the other, and writing answers. Every stretch in which the client has
 * something to do has an end. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "base/limits.h"
#include "base/memory.h"
#include "surface/http/http_edge.h"
#include "surface/http/http_route.h"
#include "surface/http/http_server.h"
#include "surface/http/http_watch.h"
#include "surface/http/http_who.h"

enum {
  IDLE_S = 75,             /* between two requests */
  HEAD_S = 10,             /* for all of a head */
  BODY_S = 60,             /* for all of a body */
  WRITE_S = 30,            /* until the client takes something more */
  ANSWER_S = 300,          /* until it has taken all of a long answer */
  LINGER_S = 2,            /* to read the last answer */
  READ_AHEAD = 65536,      /* taken from a client that does not wait for its answer */
  BEHIND = 1 << 20,        /* bytes that it has not taken yet when its next request is not looked at */
  STREAM_BEHIND = 4 << 20, /* or its stream is given up */
  CHUNK_LINE = 64,
};
#define CONTINUE "HTTP/1.1 100 Continue\r\n\r\n"

typedef enum phase { WAITS, HEAD, ASKS, BODY, ANSWER, CLOSES } phase;

struct ho_http_conn {
  ho_http_server *server;
  ho_http_conn *next, *prev;
  struct bufferevent *bev;
  ho_http_event *end; /* of the time that the client has */
  ho_http_peer peer;
  phase phase;
  ho_http_exchange *x;
  const ho_http_route *route;
  ho_http_chunks chunks;
  bool closes; /* as the client has said */
  ho_buf body;
};

static void allow(ho_http_conn *conn, int seconds)
{
  ho_http_event_in(conn->end, seconds ? seconds * 1000 : -1);
}

static void close_conn(ho_http_conn *conn)
{
  ho_http_server *server = conn->server;
  if (conn->prev)
    conn->prev->next = conn->next;
  else
    server->conns = conn->next;
  if (conn->next)
    conn->next->prev = conn->prev;
  atomic_store(&server->counts.open, --server->conn_count);
  if (conn->x)
    ho_http_exchange_drop(conn->x);
  ho_http_event_free(conn->end);
  bufferevent_free(conn->bev);
  ho_buf_free(&conn->body);
  ho_free(conn);
}

void ho_http_conn_close_idle(ho_http_server *server)
{
  for (ho_http_conn *conn = server->conns, *next; conn; conn = next) {
    next = conn->next;
    if (conn->phase == WAITS && !evbuffer_get_length(bufferevent_get_output(conn->bev)))
      close_conn(conn);
  }
}

/* Answers what is no request, or not taken: whatever else comes on this connection is not looked at. */
static void refuse(ho_http_conn *conn, int status, const char *why)
{
  ho_error err = {0};
  bool large = status == 413 || status == 414 || status == 431;
  ho_fail(&err, large ? HO_LIMIT : status == 404 ? HO_NOT_FOUND : HO_USAGE, "%s", why);
  conn->x->request.closes = true;
  conn->phase = ANSWER;
  ho_http_answer_error(conn->x, status, &err);
  ho_http_conn_send(conn, conn->x);
}

static void begin(ho_http_conn *conn)
{
  ho_http_exchange *x = conn->x;
  x->inside->entered = true;
  x->request.body = ho_buf_move(&conn->body, &x->arena);
  conn->phase = ANSWER;
  allow(conn, 0);
  ho_http_exchange_begin(x, conn->route->handler);
}

/* The route of the request, or an answer. */
static bool find_route(ho_http_conn *conn)
{
  ho_http_exchange *x = conn->x;
  int status = 0;
  const char *methods = NULL;
  conn->route = ho_http_route_of(&x->request, &x->rest, &status, &methods);
  if (conn->route)
    return true;
  if (methods)
    ho_http_header_add(x, "Allow", ho_str_of(methods));
  refuse(conn, status, status == 405 ? "this path has other methods" : "there is nothing at this path");
  return false;
}

static void read_body(ho_http_conn *conn)
{
  struct evbuffer *in = bufferevent_get_input(conn->bev);
  const ho_http_request *request = &conn->x->request;
  const char *why = "";
  size_t taken = 1;
  while (taken && evbuffer_get_length(in)) {
    size_t have = evbuffer_get_contiguous_space(in), all = evbuffer_get_length(in);
    int status = 0;
    if (have < CHUNK_LINE && have < all) /* a line of a chunk may lie in two pieces */
      have = all < CHUNK_LINE ? all : CHUNK_LINE;
    ho_str bytes = {(const char *)evbuffer_pullup(in, (ssize_t)have), have};
    taken = request->length - conn->body.n < have ? (size_t)(request->length - conn->body.n) : have;
    if (request->chunked)
      status = ho_http_request_chunks(&conn->chunks, bytes, &taken, &conn->body, conn->route->body, &why);
    else
      ho_buf_put(&conn->body, ho_str_sub(bytes, 0, taken));
    evbuffer_drain(in, taken);
    if (status)
      refuse(conn, status, why);
    else if (request->chunked ? conn->chunks.phase == HO_HTTP_CHUNK_DONE : conn->body.n == request->length)
      begin(conn);
    if (conn->phase != BODY)
      return;
  }
}

/* Finds out who asks, without reading what else that one sends. */
static void ask(ho_http_exchange *x)
{
  x->changes = ho_http_watch_now(x->server);
  if (!ho_http_who_know(x, &x->server->doors))
    ho_http_work(x, ho_http_who_ask, HO_HTTP_QUICK);
}

/* A head was read. */
static void take_request(ho_http_conn *conn)
{
  ho_http_request *request = &conn->x->request;
  const char *why = "";
  int status = ho_http_edge_judge(request, conn->server->doors.hosts, &why);
  if (status) {
    refuse(conn, status, why);
    return;
  }
  if (!find_route(conn))
    return;
  if (request->length > conn->route->body || (request->chunked && !conn->route->body)) {
    refuse(conn, 413, "the body is too large");
    return;
  }
  conn->closes = request->closes;
  request->closes = request->closes || request->length || request->chunked; /* nobody reads the body of a refused one */
  conn->phase = ASKS;
  allow(conn, 0);
  if (conn->route->open)
    ho_http_conn_entered(conn);
  else
    ho_http_exchange_begin(conn->x, ask);
}

void ho_http_conn_entered(ho_http_conn *conn)
{
  ho_http_request *request = &conn->x->request;
  request->closes = conn->closes;
  if (!request->length && !request->chunked) {
    begin(conn);
    return;
  }
  conn->phase = BODY;
  conn->chunks = (ho_http_chunks){0};
  allow(conn, BODY_S);
  if (request->asks)
    bufferevent_write(conn->bev, CONTINUE, sizeof CONTINUE - 1);
  read_body(conn);
}

static void read_head(ho_http_conn *conn)
{
  struct evbuffer *in = bufferevent_get_input(conn->bev);
  size_t have = evbuffer_get_length(in), most = have < HO_HTTP_HEAD_MOST ? have : HO_HTTP_HEAD_MOST;
  const char *why = "the head of the request is too large";
  if (conn->phase == WAITS)
    allow(conn, HEAD_S);
  conn->phase = HEAD;
  ho_str bytes = {(const char *)evbuffer_pullup(in, (ssize_t)most), most};
  size_t head = bytes.p ? ho_http_request_head(bytes) : 0;
  if (!head && most < HO_HTTP_HEAD_MOST)
    return;
  conn->x = ho_http_exchange_new(conn->server, conn, &conn->peer);
  if (!conn->x) {
    close_conn(conn);
    return;
  }
  ho_str kept = ho_arena_copy(&conn->x->arena, ho_str_sub(bytes, 0, head));
  evbuffer_drain(in, head);
  int status = head ? ho_http_request_read(&conn->x->arena, kept, &conn->x->request, &why) : 431;
  if (status)
    refuse(conn, status, why);
  else
    take_request(conn);
}

static void on_read(struct bufferevent *bev, void *data)
{
  ho_http_conn *conn = data;
  struct evbuffer *in = bufferevent_get_input(bev);
  if (conn->phase == CLOSES)
    evbuffer_drain(in, evbuffer_get_length(in));
  else if (conn->phase == BODY)
    read_body(conn);
  else if ((conn->phase == WAITS || conn->phase == HEAD) && evbuffer_get_length(in) &&
           evbuffer_get_length(bufferevent_get_output(bev)) < BEHIND)
    read_head(conn);
}

/* All that was to be sent is sent. */
static void on_written(struct bufferevent *bev, void *data)
{
  ho_http_conn *conn = data;
  if (conn->phase == CLOSES) { /* the client reads it before it learns that nobody reads what else it sends */
    shutdown(bufferevent_getfd(bev), SHUT_WR);
    allow(conn, LINGER_S);
  } else if (conn->phase == WAITS) {
    on_read(bev, data);
  }
}

static void on_event(struct bufferevent *bev, short what, void *data)
{
  (void)bev, (void)what;
  close_conn(data);
}

static void time_over(void *data)
{
  ho_http_conn *conn = data;
  if (conn->phase == BODY)
    refuse(conn, 408, "the body did not come in time");
  else
    close_conn(conn);
}

/* The answer is whole: what comes next? */
static void finish(ho_http_conn *conn)
{
  struct evbuffer *out = bufferevent_get_output(conn->bev);
  ho_http_exchange *x = conn->x;
  bool closes = x->request.closes;
  conn->x = NULL;
  conn->phase = closes ? CLOSES : WAITS;
  ho_http_exchange_drop(x);
  allow(conn, evbuffer_get_length(out) > BEHIND ? ANSWER_S : IDLE_S);
  if (closes && !evbuffer_get_length(out))
    on_written(conn->bev, conn);
  else if (!closes && evbuffer_get_length(bufferevent_get_input(conn->bev)))
    bufferevent_trigger(conn->bev, EV_READ, BEV_TRIG_IGNORE_WATERMARKS | BEV_TRIG_DEFER_CALLBACKS);
}

void ho_http_conn_send(ho_http_conn *conn, ho_http_exchange *x)
{
  ho_http_inside *in = x->inside;
  pthread_mutex_lock(&in->lock);
  bool whole = in->answered, failed = in->out.failed || in->head.failed;
  if ((whole || in->streams) && !failed) {
    bufferevent_write(conn->bev, in->head.p, in->head.n);
    bufferevent_write(conn->bev, in->out.p, in->out.n);
    ho_buf_free(&in->head);
    ho_buf_free(&in->out);
  }
  pthread_mutex_unlock(&in->lock);
  if (failed || (!whole && evbuffer_get_length(bufferevent_get_output(conn->bev)) > STREAM_BEHIND))
    close_conn(conn); /* it does not take what it asked for */
  else if (whole && !in->busy)
    finish(conn);
}

void ho_http_conn_open(ho_http_server *server, int fd, const ho_http_peer *peer)
{
  int on = 1;
  struct timeval write_time = {WRITE_S, 0};
  ho_http_conn *conn = ho_malloc(sizeof *conn);
  struct bufferevent *bev =
      conn ? bufferevent_socket_new(ho_http_loop_base(server->loop), fd, BEV_OPT_CLOSE_ON_FREE) : NULL;
  ho_http_event *end = bev ? ho_http_loop_timer(server->loop, time_over, conn) : NULL;
  if (!end) {
    if (bev)
      bufferevent_free(bev);
    else
      evutil_closesocket(fd);
    ho_free(conn);
    return;
  }
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  *conn = (ho_http_conn){.server = server, .next = server->conns, .bev = bev, .end = end, .peer = *peer};
  if (server->conns)
    server->conns->prev = conn;
  server->conns = conn;
  atomic_store(&server->counts.open, ++server->conn_count);
  ho_buf_init(&conn->body, HO_LIMIT_DOCUMENT * 2);
  bufferevent_setcb(bev, on_read, on_written, on_event, conn);
  bufferevent_setwatermark(bev, EV_READ, 0, READ_AHEAD);
  bufferevent_set_timeouts(bev, NULL, &write_time);
  allow(conn, HEAD_S);
  bufferevent_enable(bev, EV_READ | EV_WRITE);
}
