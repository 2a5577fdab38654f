/* Compares the steps of runs with their gates: a step whose gate is not decided waits for it. */
#include "engine/ledger/gate_step.h"
#include "engine/ledger/verify.h"

/* A lead that was killed may have asked before it recorded that the step waits. A step without teammates joins others. */
static bool waits_for(const ho_run_step *step, const ho_gate_step *at)
{
  if (step->state == HO_STEP_GATED)
    return ho_str_eq(step->gate, at->gate.id);
  return step->teammates == at->n && (step->state == HO_STEP_RUNNING || !at->n);
}

static ho_code check_run(ho_project *project, ho_str run, ho_arena *arena, ho_gate_flaw flaw, void *data, ho_error *err)
{
  ho_run_step_list steps;
  ho_gate_step_list gates;
  ho_code code = ho_gate_step_newest(project, run, arena, &gates, err);
  if (!code)
    code = ho_runs_steps(project->store, run, arena, &steps, err);
  for (size_t i = 0; !code && i < gates.count; i++) {
    bool waits = false;
    for (size_t k = 0; k < steps.count; k++)
      waits |= waits_for(&steps.rows[k], &gates.rows[i]);
    if (waits || gates.rows[i].gate.state != HO_GATE_OPEN)
      continue;
    ho_str message = ho_arena_printf(arena, "it is not decided, but step %.*s of %.*s does not wait for it",
                                     HO_ARG(gates.rows[i].step), HO_ARG(run));
    code = ho_arena_code(arena, err);
    if (!code)
      code = flaw(data, gates.rows[i].gate.id, message, err);
  }
  return code;
}

ho_code ho_verify_runs(ho_project *project, ho_gate_flaw flaw, void *data, ho_error *err)
{
  ho_arena list, one;
  ho_run_list runs;
  ho_arena_init(&list, 0);
  ho_arena_init(&one, 0);
  ho_code code = ho_runs_select(project->store, HO_EMPTY, HO_EMPTY, false, 0, &list, &runs, err);
  for (size_t i = 0; !code && i < runs.count; i++) {
    code = check_run(project, runs.rows[i].id, &one, flaw, data, err);
    ho_arena_reset(&one);
  }
  ho_arena_free(&one);
  ho_arena_free(&list);
  return code;
}
