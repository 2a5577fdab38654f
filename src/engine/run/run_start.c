/* Starts teammates. A start is prepared (files, prompt, a waiting shim), committed, and only then given the go: a
 * lead that is killed at any point leaves either a start that never happened or one that the store knows of. */
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "engine/ledger/write.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/run/run_parts.h"

ho_run_mate *ho_run_mate_new(ho_run *run, size_t step)
{
  ho_run_mate *mate = run->mate_count < HO_RUN_JOBS ? ho_malloc(sizeof *mate) : NULL;
  if (!mate)
    return NULL;
  *mate = (ho_run_mate){.step = step, .watch = -1, .shim = {.go = -1}};
  ho_arena_init(&mate->arena, 0);
  return mate;
}

void ho_run_mate_free(ho_run_mate *mate)
{
  if (mate->watch >= 0)
    close(mate->watch);
  if (mate->shim.go >= 0)
    close(mate->shim.go);
  ho_arena_free(&mate->arena);
  ho_free(mate);
}

static bool is_ended_well(const ho_run *run, size_t step)
{
  return ho_run_is(run, step, HO_STEP_DONE) || ho_run_is(run, step, HO_STEP_SKIPPED);
}

bool ho_run_ready(const ho_run *run, size_t step)
{
  const ho_plan_step *planned = &run->plan.items[step];
  if (run->stopped || run->over_budget || run->interrupts || !ho_run_is(run, step, HO_STEP_WAITING) || planned->join)
    return false;
  for (size_t i = 0; i < planned->need_count; i++)
    if (!is_ended_well(run, planned->needs[i]))
      return false;
  return true;
}

/* ---- Preparing. */

static ho_code fill_row(ho_run *run, ho_run_mate *mate, ho_error *err)
{
  ho_arena *a = &mate->arena;
  const ho_run_step *step = &run->steps[mate->step];
  ho_str key = run->plan.items[mate->step].key;
  long long n = (long long)step->teammates + 1;
  mate->row = (ho_teammate){.run = run->row.id,
                            .task = run->row.task,
                            .step = step->step,
                            .n = n,
                            .state = HO_TEAMMATE_RUNNING,
                            .started = ho_project_now(run->project)};
  *(ho_str_find_char(step->handoff, '/') == HO_NONE ? &mate->row.from_id : &mate->row.from_path) = step->handoff;
  mate->row.id = ho_arena_printf(a, "%.*s/%.*s.%lld", HO_ARG(run->row.id), HO_ARG(key), n);
  mate->row.session = ho_arena_printf(a, "%.*s-%.*s", HO_ARG(run->row.id), HO_ARG(key));
  mate->row.log = ho_arena_printf(a, HO_PATH_RUN "/%.*s/log", HO_ARG(mate->row.id));
  mate->changed = true;
  return ho_run_tree(run, mate->step, a, &mate->row.folder, err);
}

/* A successor of a recorded handoff gets its own claim on it. */
static ho_code make_token(ho_run_mate *mate, ho_error *err)
{
  char token[65];
  if (!mate->row.from_path.n && !mate->row.from_id.n)
    return HO_OK;
  ho_code code = ho_random_hex(token, 16, err);
  mate->token = ho_arena_copy(&mate->arena, ho_str_of(token));
  return code;
}

static ho_code prepare(ho_run *run, ho_run_mate *mate, ho_error *err)
{
  ho_str prompt = HO_EMPTY;
  ho_code code = fill_row(run, mate, err);
  if (code)
    return code;
  ho_str task = ho_fs_join(&mate->arena, mate->row.folder, run->folder), files = HO_EMPTY;
  mate->phase = run->plan.items[mate->step].key;
  mate->wanted = run->plan.items[mate->step].agent;
  mate->meta = ho_run_meta(mate, &mate->arena);
  files = ho_run_files(run, &mate->arena, mate->row.id);
  code = ho_arena_code(&mate->arena, err);
  if (!code)
    code = ho_fs_mkdirs_in(ho_arena_z(&mate->arena, mate->row.folder), task.p, err);
  if (!code)
    code = ho_fs_mkdirs(files.p, err);
  if (!code)
    code = make_token(mate, err);
  if (!code)
    code = ho_run_choose(run, mate, err);
  if (!code)
    code = ho_run_fresh(run, mate, err);
  if (!code)
    code = ho_run_prompt(run, mate, &prompt, err);
  return code ? code : ho_run_launch(run, mate, prompt, err);
}

static void mark_started(ho_run *run, ho_run_mate *mate)
{
  ho_run_step *step = &run->steps[mate->step];
  step->teammates = mate->row.n;
  step->not_before = 0;
  if (!step->started)
    step->started = mate->row.started;
  step->progress = ho_run_keep(run, ho_run_progress(run, &mate->arena, mate->step, mate->row.folder));
  ho_run_set(run, mate->step, HO_STEP_RUNNING, HO_EMPTY);
}

/* ---- Starting what is ready. */

static ho_code prepare_next(ho_run *run, size_t step, ho_error *err)
{
  ho_run_mate *mate = ho_run_mate_new(run, step);
  if (!mate)
    return ho_fail_memory(err);
  ho_code code = prepare(run, mate, err);
  if (code) {
    if (mate->shim.pid > 0)
      ho_shim_drop(&mate->shim);
    ho_run_mate_free(mate);
    return code;
  }
  mark_started(run, mate);
  run->mates[run->mate_count++] = mate;
  return HO_OK;
}

static void drop_from(ho_run *run, size_t first)
{
  while (run->mate_count > first) {
    ho_run_mate *mate = run->mates[--run->mate_count];
    ho_shim_drop(&mate->shim);
    ho_run_mate_free(mate);
  }
}

static void let_go(ho_run *run, size_t first)
{
  ho_ledger_follow(run->project); /* they may look at its files */
  for (size_t i = first; i < run->mate_count; i++) {
    ho_run_mate *mate = run->mates[i];
    ho_shim_go(&mate->shim); /* if it is already gone, waiting for it shows that at once */
    mate->watch = ho_process_watch(mate->shim.pid, mate->shim.start);
    HO_RUN_TELL(run, started, &run->steps[mate->step], &mate->row);
  }
}

/* A pause cannot be longer than the longest one, unless the clock was set back meanwhile. */
int64_t ho_run_not_before(const ho_run *run, size_t step)
{
  int64_t at = run->steps[step].not_before;
  return at > ho_project_now(run->project) + HO_RUN_BACKOFF_MOST ? 0 : at;
}

static bool any_ready(const ho_run *run)
{
  for (size_t i = 0; i < run->plan.count; i++)
    if (ho_run_ready(run, i))
      return true;
  return false;
}

static bool may_start(const ho_run *run, size_t step, int64_t now)
{
  return ho_run_ready(run, step) && ho_run_not_before(run, step) <= now;
}

/* Before anything is prepared, since a step that waits is recorded at once. */
static ho_code hold_back(ho_run *run, int64_t now, ho_error *err)
{
  bool waits;
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < run->plan.count; i++)
    if (may_start(run, i, now))
      code = ho_run_wait_handed(run, i, &waits, err);
  return code;
}

ho_code ho_run_start(ho_run *run, ho_error *err)
{
  size_t first = run->mate_count, most = (size_t)run->options->jobs;
  int64_t now = ho_project_now(run->project);
  ho_code code = any_ready(run) ? ho_run_look_halted(run, err) : HO_OK;
  if (most > HO_RUN_JOBS)
    most = HO_RUN_JOBS;
  if (!code && run->mate_count < most)
    code = hold_back(run, now, err);
  for (size_t i = 0; !code && i < run->plan.count && run->mate_count < most; i++)
    if (may_start(run, i, now))
      code = prepare_next(run, i, err);
  if (!code)
    code = ho_run_commit(run, err);
  if (code)
    drop_from(run, first);
  else
    let_go(run, first);
  return code;
}
