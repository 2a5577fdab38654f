/* Gates: a person decides, once; never the one who asked, never an agent (gate_decide.h). */
#ifndef HO_ENGINE_LEDGER_GATE_H
#define HO_ENGINE_LEDGER_GATE_H

#include "engine/ledger/turn.h"
#include "store/handoffs/gates.h"

typedef struct ho_gate_wish {
  ho_str name;         /* shown in lists */
  ho_str digest;       /* of what is to be approved */
  ho_str raised_by;    /* agent */
  ho_str root;         /* the gate that it is inherited from (ho_gate), or "" */
  int64_t deadline;    /* 0: none */
  bool blocking;       /* the handoff is `gated` until the decision */
  ho_event_kind event; /* HO_EVENT_GATED or HO_EVENT_EXHAUSTED */
} ho_gate_wish;

/* Raises a gate for the handoff, inside a write. *id is the gate's id. The handoff's own deadline is suspended while
 * it is gated. */
ho_code ho_gate_raise(ho_turn *turn, const ho_gate_wish *wish, ho_str *id, ho_error *err) HO_NODISCARD;

/* Who raises a gate: the sender that a document states, but no document makes its author a person, or the program; else
 * the actor. */
ho_str ho_gate_raiser(ho_project *project, ho_str stated);
/* An id for a gate. */
ho_code ho_gate_new_id(ho_turn *turn, ho_str *out, ho_error *err) HO_NODISCARD;

/* Records the decision in `gate` and lets its handoff continue. Call it inside a write. */
ho_code ho_gate_settle(ho_turn *turn, ho_gate *gate, ho_error *err) HO_NODISCARD;
/* The gate as data of the event that raises it. */
ho_node *ho_gate_raised_data(ho_turn *turn, const ho_gate *gate);
/* The decision as event data. */
ho_node *ho_gate_data(ho_turn *turn, const ho_gate *gate);
/* By its row, its deadline has passed: rejects it, if the event that raised it says so as well. Call it inside a write. */
ho_code ho_gate_overdue(ho_project *project, ho_arena *arena, ho_str id, ho_error *err) HO_NODISCARD;
/* Its handoff ended in another way: the decision is no longer needed. Call it inside a write. */
#define HO_GATE_SUPERSEDED "another handoff superseded it"
ho_code ho_gate_drop(ho_turn *turn, const char *why, ho_error *err) HO_NODISCARD;
/* The handoff with the id `by` supersedes it, so that a gate of it is no longer needed. Call it inside a write. */
ho_code ho_gate_supersede(ho_turn *turn, ho_str by, ho_error *err) HO_NODISCARD;

/* ---- A gate cannot be walked around. All inside a write.
 *
 * If the store was changed so that the gate looks decided, or its handoff no longer waits for it: puts both right, with
 * an event. *gate is as it was read (engine/ledger/gate_read.h). */
ho_code ho_gate_restore(ho_turn *turn, ho_gate *gate, ho_error *err) HO_NODISCARD;
/* `to` supersedes `from`: if that waits for a gate, `to` waits for one like it instead. HO_GATED if it has ended, or
 * waits for a gate of its own: no question is lost. */
ho_code ho_gate_pass_on(ho_turn *from, ho_turn *to, ho_error *err) HO_NODISCARD;
/* Raises a gate like one that a person has not approved, in the name of whoever sent the handoff. document: the handoff's own document is decided about, not the
 * one that the gate was about. */
ho_code ho_gate_inherit(ho_turn *turn, const ho_gate *gate, bool document, ho_str *id, ho_error *err) HO_NODISCARD;

#endif
