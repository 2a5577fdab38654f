/* The Agent2Agent protocol, 1.0, as JSON-RPC: a request is answered once, or followed until its task has come to an end.
 *
 * Knows neither connections nor threads. Whoever carries it gives it what a client sent and a way to run commands, and sends on
 * what it puts. A task is a handoff, and every method is a command: send, answer, gate decide, show, list, withdraw. */
#ifndef HO_SURFACE_A2A_A2A_H
#define HO_SURFACE_A2A_A2A_H

#include "surface/a2a/a2a_request.h"

#define HO_A2A_VERSION "1.0"

/* What comes after the answer. */
typedef enum ho_a2a_then {
  HO_A2A_DONE,    /* it is all of it */
  HO_A2A_WAITS,   /* there is none yet: look again when the project's store was changed */
  HO_A2A_STREAMS, /* it is the first of several, each an event; likewise */
} ho_a2a_then;

/* What the agent card says: who can be handed work, and how. NULL: *err says why. */
ho_node *ho_a2a_card(ho_a2a *a, ho_error *err);
/* Answers what a client sent; whatever it is, something is put, or it waits. */
ho_a2a_then ho_a2a_take(ho_a2a *a, ho_str body, ho_buf *out);
/* Looks again. over: nobody waits any longer, so a task is answered as it stands; a stream ends. */
ho_a2a_then ho_a2a_look(ho_a2a *a, bool over, ho_buf *out);
#endif
