/* Reading what a client sends: strict and without side effects. Whatever another server between the client and this one
 * could understand differently is refused, and the connection is closed. */
#ifndef HO_SURFACE_HTTP_HTTP_REQUEST_H
#define HO_SURFACE_HTTP_HTTP_REQUEST_H

#include "base/buf.h"

enum { HO_HTTP_HEAD_MOST = 16384, HO_HTTP_HEADERS_MOST = 64 };

typedef struct ho_http_header {
  ho_str name, value;
} ho_http_header;

typedef struct ho_http_request {
  ho_str method;
  ho_str target; /* as sent: path and query */
  ho_str path;   /* decoded; no part of it is empty, "." or ".." */
  ho_str query;  /* what follows '?', as sent */
  ho_http_header headers[HO_HTTP_HEADERS_MOST];
  size_t count;
  bool old;        /* HTTP/1.0: no chunks */
  bool closes;     /* the client wants no other answer on this connection */
  bool chunked;    /* the body comes in chunks */
  bool asks;       /* the client waits for "100 Continue" before it sends the body */
  uint64_t length; /* of the body, unless chunked */
  ho_str body;
} ho_http_request;

/* Reads a head, all of it and its empty line. HTTP status 0: it is a request; otherwise it is answered with that status and
 * *why, and the connection is closed: nobody knows where the next request begins. */
int ho_http_request_read(ho_arena *arena, ho_str head, ho_http_request *out, const char **why);
/* Bytes of the head, its empty line included; 0: it is not whole yet. */
size_t ho_http_request_head(ho_str bytes);

/* The value of a header, "" if it is not there; of several, the first. */
ho_str ho_http_request_header(const ho_http_request *request, const char *name);
/* How often it is there. */
size_t ho_http_request_count(const ho_http_request *request, const char *name);
/* Takes "name=value" off the query, decoded. False when it is used up; *bad: it is not UTF-8, or wrongly encoded. */
bool ho_http_request_param(ho_arena *arena, ho_str *query, ho_str *name, ho_str *value, bool *bad);

/* A body in chunks, as it comes. */
typedef struct ho_http_chunks {
  uint64_t left; /* of this chunk */
  enum { HO_HTTP_CHUNK_SIZE, HO_HTTP_CHUNK_DATA, HO_HTTP_CHUNK_END, HO_HTTP_CHUNK_LAST, HO_HTTP_CHUNK_DONE } phase;
} ho_http_chunks;
/* Takes what it can of `bytes` and adds data to `out`; *taken bytes were used. HTTP status as above. most: of the body. */
int ho_http_request_chunks(ho_http_chunks *chunks, ho_str bytes, size_t *taken, ho_buf *out, size_t most,
                           const char **why);
#endif
