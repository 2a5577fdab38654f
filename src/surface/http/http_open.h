/* The project and its store, for what is not a command: health, events, metrics. */
#ifndef HO_SURFACE_HTTP_HTTP_OPEN_H
#define HO_SURFACE_HTTP_HTTP_OPEN_H

#include "surface/http/http_exchange.h"

typedef struct ho_http_open {
  ho_project project; /* project.store is NULL if nothing was handed off yet */
} ho_http_open;

/* On a thread. Close it, also after a failure. */
ho_code ho_http_open_store(ho_http_exchange *x, ho_arena *arena, ho_http_open *out, ho_error *err) HO_NODISCARD;
void ho_http_open_close(ho_http_open *open);
#endif
