#include "engine/plan/plan_phase.h"

#include "base/buf.h"
#include "engine/project/access.h"
#include "engine/project/paths.h"

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

ho_str ho_plan_phase_ids(const ho_plan_phase *plan, ho_arena *arena)
{
  enum { SHOWN = 20 };
  ho_buf out;
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < plan->steps.count && i < SHOWN; i++)
    ho_buf_printf(&out, "%s%.*s", i ? ", " : "", HO_ARG(plan->steps.items[i].id));
  if (plan->steps.count > SHOWN)
    ho_buf_puts(&out, " and others");
  return ho_buf_move(&out, arena);
}

bool ho_plan_phase_marks(const ho_phase *phase)
{
  static const char run[] = "/" HO_PATH_RUN "/";
  return !ho_str_has(phase->root, run) && !ho_str_has(ho_access_variable("HANDOFF_META"), run);
}

/* Does the plan itself say that nobody works on it, or that nothing of it is left? */
static bool is_still(const ho_plan_phase *plan)
{
  ho_str marker = ho_str_sub(plan->text, plan->steps.head_begin, plan->steps.head_end);
  return ho_str_starts_nocase(marker, "[NOT STARTED") || ho_str_starts_nocase(marker, "[PLANNED") ||
         ho_str_is_nocase(marker, "[COMPLETED]");
}

ho_str ho_plan_phase_begun(const ho_phase *phase, const ho_node *undone, ho_str *path)
{
  ho_plan_phase plan;
  ho_error none = {0};
  *path = HO_EMPTY;
  if (!ho_plan_phase_marks(phase) || !ho_plan_phase_read(phase, &plan))
    return HO_EMPTY;
  ho_str text = ho_plan_steps_untick(plan.step, phase->arena, plan.text, undone);
  plan.steps.hash = ho_str_hash(text); /* no byte moved */
  ho_code code = HO_OK;
  if (is_still(&plan))
    code = ho_plan_steps_mark(&plan.steps, phase->arena, text, HO_EMPTY, HO_PLAN_IMPLEMENTING, &text, &none);
  if (!code && (plan.step->status == HO_PLAN_WAITING || plan.step->status == HO_PLAN_DONE))
    code = ho_plan_steps_mark(&plan.steps, phase->arena, text, plan.step->id, ho_plan_steps_marker(HO_PLAN_RUNNING),
                              &text, &none);
  *path = plan.path;
  return code || ho_str_eq(text, plan.text) ? HO_EMPTY : text;
}

ho_code ho_plan_phase_begin(const ho_phase *phase, const ho_node *undone, ho_error *err)
{
  int lock = -1;
  ho_str path;
  ho_code code = ho_phase_lock(phase, &lock, err);
  if (code)
    return code;
  ho_str text = ho_plan_phase_begun(phase, undone, &path);
  if (text.n)
    code = ho_phase_write(phase, path, text, HO_FS_REPLACE, err);
  ho_phase_unlock(lock);
  return code;
}

const char *ho_plan_phase_objectives(const ho_phase *phase)
{
  ho_plan_phase plan;
  bool any = phase && ho_plan_phase_read(phase, &plan) && (plan.step->task_count || plan.step->goal.n);
  return any ? "--from-plan" : "--objective 'First' --objective 'Second'";
}
