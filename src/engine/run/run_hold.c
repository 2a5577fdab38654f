#include "engine/ledger/gate.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/project.h"
#include "engine/run/run_parts.h"
#include "model/formats/formats.h"

typedef struct restoring {
  ho_run *run;
  ho_arena *arena;
  ho_gate *gate;
} restoring;

/* The gate and its handoff may have been changed along with the step. */
static ho_code restore(ho_store *store, void *data, ho_error *err)
{
  restoring *r = data;
  ho_turn turn;
  (void)store;
  ho_code code = ho_turn_begin(r->run->project, r->gate->handoff, r->arena, &turn, err);
  return code ? code : ho_gate_restore(&turn, r->gate, err);
}

static size_t place_of(const ho_run *run, ho_str key)
{
  size_t i = 0;
  while (i < run->plan.count && !ho_str_eq(run->plan.items[i].key, key))
    i++;
  return i;
}

static const char *part(const ho_run *run)
{
  return run->plan.format == &ho_format_workflow ? "step" : "phase";
}

static ho_code fail_removed(const ho_run *run, const ho_gate_step *at, ho_error *err)
{
  return ho_fail(err, HO_GATED,
                 "%s %.*s was removed from %.*s, but its gate %.*s is undecided; run: handoff gate show %.*s",
                 part(run), HO_ARG(at->step), HO_ARG(run->plan.path), HO_ARG(at->gate.id), HO_ARG(at->gate.id));
}

/* Its gate is this one, and why it was raised. */
static bool set_gate(ho_run *run, size_t step, const ho_gate_step *at)
{
  ho_run_step *s = &run->steps[step];
  bool same = ho_str_eq(s->gate, at->gate.id) && s->gate_why == at->why;
  s->gate = at->gate.id;
  s->gate_why = at->why;
  run->changed[step] |= !same;
  return same;
}

/* It waits for this gate. */
static ho_code hold(ho_run *run, size_t step, ho_gate_step *at, ho_error *err)
{
  restoring r = {.run = run, .arena = run->arena, .gate = &at->gate};
  ho_code code = ho_ledger_write(run->project, restore, &r, err);
  if (!code && (!set_gate(run, step, at) || !ho_run_is(run, step, HO_STEP_GATED)))
    ho_run_set(run, step, HO_STEP_GATED, HO_STR("its gate is not decided"));
  return code;
}

/* It is recorded as done, but nobody approved that. */
static ho_code ask_about(ho_run *run, size_t step, ho_error *err)
{
  ho_str id = run->plan.items[step].id;
  ho_str item = ho_arena_printf(run->arena, "The result of step %.*s, which is recorded as done", HO_ARG(id));
  ho_run_question question = {
      .why = HO_REASON_RESULT,
      .name = ho_arena_printf(run->arena, "Approve: step %.*s", HO_ARG(id)),
      .summary = ho_arena_printf(run->arena, "Step %.*s of %.*s is recorded as done, but its gate was not approved.",
                                 HO_ARG(id), HO_ARG(run->row.plan)),
      .items = &item,
      .item_count = 1,
      .approve = "The step is done",
      .reject = run->plan.items[step].join ? "The step has failed" : "A teammate does it again, with your note",
      .at = run->row.started};
  return ho_run_ask(run, step, &question, err);
}

/* What a decided gate says about its step. A step that still waits for it is left to ho_run_gates; what was rejected may
 * only be done by a teammate that came after that. */
static void follow(ho_run *run, size_t step, const ho_gate_step *at)
{
  bool rejected = at->gate.decision != HO_DECISION_APPROVE, joins = run->plan.items[step].join;
  bool again = at->why == HO_REASON_RESULT && !joins, since = ho_run_times(run, step) > at->n;
  (void)set_gate(run, step, at);
  if (!rejected || since || ho_run_is(run, step, HO_STEP_GATED) || ho_run_is(run, step, HO_STEP_FAILED) ||
      (ho_run_is(run, step, HO_STEP_WAITING) && !joins))
    return;
  ho_run_set(run, step, again ? HO_STEP_WAITING : HO_STEP_FAILED,
             ho_arena_printf(run->arena, "%.*s was rejected", HO_ARG(at->gate.id)));
}

static bool is_approved(const ho_gate_step_list *list, ho_str key)
{
  for (size_t i = 0; i < list->count; i++)
    if (ho_str_eq(list->rows[i].step, key))
      return list->rows[i].gate.state == HO_GATE_DECIDED && list->rows[i].why == HO_REASON_RESULT &&
             list->rows[i].gate.decision == HO_DECISION_APPROVE;
  return false;
}

/* The gates that the run began with stay, whatever happened to its file while nobody led it. */
static ho_code recall(ho_run *run, const ho_gate_step_list *list, ho_error *err)
{
  const ho_node *options = ho_event_data_read(run->arena, run->row.options);
  HO_EACH_CONST (key, ho_map_getz(options, HO_RUN_GATES)) {
    size_t step = place_of(run, key->text);
    bool approved = is_approved(list, key->text);
    if (step == run->plan.count && approved)
      continue;
    if (step == run->plan.count)
      return ho_fail(err, HO_GATED,
                     "%s %.*s was removed from %.*s, but a person was to approve its result; put it back, or run a "
                     "copy of the file, which is a new run",
                     part(run), HO_ARG(key->text), HO_ARG(run->plan.path));
    if (!approved && run->plan.items[step].gate != HO_PLAN_BLOCKING_GATE)
      ho_run_note(run, "%s %.*s had 'gate: blocking' when the run began, and keeps it", part(run), HO_ARG(key->text));
    run->plan.items[step].gate = HO_PLAN_BLOCKING_GATE;
  }
  return HO_OK;
}

/* Puts the steps where the gates that were raised for them say. */
static ho_code place_at_gates(ho_run *run, ho_gate_step_list *list, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < list->count; i++) {
    ho_gate_step *at = &list->rows[i];
    size_t step = place_of(run, at->step);
    bool open = at->gate.state == HO_GATE_OPEN, gone = step == run->plan.count;
    if (gone && open)
      code = fail_removed(run, at, err);
    else if (open)
      code = hold(run, step, at, err);
    else if (!gone)
      follow(run, step, at);
  }
  return code;
}

ho_code ho_run_hold(ho_run *run, ho_error *err)
{
  ho_gate_step_list list = {0};
  if (!run->row.id.n)
    return HO_OK;
  ho_code code = ho_gate_step_newest(run->project, run->row.id, run->arena, &list, err);
  if (!code)
    code = place_at_gates(run, &list, err);
  if (!code)
    code = recall(run, &list, err);
  for (size_t i = 0; !code && i < run->plan.count; i++)
    if (run->plan.items[i].gate == HO_PLAN_BLOCKING_GATE &&
        (ho_run_is(run, i, HO_STEP_DONE) || ho_run_is(run, i, HO_STEP_SKIPPED)) &&
        !is_approved(&list, run->plan.items[i].key))
      code = ask_about(run, i, err);
  return code;
}
