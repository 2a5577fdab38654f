/* Compares the steps of runs with their gates: a step whose gate is not decided waits for it, and for no other. */
#include "engine/ledger/gate_step.h"
#include "engine/ledger/verify_parts.h"

/* A lead that was killed may have asked before it recorded that the step waits. A step without teammates joins others. */
static bool waits_for(const ho_run_step *step, const ho_gate_step *at)
{
  if (step->state == HO_STEP_GATED)
    return ho_str_eq(step->gate, at->gate.id);
  return step->teammates == at->n && (step->state == HO_STEP_RUNNING || !at->n);
}

typedef struct checking {
  ho_project *project;
  ho_arena *arena; /* for one run */
  ho_verify_flaw flaw;
  void *data;
  ho_str run;
  ho_run_step_list steps;
  ho_gate_step_list gates;
} checking;

static ho_code report(checking *c, ho_str gate, const char *message, ho_str step, ho_error *err)
{
  ho_str text = ho_arena_printf(c->arena, "step %.*s of %.*s %s", HO_ARG(step), HO_ARG(c->run), message);
  ho_code code = ho_arena_code(c->arena, err);
  return code ? code : c->flaw(c->data, "gate", gate, text, err);
}

/* Every gate that is not decided holds a step. */
static ho_code check_gates(checking *c, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < c->gates.count; i++) {
    const ho_gate_step *at = &c->gates.rows[i];
    bool waits = at->gate.state != HO_GATE_OPEN;
    for (size_t k = 0; k < c->steps.count; k++)
      waits |= waits_for(&c->steps.rows[k], at);
    if (!waits)
      code = report(c, at->gate.id, "does not wait for it, although it is not decided", at->step, err);
  }
  return code;
}

/* Every step that waits does so for a gate of its run, or for that of what it continues from. */
static ho_code check_steps(checking *c, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < c->steps.count; i++) {
    const ho_run_step *step = &c->steps.rows[i];
    bool own = step->state != HO_STEP_GATED || step->gate_why == HO_REASON_HANDOFF;
    for (size_t k = 0; k < c->gates.count; k++)
      own |= ho_str_eq(step->gate, c->gates.rows[k].gate.id);
    if (!own)
      code = report(c, step->gate, "waits for it, but did not raise it", step->step, err);
  }
  return code;
}

ho_code ho_verify_runs(ho_project *project, ho_verify_flaw flaw, void *data, ho_error *err)
{
  ho_arena list, one;
  ho_run_list runs;
  checking c = {.project = project, .arena = &one, .flaw = flaw, .data = data};
  ho_arena_init(&list, 0);
  ho_arena_init(&one, 0);
  ho_code code = ho_runs_select(project->store, HO_EMPTY, HO_EMPTY, false, 0, &list, &runs, err);
  for (size_t i = 0; !code && i < runs.count; i++) {
    c.run = runs.rows[i].id;
    code = ho_gate_step_newest(project, c.run, &one, &c.gates, err);
    if (!code)
      code = ho_runs_steps(project->store, c.run, &one, &c.steps, err);
    if (!code)
      code = check_gates(&c, err);
    if (!code)
      code = check_steps(&c, err);
    ho_arena_reset(&one);
  }
  ho_arena_free(&one);
  ho_arena_free(&list);
  return code;
}
