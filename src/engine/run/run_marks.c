/* The markers in the plan's file. They are derived from the steps in the store whenever these change and when a run
 * is continued: a lead that was killed before it could write one catches up, and what others changed in the file
 * stays. */
#include "engine/phase/progress.h"
#include "engine/run/run_parts.h"
#include "model/formats/formats.h"

static const char *marker(const ho_run *run, size_t step, bool ends)
{
  const ho_run_step *s = &run->steps[step];
  if (ho_run_is(run, step, HO_STEP_DONE))
    return ho_plan_steps_marker(HO_PLAN_DONE);
  if (ho_run_is(run, step, HO_STEP_FAILED) || (ho_run_is(run, step, HO_STEP_GATED) && s->gate_why != HO_REASON_RESULT))
    return ho_plan_steps_marker(HO_PLAN_BLOCKED);
  if (ho_run_is(run, step, HO_STEP_RUNNING) || ho_run_is(run, step, HO_STEP_GATED))
    return ho_plan_steps_marker(HO_PLAN_RUNNING);
  if (ho_run_is(run, step, HO_STEP_WAITING) && s->teammates)
    return ho_plan_steps_marker(ends ? HO_PLAN_PARTIAL : HO_PLAN_RUNNING);
  return NULL; /* unchanged */
}

/* The boxes of a phase that is done, by its progress file, wherever its teammates worked: in worktrees the plan is left
 * alone, so that every branch merges. */
static ho_str tick(ho_run *run, ho_arena *arena, size_t step, ho_str text)
{
  ho_plan_steps fresh;
  ho_phase phase;
  ho_doc *progress = HO_NEW(arena, ho_doc);
  ho_error none = {0};
  size_t left;
  ho_str folder = ho_run_place_of(run, arena, step);
  if (!progress || ho_run_phase(run, arena, step, folder, &phase, &none) || ho_progress_read(&phase, progress, &none) ||
      ho_plan_steps_read(arena, run->plan.path, text, &fresh, &none))
    return text;
  const ho_plan_step *now = ho_plan_steps_find(&fresh, run->plan.items[step].id);
  return now ? ho_plan_steps_tick(now, arena, text, ho_progress_done(progress->root, arena), &left) : text;
}

static ho_code mark_all(ho_run *run, ho_arena *arena, const char *head, bool ends, ho_str before, ho_str *text,
                        ho_error *err)
{
  ho_code code = HO_OK;
  *text = before;
  for (size_t i = 0; !code && i < run->plan.count; i++) {
    const char *wanted = marker(run, i, ends);
    bool news = wanted && !ho_str_is(run->plan.items[i].marker, wanted);
    if (news && ho_run_is(run, i, HO_STEP_DONE))
      *text = tick(run, arena, i, *text);
    if (news)
      code = ho_plan_steps_mark(&run->plan, arena, *text, run->plan.items[i].id, wanted, text, err);
    if (!code && wanted)
      run->plan.items[i].marker = ho_str_of(wanted);
  }
  return code || !head ? code : ho_plan_steps_mark(&run->plan, arena, *text, HO_EMPTY, head, text, err);
}

/* Under the lock on the task's folder, which `handoff progress` and `pass` take too. */
static ho_code mark_file(ho_run *run, ho_arena *arena, const char *head, bool ends, ho_error *err)
{
  ho_phase phase;
  ho_str before, after;
  int lock = -1;
  const char *path = ho_arena_z(arena, run->options->plan);
  ho_code code = ho_run_phase(run, arena, 0, run->project->root, &phase, err);
  if (!code)
    code = ho_phase_lock(&phase, &lock, err);
  if (!code)
    code = ho_fs_read(arena, path, 0, &before, err);
  if (!code)
    code = mark_all(run, arena, head, ends, before, &after, err);
  if (!code && !ho_str_eq(before, after))
    code = ho_fs_write_in(ho_arena_z(arena, run->project->root), path, after, HO_FS_REPLACE, err);
  if (lock >= 0)
    ho_phase_unlock(lock);
  return code;
}

void ho_run_marks(ho_run *run, const char *head, bool ends)
{
  ho_arena arena;
  ho_error err = {0};
  if (run->plan.format != &ho_format_plan || (!run->marks_late && !head))
    return;
  ho_arena_init(&arena, 0);
  if (mark_file(run, &arena, head, ends, &err) != HO_OK)
    ho_run_note(run, "cannot update the plan's markers: %s", err.message);
  else
    run->marks_late = false;
  ho_arena_free(&arena);
}
