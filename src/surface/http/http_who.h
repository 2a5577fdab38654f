/* Who asks? A token, the session of a browser that was let in by the start-up link, a user that a trusted proxy names, or
 * the server's own user at its Unix socket. What each may do, the engine decides (engine/project/access). */
#ifndef HO_SURFACE_HTTP_HTTP_WHO_H
#define HO_SURFACE_HTTP_HTTP_WHO_H

#include "surface/http/http_doors.h"
#include "surface/http/http_exchange.h"

/* Reads who may come in from the arguments of the call. */
ho_code ho_http_who_begin(ho_http_doors *doors, const ho_call *call, ho_error *err) HO_NODISCARD;
/* Makes the start-up link. */
ho_code ho_http_who_link(ho_http_doors *doors, ho_error *err) HO_NODISCARD;

/* On the loop: fills x->access, or answers. False: it has to be asked for on a thread (ho_http_who_ask). */
bool ho_http_who_know(ho_http_exchange *x, ho_http_doors *doors);
/* On a thread: the same of a token. */
ho_http_handler ho_http_who_ask;
/* On a thread: may whoever asked still ask? A stream outlives its token no longer than until there is something to tell. */
bool ho_http_who_still(const ho_http_exchange *x);
/* The page behind the link: a button, which lets in whoever presses it. Nothing is used up by looking. */
ho_http_handler ho_http_who_page;
/* Who the caller is, and the token that its changes need if it is a browser. */
ho_http_handler ho_http_who_am_i;
#endif
