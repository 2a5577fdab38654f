/* The only place that starts git. The repository may be a stranger's: its configuration and attributes name programs,
 * and a folder of a clone may be a repository itself. So git is told which folders are meant and looks for none; what
 * the repository's own configuration names is not started; what the user's names, is. */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc/confine.h"
#include "base/proc/spawn.h"
#include "base/time.h"
#include "engine/project/git.h"
#include "engine/project/worktree.h"

enum {
  CONFIG_MS = 2000,
  CONFIG = 256 << 10, /* bytes of configuration that are looked at; a longer one is not trusted */
  SET_ASIDE = 128     /* settings of the repository that are set aside, at most */
};

/* True of every call, whoever set it otherwise. */
static const char *const always[] = {"core.fsmonitor=false",
                                     "core.hooksPath=/dev/null",
                                     "core.pager=cat",
                                     "safe.bareRepository=explicit",
                                     "submodule.recurse=false",
                                     "status.submoduleSummary=false",
                                     "diff.ignoreSubmodules=all",
                                     "log.showSignature=false",
                                     "protocol.allow=never",
                                     "core.logAllRefUpdates=false",
                                     "gc.auto=0",
                                     "maintenance.auto=false",
                                     "checkout.workers=1", /* others would read the configuration anew */
                                     NULL};

/* Settings that name a program to start, by git or by the user's own filters (git-lfs), which inherit all this. The
 * repository's value is set aside: `instead` holds, then the user's values, if there are any. "*" is any text. */
static const struct {
  const char *section, *name, *instead;
  bool sub; /* between section and name stands a text of its own, or "" */
} programs[] = {
    {"filter", "clean", "", true},
    {"filter", "smudge", "", true},
    {"filter", "process", "", true},
    {"filter", "required", "false", true},
    {"hook", "command", "", true},
    {"hook", "event", "", true},
    {"diff", "command", "", true},
    {"diff", "textconv", "", true},
    {"diff", "external", "", false},
    {"merge", "driver", "", true},
    {"credential", "helper", "", true},
    {"credential", "helper", "", false},
    {"core", "askpass", "", false},
    {"core", "sshcommand", "ssh", false},
    {"core", "gitproxy", "", false},
    {"core", "editor", "false", false},
    {"core", "alternaterefscommand", "", false},
    {"gpg", "program", "false", false},
    {"gpg", "program", "false", true},
    {"lfs", "clean", "", true},  /* lfs.extension.NAME.clean */
    {"lfs", "smudge", "", true}, /* likewise */
    {"lfs", "path", "", true},   /* lfs.customtransfer.NAME.path */
    {"lfs", "standalonetransferagent", "", false},
    {"lfs", "standalonetransferagent", "", true},
};

typedef struct caller {
  ho_arena *arena;
  ho_str root, own, shared;
  const char *const *env;
  const char *argv[2 * (SET_ASIDE + HO_COUNT(always)) + 64];
  size_t count;
  ho_str worktree; /* core.worktree of the repository, or "" */
  bool includes;   /* its configuration names other files, which may be others once git has made a folder */
  bool filters;    /* the user's own configuration names filters */
  int64_t end;     /* monotonic ms */
  char *bytes;     /* the answer, up to `most` bytes, `n` of them */
  size_t most;
  ssize_t n;
  char said[HO_GIT_SAID]; /* why it failed, in git's words */
} caller;

static void add(caller *c, const char *word)
{
  if (c->count < HO_COUNT(c->argv) - 1)
    c->argv[c->count++] = word;
  else
    c->arena->failed = HO_LIMIT;
}

/* ---- Whose repository it is. */

/* The user who is meant: behind sudo, the one who called it. */
static bool is_own(const char *path)
{
  uint64_t who = 0;
  struct stat st;
  if (lstat(path, &st) != 0)
    return false;
  if (st.st_uid == geteuid())
    return true;
  return geteuid() == 0 && ho_str_to_u64(ho_str_of(getenv("SUDO_UID")), &who) && st.st_uid == who;
}

/* Told where a repository is, git does not ask whose it is; so that is asked here. For one of somebody else, git's
 * own answer counts (safe.directory of the user's settings). */
static bool is_trusted(caller *c)
{
  char byte[PATH_MAX];
  if (is_own(c->own.p) && is_own(c->shared.p) && is_own(ho_arena_z(c->arena, c->root)))
    return true;
  const char *const ask[] = {
      "git", "-c", "safe.bareRepository=explicit", "-C", ho_arena_z(c->arena, c->root), "rev-parse", "--git-dir", NULL};
  return ho_spawn_read(ask, c->env, CONFIG_MS, byte, sizeof byte) > 0;
}

enum { REFS_DEEP = 8 };

/* Nothing but files and folders below the folder, which need not exist. */
static bool holds_no_links(ho_arena *arena, ho_str folder, int depth)
{
  struct dirent *entry;
  struct stat st;
  bool plain = folder.n && depth < REFS_DEEP;
  DIR *dir = plain && ho_fs_exists(folder.p) ? ho_fs_opendir(folder.p) : NULL;
  if (plain && !dir && ho_fs_exists(folder.p))
    return false;
  while (dir && plain && (entry = readdir(dir))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    ho_str path = ho_fs_join(arena, folder, ho_str_of(entry->d_name));
    plain = path.n && lstat(path.p, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) &&
            (S_ISREG(st.st_mode) || holds_no_links(arena, path, depth + 1));
  }
  if (dir)
    closedir(dir);
  return plain;
}

/* What git would write through, or copy for a worktree: links in the git folder could lead anywhere, also to what is
 * there only once git has begun. */
static bool is_plain(ho_arena *arena, ho_str own, ho_str shared)
{
  static const char *const parts[] = {"config",
                                      "config.worktree",
                                      "objects",
                                      "refs",
                                      "refs/heads",
                                      "refs/heads/handoff",
                                      "worktrees",
                                      "logs/refs",
                                      "logs/refs/heads",
                                      "logs",
                                      "logs/refs/heads/handoff",
                                      NULL};
  for (const char *const *part = parts; *part; part++) {
    ho_str path = ho_fs_join(arena, shared, ho_str_of(*part));
    if (!path.n || ho_fs_is_link(path.p))
      return false;
  }
  ho_str config = ho_fs_join(arena, own, HO_STR("config.worktree"));
  return config.n && !ho_fs_is_link(config.p) &&
         holds_no_links(arena, ho_fs_join(arena, shared, HO_STR("refs/heads/handoff")), 0) &&
         holds_no_links(arena, ho_fs_join(arena, shared, HO_STR("logs/refs/heads/handoff")), 0);
}

/* A repository that says it belongs to another folder is only looked at. In a linked worktree, that is the main one. */
static bool is_elsewhere(const caller *c)
{
  char told[PATH_MAX], here[PATH_MAX];
  if (!c->worktree.n || !ho_str_eq(c->own, c->shared))
    return false;
  ho_str path = ho_fs_join(c->arena, c->own, c->worktree);
  return !path.n || !realpath(path.p, told) || !realpath(ho_arena_z(c->arena, c->root), here) ||
         strcmp(told, here) != 0;
}

/* ---- What it is told. */

/* Our environment without git's variables, and with those that keep it from asking people and the network. */
static const char *const *environment(ho_arena *arena, ho_str root)
{
  size_t n = 0, count = 0;
  while (environ[count])
    count++;
  const char **env = ho_arena_array(arena, count + 8, sizeof *env);
  if (!env)
    return NULL;
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], "GIT_", 4) != 0)
      env[n++] = environ[i];
  env[n++] = "GIT_TERMINAL_PROMPT=0";
  env[n++] = "GIT_ALLOW_PROTOCOL=";
  env[n++] = "GIT_PROTOCOL_FROM_USER=0";
  env[n++] = "GIT_NO_LAZY_FETCH=1";
  env[n++] = "GIT_OPTIONAL_LOCKS=0";
  env[n++] = ho_arena_printf(arena, "GIT_CEILING_DIRECTORIES=%.*s", HO_ARG(ho_fs_parent(root))).p;
  return env;
}

static void begin(caller *c)
{
  add(c, "git");
  add(c, "--no-pager");
  add(c, "--no-optional-locks");
  add(c, "-C");
  add(c, ho_arena_z(c->arena, c->root));
  add(c, ho_arena_printf(c->arena, "--git-dir=%.*s", HO_ARG(c->own)).p);
  add(c, ho_arena_printf(c->arena, "--work-tree=%.*s", HO_ARG(c->root)).p);
  for (const char *const *each = always; *each; each++) {
    add(c, "-c");
    add(c, *each);
  }
}

/* ---- The configuration: SCOPE NUL KEY LF VALUE NUL, and so on. */

typedef struct entry {
  ho_str scope, key, value;
} entry;

static bool next_entry(ho_str *rest, entry *out)
{
  ho_str pair;
  if (!ho_str_next(rest, '\0', &out->scope) || !ho_str_next(rest, '\0', &pair))
    return false;
  size_t line = ho_str_find_char(pair, '\n'); /* a key without a value has none */
  out->key = ho_str_sub(pair, 0, line == HO_NONE ? pair.n : line);
  out->value = line == HO_NONE ? HO_EMPTY : ho_str_sub(pair, line + 1, pair.n);
  return true;
}

/* Did it come with the repository? */
static bool is_local(const entry *e)
{
  return ho_str_is(e->scope, "local") || ho_str_is(e->scope, "worktree");
}

/* The value that holds instead of a repository's, or NULL if the key names no program. */
static const char *instead_of(ho_str key)
{
  size_t first = ho_str_find_char(key, '.'), last = key.n;
  while (last > 0 && key.p[last - 1] != '.')
    last--;
  if (first == HO_NONE)
    return NULL;
  ho_str section = ho_str_sub(key, 0, first), name = ho_str_sub(key, last, key.n);
  for (size_t i = 0; i < HO_COUNT(programs); i++)
    if (programs[i].sub == (last > first + 1) && ho_str_is_nocase(section, programs[i].section) &&
        ho_str_is_nocase(name, programs[i].name))
      return programs[i].instead;
  return NULL;
}

static void set(caller *c, ho_str key, ho_str value)
{
  add(c, "-c");
  add(c, ho_arena_printf(c->arena, "%.*s=%.*s", HO_ARG(key), HO_ARG(value)).p);
}

/* Sets the repository's value of the key aside. A name with '=' cannot be said on the command line: false. */
static bool set_aside(caller *c, ho_str all, ho_str key, const char *instead)
{
  entry e;
  if (ho_str_find_char(key, '=') != HO_NONE)
    return false;
  set(c, key, ho_str_of(instead));
  while (next_entry(&all, &e))
    if (!is_local(&e) && !ho_str_is(e.scope, "command") && ho_str_eq(e.key, key))
      set(c, key, e.value);
  return true;
}

/* Reads the configuration and sets aside what must not hold; false if that is not possible. */
static bool look_at_config(caller *c)
{
  char *bytes = ho_arena_alloc(c->arena, CONFIG);
  size_t asked = c->count, aside = 0;
  entry e;
  add(c, "config");
  add(c, "--list");
  add(c, "-z");
  add(c, "--show-scope");
  c->argv[c->count] = NULL;
  ssize_t n = bytes ? ho_spawn_read(c->argv, c->env, CONFIG_MS, bytes, CONFIG) : -1;
  c->count = asked;
  if (n < 0 || n == CONFIG)
    return false;
  ho_str all = {bytes, (size_t)n}, rest = all;
  while (next_entry(&rest, &e)) {
    const char *instead = is_local(&e) ? instead_of(e.key) : NULL;
    if (is_local(&e) && ho_str_is(e.key, "core.worktree"))
      c->worktree = e.value;
    c->filters |= !is_local(&e) && ho_str_starts(e.key, "filter.");
    c->includes |= is_local(&e) && (ho_str_is(e.key, "include.path") || ho_str_starts_nocase(e.key, "includeif."));
    if (instead && (++aside > SET_ASIDE || !set_aside(c, all, e.key, instead)))
      return false;
  }
  return !c->arena->failed;
}

/* Why git must not change this repository; NULL if it may. */
static const char *no_writes(const caller *c)
{
  if (c->includes)
    return "the repository's configuration has 'include' or 'includeIf', so what would hold in the worktree is not "
           "known; put what they name into .git/config, or include it in your own configuration (git config --global)";
  if (is_elsewhere(c))
    return "the repository's 'core.worktree' is another folder";
  return is_plain(c->arena, c->own, c->shared) ? NULL : "the repository's git folder has links where git would write";
}

static void call(void *data)
{
  caller *c = data;
  int64_t left = c->end - ho_time_monotonic_ms();
  c->n = left <= 0 ? -1 : ho_spawn_read_why(c->argv, c->env, left, c->bytes, c->most, c->said, sizeof c->said);
}

/* git is told names, and while it works they may be made to lead elsewhere: what writes is kept in the project and its
 * git folder by the system. The user's filters are not, because what they need to write is not known. */
static void call_confined(caller *c)
{
  ho_str home = ho_worktree_home(c->arena, c->root);
  const char *const folders[] = {ho_arena_z(c->arena, home), c->shared.p};
  if (!c->arena->failed)
    ho_confine_call(folders, HO_COUNT(folders), call, c);
}

ssize_t ho_git_run(ho_arena *arena, const ho_git_order *order, char *bytes, size_t most)
{
  const char *why = NULL;
  caller *c = HO_NEW(arena, caller);
  if (!c)
    return -1;
  *c = (caller){.arena = arena,
                .root = order->root,
                .end = ho_time_monotonic_ms() + order->ms,
                .bytes = bytes,
                .most = most,
                .n = -1};
  if (!ho_worktree_git(arena, c->root, &c->own, &c->shared))
    return -1;
  c->env = environment(arena, c->root);
  begin(c);
  if (!arena->failed && !is_trusted(c))
    why = "the repository belongs to another user";
  else if (!arena->failed && !look_at_config(c))
    why = "the repository's configuration cannot be read, or names more programs than can be set aside";
  else if (!arena->failed && order->writes)
    why = no_writes(c);
  if (why && order->why)
    *order->why = why;
  if (why || arena->failed)
    return -1;
  for (const char *const *arg = order->args; *arg; arg++)
    add(c, *arg);
  c->argv[c->count] = NULL;
  if (!arena->failed && order->writes && !(order->checks_out && c->filters))
    call_confined(c);
  else if (!arena->failed)
    call(c);
  if (c->n < 0 && c->said[0] && order->why)
    *order->why = c->said;
  return c->n;
}
