/* The life of a handoff: which event leads from which state to which. One table; everything else is refused. */
#ifndef HO_MODEL_LIFECYCLE_H
#define HO_MODEL_LIFECYCLE_H

#include "base/error.h"

/* name, as text, open (there is still work to do), its name in state/current.json */
#define HO_STATES(X)                                                                                                   \
  X(NONE, "", false, "")                                                                                               \
  X(DRAFT, "draft", true, "draft")                                                                                     \
  X(READY, "ready", true, "pending")                                                                                   \
  X(CLAIMED, "claimed", true, "pending")                                                                               \
  X(ACKED, "acked", true, "in_progress")                                                                               \
  X(CLARIFY, "clarify", true, "clarify")                                                                               \
  X(GATED, "gated", true, "gated")                                                                                     \
  X(DONE, "done", false, "completed")                                                                                  \
  X(REJECTED, "rejected", false, "rejected")                                                                           \
  X(SUPERSEDED, "superseded", false, "superseded")                                                                     \
  X(EXPIRED, "expired", false, "expired")                                                                              \
  X(ARCHIVED, "archived", false, "completed")

typedef enum ho_state {
#define X(name, text, open, shown) HO_STATE_##name,
  HO_STATES(X)
#undef X
      HO_STATE_COUNT
} ho_state;

/* name, as text (the kind of event that is logged), what it says */
#define HO_EVENT_KINDS(X)                                                                                              \
  X(SENT, "sent", "sent and queued")                                                                                   \
  X(DRAFTED, "drafted", "drafted on behalf of an agent that is gone")                                                  \
  X(CONFIRMED, "confirmed", "a draft was confirmed")                                                                   \
  X(CLAIMED, "claimed", "delivered with a lease")                                                                      \
  X(ACKED, "acked", "acknowledged; work has begun")                                                                    \
  X(BLOCKED, "blocked", "acknowledged with a blocker")                                                                 \
  X(LAPSED, "lapsed", "the claim's lease expired")                                                                     \
  X(ANSWERED, "answered", "the blocker was answered")                                                                  \
  X(DONE, "done", "done")                                                                                              \
  X(RETURNED, "returned", "done, with a handoff back to the sender")                                                   \
  X(REJECTED, "rejected", "rejected")                                                                                  \
  X(WORK_LAPSED, "work_lapsed", "the lease on the work expired")                                                       \
  X(GATED, "gated", "a person must decide")                                                                            \
  X(APPROVED, "approved", "a person approved")                                                                         \
  X(GATE_REJECTED, "gate_rejected", "a person rejected it, or the deadline passed")                                    \
  X(EXHAUSTED, "exhausted", "too many attempts: a person must decide")                                                 \
  X(EXPIRED, "expired", "its deadline passed")                                                                         \
  X(SUPERSEDED, "superseded", "replaced by another handoff")                                                           \
  X(ARCHIVED, "archived", "archived")

typedef enum ho_event_kind {
#define X(name, text, doc) HO_EVENT_##name,
  HO_EVENT_KINDS(X)
#undef X
      HO_EVENT_COUNT
} ho_event_kind;

const char *ho_state_name(ho_state state);
const char *ho_state_shown(ho_state state); /* in state/current.json */
bool ho_state_open(ho_state state);
bool ho_state_named(ho_str name, ho_state *out);
const char *ho_event_kind_name(ho_event_kind event);

/* The state after the event, or HO_STATE_NONE if the event is not allowed. `before` is the state that a gated
 * handoff had before its gate: approval returns to it. */
ho_state ho_lifecycle_next(ho_state from, ho_event_kind event, ho_state before);
/* As ho_lifecycle_next, but fails with HO_CONFLICT and a message that says what state the handoff is in and which
 * command comes next. */
ho_code ho_lifecycle_apply(ho_str id, ho_state from, ho_event_kind event, ho_state before, ho_state *to,
                           ho_error *err) HO_NODISCARD;
#endif
