/* Running a command for whoever asks. */
#ifndef HO_SURFACE_HTTP_HTTP_ACT_H
#define HO_SURFACE_HTTP_HTTP_ACT_H

#include "surface/http/http_exchange.h"

/* Runs a command with the server's project and the exchange's access, in the session that the header Handoff-Session names,
 * else in one per access; on a thread only. document: what "-" names; p NULL: nothing. As ho_dispatch; call->host is gone when it returns. */
ho_code ho_http_act(ho_http_exchange *x, const ho_command *command, ho_call *call, ho_str document,
                    ho_error *err) HO_NODISCARD;
#endif
