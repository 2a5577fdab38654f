/* Notices when the project's store was changed, by whomever: the system tells it (inotify), so nothing is asked for again
 * and again. What waits for changes is called then. */
#ifndef HO_SURFACE_HTTP_HTTP_WATCH_H
#define HO_SURFACE_HTTP_HTTP_WATCH_H

#include "surface/http/http_server.h"

/* Looks at what the system tells right now; a number that has gone up if anything was changed in the folders of the store and of
 * tokens; 0 if these cannot be watched. On the loop. */
uint64_t ho_http_watch_now(ho_http_server *server);
ho_code ho_http_watch_begin(ho_http_server *server, ho_error *err) HO_NODISCARD;
void ho_http_watch_end(ho_http_server *server);
#endif
