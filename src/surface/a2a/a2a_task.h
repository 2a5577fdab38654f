/* What the files of this room share: methods, faults, and a handoff as a task. */
#ifndef HO_SURFACE_A2A_A2A_TASK_H
#define HO_SURFACE_A2A_A2A_TASK_H

#include "command/commands.h"
#include "surface/a2a/a2a_request.h"
#include "surface/mcp/mcp_rpc.h"

/* Faults: name, its code, as the protocol names it. */
#define HO_A2A_FAULTS(X)                                                                                               \
  X(NO_TASK, -32001, "TASK_NOT_FOUND")                                                                                 \
  X(NOT_CANCELABLE, -32002, "TASK_NOT_CANCELABLE")                                                                     \
  X(NO_PUSH, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED")                                                                \
  X(UNSUPPORTED, -32004, "UNSUPPORTED_OPERATION")                                                                      \
  X(CONTENT, -32005, "CONTENT_TYPE_NOT_SUPPORTED")                                                                     \
  X(NO_CARD, -32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED")                                                             \
  X(WRONG_VERSION, -32009, "VERSION_NOT_SUPPORTED")                                                                    \
  X(PARAMS, -32602, "INVALID_PARAMS")                                                                                  \
  X(INTERNAL, -32603, "INTERNAL_ERROR")

typedef enum ho_a2a_code {
#define X(name, code, reason) HO_A2A_##name = (code),
  HO_A2A_FAULTS(X)
#undef X
} ho_a2a_code;

/* States of tasks: name, what they are called, and whether work has ended (E), waits for whoever asks (I), or for somebody
 * else who may decide (A). */
#define HO_A2A_STATES(X)                                                                                               \
  X(SUBMITTED, "TASK_STATE_SUBMITTED", 0)                                                                              \
  X(WORKING, "TASK_STATE_WORKING", 0)                                                                                  \
  X(COMPLETED, "TASK_STATE_COMPLETED", 'E')                                                                            \
  X(FAILED, "TASK_STATE_FAILED", 'E')                                                                                  \
  X(CANCELED, "TASK_STATE_CANCELED", 'E')                                                                              \
  X(INPUT_REQUIRED, "TASK_STATE_INPUT_REQUIRED", 'I')                                                                  \
  X(REJECTED, "TASK_STATE_REJECTED", 'E')                                                                              \
  X(AUTH_REQUIRED, "TASK_STATE_AUTH_REQUIRED", 'A')

typedef enum ho_a2a_state {
  HO_A2A_STATE_NONE,
#define X(name, text, is) HO_A2A_STATE_##name,
  HO_A2A_STATES(X)
#undef X
} ho_a2a_state;
extern const ho_words ho_a2a_states;
char ho_a2a_state_is(ho_a2a_state state); /* 'E', 'I', 'A' or 0 */

typedef ho_mcp_rpc_fault ho_a2a_fault;
/* How a method goes on after it has its result. */
typedef enum ho_a2a_follow { HO_A2A_ONCE, HO_A2A_UNTIL_ASKED, HO_A2A_UNTIL_ENDED } ho_a2a_follow;
typedef struct ho_a2a_method {
  const char *name;
  /* The result, or NULL with *fault; a method that is about one task sets a->task, and *task to how that is now. */
  ho_node *(*run)(ho_a2a *a, ho_node **task, ho_a2a_fault *fault);
  ho_a2a_follow follow; /* of one that streams: until its client is asked something, or until the task has ended */
  bool streams;
  ho_a2a_code refused; /* if run is NULL: why it is refused */
  const char *why;
} ho_a2a_method;

/* Both return NULL. The second: what a command said; about: a handoff that it was about. */
ho_node *ho_a2a_fail(ho_a2a *a, ho_a2a_fault *fault, ho_a2a_code code, const char *format, ...) HO_PRINTF(4, 5);
ho_node *ho_a2a_fail_command(ho_a2a *a, ho_a2a_fault *fault, const ho_error *err);
/* Runs a command that answers with a result; NULL with a fault. */
const ho_node *ho_a2a_run(ho_a2a *a, const ho_command *command, ho_node *args, ho_a2a_fault *fault);
ho_node *ho_a2a_args(ho_a2a *a, const char *key, ho_str value);

ho_a2a_state ho_a2a_state_of(ho_a2a *a, const ho_node *record);
/* The handoff as a task: with what was said, at most `history` messages, and what came of it. */
ho_node *ho_a2a_task(ho_a2a *a, ho_str id, size_t history, bool artifacts, ho_a2a_fault *fault);
/* The same from a record of a list, with neither. */
ho_node *ho_a2a_task_brief(ho_a2a *a, const ho_node *record);
ho_a2a_state ho_a2a_task_state(const ho_node *task);

/* ---- Methods. */
enum { HO_A2A_HISTORY_MOST = 200 };
ho_node *ho_a2a_send(ho_a2a *a, ho_node **task, ho_a2a_fault *fault);
ho_node *ho_a2a_get(ho_a2a *a, ho_node **task, ho_a2a_fault *fault);
ho_node *ho_a2a_list(ho_a2a *a, ho_node **task, ho_a2a_fault *fault);
ho_node *ho_a2a_cancel(ho_a2a *a, ho_node **task, ho_a2a_fault *fault);
ho_node *ho_a2a_subscribe(ho_a2a *a, ho_node **task, ho_a2a_fault *fault);
/* historyLength, if the client wants less than there is; -1 with a fault. */
long long ho_a2a_history(ho_a2a *a, const ho_node *params, ho_a2a_fault *fault);
#endif
