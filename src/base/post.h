/* One HTTP request to an address, without names, TLS or libraries: for a collector on this machine or nearby. */
#ifndef HO_BASE_POST_H
#define HO_BASE_POST_H

#include "base/arena.h"

typedef struct ho_post_url {
  ho_str host; /* an address, "[::1]" without its brackets */
  ho_str authority, path;
  unsigned port;
} ho_post_url;

/* "http://127.0.0.1:4318/path". HO_USAGE if it is anything else; localhost is this machine, other names are not looked up. */
ho_code ho_post_url_read(ho_str text, ho_post_url *out, ho_error *err) HO_NODISCARD;
/* Sends the body as JSON to the path with `more` behind it, and reads the status of the answer: 100 to 599. All of it takes
 * `ms` at most. retry_s: what the answer says of when to try again; 0 if nothing. HO_IO if there is no answer. */
ho_code ho_post_json(ho_arena *arena, const ho_post_url *url, const char *more, ho_str body, int64_t ms, int *status,
                     unsigned *retry_s, ho_error *err) HO_NODISCARD;
#endif
