/* Starts one teammate: its command, its environment, its files, and the shim that waits for the go. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/proc/spawn.h"
#include "engine/context/context_cache.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/run/run_parts.h"

/* Variables that say who is acting; a teammate gets its own. */
static const char *const ours[] = {"HANDOFF_STORE",   "PATH",          "HANDOFF_AGENT", "HANDOFF_TASK", "HANDOFF_PHASE",
                                   "HANDOFF_SESSION", "HANDOFF_TOKEN", "HANDOFF_META",  "HANDOFF_ROOT", NULL};

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

/* Where this program is: teammates must be able to find it. */
static ho_str own_folder(ho_arena *arena)
{
  ho_str program = ho_fs_program(arena);
  return program.n ? ho_fs_parent(program) : HO_STR("/usr/local/bin");
}

/* The entry of the environment that this teammate and what it starts have, and nobody else. */
static ho_str mark(const ho_run_mate *mate, ho_arena *arena)
{
  return ho_arena_printf(arena, "HANDOFF_META=%.*s", HO_ARG(ho_run_meta(mate, arena)));
}

void ho_run_sweep(ho_run_mate *mate)
{
  ho_str of_mate = mark(mate, &mate->arena);
  if (of_mate.n)
    ho_shim_sweep((pid_t)mate->row.pid, mate->row.pid_start, of_mate);
}

/* The lead's environment, with the teammate's identity in place of the lead's. */
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
  env[n++] = ho_arena_printf(a, "HANDOFF_PHASE=%.*s", HO_ARG(mate->phase)).p;
  env[n++] = ho_arena_printf(a, "HANDOFF_SESSION=%.*s", HO_ARG(row->session)).p;
  env[n++] = mark(mate, a).p;
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

/* What a predecessor left has been processed: it must not be mistaken for the next one's result. */
static void clear_before(ho_run_mate *mate)
{
  ho_str figure = ho_context_path(&mate->arena, mate->row.folder, mate->row.session, HO_FIGURE_SUFFIX);
  ho_fs_unlink(mate->meta.p);
  if (figure.n)
    ho_fs_unlink(figure.p);
}

ho_str ho_run_files(const ho_run *run, ho_arena *arena, ho_str teammate)
{
  return ho_paths_run(arena, run->project->home, teammate);
}

/* 1: it can be executed; 0: it is a file, but cannot; -1: there is no such file. */
static int is_program(const char *path)
{
  struct stat st;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
    return -1;
  return access(path, X_OK) == 0;
}

ho_code ho_run_must_exist(ho_arena *arena, const char **program, ho_error *err)
{
  char path[PATH_MAX];
  const char *found = ho_spawn_find(*program, path);
  int there = found ? is_program(found) : -1;
  if (there == 0)
    return ho_fail(err, HO_NOT_FOUND, "program '%s' is not executable; run: chmod +x %s", *program, found);
  if (there < 0)
    return ho_fail(err, HO_NOT_FOUND, "program '%s' not found; correct --agent or the settings", *program);
  *program = ho_arena_copy(arena, ho_str_of(found)).p;
  return ho_arena_code(arena, err);
}

ho_adapter_use ho_run_use(const ho_project *project, const ho_run_options *options, ho_str wanted, const char *prompt)
{
  const ho_node *all = ho_map_getz(project->settings.held, "agents");
  const ho_node *trusted = ho_project_trusted(project, HO_TRUST_AGENTS);
  return (ho_adapter_use){.agents = trusted,
                          .waiting = trusted ? NULL : all,
                          .root = project->root,
                          .wanted = wanted,
                          .told = options->agent,
                          .sign = options->sign,
                          .rights = options->rights,
                          .prompt = prompt};
}

/* Who does what a step asks for, and with which command. files: of the teammate. */
static ho_code find_command(const ho_project *project, const ho_run_options *options, ho_arena *arena, ho_str wanted,
                            ho_str files, ho_adapter_call *call, ho_error *err)
{
  ho_adapter_use use = ho_run_use(project, options, wanted, ho_fs_join(arena, files, HO_STR("prompt.md")).p);
  use.files = files;
  ho_code code = ho_arena_code(arena, err);
  return code ? code : ho_adapter_command(arena, &use, call, err);
}

/* ---- What will be started, for people to see. */

/* A program of the project is shown by its path there. */
static ho_str line_of(ho_arena *arena, ho_str root, const char *const *argv)
{
  ho_buf line;
  ho_str program = ho_str_of(argv[0]), inside = ho_fs_relative(root, program);
  ho_buf_init(&line, 0);
  if (inside.n < program.n)
    program = ho_arena_printf(arena, "./%.*s", HO_ARG(inside));
  ho_buf_put(&line, ho_quote_shell(arena, program));
  for (const char *const *word = argv + 1; *word; word++) {
    ho_buf_putc(&line, ' ');
    ho_buf_put(&line, ho_quote_shell(arena, ho_str_of(*word)));
  }
  return ho_buf_move(&line, arena);
}

static void add_once(ho_arena *arena, ho_node *list, ho_str line)
{
  HO_EACH_CONST (each, list)
    if (ho_str_eq(ho_node_str(each), line))
      return;
  ho_list_add(list, ho_node_text(arena, line));
}

void ho_run_commands(const ho_project *project, ho_arena *arena, const ho_plan_steps *plan,
                     const ho_run_options *options, ho_node *out)
{
  ho_adapter_call call;
  ho_error none;
  for (size_t i = 0; i < (plan ? plan->count : 1); i++) {
    bool over = plan && (plan->items[i].status == HO_PLAN_DONE || plan->items[i].status == HO_PLAN_SKIPPED);
    ho_str wanted = plan ? plan->items[i].agent : HO_EMPTY;
    if (!over &&
        find_command(project, options, arena, wanted, HO_STR(HO_PATH_RUN "/RUN/STEP.N"), &call, &none) == HO_OK)
      add_once(arena, out, line_of(arena, project->root, call.argv));
  }
}

void ho_run_show_commands(const ho_run *run, const ho_plan_steps *plan)
{
  ho_node *lines = ho_node_new(run->arena, HO_KIND_LIST);
  ho_run_commands(run->project, run->arena, plan, run->options, lines);
  HO_EACH_CONST (line, lines)
    HO_RUN_TELL(run, command, ho_node_str(line));
}

/* The same for one that is to be started now. */
static ho_code find_program(ho_run *run, ho_arena *arena, ho_str wanted, ho_str files, ho_adapter_call *call,
                            ho_error *err)
{
  ho_code code = find_command(run->project, run->options, arena, wanted, files, call, err);
  return code ? code : ho_run_must_exist(arena, &call->argv[0], err);
}

ho_code ho_run_startable(ho_run *run, ho_error *err)
{
  ho_adapter_call call;
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < run->plan.count; i++)
    if (ho_run_ready(run, i))
      code = find_program(run, run->arena, run->plan.items[i].agent, HO_STR("/"), &call, err);
  return code;
}

ho_code ho_run_choose(ho_run *run, ho_run_mate *mate, ho_error *err)
{
  ho_str files = ho_run_files(run, &mate->arena, mate->row.id);
  ho_code code = find_program(run, &mate->arena, mate->wanted, files, &mate->call, err);
  if (code)
    return code;
  mate->row.agent = ho_arena_printf(&mate->arena, "%.*s/%.*s", HO_ARG(mate->called.n ? mate->called : mate->call.agent),
                                    HO_ARG(ho_fs_name(mate->row.id)));
  mate->row.adapter = ho_str_of(mate->call.adapter ? mate->call.adapter->harness->name : "command");
  return HO_OK;
}

static ho_code start_shim(ho_run *run, ho_run_mate *mate, const char *files, const ho_adapter_call *call, ho_error *err)
{
  ho_shim_order order = {.program = ho_arena_z(&mate->arena, run->options->program),
                         .folder = files,
                         .work = mate->row.folder.p,
                         .input = call->input,
                         .seconds = run->options->timeout,
                         .log_limit = HO_LIMIT_LOG,
                         .raw = ho_project_keeps_secrets(run->project),
                         .argv = call->argv,
                         .env = environment(run, mate, call)};
  ho_code code = ho_arena_code(&mate->arena, err);
  if (!code)
    code = ho_shim_start(&order, &mate->shim, err);
  mate->row.pid = mate->shim.pid;
  mate->row.pid_start = mate->shim.start;
  return code;
}

/* The prompt without credentials, except for the token that the teammate is to use. */
static ho_str clean_prompt(const ho_run *run, ho_run_mate *mate, ho_str prompt)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  for (ho_str rest = prompt; rest.n;) {
    size_t at = mate->token.n ? ho_str_find(rest, ho_arena_z(&mate->arena, mate->token)) : HO_NONE;
    bool last = at == HO_NONE;
    ho_buf_put(&out, ho_project_clean(run->project, &mate->arena, ho_str_sub(rest, 0, last ? rest.n : at)));
    if (!last)
      ho_buf_put(&out, mate->token);
    rest = last ? HO_EMPTY : ho_str_sub(rest, at + mate->token.n, rest.n);
  }
  return ho_buf_move(&out, &mate->arena);
}

ho_code ho_run_launch(ho_run *run, ho_run_mate *mate, ho_str prompt, ho_error *err)
{
  ho_str files = ho_run_files(run, &mate->arena, mate->row.id);
  ho_code code = ho_arena_code(&mate->arena, err);
  if (!code)
    code = ho_fs_mkdirs(files.p, err);
  if (!code)
    code = ho_run_meta_folder(mate, &mate->arena, err);
  if (!code)
    code = ho_fs_write(mate->call.input, clean_prompt(run, mate, prompt), HO_FS_CACHE,
                       err); /* written again after a crash */
  if (!code && mate->call.rules.n)
    code = ho_fs_write(mate->call.rules_file.p, mate->call.rules, HO_FS_CACHE, err);
  if (code)
    return code;
  clear_before(mate);
  return start_shim(run, mate, files.p, &mate->call, err);
}
