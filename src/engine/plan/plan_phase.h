/* A phase as the plan of its task describes it. */
#ifndef HO_ENGINE_PLAN_PLAN_PHASE_H
#define HO_ENGINE_PLAN_PLAN_PHASE_H

#include "engine/phase/phase.h"
#include "engine/plan/plan_steps.h"

typedef struct ho_plan_phase {
  ho_str path, text; /* of the plan: below root, and as it stands */
  ho_plan_steps steps;
  const ho_plan_step *step; /* the phase */
} ho_plan_phase;

/* False if the task has no plan, or one that cannot be read (there are no steps then), or that lacks the phase. */
bool ho_plan_phase_read(const ho_phase *phase, ho_plan_phase *out);
/* "1, 2, 3": the phases that it has, as far as a line holds them. */
ho_str ho_plan_phase_ids(const ho_plan_phase *plan, ho_arena *arena);
/* Is the plan marked by whoever works on the phase? Not by a teammate of `run`: the lead marks the plan that it carries out,
 * which need not be the task's newest one, and not in a worktree that it made for a phase, since every branch would have
 * changed the same file. */
bool ho_plan_phase_marks(const ho_phase *phase);
/* Work on the phase has begun, or goes on after it was finished: the plan with its markers set, as far as it says
 * otherwise, and without the ticks of the objectives in `undone`, a list of texts or NULL. "" if nothing changes. *path:
 * of the plan, below root. */
ho_str ho_plan_phase_begun(const ho_phase *phase, const ho_node *undone, ho_str *path);
/* The same, written into the plan under the lock. */
ho_code ho_plan_phase_begin(const ho_phase *phase, const ho_node *undone, ho_error *err) HO_NODISCARD;
/* The options with which `progress start` begins the phase: those that take the objectives from the plan if it has any for
 * it, else some to be filled in. NULL: the phase is not known. Whoever follows advice to the letter must not begin a planned phase with made-up ones. */
const char *ho_plan_phase_objectives(const ho_phase *phase);
#endif
