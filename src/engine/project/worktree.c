#include "engine/project/worktree.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "engine/project/paths.h"

/* The text of a small file, trimmed, or "". */
static ho_str small_file(ho_arena *arena, ho_str path)
{
  ho_str text;
  ho_error err;
  if (!path.n || !ho_fs_is_file(path.p) || ho_fs_read(arena, path.p, 4096, &text, &err))
    return HO_EMPTY;
  return ho_str_trim(text);
}

/* Do both paths name the same file or folder? */
static bool is_same(ho_str a, ho_str b)
{
  struct stat one, other;
  return a.n && b.n && stat(a.p, &one) == 0 && stat(b.p, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

/* A value as git writes it: quotes go, what they protect stays, and a comment ends it. */
static ho_str unquote(ho_arena *arena, ho_str text)
{
  bool quoted = false;
  size_t n = 0;
  char *out = ho_arena_alloc(arena, text.n + 1);
  for (size_t i = 0; out && i < text.n; i++) {
    char c = text.p[i];
    if (!quoted && (c == '#' || c == ';'))
      break;
    if (c == '"')
      quoted = !quoted;
    else if (c != '\\' || ++i < text.n)
      out[n++] = text.p[i];
  }
  return out ? ho_str_trim((ho_str){out, n}) : HO_EMPTY;
}

/* core.worktree in a file of git's configuration, or "". Includes are not followed: git writes it there itself. */
static ho_str read_core_worktree(ho_arena *arena, ho_str path)
{
  enum { LONGEST = 256 << 10 };
  ho_str text, line, found = HO_EMPTY;
  ho_error err;
  bool core = false;
  if (!path.n || !ho_fs_is_file(path.p) || ho_fs_read(arena, path.p, LONGEST, &text, &err))
    return HO_EMPTY;
  while (ho_str_next_line(&text, &line)) {
    line = ho_str_trim(line);
    size_t end = ho_str_starts(line, "[") ? ho_str_find_char(line, ']') : HO_NONE;
    if (end != HO_NONE) {
      core = ho_str_is_nocase(ho_str_trim(ho_str_sub(line, 1, end)), "core");
      line = ho_str_sub(line, end + 1, line.n);
    }
    size_t equals = core ? ho_str_find_char(line, '=') : HO_NONE;
    if (equals != HO_NONE && ho_str_is_nocase(ho_str_trim(ho_str_sub(line, 0, equals)), "worktree"))
      found = unquote(arena, ho_str_sub(line, equals + 1, line.n));
  }
  return found;
}

/* The work tree that a git folder names as its own, or "". */
static ho_str told_folder(ho_arena *arena, ho_str git)
{
  ho_str told = read_core_worktree(arena, ho_fs_join(arena, git, HO_STR("config.worktree")));
  if (!told.n)
    told = read_core_worktree(arena, ho_fs_join(arena, git, HO_STR("config")));
  return told.n ? ho_fs_join(arena, git, told) : HO_EMPTY;
}

/* A `.git` that leads elsewhere must lead to a folder that itself says that it is meant for `root`: one for a linked
 * worktree by its file gitdir, any other, such as a submodule's, by core.worktree. Whatever else it leads to may be a
 * repository of the user's that a stranger has found out about. */
static bool is_meant_for(ho_arena *arena, ho_str root, ho_str own, ho_str shared, bool linked)
{
  ho_str back, here = ho_arena_copy(arena, root);
  if (!linked) {
    back = told_folder(arena, own);
    return back.n && is_same(back, here);
  }
  back = small_file(arena, ho_fs_join(arena, own, HO_STR("gitdir")));
  back = back.n ? ho_fs_join(arena, own, back) : HO_EMPTY;
  return ho_str_is(ho_fs_name(back), ".git") && is_same(ho_arena_copy(arena, ho_fs_parent(back)), here) &&
         is_same(ho_arena_copy(arena, ho_fs_parent(own)), ho_fs_join(arena, shared, HO_STR("worktrees")));
}

bool ho_worktree_git(ho_arena *arena, ho_str root, ho_str *own, ho_str *shared)
{
  char real[PATH_MAX];
  ho_str git = ho_fs_join(arena, root, HO_STR(".git")), text = HO_EMPTY;
  *own = *shared = git;
  if (!git.n)
    return false;
  bool here = ho_fs_is_folder(git.p) && !ho_fs_is_link(git.p);
  if (!here && ho_fs_is_folder(git.p)) {
    *own = realpath(git.p, real) ? ho_arena_copy(arena, ho_str_of(real)) : HO_EMPTY;
  } else if (!here) {
    text = small_file(arena, git);
    *own =
        ho_str_starts(text, "gitdir:") ? ho_fs_join(arena, root, ho_str_trim(ho_str_sub(text, 7, text.n))) : HO_EMPTY;
  }
  *shared = *own;
  ho_str common = own->n ? ho_fs_join(arena, *own, HO_STR("commondir")) : HO_EMPTY;
  bool linked = common.n && ho_fs_exists(common.p);
  if (linked) {
    text = small_file(arena, common);
    *shared = text.n ? ho_fs_join(arena, *own, text) : HO_EMPTY;
  }
  return own->n && shared->n && ho_fs_is_folder(shared->p) &&
         ((here && !linked) || is_meant_for(arena, root, *own, *shared, linked));
}

ho_str ho_worktree_home(ho_arena *arena, ho_str root)
{
  ho_str own, shared, main_own, main_shared;
  if (!ho_worktree_git(arena, root, &own, &shared) || ho_str_eq(own, shared))
    return root;
  if (ho_str_is(ho_fs_name(shared), ".git"))
    return ho_arena_copy(arena, ho_fs_parent(shared));
  /* A submodule's git folder, for one, is elsewhere: it says which is the main worktree, and that has to agree. */
  ho_str home = told_folder(arena, shared);
  return home.n && ho_worktree_git(arena, home, &main_own, &main_shared) && is_same(main_own, shared) ? home : root;
}

ho_str ho_worktree_nested(ho_arena *arena, ho_str root, ho_str folder)
{
  for (ho_str at = folder; at.n > root.n; at = ho_fs_parent(at))
    if (ho_fs_is_repository(at))
      return ho_str_eq(ho_worktree_home(arena, at), root) ? HO_EMPTY : ho_arena_copy(arena, at);
  return HO_EMPTY;
}

/* ---- All of them */

/* The folder that git's own folder `admin` names as its worktree, there or not; or "". */
static ho_str listed_folder(ho_arena *arena, ho_str admin)
{
  ho_str link = small_file(arena, ho_fs_join(arena, admin, HO_STR("gitdir")));
  return link.n ? ho_arena_copy(arena, ho_fs_parent(ho_fs_join(arena, admin, link))) : HO_EMPTY;
}

/* Calls visit for each linked worktree that git lists. */
static void each_listed(ho_arena *arena, ho_str home, void (*visit)(void *data, ho_str root), void *data)
{
  struct dirent *entry;
  ho_str folder = ho_fs_join(arena, home, HO_STR(".git/worktrees"));
  DIR *dir = folder.n ? ho_fs_opendir(folder.p) : NULL;
  while (dir && (entry = readdir(dir))) {
    ho_str root =
        entry->d_name[0] == '.' ? HO_EMPTY : listed_folder(arena, ho_fs_join(arena, folder, ho_str_of(entry->d_name)));
    if (root.n)
      visit(data, root);
  }
  if (dir)
    closedir(dir);
}

typedef struct confirming {
  ho_arena *arena;
  ho_str home;
  void (*visit)(void *data, ho_str root);
  void *data;
} confirming;

static void visit_confirmed(void *data, ho_str root)
{
  const confirming *c = data;
  if (ho_str_eq(ho_worktree_home(c->arena, root), c->home))
    c->visit(c->data, root);
}

void ho_worktree_each(ho_arena *arena, ho_str home, void (*visit)(void *data, ho_str root), void *data)
{
  confirming c = {arena, home, visit, data};
  visit(data, home);
  each_listed(arena, home, visit_confirmed, &c);
}

ho_str ho_worktree_kept(ho_str home, ho_str full)
{
  return ho_fs_relative(home, full);
}

/* ---- Where files may be written */

static bool is_linked(ho_arena *arena, ho_str home, ho_str folder)
{
  return ho_fs_is_file(ho_fs_join(arena, folder, HO_STR(".git")).p) && ho_str_eq(ho_worktree_home(arena, folder), home);
}

/* HOME/.handoff/run/RUN/trees/STEP, if the path is below such a folder; else "". */
static ho_str run_tree(ho_arena *arena, ho_str home, ho_str path)
{
  ho_str files = ho_fs_join(arena, home, HO_STR(HO_PATH_RUN)), run, trees, step;
  if (!files.n || !ho_fs_below(files, path))
    return HO_EMPTY;
  ho_str rest = ho_str_sub(path, files.n + 1, path.n);
  if (!ho_str_next(&rest, '/', &run) || !ho_str_next(&rest, '/', &trees) || !ho_str_is(trees, HO_PATH_TREES) ||
      !ho_str_next(&rest, '/', &step) || !rest.n)
    return HO_EMPTY;
  return ho_arena_copy(arena, ho_str_sub(path, 0, (size_t)(step.p + step.n - path.p)));
}

/* The nearest folder above the path that has a .git of its own, as linked worktrees have; or "". */
static ho_str linked_folder(ho_arena *arena, ho_str path)
{
  for (ho_str folder = ho_fs_parent(path); folder.n > 1; folder = ho_fs_parent(folder)) {
    ho_str here = ho_arena_copy(arena, folder);
    if (ho_fs_is_file(ho_fs_join(arena, here, HO_STR(".git")).p))
      return here;
  }
  return HO_EMPTY;
}

bool ho_worktree_may_write(void *data, const char *path, char below[PATH_MAX])
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_str home = ho_str_of(data), root = run_tree(&arena, home, ho_str_of(path));
  bool inside = !root.n && ho_fs_inside(home.p, path);
  if (inside)
    root = home;
  else if (!root.n)
    root = linked_folder(&arena, ho_str_of(path));
  bool may = inside || (root.n && is_linked(&arena, home, root) && ho_fs_inside(root.p, path));
  if (may)
    ho_error_copy(below, PATH_MAX, root);
  ho_arena_free(&arena);
  return may;
}

typedef struct listing {
  ho_str path;
  bool found;
} listing;

static void find_listed(void *data, ho_str root)
{
  listing *l = data;
  l->found = l->found || ho_fs_below(root, l->path);
}

bool ho_worktree_gone(ho_arena *arena, const char *home, const char *path)
{
  char below[PATH_MAX];
  listing l = {.path = ho_str_of(path)};
  if (ho_worktree_may_write((void *)home, path, below))
    return false;
  each_listed(arena, ho_str_of(home), find_listed, &l);
  return !l.found;
}

ho_str ho_worktree_said(ho_arena *arena, ho_str root, ho_str path)
{
  const char *full = path.n && path.p[0] == '/' ? ho_arena_copy(arena, path).p : NULL;
  ho_str home = ho_worktree_home(arena, root), rest = path;
  if (!full || !home.n || ho_fs_exists(full) || !ho_worktree_gone(arena, home.p, full))
    return path;
  for (size_t slash = 0; slash != HO_NONE; slash = ho_str_find_char(rest, '/')) {
    rest = ho_str_sub(rest, slash + 1, rest.n);
    if (rest.n && ho_paths_exists(&root, rest))
      return ho_arena_printf(arena, "%.*s (was %.*s, which is not there)", HO_ARG(rest), HO_ARG(path));
  }
  return ho_arena_printf(arena, "%.*s (not there)", HO_ARG(path));
}
