/* Who else works on a phase.
 *
 * One phase has one handoff that tells how far it is, and one who works on it: two who pass it on, or finish it, under each other
 * would each undo what the other says. A session counts like an agent: two sessions of one agent know nothing of each
 * other. */
#ifndef HO_ENGINE_LEDGER_HOLDER_H
#define HO_ENGINE_LEDGER_HOLDER_H

#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"

/* Is the handoff held by somebody else: another agent, or another session of this one, which has not ended and whose lease
 * runs? Who has no session of its own is known by its name. For a person nobody is: a person decides for all. */
bool ho_holder_other(ho_project *project, ho_arena *arena, const ho_handoff *row);
/* Is the other one a session of the same agent? */
bool ho_holder_namesake(ho_project *project, const ho_handoff *row);
/* Fails with HO_CONFLICT, and says who holds it, until when, and what to do. */
ho_code ho_holder_refuse(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_error *err) HO_NODISCARD;
/* The same if somebody else holds the handoff that tells how far the phase is. */
ho_code ho_holder_check(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, ho_error *err) HO_NODISCARD;
#endif
