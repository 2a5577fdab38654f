/* A request and its answer, as handlers see them.
 *
 * A handler is called on the loop's thread, and must not block there: it answers at once, or hands the work on
 * (ho_http_work). Whatever has the exchange, the handler or the work, is alone with it until it returns. It answers as a
 * whole (ho_http_answer), or piece by piece (ho_http_stream, ho_http_put, ho_http_end). Work that returns with neither
 * waits: it is called again by ho_http_wait's terms, until it has answered, or the client has gone. */
#ifndef HO_SURFACE_HTTP_HTTP_EXCHANGE_H
#define HO_SURFACE_HTTP_HTTP_EXCHANGE_H

#include "command/command.h"
#include "doc/tree.h"
#include "surface/http/http_request.h"

/* Who is at the other end of the connection. */
typedef struct ho_http_peer {
  char address[64]; /* "127.0.0.1"; "unix" */
  bool local;       /* on this machine: loopback or a Unix socket */
  bool ours;        /* a Unix socket, and the same user as this process */
} ho_http_peer;

typedef struct ho_http_server ho_http_server;
typedef struct ho_http_exchange ho_http_exchange;
struct ho_http_exchange {
  ho_arena arena; /* lives as long as the exchange */
  ho_http_request request;
  ho_http_peer peer;
  ho_http_server *server;
  ho_str rest;             /* of the path, behind a route that ends in "/" */
  const ho_access *access; /* who asks; NULL: anybody may */
  uint64_t changes;        /* as they were when the request came (http_watch); 0: not known */
  const char *csrf;        /* of a browser: what its changes have to bring along; else NULL */
  ho_str bearer;           /* the token, before it is known whose it is; "": none */
  void *world;             /* the handler's own */
  void (*gone)(
      ho_http_exchange *x); /* called before the exchange ends, whyever: frees what is the handler's; or NULL */
  struct ho_http_inside *inside;
};

typedef void ho_http_handler(ho_http_exchange *x);

/* What the server works with: the project's folders, the clock. Its arena is not for handlers. */
const ho_host *ho_http_host(const ho_http_server *server);

/* ---- Answers. A header is added before the answer begins; what is in it is not copied, but lives in the arena. */
void ho_http_header_add(ho_http_exchange *x, const char *name, ho_str value);
void ho_http_answer(ho_http_exchange *x, int status, const char *type, ho_str body);
#define HO_HTTP_JSON "application/json"
void ho_http_answer_json(ho_http_exchange *x, int status, const ho_node *value);
/* The form of --json: {"error": {"code": …, "message": …}}. status 0: that of the code. */
void ho_http_answer_error(ho_http_exchange *x, int status, const ho_error *err);
/* Begins an answer that comes in pieces. */
void ho_http_stream(ho_http_exchange *x, int status, const char *type);
void ho_http_put(ho_http_exchange *x, ho_str piece); /* it is sent without waiting for others */
void ho_http_end(ho_http_exchange *x);
/* Has the client gone? Then nobody reads what is put. */
bool ho_http_gone(const ho_http_exchange *x);

/* ---- Work. */
typedef enum ho_http_lane {
  HO_HTTP_QUICK, /* what is done in milliseconds */
  HO_HTTP_LONG,  /* what waits or takes long: it has other threads */
} ho_http_lane;
/* Once the handler has returned, `work` is called on another thread. 503 if too much waits already. */
void ho_http_work(ho_http_exchange *x, ho_http_handler *work, ho_http_lane lane);
/* Once the work has returned, it is called again: after `ms` (-1: no time), or when the project's store was changed, if
 * `changes`; whichever comes first. */
void ho_http_wait(ho_http_exchange *x, int ms, bool changes);
/* It is called again now, or as soon as it waits. Any thread that knows that the exchange does not end meanwhile. */
void ho_http_again(ho_http_exchange *x);
/* Goes up with every change of the project's store. */
uint64_t ho_http_generation(const ho_http_exchange *x);
/* Is the server about to end? What waits says so to its client now. */
bool ho_http_ending(const ho_http_exchange *x);
#endif
