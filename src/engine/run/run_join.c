/* Steps of kind `parallel`: nobody works on them. They join the steps they depend on, whose agents worked in
 * parallel, by a rule: how many of these must pass. One that does not pass stops nothing: it counts. */
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
  }
  return ho_buf_move(&text, run->arena);
}

static ho_code join(ho_run *run, size_t step, ho_error *err)
{
  const ho_plan_step *planned = &run->plan.items[step];
  size_t total = planned->need_count, passed = 0;
  bool passes = false;
  ho_str rule = planned->rule.n ? planned->rule : HO_STR("all");
  for (size_t i = 0; i < total; i++) {
    if (!has_ended(run, planned->needs[i]))
      return HO_OK;
    passed += !ho_run_is(run, planned->needs[i], HO_STEP_FAILED);
  }
  (void)ho_aggregate_passes(rule, total, passed, &passes);
  ho_run_step *s = &run->steps[step];
  ho_str verdict = ho_arena_printf(run->arena, "%zu of %zu passed (rule '%.*s')", passed, total, HO_ARG(rule));
  s->summary = findings(run, step, verdict);
  s->started = s->started ? s->started : ho_project_now(run->project);
  s->ended = ho_project_now(run->project);
  if (passes) {
    ho_run_set(run, step, HO_STEP_DONE, verdict);
    return HO_OK;
  }
  ho_run_question question = {.why = HO_REASON_RESULT,
                              .name = ho_arena_printf(run->arena, "Joined: %.*s", HO_ARG(planned->id)),
                              .summary = s->summary,
                              .items = &verdict,
                              .item_count = 1,
                              .approve = "The plan continues anyway",
                              .reject = "The step has failed",
                              .at = run->row.started};
  return ho_run_ask(run, step, &question, err);
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
