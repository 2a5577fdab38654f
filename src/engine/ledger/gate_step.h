/* The gates that a run raised for its steps. Each is the gate of a handoff of its own, whose key names run and step; the
 * row of a step only repeats that, so where a step stands is read from here. */
#ifndef HO_ENGINE_LEDGER_GATE_STEP_H
#define HO_ENGINE_LEDGER_GATE_STEP_H

#include "engine/ledger/gate_read.h"
#include "store/handoffs/handoffs.h"
#include "store/runs/runs.h"

typedef struct ho_gate_step {
  ho_str run, step; /* the step's key in the plan */
  int64_t n;        /* its teammates when the gate was raised */
  ho_gate_reason why;
  ho_gate gate; /* as it counts; missing in the store: open */
} ho_gate_step;

typedef struct ho_gate_step_list {
  ho_gate_step *rows;
  size_t count;
} ho_gate_step_list;

/* The key of the handoff that asks, and what it says. false: the key is not one of these. */
ho_str ho_gate_step_key(ho_arena *arena, const ho_gate_step *of);
bool ho_gate_step_parse(ho_str key, ho_gate_step *out);
/* Does its gate ask what somebody wants to know (CLARIFY), in a run or in a response that was sent? Then approval needs words. */
bool ho_gate_step_asks(const ho_handoff *row, ho_arena *arena);

/* The newest gate of each step of a run; out lives in the arena. */
ho_code ho_gate_step_newest(ho_project *project, ho_str run, ho_arena *arena, ho_gate_step_list *out,
                            ho_error *err) HO_NODISCARD;

/* Has a run that goes on asked a person about the handoff's phase? Until that is decided, the run starts nobody for it, and
 * nobody else should go on with it either: what tells how far the phase is (ho_draft_tells) is handed out to nobody. *gate
 * is the one that is open. */
ho_code ho_gate_step_holds(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_gate *gate, bool *holds,
                           ho_error *err) HO_NODISCARD;
/* HO_GATED: which phase waits, for what, and the command that shows it. */
ho_code ho_gate_step_refuse(const ho_handoff *row, const ho_gate *gate, ho_error *err) HO_NODISCARD;
#endif
