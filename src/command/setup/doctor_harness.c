/* What doctor says of each harness: are its hooks registered, trusted and run, and is the model's window known? */
#include "command/setup/doctor_harness.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/proc/spawn.h"
#include "base/time.h"
#include "command/table.h"
#include "engine/context/context_cache.h"
#include "engine/hook/install.h"
#include "engine/project/paths.h"
#include "engine/project/settings.h"

enum { SHELL_MS = 3000, MOST_SESSIONS = 2000 };

typedef struct patient {
  ho_call *call;
  ho_arena *arena;
  const ho_harness *harness;
  size_t hooks;      /* events that `install` registers */
  size_t registered; /* of those, in `place` */
  ho_str place;      /* the file that has most of them, absolute */
  ho_str stray;      /* what 'handoff hook' is called with in one of the files, and is no harness; or "" */
  ho_str stray_in;   /* that file */
  size_t trusted;    /* of those, if the harness asks a person */
  int64_t last_ms;   /* the newest event in this project; 0: none */
  ho_str session;    /* its session */
} patient;

static ho_str user_folder(const patient *p)
{
  const char *own = p->harness->variable ? getenv(p->harness->variable) : NULL, *home = getenv("HOME");
  if (own && own[0] == '/')
    return ho_arena_copy(p->arena, ho_str_of(own));
  const char *folder = p->harness->folder_home ? p->harness->folder_home : p->harness->folder;
  return home && home[0] == '/' ? ho_fs_join(p->arena, ho_str_of(home), ho_str_of(folder)) : HO_EMPTY;
}

static ho_str text_of(const patient *p, ho_str path)
{
  ho_str text = HO_EMPTY;
  ho_error none = {0};
  return path.n && !ho_fs_read(p->arena, path.p, 0, &text, &none) ? text : HO_EMPTY;
}

/* The first word after "handoff hook" that names no harness: the hook answers {} for it, so nobody would notice. */
static ho_str find_stray(ho_str text)
{
  static const char call[] = "handoff hook ";
  for (size_t at; (at = ho_str_find(text, call)) != HO_NONE;) {
    size_t n = 0;
    text = ho_str_sub(text, at + sizeof call - 1, text.n);
    while (n < text.n && (isalnum((unsigned char)text.p[n]) || text.p[n] == '-' || text.p[n] == '_'))
      n++;
    ho_str word = ho_str_sub(text, 0, n);
    if (n && !ho_harness_named(word))
      return word;
  }
  return HO_EMPTY;
}

/* The project's files, then the user's; hooks that are in both run twice, but are registered once. */
static void find_registered(patient *p)
{
  ho_str folders[] = {ho_fs_join(p->arena, p->call->host->root, ho_str_of(p->harness->folder)), user_folder(p)};
  const char *names[] = {p->harness->settings, p->harness->toml};
  for (const ho_hook_event *each = p->harness->events; each->name; each++)
    p->hooks += each->matcher != NULL;
  for (size_t i = 0; i < HO_COUNT(folders); i++)
    for (size_t k = 0; k < HO_COUNT(names) && folders[i].n; k++) {
      ho_str path = names[k] ? ho_fs_join(p->arena, folders[i], ho_str_of(names[k])) : HO_EMPTY;
      ho_str text = text_of(p, path), stray = find_stray(text);
      size_t count = ho_install_count(p->arena, p->harness, text);
      if (stray.n && !p->stray.n) {
        p->stray = stray;
        p->stray_in = path;
      }
      if (count > p->registered) {
        p->registered = count;
        p->place = path;
      }
    }
}

/* A harness that asks a person keeps the answers in a file of the user's, under the path of the file with the hooks. */
static void find_trusted(patient *p)
{
  if (!p->harness->trusts || !p->registered)
    return;
  ho_str rest = text_of(p, ho_fs_join(p->arena, user_folder(p), ho_str_of(p->harness->trusts)));
  const char *mark = ho_arena_printf(p->arena, "hooks.state.\"%.*s:", HO_ARG(p->place)).p;
  for (size_t at; mark && (at = ho_str_find(rest, mark)) != HO_NONE; p->trusted++)
    rest = ho_str_sub(rest, at + strlen(mark), rest.n);
}

/* The newest session of the harness, by the notes that its hooks keep. */
static void find_last(patient *p)
{
  ho_str folder = ho_fs_join(p->arena, p->call->host->root, HO_STR(HO_PATH_CONTEXT));
  DIR *dir = folder.n ? ho_fs_opendir(folder.p) : NULL;
  struct stat info;
  size_t seen = 0;
  for (struct dirent *entry; dir && seen < MOST_SESSIONS && (entry = readdir(dir));) {
    ho_str name = ho_str_of(entry->d_name);
    ho_str path = ho_str_ends(name, HO_SCAN_SUFFIX) ? ho_fs_join(p->arena, folder, name) : HO_EMPTY;
    if (!path.n || ho_fs_stat(path.p, &info) != 0 || (int64_t)info.st_mtime * 1000 <= p->last_ms)
      continue;
    seen++;
    if (!ho_str_is(ho_map_str(ho_context_load(p->arena, path.p), "harness"), p->harness->name))
      continue;
    p->last_ms = (int64_t)info.st_mtime * 1000;
    p->session = ho_str_sub(ho_arena_copy(p->arena, name), 0, name.n - strlen(HO_SCAN_SUFFIX));
  }
  if (dir)
    closedir(dir);
}

/* "window 200000 (claude-sonnet-4-5)", of the newest session. */
static ho_str window(const patient *p)
{
  ho_str root = p->call->host->root;
  ho_scan *scan = HO_NEW(p->arena, ho_scan);
  ho_nudges nudges;
  ho_figure figure;
  ho_context context;
  ho_window_facts facts = {.configured = ho_settings_node(&p->call->project.settings, "windows")};
  if (!scan || !ho_scan_load(scan, &nudges, p->arena, ho_context_path(p->arena, root, p->session, HO_SCAN_SUFFIX).p))
    return HO_STR("window unknown");
  ho_figure_load(&figure, p->arena, ho_context_path(p->arena, root, p->session, HO_FIGURE_SUFFIX).p);
  ho_context_judge(scan, &figure, &facts, &context);
  if (!context.window.full)
    return ho_arena_printf(p->arena, "window of the model '%s' unknown", context.model);
  return ho_arena_printf(p->arena, "window %lld (%s)", (long long)context.window.full, context.model);
}

/* Is the harness's program there, or has anything of it been configured here? */
static bool is_there(const patient *p)
{
  char path[PATH_MAX];
  ho_str rest = ho_str_of(p->harness->programs), name;
  while (ho_str_next(&rest, '|', &name))
    if (ho_spawn_find(ho_arena_z(p->arena, name), path))
      return true;
  return p->registered > 0 || p->stray.n;
}

/* "last event 2026-02-12T14:30:22Z (5m ago)" */
static ho_str last_event(const patient *p)
{
  ho_buf text;
  int64_t since = ho_project_now(&p->call->project) - p->last_ms;
  ho_buf_init(&text, 0);
  ho_buf_printf(&text, "last event %.*s (", HO_ARG(ho_time_str(p->arena, p->last_ms)));
  ho_table_put_span(&text, since);
  ho_buf_puts(&text, since < 1000 ? ")" : " ago)");
  return ho_buf_move(&text, p->arena);
}

static void report(const patient *p, ho_doctor_put *put)
{
  const ho_harness *h = p->harness;
  ho_str trust = HO_EMPTY, last = HO_STR("no event yet"), known = HO_EMPTY;
  const char *advice = NULL;
  if (h->trusts && p->registered)
    trust = ho_arena_printf(p->arena, ", %zu of %zu trusted", p->trusted < p->registered ? p->trusted : p->registered,
                            p->registered);
  if (p->last_ms) {
    last = last_event(p);
    known = ho_arena_printf(p->arena, ", %.*s", HO_ARG(window(p)));
  }
  if (p->registered < p->hooks)
    advice = ho_arena_printf(p->arena, "Run 'handoff install %s'.", h->name).p;
  else if (h->trusts && p->trusted < p->registered)
    advice = h->advice;
  else if (!p->last_ms)
    advice = ho_arena_printf(p->arena, "Start %s in this project; its first step is an event.", h->name).p;
  else if (ho_str_has(known, "unknown"))
    advice = "Set the model's window: 'windows' in .handoff/config.yaml; see 'handoff config'.";
  put(p->call, h->name, p->registered < p->hooks || (h->trusts && p->trusted < p->registered) ? "warning" : "ok",
      ho_arena_printf(p->arena, "%zu of %zu hooks registered%.*s, %.*s%.*s", p->registered, p->hooks, HO_ARG(trust),
                      HO_ARG(last), HO_ARG(known)),
      advice);
}

/* Harnesses run hooks and commands in a login shell, whose profile may set PATH anew: there may be no program, or that of
 * another version, for which this one's store may be too new. */
static void check_shell(ho_call *call, ho_doctor_put *put)
{
  const char *own = getenv("SHELL"), *shell = own && own[0] == '/' ? own : "/bin/sh";
  const char *const argv[] = {shell, "-lc", "command -v handoff && { handoff version; true; }", NULL};
  char found[PATH_MAX];
  ssize_t n = ho_spawn_read(argv, NULL, SHELL_MS, found, sizeof found);
  ho_str rest = {found, n > 0 ? (size_t)n : 0}, path = HO_EMPTY, version = HO_EMPTY;
  if (ho_str_next_line(&rest, &path))
    ho_str_next_line(&rest, &version);
  ho_str shown = ho_fs_text(call->arena, ho_arena_copy(call->arena, path));
  if (path.n && ho_str_is(version, "handoff " HO_VERSION))
    put(call, "login shell", "ok", ho_arena_printf(call->arena, "finds %.*s", HO_ARG(shown)), NULL);
  else if (path.n)
    put(call, "login shell", "warning",
        ho_arena_printf(call->arena, "finds %.*s, which is not version %s", HO_ARG(shown), HO_VERSION),
        "Remove it, or install this version in its place; hooks are started by name.");
  else
    put(call, "login shell", "warning", ho_arena_printf(call->arena, "%s -l does not find handoff", shell),
        "Add its folder to PATH in the profile of your shell; hooks are started by name.");
}

void ho_doctor_harnesses(ho_call *call, ho_doctor_put *put)
{
  bool any = false;
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    patient p = {.call = call, .arena = call->arena, .harness = *each};
    if (!p.harness->events)
      continue;
    find_registered(&p);
    if (!is_there(&p))
      continue;
    any = true;
    find_trusted(&p);
    find_last(&p);
    report(&p, put);
    if (p.stray.n)
      put(call, p.harness->name, "warning",
          ho_arena_printf(p.arena, "%.*s calls 'handoff hook %.*s', which is not a harness, so that hook does nothing",
                          HO_ARG(ho_shown_path(call, p.stray_in)), HO_ARG(p.stray)),
          ho_arena_printf(p.arena, "Write 'handoff hook %s' there.", p.harness->name).p);
  }
  if (any)
    check_shell(call, put);
  else
    put(call, "harnesses", "ok", HO_STR("none of " HO_HOOKED_TITLES " is installed here"), NULL);
}
