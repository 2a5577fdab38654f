/* Gates: a person decides, once; never the one who asked, never an agent (gate_decide.h). */
#ifndef HO_ENGINE_LEDGER_GATE_H
#define HO_ENGINE_LEDGER_GATE_H

#include "engine/ledger/turn.h"
#include "store/handoffs/gates.h"

typedef struct ho_gate_wish {
  ho_str name;        /* what people see in a list */
  ho_str digest;      /* of what is to be approved */
  ho_str raised_by;   /* agent */
  int64_t deadline;   /* 0: none */
  bool blocking;      /* the handoff is `gated` until the decision */
  ho_event_kind step; /* HO_EVENT_GATED or HO_EVENT_EXHAUSTED */
} ho_gate_wish;

/* Raises a gate for the handoff, inside a write. *id is its id. The handoff's own deadline rests while it is gated and
 * holds again afterwards. */
ho_code ho_gate_raise(ho_turn *turn, const ho_gate_wish *wish, ho_str *id, ho_error *err) HO_NODISCARD;

/* In the database, a gate that waits for its decision. */
#define HO_GATE_OPEN "open"
/* Writes down the decision that `gate` holds and lets its handoff go on. Inside a write. */
ho_code ho_gate_settle(ho_turn *turn, ho_gate *gate, ho_error *err) HO_NODISCARD;
/* The decision as the data of an event. */
ho_node *ho_gate_data(ho_turn *turn, const ho_gate *gate);
/* Its deadline has passed: rejected. Inside a write. */
ho_code ho_gate_overdue(ho_project *project, ho_arena *arena, const ho_gate *overdue, ho_error *err) HO_NODISCARD;
/* Its handoff ended otherwise (superseded): nobody has to decide any more. Inside a write. */
ho_code ho_gate_drop(ho_turn *turn, ho_error *err) HO_NODISCARD;

#endif
