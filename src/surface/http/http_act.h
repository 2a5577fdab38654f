/* Running a command for whoever asks. */
#ifndef HO_SURFACE_HTTP_HTTP_ACT_H
#define HO_SURFACE_HTTP_HTTP_ACT_H

#include "surface/http/http_exchange.h"

/* The session in which the caller works: what the header Handoff-Session names; "": the one of its access. */
ho_code ho_http_act_session(ho_http_exchange *x, ho_str *out, ho_error *err) HO_NODISCARD;
/* Runs a command with the server's project and the exchange's access; on a thread only. session: "": that one. document: what
 * "-" names; p NULL: nothing. call->arena: NULL: that of the exchange. As ho_dispatch; call->host is gone when it returns. */
ho_code ho_http_act(ho_http_exchange *x, const ho_command *command, ho_call *call, ho_str session, ho_str document,
                    ho_error *err) HO_NODISCARD;
#endif
