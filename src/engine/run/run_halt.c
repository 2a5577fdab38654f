/* STOP in a run. The response of whoever said it halts the task in the ledger (engine/ledger/halt.h), and so does one
 * that was sent by hand: nothing more is started, whatever rule joins the steps. Once somebody has resumed the task, the
 * same run goes on: whoever said STOP is started again with their note, also one of several that a step joins, whose vote
 * nobody has heard yet. */
#include "engine/ledger/halt.h"

#include "engine/ledger/gate_step.h"
#include "engine/project/project.h"
#include "engine/run/run_parts.h"

ho_str ho_run_response_key(ho_arena *arena, ho_str teammate)
{
  return ho_arena_printf(arena, HO_RUNS_KEYS "%.*s:response", HO_ARG(teammate));
}

ho_code ho_run_response(ho_run *run, size_t step, ho_arena *arena, ho_handoff *out, bool *found, ho_error *err)
{
  ho_str teammate = ho_arena_printf(arena, "%.*s/%.*s.%lld", HO_ARG(run->row.id), HO_ARG(run->plan.items[step].key),
                                    (long long)ho_run_times(run, step));
  return ho_handoffs_by_key(run->project->store, ho_run_response_key(arena, teammate), arena, out, found, err);
}

/* A step that said STOP continues if its response no longer halts the task. One without a response is from a run that
 * an older version led. */
static ho_code resume(ho_run *run, size_t step, ho_error *err)
{
  ho_handoff row;
  bool found = false;
  ho_run_step *s = &run->steps[step];
  ho_code code = ho_run_response(run, step, run->arena, &row, &found, err);
  if (code || (found && ho_halt_marked(&row, run->arena)))
    return code;
  if (found)
    code = ho_halt_note(run->project, row.id, run->arena, &s->note, err);
  s->gate_why = HO_REASON_NONE;
  s->ended = 0;
  ho_str why = ho_arena_printf(run->arena, "%.*s; resumed: %.*s", HO_ARG(s->why), HO_ARG(s->note));
  ho_run_set(run, step, HO_STEP_WAITING, why);
  return code;
}

ho_code ho_run_resume(ho_run *run, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && run->row.id.n && i < run->plan.count; i++)
    if (ho_run_is(run, i, HO_STEP_FAILED) && run->steps[i].gate_why == HO_REASON_STOP)
      code = resume(run, i, err);
  return code;
}

ho_code ho_run_look_halted(ho_run *run, ho_error *err)
{
  ho_halt halt;
  bool found = false;
  ho_code code = ho_halt_of(run->project, run->row.task, run->arena, &halt, &found, err);
  if (found) {
    run->stopped = true;
    run->halt = ho_halt_sentence(run->project, run->arena, &halt);
  }
  return code;
}
