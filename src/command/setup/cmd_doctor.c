#include <errno.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc/confine.h"
#include "base/term.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/setup/doctor_harness.h"
#include "command/wrap.h"
#include "engine/ledger/behind.h"
#include "engine/ledger/repair.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/settings.h"
#include "engine/project/tracked.h"
#include "engine/project/worktree.h"
#include "store/handoffs/handoffs.h"

/* One line of the report. advice NULL: there is nothing to do. */
static void put(ho_call *call, const char *name, const char *status, ho_str message, const char *advice)
{
  ho_node *item = ho_list_add(ho_map_getz(call->result, "checks"), ho_node_new(call->arena, HO_KIND_MAP));
  ho_map_addz(item, "name", ho_node_textz(call->arena, name));
  ho_map_addz(item, "status", ho_node_textz(call->arena, status));
  ho_map_addz(item, "message", ho_node_text(call->arena, message));
  if (advice)
    ho_map_addz(item, "advice", ho_node_textz(call->arena, advice));
}

static void check_program(ho_call *call)
{
  ho_str program = ho_fs_program(call->arena);
  ho_str file = program.n ? ho_fs_text(call->arena, program) : HO_STR("handoff");
  put(call, "program", "ok", ho_arena_printf(call->arena, "%.*s, version %s", HO_ARG(file), HO_VERSION), NULL);
}

static void check_tokens(ho_call *call)
{
  ho_host *host = call->host;
  if (ho_host_tokens(host)) {
    put(call, "tokens", "ok", ho_arena_printf(call->arena, "exact counts by %.*s", HO_ARG(host->tokens_path)), NULL);
    return;
  }
  const ho_error *err = &host->tokens_error;
  put(call, "tokens", "warning", ho_arena_printf(call->arena, "counts are estimates: %s (%s)", err->message, err->file),
      "Install the token image with 'make install', or set HANDOFF_TOKENS to its path.");
}

static void check_root(ho_call *call)
{
  ho_str folder = ho_fs_join(call->arena, call->host->root, HO_STR(HO_PATH_FOLDER));
  struct stat info;
  int number = ho_fs_stat(folder.p, &info) == 0 ? 0 : errno;
  bool there = !number && S_ISDIR(info.st_mode);
  if (number && number != ENOENT) {
    put(call, "root", "error",
        ho_arena_printf(call->arena, "%.*s is not used: %s", HO_ARG(folder), ho_fs_reason(number)), NULL);
    return;
  }
  bool above = call->host->above.n > 0;
  put(call, "root", there ? "ok" : "warning",
      ho_arena_printf(call->arena, "%.*s%s", HO_ARG(call->host->root),
                      !there  ? " has no .handoff yet"
                      : above ? ", above the git repository of this folder"
                              : ""),
      !there  ? "Run 'handoff init'."
      : above ? "To make the repository a project of its own, run 'handoff init' in it."
              : NULL);
  bool writable = access(there ? folder.p : call->host->root.p, W_OK) == 0;
  put(call, "writable", writable ? "ok" : "error", writable ? HO_STR("writable") : HO_STR("not writable"),
      writable ? NULL : "Make the project's folder writable for your user.");
}

/* With the database in use: the one that --store or HANDOFF_STORE names, else the project's; "" if it is not a file. Settings
 * that are wrong are told by themselves. */
static ho_project project_of(ho_call *call)
{
  ho_error none = {0};
  if (ho_project_begin(&call->project, &none) == HO_OK)
    return call->project;
  return (ho_project){
      .arena = call->arena, .home = ho_worktree_home(call->arena, call->host->root), .store_url = call->host->store};
}

static void check_store(ho_call *call)
{
  ho_error none = {0}, lost = {0};
  ho_tracked tracked = {0};
  ho_project project = project_of(call);
  ho_str database = ho_project_database(&project), named = call->host->store;
  bool there = database.n && ho_fs_is_file(database.p);
  if (ho_tracked_store(call->arena, database, &tracked, &none) == HO_OK && tracked.file.n)
    put(call, "store", "warning",
        ho_arena_printf(call->arena, "git tracks %.*s, so checkouts and stashes lose handoffs",
                        HO_ARG(ho_shown_path(call, tracked.file))),
        "Run 'git rm --cached .handoff/handoff.db*' and commit; .handoff/.gitignore should list handoff.db*.");
  else if (named.n)
    put(call, "store", there || !database.n ? "ok" : "warning",
        ho_arena_printf(call->arena, "%.*s (--store or HANDOFF_STORE)%s", HO_ARG(named),
                        !database.n ? ""
                        : there     ? ", not tracked by git"
                                    : " does not exist yet"),
        NULL);
  else if (ho_project_refuse_lost(&project, &lost) == HO_STORE)
    put(call, "store", "error", ho_arena_copy(call->arena, ho_str_of(lost.message)), NULL);
  else
    put(call, "store", "ok", there ? HO_STR("not tracked by git") : HO_STR("none yet"), NULL);
}

/* Is the store the one that it was? store: opened to look at. */
static void check_behind(ho_call *call, ho_store *store)
{
  ho_error none = {0};
  ho_node *list = ho_node_new(call->arena, HO_KIND_LIST);
  if (ho_behind_list(&call->project, store, call->arena, list, &none) || !list->first)
    return;
  put(call, "store", "error",
      ho_arena_printf(call->arena, "%.*s: %.*s", HO_ARG(ho_map_str(list->first, "name")),
                      HO_ARG(ho_map_str(list->first, "message"))),
      "To see what it does not know, run 'handoff verify'.");
}

/* Files that follow the store and could not be written. */
static void check_files(ho_call *call, ho_store *store)
{
  enum { SHOWN = 20 };
  ho_node *list = NULL;
  ho_error none = {0};
  int64_t shown = 0;
  if (ho_repair_unwritten(&call->project, store, false, call->arena, &list, &none) == HO_OK && !list->count)
    put(call, "files", "ok", HO_STR("everything that was recorded is written"), NULL);
  HO_EACH_CONST (item, list)
    if (shown++ < SHOWN)
      put(call, "files", "warning",
          ho_arena_printf(call->arena, "%.*s: %.*s", HO_ARG(ho_map_str(item, "name")),
                          HO_ARG(ho_map_str(item, "message"))),
          NULL);
  if (shown > SHOWN)
    put(call, "files", "warning",
        ho_arena_printf(call->arena, "%lld more files could not be written", (long long)(shown - SHOWN)),
        "Run 'handoff repair'.");
}

/* Files at the usual place that are not kept up to date, since the settings name another. */
static void check_places(ho_call *call)
{
  const ho_project *project = &call->project;
  ho_str state = ho_fs_join(call->arena, project->home, HO_STR(HO_PATH_STATE));
  if (!ho_str_is(project->written.state, HO_PATH_STATE) && ho_fs_is_file(state.p))
    put(call, "files", "warning",
        ho_arena_printf(call->arena, HO_PATH_STATE " is no longer written; the state file is %.*s",
                        HO_ARG(project->written.state)),
        "Remove it; keep first what other tools have added to it.");
  if (!ho_str_is(project->written.archive, HO_PATH_ARCHIVE) &&
      ho_paths_any_archived(call->arena, project->home, HO_EMPTY))
    put(call, "files", "warning",
        ho_arena_printf(call->arena, HO_PATH_ARCHIVE " has copies of handoffs; the archive is %.*s",
                        HO_ARG(project->written.archive)),
        "Run 'handoff repair', which moves them; what is left then is another ledger's.");
}

/* What agents left that went silent, and nobody has confirmed yet. */
static void check_drafts(ho_call *call, ho_store *store)
{
  enum { SHOWN = 3, MOST = 1000 };
  ho_handoff_briefs list = {.arena = call->arena};
  ho_error none = {0};
  ho_str ids = HO_EMPTY;
  if (ho_handoffs_add_briefs(store, HO_STR("draft"), MOST, &list, &none))
    list.count = 0;
  for (size_t i = 0; i < list.count && i < SHOWN; i++)
    ids = ho_arena_printf(call->arena, "%.*s%s%.*s", HO_ARG(ids), i ? ", " : "", HO_ARG(list.rows[i].id));
  if (list.count)
    put(call, "drafts", "warning",
        ho_arena_printf(call->arena, "%zu not confirmed: %.*s%s", list.count, HO_ARG(ids),
                        list.count > SHOWN ? ", …" : ""),
        "Agents that went silent left them. Read one with 'handoff show ID', then run 'handoff answer ID --note TEXT', "
        "or "
        "discard it with 'handoff reject ID --note TEXT'.");
  else
    put(call, "drafts", "ok", HO_STR("none waits to be confirmed"), NULL);
}

/* What is in the store, which is opened once to look at it. Needs what check_trust has begun. */
static void check_ledger(ho_call *call)
{
  ho_store *store = NULL;
  ho_error why = {0};
  if (!call->project.begun || !ho_project_has_store(&call->project))
    return;
  if (ho_project_peek(&call->project, &store, &why)) { /* what is wrong with the store, every command says */
    if (why.rule && strcmp(why.rule, "store-busy") == 0)
      put(call, "store", "error", ho_arena_copy(call->arena, ho_str_of(why.message)), NULL);
    return;
  }
  check_behind(call, store);
  check_files(call, store);
  check_places(call);
  check_drafts(call, store);
  ho_store_close(store);
}

static void check_settings(ho_call *call)
{
  ho_error err = {0};
  ho_settings *settings = &call->project.settings;
  ho_code code = ho_settings_load(settings, call->arena, call->project.root, &err);
  if (!code && settings->unknown.n)
    put(call, "config", "warning",
        ho_arena_printf(call->arena, HO_PATH_SETTINGS " has keys that are not settings: %.*s",
                        HO_ARG(settings->unknown)),
        "They have no effect. To see all settings, run: handoff config");
  else if (!code)
    put(call, "config", "ok",
        settings->there ? HO_STR(HO_PATH_SETTINGS " is valid") : HO_STR("no config file; defaults are used"), NULL);
  else if (!err.line)
    put(call, "config", "error", ho_arena_printf(call->arena, "%s: %s", err.file, err.message), NULL);
  else
    put(call, "config", "error",
        ho_arena_printf(call->arena, "%s:%u:%u: %s", err.file, err.line, err.column, err.message),
        "Fix the file; to see all errors, run: handoff check " HO_PATH_SETTINGS);
}

/* "agents, notify": the items in that state. */
static ho_str in_state(ho_call *call, ho_trust_state state)
{
  ho_str names = HO_EMPTY;
  for (int i = 0; i < HO_TRUST_COUNT; i++)
    if (ho_trust_of(call->project.trust, (ho_trust_item)i) == state)
      names = ho_arena_printf(call->arena, "%.*s%s%s", HO_ARG(names), names.n ? ", " : "",
                              ho_trust_item_name((ho_trust_item)i));
  return names;
}

static void check_trust(ho_call *call)
{
  ho_error err = {0};
  ho_code code = ho_project_begin(&call->project, &err);
  if (code) /* the settings are wrong, which is said already */
    return;
  code = ho_project_find_tracked(&call->project, &err);
  if (code) {
    put(call, "trust", "warning", ho_arena_printf(call->arena, "%s: %s", err.file, err.message), "Run 'git status'.");
    return;
  }
  ho_str given = in_state(call, HO_TRUST_GIVEN), not = in_state(call, HO_TRUST_NOT),
         changed = in_state(call, HO_TRUST_CHANGED);
  const ho_error *unread = &call->project.trust->unread;
  if (unread->code)
    put(call, "trust", "error", ho_arena_printf(call->arena, "%s: %s", unread->file, unread->message),
        "Nothing that needs trust is used. Make the folder yours, or set XDG_DATA_HOME to one outside the project.");
  else if (not .n || changed.n)
    put(call, "trust", "warning",
        ho_arena_printf(call->arena, "not used until a person trusts it: %.*s%s%.*s%s", HO_ARG(not ),
                        not .n && changed.n ? ", " : "", HO_ARG(changed), changed.n ? " (changed)" : ""),
        "Look at it with 'handoff trust --show', then run 'handoff trust'.");
  else
    put(call, "trust", "ok",
        given.n ? ho_arena_printf(call->arena, "trusted: %.*s", HO_ARG(given))
                : HO_STR("the project has nothing that needs trust"),
        NULL);
}

static void check_agent(ho_call *call)
{
  ho_identity_signs signs;
  ho_str said = HO_EMPTY;
  ho_identity_read_signs(call->arena, &signs);
  for (size_t i = 0; i < signs.count; i++)
    said = ho_arena_printf(call->arena, "%.*s%s%.*s", HO_ARG(said), i ? "; " : "", HO_ARG(signs.items[i]));
  put(call, "agent", "ok",
      signs.count ? ho_arena_printf(call->arena, "an agent runs this: %.*s", HO_ARG(said))
                  : HO_STR("no sign that an agent runs this"),
      NULL);
}

static void check_file_system(ho_call *call)
{
  static const struct {
    unsigned long magic;
    const char *name;
  } remote[] = {{0x6969, "NFS"},     {0x517B, "SMB"},    {0xFF534D42, "CIFS"}, {0xFE534D42, "SMB"},
                {0x5346414F, "AFS"}, {0x01021997, "9P"}, {0x65735546, "FUSE"}, {0x00C36400, "Ceph"}};
  struct statfs info;
  const char *name = NULL;
  ho_project project = project_of(call);
  ho_str folder = ho_fs_parent(ho_project_database(&project));
  if (statfs(ho_arena_z(call->arena, folder), &info) != 0 && statfs(call->host->root.p, &info) != 0) {
    put(call, "file system", "error", HO_STR("unknown"), "Check that the project's folder exists.");
    return;
  }
  for (size_t i = 0; i < HO_COUNT(remote); i++)
    if (((unsigned long)info.f_type & 0xFFFFFFFF) == remote[i].magic)
      name = remote[i].name;
  if (name)
    put(call, "file system", "warning", ho_arena_printf(call->arena, "%s: file locks may not work", name),
        "Keep the store on a local file system; use --store or HANDOFF_STORE.");
  else
    put(call, "file system", "ok", HO_STR("local"), NULL);
}

static void check_encoding(ho_call *call)
{
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  const char *value = NULL;
  for (size_t i = 0; !value && i < HO_COUNT(names); i++) {
    value = getenv(names[i]);
    if (value && !*value)
      value = NULL;
  }
  ho_str locale = ho_str_of(value);
  bool utf8 = ho_str_has_nocase(locale, "utf-8") || ho_str_has_nocase(locale, "utf8");
  ho_str said = ho_fs_text(call->arena, ho_arena_copy(call->arena, locale));
  put(call, "encoding", utf8 ? "ok" : "warning",
      utf8 ? said : ho_arena_printf(call->arena, "the locale '%.*s' is not UTF-8", HO_ARG(said)),
      utf8 ? NULL : "Set LC_ALL=C.UTF-8; otherwise non-ASCII text may be garbled.");
}

static void check_landlock(ho_call *call)
{
  int version = ho_confine_version();
  ho_str said = version ? ho_arena_printf(call->arena,
                                          "check, convert, fix, show and hook cannot write elsewhere "
                                          "(Landlock %d)",
                                          version)
                        : HO_STR("not offered by this kernel; commands that read documents are not confined");
  put(call, "landlock", "ok", said, NULL);
}

static void check_git(ho_call *call)
{
  ho_str rest = ho_str_of(getenv("PATH")), folder;
  while (ho_str_next(&rest, ':', &folder)) {
    ho_str path = ho_fs_join(call->arena, folder, HO_STR("git"));
    if (access(path.p, X_OK) == 0) {
      put(call, "git", "ok", ho_fs_text(call->arena, path), NULL);
      return;
    }
  }
  put(call, "git", "warning", HO_STR("not found"),
      "Install git; 'handoff fix --rename' gets the times of documents from it.");
}

static void check_harnesses(ho_call *call)
{
  ho_doctor_harnesses(call, put);
}

static ho_code run(ho_call *call, ho_error *err)
{
  static void (*const checks[])(ho_call * call) = {
      check_program, check_tokens,      check_root,     check_store, check_settings, check_trust,    check_ledger,
      check_agent,   check_file_system, check_encoding, check_git,   check_landlock, check_harnesses};
  ho_node *list = ho_map_addz(call->result, "checks", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; i < HO_COUNT(checks); i++)
    checks[i](call);
  ho_code code = HO_OK;
  HO_EACH_CONST (item, list)
    if (ho_str_is(ho_map_str(item, "status"), "error"))
      code = HO_NO;
  ho_map_addz(call->result, "healthy", ho_node_bool(call->arena, code == HO_OK));
  (void)err;
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  HO_EACH_CONST (item, ho_map_getz(call->result, "checks")) {
    ho_str status = ho_map_str(item, "status"), advice = ho_map_str(item, "advice");
    if (colour)
      ho_buf_puts(out, ho_str_is(status, "ok") ? "\x1b[32m" : ho_str_is(status, "warning") ? "\x1b[33m" : "\x1b[31m");
    ho_buf_printf(out, "%-8.*s", HO_ARG(status));
    ho_buf_puts(out, colour ? "\x1b[0m" : "");
    ho_buf_printf(out, "%-12.*s", HO_ARG(ho_map_str(item, "name")));
    ho_term_put(out, ho_map_str(item, "message"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
    if (advice.n)
      ho_wrap(out, advice, 20, 0);
  }
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "doctor", .fields = params};
static const ho_choice statuses[] = {{.value = "ok"}, {.value = "warning"}, {.value = "error"}, {0}};
static const ho_field check_fields[] = {
    {.name = "name", .doc = "What was checked.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "status", .doc = "ok, warning or error.", .type = HO_T_TEXT, .flags = HO_REQUIRED, .choices = statuses},
    {.name = "message", .doc = "What was found.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "advice", .doc = "What to do.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record check_record = {.name = "doctor check", .fields = check_fields};
static const ho_field result[] = {
    {.name = "checks",
     .doc = "All checks.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &check_record,
     .flags = HO_REQUIRED},
    {.name = "healthy", .doc = "True if no check is an error.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "doctor result", .fields = result};

const ho_command ho_command_doctor = {
    .name = "doctor",
    .group = "setup",
    .summary = "Check the installation and the project, and say what to fix",
    .doc =
        "Checks the program, the token image, the project's root, store and settings, what of it is trusted, "
        "whether an agent "
        "runs this, the file system, the locale and git. Of each harness that is installed: how many of its hooks are "
        "registered and trusted, when the last event came, and whether the model's window is known; and whether a "
        "login shell finds the program, in this version. It also names drafts that nobody has confirmed. "
        "Exits 1 if any check is an error.",
    .examples = "handoff doctor",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
