/* Finds or begins a run, and records what has changed in it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/time.h"
#include "base/user.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/worktree.h"
#include "engine/run/run_parts.h"

void ho_run_note(ho_run *run, const char *format, ...)
{
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  HO_RUN_TELL(run, note, ho_str_of(text));
}

ho_str ho_run_keep(ho_run *run, ho_str text)
{
  return ho_arena_copy(run->arena, text);
}

bool ho_run_is(const ho_run *run, size_t step, ho_step_state state)
{
  return run->steps[step].state == state;
}

void ho_run_set(ho_run *run, size_t step, ho_step_state state, ho_str why)
{
  run->steps[step].state = state;
  run->steps[step].why = ho_run_keep(run, ho_project_clean(run->project, run->arena, why));
  run->changed[step] = true;
  run->marks_late = true;
}

/* ---- The lock: one lead per plan, and one plan of a task at a time, since plans of one task share its folder. */

/* Who holds the lock: "process 123 of ann@host", or "" if the lock file is empty; and the plan that it leads. */
static ho_str holder(ho_arena *arena, int fd, ho_str *plan)
{
  ho_str text = HO_EMPTY, who = HO_EMPTY;
  ho_error none;
  *plan = HO_EMPTY;
  if (lseek(fd, 0, SEEK_SET) != 0 || ho_fs_read_fd(arena, fd, HO_STR("lock"), 8192, &text, &none) != HO_OK)
    return HO_EMPTY;
  if (ho_str_next_line(&text, &who))
    *plan = ho_str_trim(text);
  return ho_str_trim(who);
}

static bool is_alive(ho_arena *arena, ho_str who)
{
  ho_str word;
  ho_str_next(&who, ' ', &word);
  return ho_process_start((pid_t)strtol(ho_arena_z(arena, who), NULL, 10)) != 0;
}

/* A lead that was killed while it started a process may hold its lock for a moment longer, through that process. */
static bool wait_for_lock(ho_arena *arena, int fd, ho_str *who, ho_str *plan)
{
  enum { TRIES = 100, STEP_MS = 50 };
  for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
    *who = holder(arena, fd, plan);
    if (i == TRIES || (who->n && is_alive(arena, *who)))
      return false;
    nanosleep(&(struct timespec){0, STEP_MS * 1000000L}, NULL);
  }
  return true;
}

static ho_code fail_locked(const ho_run *run, ho_str who, ho_str plan, ho_error *err)
{
  who = who.n ? who : HO_STR("another process");
  if (plan.n && !ho_str_eq(plan, run->row.plan))
    return ho_fail_file(err, HO_CONFLICT, run->row.plan,
                        "%.*s, another plan of task %.*s, is being run by %.*s; run this one when it has ended",
                        HO_ARG(plan), HO_ARG(run->row.task), HO_ARG(who));
  return ho_fail_file(err, HO_CONFLICT, run->row.plan, "is already being run by %.*s; 'handoff ps' shows its teammates",
                      HO_ARG(who));
}

ho_code ho_run_lock(ho_run *run, ho_str what, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_str folder = ho_fs_join(run->arena, run->project->home, HO_STR(HO_PATH_RUN));
  ho_digest_text(what, digest);
  ho_str path = ho_arena_printf(run->arena, "%.*s/plan-%.16s.lock", HO_ARG(folder), digest);
  ho_code code = ho_arena_code(run->arena, err);
  if (!code)
    code = ho_fs_mkdirs(folder.p, err);
  if (!code)
    code = ho_run_ignore(run->arena, run->project->home, err);
  if (code)
    return code;
  run->lock = ho_fs_open(path.p, O_RDWR | O_CREAT);
  if (run->lock < 0)
    return ho_fail_file(err, HO_IO, path, "cannot be opened: %s", ho_fs_reason(errno));
  ho_str who = HO_EMPTY, plan = HO_EMPTY;
  if (!wait_for_lock(run->arena, run->lock, &who, &plan))
    return fail_locked(run, who, plan, err);
  (void)!ftruncate(run->lock, 0);
  dprintf(run->lock, "process %ld of %.*s\n%.*s\n", (long)getpid(), HO_ARG(run->row.lead), HO_ARG(run->row.plan));
  return HO_OK;
}

static ho_str who_leads(ho_arena *arena)
{
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return ho_arena_printf(arena, "%.*s@%s", HO_ARG(ho_user_name(arena)), host);
}

bool ho_run_is_led(const ho_run_row *row, ho_arena *arena)
{
  return row->lead_pid > 0 && (!ho_str_eq(row->lead, who_leads(arena)) || ho_process_start((pid_t)row->lead_pid) != 0);
}

/* ---- The rows. */

/* The steps whose result a person approves: a lead that continues the run asks about them, whatever the file says then. */
static void put_gates(const ho_run *run, ho_node *map)
{
  ho_node *list = NULL;
  for (size_t i = 0; i < run->plan.count; i++) {
    if (run->plan.items[i].gate != HO_PLAN_BLOCKING_GATE)
      continue;
    list = list ? list : ho_map_addz(map, HO_RUN_GATES, ho_node_new(run->arena, HO_KIND_LIST));
    ho_list_add(list, ho_node_text(run->arena, run->plan.items[i].key));
  }
}

static ho_str options_json(const ho_run *run)
{
  const ho_run_options *o = run->options;
  ho_node *map = ho_node_new(run->arena, HO_KIND_MAP);
  ho_event_data_put(run->project, run->arena, map, "agent", o->agent);
  ho_map_addz(map, "jobs", ho_node_number(run->arena, o->jobs));
  ho_map_addz(map, "max_successors", ho_node_number(run->arena, o->max_successors));
  ho_map_addz(map, "timeout", ho_node_number(run->arena, o->timeout));
  ho_map_addz(map, "budget_tokens", ho_node_number(run->arena, o->budget_tokens));
  ho_map_addz(map, "worktrees", ho_node_bool(run->arena, o->worktrees));
  put_gates(run, map);
  return ho_event_data_json(run->arena, map);
}

/* The newest handoff of a phase that was begun and not finished: whoever continues starts from it. */
static ho_str left_before(ho_run *run, size_t step)
{
  ho_phase phase;
  ho_str *paths;
  size_t count = 0;
  ho_error none;
  ho_plan_status status = run->plan.items[step].status;
  if (status != HO_PLAN_PARTIAL && status != HO_PLAN_RUNNING && status != HO_PLAN_BLOCKED)
    return HO_EMPTY;
  if (ho_run_phase(run, run->arena, step, run->project->root, &phase, &none) != HO_OK ||
      ho_phase_handoffs(&phase, &paths, &count, &none) != HO_OK || !count)
    return HO_EMPTY;
  return paths[count - 1];
}

static ho_run_step step_of(ho_run *run, size_t i)
{
  const ho_plan_step *planned = &run->plan.items[i];
  ho_step_state state = planned->status == HO_PLAN_DONE      ? HO_STEP_DONE
                        : planned->status == HO_PLAN_SKIPPED ? HO_STEP_SKIPPED
                        : planned->wave == 0                 ? HO_STEP_HELD
                                                             : HO_STEP_WAITING;
  return (ho_run_step){.run = run->row.id,
                       .step = planned->id,
                       .place = (int64_t)i + 1,
                       .name = ho_project_clean(run->project, run->arena, planned->name),
                       .state = state,
                       .handoff = left_before(run, i)};
}

static const ho_run_step *known(const ho_run_step_list *list, size_t hint, ho_str id)
{
  if (hint < list->count && ho_str_eq(list->rows[hint].step, id))
    return &list->rows[hint];
  for (size_t i = 0; i < list->count; i++)
    if (ho_str_eq(list->rows[i].step, id))
      return &list->rows[i];
  return NULL;
}

/* What the store knows about a step takes precedence over the plan, except that a step finished by hand is done. failed: the
 * run had, and is started again. */
static ho_code read_steps(ho_run *run, bool failed, ho_error *err)
{
  ho_run_step_list list;
  ho_code code = ho_runs_steps(run->project->store, run->row.id, run->arena, &list, err);
  run->steps = ho_arena_array(run->arena, run->plan.count, sizeof *run->steps);
  run->changed = ho_arena_array(run->arena, run->plan.count, sizeof *run->changed);
  if (!code)
    code = ho_arena_code(run->arena, err);
  for (size_t i = 0; !code && i < run->plan.count; i++) {
    const ho_run_step *old = known(&list, i, run->plan.items[i].id);
    run->steps[i] = old ? *old : step_of(run, i);
    run->changed[i] = !old || run->steps[i].place != (int64_t)i + 1;
    run->steps[i].place = (int64_t)i + 1;
  }
  if (!code && failed)
    code = ho_run_retry(run, err);
  for (size_t i = 0; !code && i < run->plan.count; i++) { /* ho_run_start asks again whether it has to wait */
    if (ho_run_is(run, i, HO_STEP_GATED) && run->steps[i].gate_why == HO_REASON_HANDOFF)
      ho_run_set(run, i, HO_STEP_WAITING, HO_EMPTY);
    ho_plan_status status = run->plan.items[i].status;
    if (ho_run_is(run, i, HO_STEP_WAITING) && (status == HO_PLAN_DONE || status == HO_PLAN_SKIPPED))
      ho_run_set(run, i, status == HO_PLAN_DONE ? HO_STEP_DONE : HO_STEP_SKIPPED, HO_STR("marked in the plan"));
  }
  if (!code)
    code = ho_run_resume(run, err);
  return code ? code : ho_run_hold(run, err);
}

static ho_code add_run(ho_store *store, void *data, ho_error *err)
{
  ho_run *run = data;
  char stamp[HO_TIME_SIZE];
  ho_time_stamp(run->row.started, stamp);
  ho_str id = HO_EMPTY;
  ho_code code = ho_store_id(store, ho_arena_printf(run->arena, "R-%.4s", stamp), run->arena, &id, err);
  run->row.id = id;
  for (size_t i = 0; i < run->plan.count; i++)
    run->steps[i].run = id;
  return code ? code : ho_runs_add(store, &run->row, err);
}

ho_code ho_run_begin(ho_run *run, ho_error *err)
{
  return ho_store_write(run->project->store, add_run, run, err);
}

static bool has_work(const ho_run *run)
{
  for (size_t i = 0; i < run->plan.count; i++)
    if (ho_run_is(run, i, HO_STEP_WAITING))
      return true;
  return false;
}

/* Opens the newest run of the plan if it has not ended, was stopped, or has failed and the file still is about the same work;
 * else begins one. If nothing is left to do, the run stays as it is. */
static ho_code find_run(ho_run *run, ho_error *err)
{
  ho_run_list newest;
  ho_run_row fresh = run->row;
  bool failed = false;
  ho_code code = ho_runs_select(run->project->store, run->row.plan, HO_EMPTY, false, 1, run->arena, &newest, err);
  if (!code && newest.count && newest.rows[0].state == HO_RUN_STATE_FAILED && !run->options->from_start)
    code = ho_run_same_work(run, &newest.rows[0], &failed, err);
  if (code)
    return code;
  bool open = newest.count && (!newest.rows[0].ended || newest.rows[0].state == HO_RUN_STATE_STOPPED || failed);
  if (open) {
    run->row = newest.rows[0];
    run->row.ended = 0;
    run->row.lead = fresh.lead;
    run->row.lead_pid = fresh.lead_pid;
  }
  run->row.state = HO_RUN_STATE_RUNNING;
  run->row.why = HO_EMPTY;
  run->row.updated = fresh.started;
  code = read_steps(run, failed, err);
  run->row.options = options_json(run);
  if (!code && !open && newest.count && !has_work(run)) {
    run->row = newest.rows[0];
    run->nothing = true;
    return HO_OK;
  }
  if (!code && !open) /* one that has begun says so when it ends, since its teammates may still work */
    code = ho_halt_refuse(run->project, run->row.task, run->arena, err);
  if (!code)
    code = ho_run_look_halted(run, err);
  if (!code)
    code = ho_run_startable(run, err);
  if (!code)
    code = ho_run_own(run, err);
  if (!code && !open)
    code = ho_run_begin(run, err);
  run->row_changed = true;
  return code ? code : ho_run_commit(run, err);
}

void ho_run_describe(ho_run *run, ho_str plan, ho_str title)
{
  run->lock = run->signals = run->names = -1;
  run->row = (ho_run_row){.plan = ho_project_clean(run->project, run->arena, plan),
                          .title = ho_project_clean(run->project, run->arena, title),
                          .options = options_json(run),
                          .state = HO_RUN_STATE_RUNNING,
                          .lead = who_leads(run->arena),
                          .lead_pid = getpid(),
                          .started = ho_project_now(run->project)};
  run->row.updated = run->row.started;
  run->mates = ho_arena_array(run->arena, HO_RUN_JOBS, sizeof *run->mates);
}

static void let_names_go(ho_run *run)
{
  if (run->names >= 0)
    close(run->names);
  run->names = -1;
}

ho_code ho_run_open(ho_run *run, ho_error *err)
{
  run->lock = run->signals = run->names = -1;
  ho_str path = ho_fs_relative(run->project->root, run->options->plan);
  ho_code code = ho_plan_steps_read(run->arena, path, run->options->text, &run->plan, err);
  if (code)
    return code;
  ho_run_describe(run, ho_worktree_kept(run->project->home, run->options->plan), run->plan.title);
  code = ho_run_place(run, err);
  ho_str folder = ho_fs_join(run->arena, run->project->root, run->folder);
  if (!code)
    code = ho_run_lock(run, ho_worktree_kept(run->project->home, folder), err);
  if (!code)
    code = ho_run_alone(run, err);
  if (!code)
    code = find_run(run, err);
  let_names_go(run);
  run->files = ho_paths_run(run->arena, run->project->home, run->row.id);
  return code ? code : ho_arena_code(run->arena, err);
}

void ho_run_close(ho_run *run)
{
  while (run->mate_count)
    ho_run_mate_free(run->mates[--run->mate_count]);
  let_names_go(run);
  if (run->lock >= 0)
    close(run->lock);
  run->lock = -1;
}

/* ---- Writing. */

static ho_code write_rows(ho_store *store, void *data, ho_error *err)
{
  ho_run *run = data;
  ho_code code = run->row_changed ? ho_runs_change(store, &run->row, err) : HO_OK;
  for (size_t i = 0; !code && i < run->mate_count; i++) {
    ho_run_mate *mate = run->mates[i];
    if (mate->token.n)
      code = ho_run_claim(run, mate, mate->token, err);
    if (!code && mate->over && mate->row.from_id.n)
      code = ho_run_release(run, mate, mate->done, err);
    if (!code && mate->changed)
      code = ho_runs_put_teammate(store, &mate->row, err);
  }
  for (size_t i = 0; !code && i < run->plan.count; i++)
    if (run->changed[i])
      code = ho_runs_put_step(store, &run->steps[i], err);
  return code;
}

ho_code ho_run_commit(ho_run *run, ho_error *err)
{
  bool rows = run->row_changed, project = false;
  for (size_t i = 0; i < run->mate_count; i++) {
    const ho_run_mate *mate = run->mates[i];
    rows |= mate->changed || mate->over;
    project |= mate->token.n || (mate->over && mate->row.from_id.n);
  }
  for (size_t i = 0; !rows && i < run->plan.count; i++)
    rows = run->changed[i];
  ho_code code = ho_arena_code(run->arena, err);
  if (code || !rows)
    return code;
  /* Only changes to handoffs need the care of ho_ledger_write: leases, gates and the state file. */
  code = project ? ho_ledger_write(run->project, write_rows, run, err)
                 : ho_store_write(run->project->store, write_rows, run, err);
  if (code)
    return code;
  run->row_changed = false;
  memset(run->changed, 0, run->plan.count * sizeof *run->changed);
  for (size_t i = 0; i < run->mate_count; i++) {
    run->mates[i]->changed = false;
    run->mates[i]->token = HO_EMPTY;
  }
  return HO_OK;
}
