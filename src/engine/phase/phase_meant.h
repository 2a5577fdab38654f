/* Which task and phase is meant if a command does not say. */
#ifndef HO_ENGINE_PHASE_PHASE_MEANT_H
#define HO_ENGINE_PHASE_PHASE_MEANT_H

#include "engine/phase/phase.h"

/* Fills in what is not given: HANDOFF_TASK, and, if that is the task, HANDOFF_PHASE. */
void ho_phase_environment(ho_phase *phase);
/* HO_USAGE if the task or the phase is not known. */
ho_code ho_phase_known(const ho_phase *phase, ho_error *err) HO_NODISCARD;

/* For a handoff of work whose task or phase is not known; the store is open. In this order:
 * - of a task that is known, the only phase in progress
 * - the phase of what this session has claimed, if it has a name of its own and holds only one
 * - a new task: the next number, a slug from the first words of `about`, phase 1; *made is then true
 * A new task is never made while any phase is in progress: the work may belong to that, and its successor would wait in
 * vain. Nor is that phase chosen: the work may belong to none, and would replace the phase's own handoff. HO_USAGE then
 * names the phases.
 *
 * *lock keeps others from making a task with the same number, until ho_phase_chosen; it is -1 if no task was made. */
ho_code ho_phase_choose(ho_phase *phase, ho_str about, bool *made, int *lock, ho_error *err) HO_NODISCARD;
/* The handoff is sent, or it was refused; then the folder of a new task goes again. */
void ho_phase_chosen(const ho_phase *phase, int lock, bool sent);
#endif
