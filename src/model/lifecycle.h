/* The life of a handoff: which event leads from which state to which. One table; everything else is refused. */
#ifndef HO_MODEL_LIFECYCLE_H
#define HO_MODEL_LIFECYCLE_H

#include "base/error.h"

/* clang-format off */
/* name, as text, its name in state/current.json; then, of an open state (there is still work to do), how a message says
 * that a handoff is in it, and the command that moves it on (ID: the handoff's id, '@': who acts, if that has to be said); of
 * an ended one: NULL, NULL. */
#define HO_STATES(X) \
  X(DRAFT, "draft", "draft", "is a draft that nobody has confirmed", "answer ID --note TEXT@") \
  X(READY, "ready", "pending", "is ready but not claimed", "claim ID@") \
  X(CLAIMED, "claimed", "pending", "is claimed but not acknowledged", "ack ID --task TEXT@") \
  X(ACKED, "acked", "in_progress", "is acknowledged but not done", "done ID@") \
  X(CLARIFY, "clarify", "clarify", "waits for an answer", "answer ID --note TEXT@") \
  X(GATED, "gated", "gated", "waits for a person", "gate list") \
  X(DONE, "done", "completed", NULL, NULL) \
  X(REJECTED, "rejected", "rejected", NULL, NULL) \
  X(SUPERSEDED, "superseded", "superseded", NULL, NULL) \
  X(EXPIRED, "expired", "expired", NULL, NULL) \
  X(ARCHIVED, "archived", "completed", NULL, NULL)
/* clang-format on */

typedef enum ho_state {
  HO_STATE_NONE, /* it does not exist yet */
#define X(name, text, shown, stands, command) HO_STATE_##name,
  HO_STATES(X)
#undef X
      HO_STATE_COUNT
} ho_state;

/* What an event means besides the change of state. */
typedef enum ho_event_sense {
  HO_SENSE_MOVES,   /* nothing more */
  HO_SENSE_ASKS,    /* a gate is raised: a person must decide */
  HO_SENSE_REPLIES, /* the receiver has responded */
  HO_SENSE_ENDS,    /* the receiver has responded, and its work is over */
} ho_event_sense;

/* clang-format off */
/* name, as text (the kind of event that is logged), what it means besides the change of state */
#define HO_EVENT_KINDS(X) \
  X(SENT, "sent", MOVES)                      /* sent and queued */ \
  X(DRAFTED, "drafted", MOVES)                /* drafted on behalf of an agent that is gone */ \
  X(CONFIRMED, "confirmed", MOVES)            /* a draft was confirmed */ \
  X(CLAIMED, "claimed", MOVES)                /* delivered with a lease */ \
  X(ACKED, "acked", REPLIES)                  /* acknowledged; work has begun */ \
  X(BLOCKED, "blocked", REPLIES)              /* acknowledged with a blocker */ \
  X(LAPSED, "lapsed", MOVES)                  /* the claim's lease expired */ \
  X(RELEASED, "released", MOVES)              /* its holder gave it back */ \
  X(ANSWERED, "answered", MOVES)              /* the blocker was answered */ \
  X(DONE, "done", ENDS) \
  X(RETURNED, "returned", ENDS)               /* done, with a handoff back to the sender */ \
  X(FINISHED, "finished", ENDS)               /* the phase that it belongs to is finished */ \
  X(REJECTED, "rejected", ENDS) \
  X(WITHDRAWN, "withdrawn", MOVES)            /* its sender took it back */ \
  X(WORK_LAPSED, "work_lapsed", MOVES)        /* the lease on the work expired */ \
  X(GATED, "gated", ASKS)                     /* a person must decide */ \
  X(APPROVED, "approved", MOVES)              /* a person approved */ \
  X(GATE_REJECTED, "gate_rejected", MOVES)    /* a person rejected it, or the deadline passed */ \
  X(EXHAUSTED, "exhausted", ASKS)             /* too many attempts: a person must decide */ \
  X(EXPIRED, "expired", MOVES)                /* its deadline passed */ \
  X(SUPERSEDED, "superseded", MOVES)          /* replaced by another handoff */ \
  X(ARCHIVED, "archived", MOVES)
/* clang-format on */

typedef enum ho_event_kind {
#define X(name, text, sense) HO_EVENT_##name,
  HO_EVENT_KINDS(X)
#undef X
      HO_EVENT_COUNT
} ho_event_kind;

const char *ho_state_name(ho_state state);
const char *ho_state_shown(ho_state state); /* in state/current.json */
bool ho_state_open(ho_state state);
/* The command that moves a handoff out of an open state, as ho_project_command takes it; NULL of an ended one. */
const char *ho_state_command(ho_state state);
bool ho_state_named(ho_str name, ho_state *out);
bool ho_state_shown_named(ho_str shown, ho_state *out); /* the first state that is shown with this name */
const char *ho_event_kind_name(ho_event_kind event);
/* By the kind that is logged; HO_SENSE_MOVES for notes, which are no events of the lifecycle. */
ho_event_sense ho_event_sense_of(ho_str kind);

/* The state after the event, or HO_STATE_NONE if the event is not allowed. `before` is the state that a gated
 * handoff had before its gate: approval returns to it. */
ho_state ho_lifecycle_next(ho_state from, ho_event_kind event, ho_state before);
/* As ho_lifecycle_next, but fails with HO_CONFLICT and a message that says what state the handoff is in. */
ho_code ho_lifecycle_apply(ho_str id, ho_state from, ho_event_kind event, ho_state before, ho_state *to,
                           ho_error *err) HO_NODISCARD;
#endif
