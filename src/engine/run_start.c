/* Starting teammates. A start is prepared (files, prompt, a shim that waits), committed, and only then told to go: a lead
 * that is killed at any point leaves either a start that never happened or one that the store knows of. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/limits.h"
#include "base/memory.h"
#include "engine/context_keep.h"
#include "engine/run_parts.h"

extern char **environ;

/* Variables that say who acts; a teammate gets its own. */
static const char *const ours[] = {"HANDOFF_STORE",   "PATH",          "HANDOFF_AGENT", "HANDOFF_TASK", "HANDOFF_PHASE",
                                   "HANDOFF_SESSION", "HANDOFF_TOKEN", "HANDOFF_META",  "HANDOFF_ROOT", NULL};

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
  return ho_run_is(run, step, "done") || ho_run_is(run, step, "skipped");
}

bool ho_run_ready(const ho_run *run, size_t step)
{
  const ho_plan_step *planned = &run->plan.items[step];
  if (run->stopped || run->over_budget || run->interrupts || !ho_run_is(run, step, "waiting") || planned->join)
    return false;
  for (size_t i = 0; i < planned->need_count; i++)
    if (!is_ended_well(run, planned->needs[i]))
      return false;
  return true;
}

/* ---- Preparing. */

static bool is_named(const char *entry, const char *const *names)
{
  for (; names && *names; names++) {
    size_t n = strlen(*names);
    if (strncmp(entry, *names, n) == 0 && entry[n] == '=')
      return true;
  }
  return false;
}

static size_t length(const char *const *list)
{
  size_t n = 0;
  while (list && list[n])
    n++;
  return n;
}

/* Where this program is: what teammates are told to run has to be found. */
static ho_str own_folder(ho_arena *arena)
{
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  return n > 0 ? ho_fs_parent(ho_arena_copy(arena, (ho_str){path, (size_t)n})) : HO_STR("/usr/local/bin");
}

/* The lead's environment without what says who the lead is, and with what says who the teammate is. */
static const char **environment(ho_run *run, ho_run_mate *mate, const ho_adapter_call *call)
{
  ho_arena *a = &mate->arena;
  const ho_teammate *row = &mate->row;
  size_t count = length((const char *const *)(uintptr_t)environ), n = 0;
  const char **env = ho_arena_array(a, count + length(call->env) + HO_COUNT(ours) + 1, sizeof *env);
  if (!env)
    return NULL;
  for (size_t i = 0; i < count; i++)
    if (!is_named(environ[i], ours) && !is_named(environ[i], call->drop))
      env[n++] = environ[i];
  env[n++] = ho_arena_printf(a, "HANDOFF_AGENT=%.*s", HO_ARG(row->agent)).p;
  env[n++] = ho_arena_printf(a, "HANDOFF_TASK=%.*s", HO_ARG(row->task)).p;
  env[n++] = ho_arena_printf(a, "HANDOFF_PHASE=%.*s", HO_ARG(run->plan.items[mate->step].key)).p;
  env[n++] = ho_arena_printf(a, "HANDOFF_SESSION=%.*s", HO_ARG(row->session)).p;
  env[n++] = ho_arena_printf(a, "HANDOFF_META=%.*s", HO_ARG(ho_run_meta(run, a, mate->step, row->folder))).p;
  if (run->options->store.n)
    env[n++] = ho_arena_printf(a, "HANDOFF_STORE=%.*s", HO_ARG(run->options->store)).p;
  env[n++] =
      ho_arena_printf(a, "PATH=%s:%.*s", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin", HO_ARG(own_folder(a))).p;
  env[n++] = ho_arena_printf(a, "HANDOFF_ROOT=%.*s", HO_ARG(row->folder)).p;
  if (mate->token.n)
    env[n++] = ho_arena_printf(a, "HANDOFF_TOKEN=%.*s", HO_ARG(mate->token)).p;
  for (size_t i = 0; call->env && call->env[i]; i++)
    env[n++] = call->env[i];
  return env;
}

/* What a predecessor left is taken in: it must not be taken for the result of the next one. */
static void clear_before(ho_run *run, ho_run_mate *mate)
{
  ho_str meta = ho_run_meta(run, &mate->arena, mate->step, mate->row.folder);
  ho_str figure = ho_context_path(&mate->arena, mate->row.folder, mate->row.session, HO_FIGURE_SUFFIX);
  if (meta.n)
    unlink(meta.p);
  if (figure.n)
    unlink(figure.p);
}

/* A file that may be written again after a crash: not synced. */
static ho_code put_file(const char *path, ho_str text, ho_error *err)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  size_t done = 0;
  while (fd >= 0 && done < text.n) {
    ssize_t n = write(fd, text.p + done, text.n - done);
    if (n < 0 && errno != EINTR)
      break;
    done += n > 0 ? (size_t)n : 0;
  }
  int why = errno;
  if (fd >= 0)
    close(fd);
  return fd >= 0 && done == text.n ? HO_OK : ho_fail_file(err, HO_IO, ho_str_of(path), "%s", strerror(why));
}

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
                            .state = HO_STR("running"),
                            .started = ho_ledger_now(run->ledger)};
  *(ho_str_find_char(step->handoff, '/') == HO_NONE ? &mate->row.from_id : &mate->row.from_path) = step->handoff;
  mate->row.id = ho_arena_printf(a, "%.*s/%.*s.%lld", HO_ARG(run->row.id), HO_ARG(key), n);
  mate->row.session = ho_arena_printf(a, "%.*s-%.*s", HO_ARG(run->row.id), HO_ARG(key));
  mate->row.log = ho_arena_printf(a, ".handoff/run/%.*s/log", HO_ARG(mate->row.id));
  mate->changed = true;
  return ho_run_tree(run, mate->step, a, &mate->row.folder, err);
}

static bool is_program(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* A command that is not there would fail for every phase: that is said before anything is started. */
static ho_code must_exist(ho_run_mate *mate, const char *program, ho_error *err)
{
  ho_str rest = ho_str_of(getenv("PATH")), part;
  bool found = false;
  if (strchr(program, '/'))
    found = is_program(ho_fs_join(&mate->arena, mate->row.folder, ho_str_of(program)).p);
  else
    while (!found && ho_str_next(&rest, ':', &part))
      found = is_program(ho_arena_printf(&mate->arena, "%.*s/%s", HO_ARG(part), program).p);
  if (found)
    return HO_OK;
  return ho_fail(err, HO_NOT_FOUND, "there is no program '%s' to start as a teammate (--agent, or the settings)",
                 program);
}

/* Who does it, and with which words; a successor of a handoff in the ledger gets a claim of its own on it. */
static ho_code choose_command(ho_run *run, ho_run_mate *mate, ho_str prompt, ho_adapter_call *call, ho_error *err)
{
  char token[65];
  ho_adapter_use use = {.config = run->ledger->config,
                        .root = run->ledger->root,
                        .wanted = run->plan.items[mate->step].agent,
                        .told = run->options->agent,
                        .prompt = prompt.p};
  ho_code code = ho_adapter_command(&mate->arena, &use, call, err);
  if (!code)
    code = must_exist(mate, call->argv[0], err);
  if (code)
    return code;
  mate->row.agent = ho_arena_printf(&mate->arena, "%.*s/%.*s.%lld", HO_ARG(call->agent),
                                    HO_ARG(run->plan.items[mate->step].key), (long long)mate->row.n);
  mate->row.adapter = ho_str_of(call->adapter ? call->adapter->name : "command");
  if (!mate->row.from_path.n && !mate->row.from_id.n)
    return HO_OK;
  code = ho_random_hex(token, 16, err);
  mate->token = ho_arena_copy(&mate->arena, ho_str_of(token));
  return code;
}

static ho_code start_shim(ho_run *run, ho_run_mate *mate, const char *files, const ho_adapter_call *call, ho_error *err)
{
  ho_shim_order order = {.program = ho_arena_z(&mate->arena, run->options->program),
                         .folder = files,
                         .work = mate->row.folder.p,
                         .input = call->input,
                         .seconds = run->options->timeout,
                         .log_limit = HO_LIMIT_LOG,
                         .argv = call->argv,
                         .env = environment(run, mate, call)};
  ho_code code = ho_arena_code(&mate->arena, err);
  if (!code)
    code = ho_shim_start(&order, &mate->shim, err);
  mate->row.pid = mate->shim.pid;
  mate->row.pid_start = mate->shim.start;
  return code;
}

static ho_code prepare(ho_run *run, ho_run_mate *mate, ho_error *err)
{
  ho_str prompt = HO_EMPTY;
  ho_adapter_call call;
  ho_code code = fill_row(run, mate, err);
  if (code)
    return code;
  ho_str files =
      ho_arena_printf(&mate->arena, "%.*s/.handoff/run/%.*s", HO_ARG(run->ledger->home), HO_ARG(mate->row.id));
  ho_str path = ho_arena_printf(&mate->arena, "%.*s/prompt.md", HO_ARG(files));
  ho_str task = ho_fs_join(&mate->arena, mate->row.folder, run->folder);
  code = ho_arena_code(&mate->arena, err);
  if (!code)
    code = ho_fs_mkdirs(files.p, err);
  if (!code)
    code = ho_fs_mkdirs(task.p, err);
  if (!code)
    code = choose_command(run, mate, path, &call, err);
  if (!code)
    code = ho_run_prompt(run, mate, &prompt, err);
  if (!code)
    code = put_file(path.p, prompt, err);
  if (code)
    return code;
  clear_before(run, mate);
  return start_shim(run, mate, files.p, &call, err);
}

static void mark_started(ho_run *run, ho_run_mate *mate)
{
  ho_run_step *step = &run->steps[mate->step];
  step->teammates = mate->row.n;
  step->not_before = 0;
  if (!step->started)
    step->started = mate->row.started;
  step->progress = ho_run_keep(run, ho_run_progress(run, &mate->arena, mate->step, mate->row.folder));
  ho_run_set(run, mate->step, "running", HO_EMPTY);
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
  for (size_t i = first; i < run->mate_count; i++) {
    ho_run_mate *mate = run->mates[i];
    ho_shim_go(&mate->shim); /* one that is gone is seen at once when it is waited for */
    mate->watch = ho_process_watch(mate->shim.pid, mate->shim.start);
    HO_RUN_TELL(run, started, &run->steps[mate->step], &mate->row);
  }
}

ho_code ho_run_start(ho_run *run, ho_error *err)
{
  size_t first = run->mate_count, most = (size_t)run->options->jobs;
  int64_t now = ho_ledger_now(run->ledger);
  ho_code code = HO_OK;
  if (most > HO_RUN_JOBS)
    most = HO_RUN_JOBS;
  for (size_t i = 0; !code && i < run->plan.count && run->mate_count < most; i++)
    if (ho_run_ready(run, i) && run->steps[i].not_before <= now)
      code = prepare_next(run, i, err);
  if (!code)
    code = ho_run_commit(run, err);
  if (code)
    drop_from(run, first);
  else
    let_go(run, first);
  return code;
}
