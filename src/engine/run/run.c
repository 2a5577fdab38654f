#include "engine/run/run.h"

#include "engine/project/project.h"
#include "engine/run/run_parts.h"

const ho_run_row *ho_run_about(const ho_run *run)
{
  return &run->row;
}

const ho_plan_steps *ho_run_plan(const ho_run *run)
{
  return &run->plan;
}

const ho_run_step *ho_run_steps(const ho_run *run, size_t *count)
{
  *count = run->plan.count;
  return run->steps;
}

const ho_teammate *ho_run_working(const ho_run *run, size_t index)
{
  return index < run->mate_count ? &run->mates[index]->row : NULL;
}

ho_str ho_run_folder(const ho_run *run)
{
  return run->folder;
}

int64_t ho_run_now(const ho_run *run)
{
  return ho_project_now(run->project);
}

int ho_run_interrupts(const ho_run *run)
{
  return run->interrupts;
}

/* ---- Continuing after a lead that died. */

/* A worker's handoffs are not part of a plan, so there the step says nothing. */
static ho_code adopt(ho_run *run, const ho_teammate *row, ho_error *err)
{
  const ho_plan_step *planned = ho_plan_steps_find(&run->plan, row->step);
  if (!planned && run->plan.count) {
    ho_run_note(run, "%.*s works on a part of the plan that is no longer there; leaving it alone", HO_ARG(row->id));
    return HO_OK;
  }
  ho_run_mate *mate = ho_run_mate_new(run, planned ? (size_t)(planned - run->plan.items) : 0);
  if (!mate)
    return ho_fail_memory(err);
  mate->row = ho_runs_copy_teammate(row, &mate->arena);
  mate->watch = ho_process_watch((pid_t)row->pid, row->pid_start);
  run->mates[run->mate_count++] = mate;
  if (mate->watch >= 0 && planned)
    HO_RUN_TELL(run, adopted, &run->steps[mate->step], &mate->row);
  return ho_arena_code(&mate->arena, err);
}

ho_code ho_run_adopt(ho_run *run, ho_error *err)
{
  ho_arena arena;
  ho_teammate_list list;
  ho_arena_init(&arena, 0);
  ho_code code =
      ho_runs_teammates(run->project->store, run->row.id, HO_EMPTY, HO_TEAMMATE_RUNNING, 0, &arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = adopt(run, &list.rows[i], err);
  ho_arena_free(&arena);
  return code;
}

static bool is_worked_on(const ho_run *run, size_t step)
{
  for (size_t i = 0; i < run->mate_count; i++)
    if (run->mates[i]->step == step)
      return true;
  return false;
}

static ho_code resume(ho_run *run, ho_error *err)
{
  ho_code code = ho_run_adopt(run, err);
  for (size_t i = 0; !code && i < run->plan.count; i++)
    if (ho_run_is(run, i, HO_STEP_RUNNING) && !is_worked_on(run, i))
      ho_run_set(run, i, HO_STEP_WAITING, HO_EMPTY);
  run->marks_late = true;
  return code;
}

/* ---- Processing those that have ended. */

static void tell_end(ho_run *run, const ho_run_mate *mate)
{
  const ho_run_step *step = &run->steps[mate->step];
  HO_RUN_TELL(run, ended, step, &mate->row);
  HO_RUN_TELL(run, changed, step);
  if (step->state == HO_STEP_GATED)
    HO_RUN_TELL(run, gate, step);
}

static void count_tokens(ho_run *run)
{
  int64_t used = 0;
  for (size_t i = 0; i < run->plan.count; i++)
    used += run->steps[i].tokens;
  run->over_budget = run->options->budget_tokens && used >= run->options->budget_tokens;
}

size_t ho_run_take_ended(ho_run *run, ho_run_mate *ended[HO_RUN_JOBS])
{
  size_t kept = 0, over = 0;
  for (size_t i = 0; i < run->mate_count; i++)
    if (run->mates[i]->over)
      ended[over++] = run->mates[i];
    else
      run->mates[kept++] = run->mates[i];
  run->mate_count = kept;
  return over;
}

static ho_code collect(ho_run *run, ho_error *err)
{
  ho_code code = HO_OK;
  size_t over = 0;
  for (size_t i = 0; !code && i < run->mate_count; i++) {
    if (run->mates[i]->watch >= 0)
      continue;
    code = ho_run_end(run, run->mates[i], err);
    over++;
  }
  if (code || !over)
    return code;
  code = ho_run_commit(run, err);
  if (code)
    return code;
  ho_run_mate *ended[HO_RUN_JOBS];
  over = ho_run_take_ended(run, ended);
  for (size_t i = 0; i < over; i++) {
    tell_end(run, ended[i]);
    ho_run_mate_free(ended[i]);
  }
  count_tokens(run);
  return HO_OK;
}

/* ---- The loop. */

static size_t count_of(const ho_run *run, ho_step_state state)
{
  size_t count = 0;
  for (size_t i = 0; i < run->plan.count; i++)
    count += ho_run_is(run, i, state);
  return count;
}

/* When the next step that only waits for its time may start; -1: there is none. */
static int64_t next_start(const ho_run *run)
{
  int64_t next = -1;
  for (size_t i = 0; i < run->plan.count; i++)
    if (ho_run_ready(run, i) && (next < 0 || ho_run_not_before(run, i) < next))
      next = ho_run_not_before(run, i);
  return next;
}

/* How long to sleep, in ms (-1: until something happens); false: there is nothing to wait for. */
static bool pause_for(const ho_run *run, int64_t *ms)
{
  bool room = (int64_t)run->mate_count < run->options->jobs;
  int64_t next = room ? next_start(run) : -1, now = ho_project_now(run->project);
  bool gated = count_of(run, HO_STEP_GATED) > 0;
  *ms = -1;
  if (next >= 0)
    *ms = next > now ? next - now : 0;
  if (gated && (*ms < 0 || *ms > HO_RUN_GATE_LOOK_MS))
    *ms = HO_RUN_GATE_LOOK_MS;
  if (run->mate_count || next >= 0)
    return true;
  return gated && run->options->wait && !run->interrupts && !run->stopped;
}

static ho_code carry(ho_run *run, ho_error *err)
{
  for (const char *head = HO_PLAN_IMPLEMENTING;; head = NULL) {
    int64_t ms;
    ho_code code = collect(run, err);
    if (!code)
      code = ho_run_gates(run, err);
    if (!code)
      code = ho_run_join(run, err);
    if (!code)
      code = ho_run_start(run, err);
    if (code)
      return code;
    ho_run_marks(run, head, false);
    if (!pause_for(run, &ms))
      return HO_OK;
    ho_run_wait(run, ms);
  }
}

/* ---- The end. */

typedef struct verdict {
  ho_code status;
  ho_run_state state;
  const char *marker;
  ho_str why;
} verdict;

static verdict judge(ho_run *run)
{
  size_t done = count_of(run, HO_STEP_DONE) + count_of(run, HO_STEP_SKIPPED), gated = count_of(run, HO_STEP_GATED);
  size_t failed = count_of(run, HO_STEP_FAILED), held = count_of(run, HO_STEP_HELD);
  for (size_t i = 0; i < run->plan.count; i++)
    if (ho_run_tolerated(run, i)) {
      failed--;
      done++;
    }
  ho_arena *a = run->arena;
  if (run->stopped)
    return (verdict){HO_NO, HO_RUN_STATE_STOPPED, "BLOCKED",
                     run->halt.n ? ho_arena_printf(a, "%.*s, then run the same command again", HO_ARG(run->halt))
                                 : HO_STR("a teammate said STOP")};
  if (done + held == run->plan.count)
    return (verdict){HO_OK, HO_RUN_STATE_DONE, held ? "PARTIAL" : "COMPLETED",
                     held ? ho_arena_printf(a, "%zu %s held back by the plan", held,
                                            ho_plural_of((long long)held, "phase is", "phases are"))
                          : HO_EMPTY};
  if (run->interrupts)
    return (verdict){HO_NO, HO_RUN_STATE_WAITING, "PARTIAL", HO_STR("it was interrupted; run it again to continue")};
  if (gated)
    return (verdict){HO_GATED, HO_RUN_STATE_WAITING, "BLOCKED",
                     ho_arena_printf(a, "%zu %s a decision. Decide, then run the same command again.", gated,
                                     ho_plural_of((long long)gated, "phase needs", "phases need"))};
  if (run->over_budget)
    return (verdict){HO_LIMIT, HO_RUN_STATE_WAITING, "PARTIAL",
                     HO_STR("the token budget is used up; run it again with a larger one to continue")};
  return (verdict){HO_NO, HO_RUN_STATE_FAILED, "BLOCKED",
                   ho_arena_printf(a, "%zu phase%s failed, and what depends on %s was not started", failed,
                                   ho_plural((long long)failed), ho_plural_of((long long)failed, "it", "them"))};
}

static ho_code finish(ho_run *run, ho_code *status, ho_error *err)
{
  ho_code code = run->stopped ? ho_run_look_halted(run, err) : HO_OK;
  if (code)
    return code;
  verdict v = judge(run);
  run->row.state = v.state;
  run->row.why = v.why;
  run->row.updated = ho_project_now(run->project);
  run->row.ended = v.state == HO_RUN_STATE_WAITING ? 0 : run->row.updated;
  run->row.lead_pid = 0;
  run->row_changed = true;
  ho_run_marks(run, v.marker, true);
  code = ho_run_commit(run, err);
  HO_RUN_TELL(run, finished);
  *status = v.status;
  return code;
}

/* Something outside the plan failed: the run and its teammates are left for another lead to continue. */
static void give_up(ho_run *run, const ho_error *why)
{
  ho_error none;
  run->row.state = HO_RUN_STATE_WAITING;
  run->row.why = ho_str_of(why->message);
  run->row.lead_pid = 0;
  run->row_changed = true;
  memset(run->changed, 0, run->plan.count * sizeof *run->changed);
  while (run->mate_count)
    ho_run_mate_free(run->mates[--run->mate_count]);
  (void)!ho_run_commit(run, &none);
}

static ho_code lead(ho_run *run, ho_code *status, ho_error *err)
{
  if (!ho_run_catch_signals(run))
    return ho_fail(err, HO_IO, "cannot receive signals");
  ho_code code = resume(run, err);
  if (!code) {
    count_tokens(run);
    ho_run_show_commands(run, &run->plan);
    HO_RUN_TELL(run, begun);
    code = carry(run, err);
  }
  if (code)
    give_up(run, err);
  else
    code = finish(run, status, err);
  ho_run_release_signals(run);
  return code;
}

ho_code ho_run_carry(ho_project *project, ho_arena *arena, const ho_run_options *options, ho_run_outcome *out,
                     ho_error *err)
{
  ho_run run = {.project = project, .arena = arena, .options = options};
  *out = (ho_run_outcome){0};
  ho_code code = ho_run_open(&run, err);
  if (!code && !run.nothing)
    code = lead(&run, &out->status, err);
  if (!code && run.row.id.n)
    code = ho_run_summary(project, arena, run.row.id, &out->summary, err);
  ho_run_close(&run);
  return code;
}
