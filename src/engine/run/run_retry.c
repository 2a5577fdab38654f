/* A run that failed, started again: what is done stays done, and what failed is tried again. A rejection at a gate ended the
 * step as it was done; whoever starts the run again wants it done again, with what was said there, and its gates are asked
 * again. */
#include "engine/ledger/gate_read.h"
#include "engine/run/run_parts.h"

int64_t ho_run_times(const ho_run *run, size_t step)
{
  return run->plan.items[step].join ? run->steps[step].successors : run->steps[step].teammates;
}

ho_code ho_run_same_work(ho_run *run, const ho_run_row *old, bool *out, ho_error *err)
{
  ho_run_step_list list = {0};
  *out = ho_str_eq(old->title, run->row.title);
  ho_code code = *out ? ho_runs_steps(run->project->store, old->id, run->arena, &list, err) : HO_OK;
  for (size_t i = 0; !code && i < list.count; i++)
    *out = *out && ho_plan_steps_find(&run->plan, list.rows[i].step);
  return code;
}

/* What a person said when rejecting it, for the next teammate. */
static ho_code take_note(ho_run *run, ho_run_step *step, ho_error *err)
{
  ho_gate gate;
  ho_code code = step->gate.n ? ho_gate_read(run->project, step->gate, run->arena, &gate, err) : HO_OK;
  if (!code && step->gate.n && gate.decision == HO_DECISION_REJECT)
    step->note = gate.note;
  return code;
}

ho_code ho_run_retry(ho_run *run, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < run->plan.count; i++) {
    ho_run_step *s = &run->steps[i];
    if (!ho_run_is(run, i, HO_STEP_FAILED) || s->gate_why == HO_REASON_STOP || ho_run_tolerated(run, i))
      continue;
    code = take_note(run, s, err);
    s->successors = run->plan.items[i].join ? s->successors + 1 : 0;
    s->crashes = s->idle = s->not_before = s->ended = 0;
    ho_run_set(run, i, HO_STEP_WAITING, ho_arena_printf(run->arena, "it starts again; before: %.*s", HO_ARG(s->why)));
  }
  return code;
}
