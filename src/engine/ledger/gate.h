/* Gates (E5): a person decides, once; never the one who asked, never an agent. */
#ifndef HO_ENGINE_LEDGER_GATE_H
#define HO_ENGINE_LEDGER_GATE_H

#include "engine/ledger/turn.h"

typedef struct ho_gate_wish {
  ho_str name;      /* what people see in a list */
  ho_str digest;    /* of what is to be approved */
  ho_str raised_by; /* agent */
  int64_t deadline; /* 0: none */
  bool blocking;    /* the handoff is `gated` until the decision */
  ho_step step;     /* HO_STEP_GATED or HO_STEP_EXHAUSTED */
} ho_gate_wish;

/* Raises a gate for the handoff, inside a write. *id is its id. The handoff's own deadline rests while it is gated and
 * holds again afterwards. */
ho_code ho_gate_raise(ho_turn *turn, const ho_gate_wish *wish, ho_str *id, ho_error *err) HO_NODISCARD;

/* A decision of a person. HO_USAGE where nobody can have made it, HO_GATED where an agent tries, HO_CONFLICT where
 * somebody was first. */
typedef struct ho_decision {
  ho_str gate, decision, note; /* approve, reject or question */
  /* Filled. */
  ho_gate after;
  ho_str state; /* of its handoff */
} ho_decision;
ho_code ho_gate_decide(ho_project *project, ho_arena *arena, ho_decision *decision, ho_error *err) HO_NODISCARD;
/* The answer to a question that a person asked at a gate. */
ho_code ho_gate_answer(ho_project *project, ho_arena *arena, ho_str gate, ho_str note, ho_gate *after,
                       ho_error *err) HO_NODISCARD;
/* Its deadline has passed: rejected. Inside a write. */
ho_code ho_gate_overdue(ho_project *project, ho_arena *arena, const ho_gate *overdue, ho_error *err) HO_NODISCARD;
/* Its handoff ended otherwise (superseded): nobody has to decide any more. Inside a write. */
ho_code ho_gate_drop(ho_turn *turn, ho_error *err) HO_NODISCARD;

/* Under this name the store keeps the digest of the decision key that was used first. */
#define HO_GATE_KEY HO_STR("gate.key")

/* Who decides, and how that is known: "verified" by a decision key, "asserted" at a terminal. */
typedef struct ho_gate_identity {
  ho_str name, known;
  ho_str key_digest; /* of the decision key, or "" */
} ho_gate_identity;
ho_code ho_gate_identity_find(ho_project *project, ho_arena *arena, ho_gate_identity *out, ho_error *err) HO_NODISCARD;
#endif
