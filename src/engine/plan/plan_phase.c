#include "engine/plan/plan_phase.h"

bool ho_plan_phase_read(const ho_phase *phase, ho_plan_phase *out)
{
  ho_error none = {0};
  *out = (ho_plan_phase){.path = ho_phase_plan(phase)};
  const char *full = out->path.n ? ho_fs_join(phase->arena, phase->root, out->path).p : NULL;
  if (!full || ho_fs_read(phase->arena, full, 0, &out->text, &none))
    return false;
  if (ho_plan_steps_read(phase->arena, out->path, out->text, &out->steps, &none)) {
    out->steps = (ho_plan_steps){0};
    return false;
  }
  out->step = ho_plan_steps_find(&out->steps, phase->phase);
  return out->step != NULL;
}

const char *ho_plan_phase_objectives(const ho_phase *phase)
{
  ho_plan_phase plan;
  bool any = phase && ho_plan_phase_read(phase, &plan) && (plan.step->task_count || plan.step->goal.n);
  return any ? "--from-plan" : "--objective 'First' --objective 'Second'";
}
