/* Steps of kind `parallel`: nobody works on them. They join the steps they depend on, whose agents worked in
 * parallel, by a rule: how many of these must pass. One that does not pass stops nothing: it counts. One that said STOP
 * halts the task first (run_halt.c); what one that said CLARIFY asks is asked here, whatever the others say. */
#include "base/buf.h"
#include "engine/project/project.h"
#include "engine/run/run_parts.h"
#include "model/formats/response_findings.h"

/* The step that joins this one; HO_NONE if none does. */
static size_t joiner(const ho_run *run, size_t step)
{
  for (size_t i = 0; i < run->plan.count; i++)
    for (size_t n = 0; run->plan.items[i].join && n < run->plan.items[i].need_count; n++)
      if (run->plan.items[i].needs[n] == step)
        return i;
  return HO_NONE;
}

bool ho_run_joined(const ho_run *run, size_t step)
{
  return joiner(run, step) != HO_NONE;
}

bool ho_run_tolerated(const ho_run *run, size_t step)
{
  size_t by = joiner(run, step);
  return by != HO_NONE && ho_run_is(run, step, HO_STEP_FAILED) && ho_run_is(run, by, HO_STEP_DONE);
}

static bool has_ended(const ho_run *run, size_t step)
{
  return ho_run_is(run, step, HO_STEP_DONE) || ho_run_is(run, step, HO_STEP_SKIPPED) ||
         ho_run_is(run, step, HO_STEP_FAILED);
}

/* What the joined steps found, for later steps. */
static ho_str findings(ho_run *run, size_t step, ho_str verdict)
{
  ho_buf text;
  const ho_plan_step *planned = &run->plan.items[step];
  ho_buf_init(&text, 0);
  ho_buf_printf(&text, "%.*s.", HO_ARG(verdict));
  for (size_t i = 0; i < planned->need_count; i++) {
    const ho_run_step *one = &run->steps[planned->needs[i]];
    ho_str said = one->summary.n ? one->summary : one->why;
    ho_buf_printf(&text, " %.*s (%.*s): %.*s", HO_ARG(one->step), HO_ARG(ho_words_str(&ho_step_states, one->state)),
                  HO_ARG(ho_str_sub(said, 0, 600)));
    if (one->note.n && ho_run_is(run, planned->needs[i], HO_STEP_FAILED)) /* what was said before it tried again */
      ho_buf_printf(&text, " (answered: %.*s)", HO_ARG(ho_str_sub(one->note, 0, 300)));
  }
  return ho_buf_move(&text, run->arena);
}

/* What the gate lists: the verdict, then every issue, or a STOP could be outvoted unseen. */
static size_t items_of(ho_run *run, const ho_run_verdict *v, ho_str **out)
{
  size_t count = 0;
  ho_node *issues = ho_node_new(run->arena, HO_KIND_LIST);
  for (size_t i = 0; i < v->total; i++)
    ho_joined_issues(issues, run->arena, &v->results[i]);
  *out = ho_arena_array(run->arena, issues ? issues->count + 1 : 0, sizeof **out);
  if (!*out)
    return 0;
  (*out)[count++] = v->text;
  HO_EACH_CONST (issue, issues)
    (*out)[count++] = issue->text;
  return count;
}

/* What one of them asks a person: that is not outvoted either. "" if none does. */
static ho_str question_of(const ho_run *run, const ho_run_verdict *v)
{
  for (size_t i = 0; i < v->total; i++)
    if (v->results[i].asks && !v->results[i].passed && v->results[i].issue_count)
      return ho_run_question_name(run->arena, v->results[i].issues[0]);
  return HO_EMPTY;
}

static ho_code ask(ho_run *run, size_t step, const ho_run_verdict *v, ho_str asked, ho_error *err)
{
  ho_str *items;
  size_t count = items_of(run, v, &items);
  ho_str joined = ho_arena_printf(run->arena, "Joined: %.*s", HO_ARG(run->plan.items[step].id));
  ho_run_question question = {.why = HO_REASON_RESULT,
                              .name = asked.n ? asked : joined,
                              .summary = run->steps[step].summary,
                              .items = items,
                              .item_count = count,
                              .approve = v->passes ? "The step is done" : "The plan continues anyway",
                              .reject = "The step has failed",
                              .at = run->row.started};
  return ho_run_ask(run, step, &question, err);
}

static ho_code conclude(ho_run *run, size_t step, ho_run_verdict *v, ho_error *err)
{
  ho_run_step *s = &run->steps[step];
  (void)ho_aggregate_passes(v->rule, v->total, v->passed, &v->passes);
  v->text = ho_arena_printf(run->arena, "%zu of %zu passed (rule '%.*s')", v->passed, v->total, HO_ARG(v->rule));
  s->summary = findings(run, step, v->text);
  s->started = s->started ? s->started : ho_project_now(run->project);
  s->ended = ho_project_now(run->project);
  ho_code code = ho_run_joined_results(run, step, run->arena, &v->results, err);
  if (!code)
    code = ho_run_write_results(run, step, run->arena, v, err);
  if (code)
    return code;
  ho_str asked = question_of(run, v);
  if (!v->passes || asked.n || run->plan.items[step].gate == HO_PLAN_BLOCKING_GATE)
    return ask(run, step, v, asked, err);
  ho_run_set(run, step, HO_STEP_DONE, v->text);
  return HO_OK;
}

static ho_code join(ho_run *run, size_t step, ho_error *err)
{
  const ho_plan_step *planned = &run->plan.items[step];
  ho_run_verdict v = {.rule = planned->rule.n ? planned->rule : HO_STR("all"), .total = planned->need_count};
  for (size_t i = 0; i < v.total; i++) {
    if (!has_ended(run, planned->needs[i]))
      return HO_OK;
    v.passed += !ho_run_is(run, planned->needs[i], HO_STEP_FAILED);
  }
  return conclude(run, step, &v, err);
}

static ho_code join_and_tell(ho_run *run, size_t step, bool *joined, ho_error *err)
{
  ho_code code = join(run, step, err);
  if (code || ho_run_is(run, step, HO_STEP_WAITING))
    return code;
  *joined = true;
  code = ho_run_commit(run, err);
  HO_RUN_TELL(run, changed, &run->steps[step]);
  if (ho_run_is(run, step, HO_STEP_GATED))
    HO_RUN_TELL(run, gate, &run->steps[step]);
  return code;
}

ho_code ho_run_join(ho_run *run, ho_error *err)
{
  ho_code code = HO_OK;
  bool joined = !run->stopped && !run->interrupts;
  while (joined && !code) { /* a joined step may itself join earlier ones */
    joined = false;
    for (size_t i = 0; !code && i < run->plan.count; i++)
      if (run->plan.items[i].join && ho_run_is(run, i, HO_STEP_WAITING))
        code = join_and_tell(run, i, &joined, err);
  }
  return code;
}
