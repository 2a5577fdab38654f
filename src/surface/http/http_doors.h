/* By what somebody may come in: sessions of browsers, the start-up link, proxies. */
#ifndef HO_SURFACE_HTTP_HTTP_DOORS_H
#define HO_SURFACE_HTTP_HTTP_DOORS_H

#include "engine/project/access.h"

enum { HO_HTTP_SECRET_BYTES = 32, HO_HTTP_SECRET_SIZE = 65, HO_HTTP_SESSIONS = 32 };

/* A browser that was let in. */
typedef struct ho_http_session {
  char id[HO_HTTP_SECRET_SIZE], csrf[HO_HTTP_SECRET_SIZE];
  int64_t until_ms; /* monotonic; 0: it is free */
} ho_http_session;

/* A user whom a proxy names, and what that one may do. */
typedef struct ho_http_user {
  ho_str name; /* "*": everybody else */
  ho_access_role role;
  ho_str who;
} ho_http_user;

typedef struct ho_http_doors {
  char link[HO_HTTP_SECRET_SIZE]; /* "": it was used, or there is none */
  int64_t link_until_ms;
  char cookie[32]; /* its name: cookies know no ports */
  ho_http_session sessions[HO_HTTP_SESSIONS];
  const char *const *hosts;   /* by which the server may be called, NULL-ended */
  const char *const *proxies; /* their addresses, NULL-ended; "unix" is the socket */
  const char *proxy_header;
  const ho_http_user *users;
  size_t user_count;
  struct ho_http_failures {
    char address[64];
    int64_t since_ms;
    unsigned count;
  } failures[64];
} ho_http_doors;
#endif
