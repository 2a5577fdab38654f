#include <stdatomic.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "base/proc/spawn.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/pick.h"
#include "engine/ledger/write.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/project/worktree.h"
#include "engine/telemetry/telemetry.h"
#include "model/bind.h"
#include "model/general_rules.h"

/* The first error of a report as a failure; placeholders are fine in arguments and results: they are what somebody
 * typed or what a document says. */
static ho_code first_error(const ho_report *report, ho_code code, bool warnings, ho_error *err)
{
  for (size_t i = 0; i < report->count; i++) {
    const ho_finding *finding = &report->items[i];
    if (finding->rule == &ho_rule_PLACEHOLDER || (finding->severity != HO_ERROR && !warnings))
      continue;
    ho_fail(err, code, "%.*s", HO_ARG(finding->message));
    ho_error_copy(err->pointer, sizeof err->pointer, finding->pointer);
    return code;
  }
  return HO_OK;
}

/* Binds `node` to `record`, checks it, and says what is wrong. */
static ho_code type_tree(const ho_record *record, const ho_node *node, ho_arena *arena, ho_code code, bool warnings,
                         ho_node **out, ho_error *err)
{
  ho_report report;
  ho_format format = {.name = record->name, .root = record};
  ho_check_env env = {0};
  ho_report_init(&report, arena, NULL);
  ho_node *bound = ho_bind_record(record, node, NULL, arena, &report);
  if (!bound)
    return ho_arena_code(arena, err);
  ho_check check = {.format = &format, .root = bound, .encoding = HO_JSON, .report = &report, .env = &env};
  ho_check_run(&check);
  ho_code failed = ho_arena_code(arena, err);
  if (!failed)
    failed = first_error(&report, code, warnings, err);
  *out = bound;
  return failed;
}

/* The arguments with the defaults of those that were not given. */
static ho_node *with_defaults(const ho_record *params, const ho_node *given, ho_arena *arena)
{
  ho_node *args = given ? ho_node_copy(arena, given) : ho_node_new(arena, HO_KIND_MAP);
  for (const ho_field *field = params->fields; field->name; field++)
    if (field->fallback && !ho_map_getz(args, field->name))
      ho_map_addz(args, field->name, ho_fallback_node(arena, field));
  return args;
}

/* Who acts, if that was said: of some commands, --as is the form of the result. */
static ho_str acting(const ho_command *command, const ho_call *call)
{
  const ho_field *as = ho_record_fieldz(command->params, "as");
  return as && as->syntax == &ho_syntax_NAME ? ho_arg_str(call, "as") : HO_EMPTY;
}

/* The project of the host; nothing is read yet. */
static ho_project project_of(const ho_command *command, const ho_call *call)
{
  const ho_host *host = call->host;
  ho_str agent = acting(command, call);
  if (!host)
    return (ho_project){.arena = call->arena};
  return (ho_project){
      .arena = call->arena,
      .root = host->root,
      .looked_in = host->above,
      .below = ho_call_below_root(host),
      .store_url = host->store,
      .agent = agent.n ? agent : host->agent,
      .session = host->session,
      .by_option = agent.n > 0,
      .clock_ms = host->clock_ms,
      .world = host->world,
      .settings.shown =
          host->root.n ? ho_shown_path(call, ho_fs_join(call->arena, host->root, HO_STR(HO_PATH_SETTINGS))) : HO_EMPTY};
}

/* Notes what a person has to trust before it is used. A ledger that git tracks is refused, which is no note. */
static void note_untrusted(ho_call *call)
{
  ho_trust *trust = call->project.trust;
  for (int i = 0; trust && i < HO_TRUST_COUNT; i++)
    if (trust->missed[i] && i != HO_TRUST_LEDGER)
      ho_call_note(call, "%.*s", HO_ARG(ho_trust_sentence(trust, (ho_trust_item)i)));
}

/* Writes the files that follow the store, notes what could not be written, and closes it. */
static void close_project(ho_call *call)
{
  ho_project *project = &call->project;
  ho_ledger_follow(project);
  if (project->unfinished.code)
    ho_call_note(call, "recorded, but a file could not be written yet: %s%s%s", project->unfinished.file,
                 project->unfinished.file[0] ? ": " : "", project->unfinished.message);
  if (project->state_file.code)
    ho_call_note(call, "%.*s was not updated: %s", HO_ARG(project->written.state), project->state_file.message);
  ho_project_close(project);
}

/* The folder of a file that was named, or the folder itself. */
static void add_folder(const ho_call *call, const ho_node *named, const char **folders, size_t *count)
{
  ho_str path = ho_node_str(named);
  if (!path.n || ho_str_is(path, "-"))
    return;
  const char *full = ho_full_path(call, path);
  ho_str folder = ho_fs_is_folder(full) ? ho_str_of(full) : ho_fs_parent(ho_str_of(full));
  if (ho_str_is(ho_fs_name(folder), "handoffs")) /* what names a handoff of a task is beside its folder */
    folder = ho_fs_parent(folder);
  folders[(*count)++] = ho_arena_z(call->arena, folder);
}

/* Whatever a document makes of this process, it cannot change files elsewhere. */
static ho_code confine(const ho_command *command, const ho_call *call, ho_error *err)
{
  const ho_project *project = &call->project;
  size_t count = 0, most = 3;
  for (const ho_field *field = command->params->fields; field->name; field++) {
    const ho_node *value = ho_map_getz(call->args, field->name);
    most += 1 + (value ? value->count : 0);
  }
  const char **folders = ho_arena_array(call->arena, most, sizeof *folders);
  ho_code code = ho_arena_code(call->arena, err);
  if (code)
    return code;
  folders[count++] = ho_arena_z(call->arena, project->root);
  folders[count++] = ho_arena_z(call->arena, ho_worktree_home(call->arena, project->root));
  if (project->store_url.n)
    folders[count++] = ho_arena_z(call->arena, ho_fs_parent(ho_project_database(project)));
  for (const ho_field *field = command->params->fields; field->name; field++) {
    const ho_node *value = field->flags & HO_IS_FILE ? ho_map_getz(call->args, field->name) : NULL;
    if (ho_node_is(value, HO_KIND_LIST))
      HO_EACH_CONST (item, value)
        add_folder(call, item, folders, &count);
    else
      add_folder(call, value, folders, &count);
  }
  code = ho_arena_code(call->arena, err);
  if (!code)
    call->host->confine(folders, count);
  return code;
}

/* Has somebody tell a collector what has happened, if that is wanted and nobody does. The command waits for nothing, and
 * whatever comes of it is not its concern. */
static void start_telemetry(const ho_command *command, const ho_call *call)
{
  static atomic_int last; /* of a server's children, so that none stays behind */
  const ho_host *host = call->host;
  ho_str to = ho_str_trim(ho_str_of(getenv(HO_TELEMETRY_TO))), home = call->project.home;
  if (!to.n || command->effect < HO_EFFECT_WRITE || command == &ho_command_telemetry || !host || !host->program.n ||
      !home.n || !ho_telemetry_due(call->arena, home, to, host->clock_ms(host->world)))
    return;
  const char *argv[] = {ho_arena_z(call->arena, host->program),
                        "telemetry",
                        "--linger",
                        "2",
                        "--root",
                        ho_arena_z(call->arena, host->root),
                        host->store.n ? "--store" : NULL,
                        ho_arena_z(call->arena, host->store),
                        NULL};
  pid_t pid = atomic_exchange(&last, 0);
  if (pid)
    waitpid(pid, NULL, WNOHANG);
  if (!call->arena->failed && ho_spawn(argv, NULL, -1, -1, &pid) == 0)
    atomic_store(&last, pid);
}

static ho_code run_in_project(const ho_command *command, ho_call *call, ho_error *err)
{
  ho_code code = HO_OK;
  ho_limits_project = ho_limits_usual;
  if (call->host && call->host->root.n && !command->finds_root)
    code = ho_settings_limits(&call->project.settings, call->arena, call->host->root, err);
  if (!code && command->confined && call->host && call->host->confine && call->host->root.n)
    code = confine(command, call, err);
  if (!code)
    code = command->run(call, err);
  if (!command->always_ok)
    note_untrusted(call);
  close_project(call);
  start_telemetry(command, call);
  ho_limits_project = ho_limits_usual;
  return code;
}

ho_code ho_command_refuse_agents(const ho_command *command, const ho_call *call, ho_error *err)
{
  if (!command->person || (command->shows && ho_node_true(ho_map_getz(call->args, command->shows))))
    return HO_OK;
  ho_str what = ho_arena_printf(call->arena, "only a person may run 'handoff %s'", command->name);
  return ho_identity_refuse_agents(call->arena, ho_arena_z(call->arena, what), err);
}

static ho_code dispatch(const ho_command *command, ho_call *call, ho_error *err)
{
  ho_node *args = with_defaults(command->params, call->args, call->arena), *bound = NULL;
  ho_code code = ho_arena_code(call->arena, err);
  if (!code)
    code = ho_command_allow(command, call, err);
  if (!code)
    code = ho_command_refuse_agents(command, call, err);
  if (!code)
    code = type_tree(command->params, args, call->arena, HO_USAGE, false, &bound, err);
  if (!code)
    code = ho_pick_check(command, call, err);
  if (code)
    return code;
  call->args = bound;
  code = ho_command_allow_files(command, call, err);
  if (code)
    return code;
  call->result = ho_node_new(call->arena, HO_KIND_MAP);
  ho_error failure = {0};
  call->project = project_of(command, call);
  code = run_in_project(command, call, &failure);
  if (call->arena->failed && failure.code != HO_MEMORY) /* whatever else went wrong came of it */
    code = ho_arena_code(call->arena, &failure);
  if (code && failure.code) {
    call->result = NULL;
    *err = failure;
    return code;
  }
  ho_pick_sort(command, call);
#ifdef HO_TEST_RESULTS
  ho_code wrong = type_tree(command->result, call->result, call->arena, HO_BUG, true, &bound, err);
  if (wrong)
    return wrong;
#endif
  return code;
}

ho_code ho_dispatch(const ho_command *command, ho_call *call, ho_error *err)
{
  const ho_access *before = ho_access_set(call->host ? call->host->access : NULL);
  ho_code code = dispatch(command, call, err);
  (void)ho_access_set(before);
  return code;
}
