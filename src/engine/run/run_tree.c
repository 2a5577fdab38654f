/* git worktrees: each step works on its own branch, and people merge. */
#include <errno.h>

#include "engine/project/git.h"
#include "engine/project/paths.h"
#include "engine/project/worktree.h"
#include "engine/run/run_parts.h"

ho_str ho_run_branch(const ho_run *run, ho_arena *arena, size_t step)
{
  return ho_arena_printf(arena, "handoff/%.*s/%.*s", HO_ARG(run->row.id), HO_ARG(run->plan.items[step].key));
}

/* Runs git and waits for it; false if it failed. *why: set if git was not even asked. */
static bool git(ho_arena *arena, ho_str root, bool checks_out, const char *const *args, const char **why)
{
  enum { CHECKOUT_MS = 600000 };
  char said[4096];
  ho_git_order order = {
      .root = root, .args = args, .ms = CHECKOUT_MS, .writes = true, .checks_out = checks_out, .why = why};
  return ho_git_run(arena, &order, said, sizeof said) >= 0;
}

/* A step starts where the last of those it depends on ended, else at the head of the main worktree. */
static ho_str base(const ho_run *run, ho_arena *arena, size_t step)
{
  const ho_plan_step *planned = &run->plan.items[step];
  for (size_t i = planned->need_count; i-- > 0;)
    if (run->steps[planned->needs[i]].teammates)
      return ho_run_branch(run, arena, planned->needs[i]);
  return HO_STR("HEAD");
}

/* Makes the folder for worktrees; *there says whether this one is there already. What is there in its place is not used. */
static ho_code look_at(const ho_run *run, ho_arena *arena, ho_str tree, bool *there, ho_error *err)
{
  struct stat info;
  ho_code code = ho_fs_mkdirs(ho_arena_z(arena, ho_fs_parent(tree)), err);
  if (code)
    return code;
  if (ho_fs_stat(tree.p, &info) != 0 && errno != ENOENT)
    return ho_fail_file(err, HO_IO, tree, "cannot be a worktree: %s", ho_fs_reason(errno));
  *there = ho_fs_exists(ho_fs_join(arena, tree, HO_STR(".git")).p);
  if (*there && !ho_str_eq(ho_worktree_home(arena, tree), run->project->home))
    return ho_fail_file(err, HO_IO, tree, "is not a worktree of this project; remove it");
  return HO_OK;
}

/* What git says is wrong with a worktree that it lists: "prunable REASON" in its paragraph; "" if it lists none there. */
static ho_str listed_reason(const ho_run *run, ho_arena *arena, ho_str tree)
{
  enum { LISTED = 1 << 16, LIST_MS = 10000 };
  static const char *const args[] = {"worktree", "list", "--porcelain", NULL};
  const ho_git_order order = {.root = run->project->root, .args = args, .ms = LIST_MS};
  char *bytes = ho_arena_alloc(arena, LISTED);
  ssize_t n = bytes ? ho_git_run(arena, &order, bytes, LISTED) : -1;
  ho_str rest = {bytes, n > 0 ? (size_t)n : 0}, line;
  for (bool here = false; ho_str_next_line(&rest, &line);) {
    if (ho_str_starts(line, "worktree "))
      here = ho_str_eq(ho_str_sub(line, sizeof "worktree " - 1, line.n), tree);
    else if (here && ho_str_starts(line, "prunable "))
      return ho_str_sub(line, sizeof "prunable " - 1, line.n);
  }
  return HO_EMPTY;
}

/* A worktree that git lists, and of which a part was deleted. If only its .git is missing, git writes that again, and the
 * work in the folder stays; without the folder, `make` begins it again at the end of its branch. */
static void mend(ho_run *run, ho_arena *arena, ho_str tree)
{
  static const char *const args[] = {"worktree", "repair", NULL};
  const char *why = NULL;
  ho_str reason = listed_reason(run, arena, tree);
  if (!reason.n)
    return;
  bool folder = ho_fs_is_folder(tree.p), mended = folder && git(arena, run->project->root, false, args, &why);
  ho_run_note(run, "the worktree %.*s was half deleted (git: %.*s); %s%s", HO_ARG(tree), HO_ARG(reason),
              mended   ? "git has repaired it, and the work in it is kept"
              : folder ? "git cannot repair it: "
                       : "it is made again from its branch",
              folder && !mended && why ? why : "");
}

/* Makes the worktree, without files. */
static ho_code make(const ho_run *run, ho_arena *arena, size_t step, ho_str tree, ho_error *err)
{
  ho_str branch = ho_run_branch(run, arena, step), from = base(run, arena, step), root = run->project->root;
  const char *const fresh[] = {"worktree", "add", "-q", "--no-checkout", "-b", branch.p, tree.p, from.p, NULL};
  const char *const again[] = {"worktree", "add", "-q", "--no-checkout", "-f", tree.p, branch.p, NULL};
  const char *why = NULL;
  ho_code code = ho_arena_code(arena, err);
  if (code || git(arena, root, false, fresh, &why) || git(arena, root, false, again, &why))
    return code;
  return ho_fail_file(err, HO_IO, tree, "git cannot create a worktree there (branch %.*s from %.*s)%s%s",
                      HO_ARG(branch), HO_ARG(from), why ? ": " : "", why ? why : "");
}

/* Fills it, in a step of its own: by now it is known which configuration holds there. A file that is there already is
 * not overwritten. */
static ho_code check_out(ho_arena *arena, ho_str tree, ho_error *err)
{
  static const char *const args[] = {"read-tree", "-m", "-u", "HEAD", NULL};
  ho_str own, shared;
  const char *why = NULL;
  bool ours = ho_worktree_git(arena, tree, &own, &shared);
  ho_str index = ours ? ho_fs_join(arena, own, HO_STR("index")) : HO_EMPTY;
  ho_code code = ho_arena_code(arena, err);
  if (code || (ours && (ho_fs_exists(index.p) || git(arena, tree, true, args, &why))))
    return code;
  return ho_fail_file(
      err, HO_IO, tree,
      "git cannot check out the files of this worktree%s%s; to begin it again, run: git worktree remove "
      "--force '%.*s'",
      why ? ": " : "", why ? why : "", HO_ARG(tree));
}

static ho_code refuse(ho_str root, ho_str git, ho_error *err)
{
  if (!git.n || !ho_fs_is_folder(git.p))
    return ho_fail(err, HO_USAGE, "--worktrees needs a git repository, but %.*s is not in one", HO_ARG(root));
  return ho_fail(err, HO_USAGE,
                 "--worktrees needs a git repository, but %.*s/.git leads to %.*s, which does not say that it belongs "
                 "here; if it does, run: git config core.worktree '%.*s'",
                 HO_ARG(root), HO_ARG(git), HO_ARG(root));
}

ho_str ho_run_place_of(const ho_run *run, ho_arena *arena, size_t step)
{
  if (!run->options->worktrees)
    return ho_arena_copy(arena, run->project->root);
  return ho_arena_printf(arena, "%.*s/" HO_PATH_TREES "/%.*s", HO_ARG(run->files), HO_ARG(run->plan.items[step].key));
}

ho_code ho_run_tree(ho_run *run, size_t step, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_str own, shared;
  *out = ho_run_place_of(run, arena, step);
  if (!run->options->worktrees)
    return ho_arena_code(arena, err);
  if (!ho_worktree_git(arena, run->project->root, &own, &shared))
    return refuse(run->project->root, own, err);
  ho_str tree = *out;
  bool there = false, fresh = false;
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = look_at(run, arena, tree, &there, err);
  if (!code && !there) {
    mend(run, arena, tree);
    code = look_at(run, arena, tree, &there, err);
  }
  fresh = !there;
  if (!code && !there)
    code = make(run, arena, step, tree, err);
  if (!code)
    code = check_out(arena, tree, err);
  if (!code)
    code = look_at(run, arena, tree, &there, err);
  if (!code && !there)
    code = ho_fail_file(err, HO_IO, tree, "was replaced while git made a worktree there; run: git worktree list");
  if (!code && fresh)
    ho_run_merge_needs(run, step, tree);
  return code;
}
