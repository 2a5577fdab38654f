/* The program's server: commands over HTTP, for tools, agents and people's browsers.
 *
 * One thread has the loop and all connections; it reads requests, strictly (http_request), and writes answers. Whatever
 * opens a file or a store is done by other threads (http_work). What is at which path says one table (http_route); a
 * handler sees an exchange (http_exchange): a request, who asks, and where the answer goes. */
#ifndef HO_SURFACE_HTTP_HTTP_H
#define HO_SURFACE_HTTP_HTTP_H

#include "command/command.h"

/* Serves whoever connects, as the arguments of the call say, until the process is told to end: ho_host.listen of the
 * program that has this server. */
ho_code ho_http_serve(const ho_call *call, ho_error *err) HO_NODISCARD;
#endif
