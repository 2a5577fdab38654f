/* What `context` and `statusline` share: the project's settings for windows, and how a context is shown. */
#ifndef HO_COMMAND_CONTEXT_SHOWN_H
#define HO_COMMAND_CONTEXT_SHOWN_H

#include "command/call.h"
#include "engine/context/context.h"

/* `windows` of the settings and the environment into *facts, and the threshold in percent. Settings that cannot be
 * read are the error. */
ho_code ho_context_shown_settings(ho_call *call, ho_window_facts *facts, int64_t *threshold,
                                  ho_error *err) HO_NODISCARD;
/* Counts with the engine's token image, which is opened when something has to be counted. */
ho_counter ho_context_shown_counter(ho_host *host);

/* A number, or null if it is negative. */
ho_node *ho_context_shown_count(ho_arena *arena, int64_t count);
/* Of tenths of a percent: 79.9, 80. Null if it is negative. */
ho_node *ho_context_shown_percent(ho_arena *arena, int64_t tenths);
/* "claude-opus-4-1 ██████░░░░ 61.5 % of 200k"; what is not known is said to be. The bar turns yellow below the
 * threshold and red from it. */
void ho_context_shown_put(ho_buf *out, const ho_node *result, int64_t threshold, bool colour);
#endif
