/* What was found out a moment ago, so that whoever asks again is answered by the loop itself: whose a token is, and what a
 * command has answered that follows from the store alone (ho_command.stored). It counts for a second, and no longer than
 * nothing was changed in the folders of the store and of tokens: that is looked for (ho_http_watch_now) before anything of
 * it is used, and whoever changes something has told of it, by writing, before anybody is told that it was changed. */
#ifndef HO_SURFACE_HTTP_HTTP_KEPT_H
#define HO_SURFACE_HTTP_HTTP_KEPT_H

#include "surface/http/http_exchange.h"

/* The access of the exchange's token, its texts copied; false if it has to be looked up. On the loop. */
bool ho_http_kept_token(ho_http_exchange *x, ho_access *out);
/* changes: as they were before it was looked up. Any thread. */
void ho_http_kept_token_put(const ho_http_exchange *x, uint64_t changes, const ho_access *access);
/* Answers the request if that can be done; on the loop. */
bool ho_http_kept_answer(ho_http_exchange *x);
/* Keeps the answer to it, which is 200. */
void ho_http_kept_answer_put(ho_http_exchange *x, uint64_t changes, ho_str tag, ho_str body);
/* Adds the tag, and answers with the body, unless the client has it (304). */
void ho_http_kept_say(ho_http_exchange *x, ho_str tag, ho_str body);
#endif
