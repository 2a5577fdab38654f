/* What a person decides at a gate, and the answers to a person's questions there. */
#ifndef HO_ENGINE_LEDGER_GATE_DECIDE_H
#define HO_ENGINE_LEDGER_GATE_DECIDE_H

#include "engine/ledger/gate.h"
#include "engine/ledger/person.h"
#include "store/handoffs/gates.h"

/* A person's decision. If the project has deciders, it is signed with the person's own key: the person is shown what is
 * decided, with its document, and asked for the passphrase. Else it is enough that somebody is there, and it is
 * unsigned. HO_USAGE if nobody can have made it, HO_GATED if an agent tries or the person is not a decider, HO_CONFLICT
 * if somebody else was first. */
typedef struct ho_decision {
  const ho_person *person;
  ho_str gate, note;
  ho_gate_decision decision;
  /* NULL, or what the person was shown before: HO_CONFLICT if the gate is another by now. In gates of an earlier version,
   * body and receiver are those of the handoff then. */
  const ho_gate *seen;
  /* Filled. */
  ho_gate after;
  ho_str state; /* of its handoff */
} ho_decision;
ho_code ho_gate_decide(ho_project *project, ho_arena *arena, ho_decision *decision, ho_error *err) HO_NODISCARD;
/* The answer to a question that a person asked at a gate. */
ho_code ho_gate_answer(ho_project *project, ho_arena *arena, ho_str gate, ho_str note, ho_gate *after,
                       ho_error *err) HO_NODISCARD;
#endif
