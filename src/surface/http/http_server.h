/* What the files of the server share: connections, what an exchange is behind its handler, and who hands what to whom.
 *
 * Connections belong to the loop's thread. An exchange belongs to whoever works on it; only what is said to be "of both" is
 * reached by both. */
#ifndef HO_SURFACE_HTTP_HTTP_SERVER_H
#define HO_SURFACE_HTTP_HTTP_SERVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "surface/http/http_doors.h"
#include "surface/http/http_exchange.h"
#include "surface/http/http_loop.h"

struct evconnlistener;

typedef struct ho_http_conn ho_http_conn;
typedef enum ho_http_wants { HO_HTTP_WANTS_NOTHING, HO_HTTP_WANTS_WORK, HO_HTTP_WANTS_WAIT } ho_http_wants;
typedef struct ho_http_inside {
  /* Of the loop. */
  ho_http_conn *conn;            /* NULL: it has gone */
  ho_http_event *timer;          /* until what waits is called again; NULL: there was none yet */
  bool busy;                     /* a handler or work has it */
  bool due;                      /* it is to be called again as soon as it waits */
  bool entered;                  /* it is known who asks */
  bool parked;                   /* it waits to be called again */
  ho_http_exchange *next, *prev; /* of the parked */
  /* Of whoever has it. */
  ho_http_handler *work;
  ho_http_lane lane;
  ho_http_wants wants;
  int wait_ms;
  bool wait_changes;
  ho_http_exchange *queued; /* the next one in the queue of its lane */
  /* Of both, under the server's lock. */
  bool told;     /* the loop is told that there is something, and has not looked yet */
  bool returned; /* namely that the work has returned */
  bool again;    /* namely that it is to be called again */
  ho_http_exchange *news;
  /* Of both. */
  pthread_mutex_t lock;
  ho_buf head, out; /* to be sent */
  bool streams;
  bool answered; /* all of it is there */
  atomic_bool client_gone;
} ho_http_inside;

enum { HO_HTTP_LANES = 2, HO_HTTP_QUICK_THREADS = 16, HO_HTTP_LONG_THREADS = 64, HO_HTTP_QUEUE_MOST = 512 };

typedef struct ho_http_pool {
  pthread_mutex_t lock;
  struct ho_http_queue {
    struct ho_http_pool *pool;
    pthread_cond_t some;
    ho_http_exchange *first, *last;
    size_t count;
    unsigned threads, idle, most;
  } lanes[HO_HTTP_LANES];
} ho_http_pool;

enum { HO_HTTP_LISTENERS = 8 };
struct ho_http_server {
  const ho_host *host;
  const ho_node *args; /* of the command */
  ho_http_loop *loop;
  struct evconnlistener *listeners[HO_HTTP_LISTENERS];
  size_t listening;
  const char *socket_path; /* NULL: there is none */
  ho_http_event *wake, *term, *interrupt, *last;
  int wake_fd;
  ho_http_conn *conns;
  size_t conn_count, conn_most;
  ho_http_exchange *parked;
  size_t parked_count;
  ho_http_event *watch, *watch_timer;
  int watch_fd, watched, watched_tokens;
  uint64_t changes; /* told by the system, of all that is watched */
  bool watches_root, watch_due, watch_again;
  atomic_uint_fast64_t generation;
  ho_http_doors doors;
  struct ho_http_counts {
    atomic_size_t open, waiting, answered, refused, failed;
  } counts;
  atomic_bool ending;
  ho_http_pool pool;
  pthread_t thread; /* the loop's */
  pthread_mutex_t lock;
  ho_http_exchange *news; /* those that the loop has to look at */
};

/* ---- http_conn */
/* Takes over a socket that was accepted. */
void ho_http_conn_open(ho_http_server *server, int fd, const ho_http_peer *peer);
/* It is known who asks: goes on with the request. */
void ho_http_conn_entered(ho_http_conn *conn);
/* Ends all that nobody is answered on. */
void ho_http_conn_close_idle(ho_http_server *server);
/* Sends what the exchange has by now; the conn goes on with the next request if that is all. */
void ho_http_conn_send(ho_http_conn *conn, ho_http_exchange *x);

/* ---- http_turn */
ho_http_exchange *ho_http_exchange_new(ho_http_server *server, ho_http_conn *conn, const ho_http_peer *peer);
/* Calls a handler, and does what it asks for. */
void ho_http_exchange_begin(ho_http_exchange *x, ho_http_handler *handler);
/* The client does not want it any more: frees it, at once or when its work has returned. */
void ho_http_exchange_drop(ho_http_exchange *x);
/* Looks at what threads have done (loop). */
void ho_http_exchange_news(ho_http_server *server);
/* Calls what waits for changes; all: whatever waits. */
void ho_http_exchange_wake(ho_http_server *server, bool all);
/* Its work has returned: tells the loop (any other thread). */
void ho_http_exchange_returned(ho_http_exchange *x);

/* ---- http_work */
void ho_http_work_begin(ho_http_pool *pool);
/* must: it was taken before. False: too much waits, or there is no thread. */
bool ho_http_work_add(ho_http_pool *pool, ho_http_exchange *x, bool must);

/* ---- http_listen */
ho_code ho_http_listen(ho_http_server *server, const ho_call *call, ho_error *err) HO_NODISCARD;
/* "http://127.0.0.1:8420", the first one that a browser can open; or "". */
ho_str ho_http_listen_address(const ho_http_server *server, ho_arena *arena);
#endif
