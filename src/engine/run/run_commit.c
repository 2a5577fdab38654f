/* The work of a teammate in a worktree of its own, as commits: what people merge, and what later phases begin with. */
#include "engine/project/git.h"
#include "engine/run/run_parts.h"

enum { COMMIT_MS = 120000 };

/* Who commits if git knows nobody: a commit needs a name, and nobody is there to be asked for one. */
static const char *const nobody[] = {"-c", "user.name=handoff", "-c", "user.email=handoff@localhost"};

/* Runs git in the worktree, as the user if git knows one. */
static bool git(ho_arena *arena, ho_str tree, const char *const *args, const char **why)
{
  static const char *const ask[] = {"config", "user.email", NULL};
  enum { MOST = 24 };
  const char *all[MOST + HO_COUNT(nobody)];
  size_t count = 0;
  char said[4096];
  if (ho_git_run(arena, &(ho_git_order){.root = tree, .args = ask, .ms = COMMIT_MS}, said, sizeof said) <= 0)
    for (; count < HO_COUNT(nobody); count++)
      all[count] = nobody[count];
  for (size_t i = 0; i < MOST - 1 && args[i]; i++)
    all[count++] = args[i];
  all[count] = NULL;
  ho_git_order order = {.root = tree, .args = all, .ms = COMMIT_MS, .writes = true, .checks_out = true, .why = why};
  return ho_git_run(arena, &order, said, sizeof said) >= 0;
}

static bool has_changes(ho_arena *arena, ho_str tree)
{
  static const char *const args[] = {"status", "--porcelain", NULL};
  char line[256];
  return ho_git_run(arena, &(ho_git_order){.root = tree, .args = args, .ms = COMMIT_MS}, line, sizeof line) > 0;
}

void ho_run_commit_work(ho_run *run, const ho_run_mate *mate)
{
  static const char *const add[] = {"add", "-A", "--", ".", NULL};
  ho_arena arena;
  const char *why = NULL;
  ho_str tree = mate->row.folder;
  const ho_plan_step *planned = &run->plan.items[mate->step];
  if (!run->options->worktrees || ho_str_eq(tree, run->project->root))
    return;
  ho_arena_init(&arena, 0);
  tree = ho_arena_copy(&arena, tree);
  if (tree.n && has_changes(&arena, tree)) {
    ho_str text = ho_arena_printf(
        &arena, "Phase %.*s of task %.*s%s%.*s\n\nThe work of teammate %.*s, as it was left.\n", HO_ARG(planned->id),
        HO_ARG(run->row.task), planned->name.n ? ": " : "", HO_ARG(planned->name), HO_ARG(mate->row.id));
    const char *const commit[] = {"commit", "-q", "--no-verify", "--no-gpg-sign", "-m", ho_arena_z(&arena, text), NULL};
    if (!git(&arena, tree, add, &why) || !git(&arena, tree, commit, &why))
      ho_run_note(run, "the work in %.*s could not be committed%s%s; commit it before you merge", HO_ARG(tree),
                  why ? ": " : "", why ? why : "");
  }
  ho_arena_free(&arena);
}

void ho_run_merge_needs(ho_run *run, size_t step, ho_str tree)
{
  static const char *const give_up[] = {"merge", "--abort", NULL};
  ho_arena arena;
  const ho_plan_step *planned = &run->plan.items[step];
  ho_arena_init(&arena, 0);
  tree = ho_arena_copy(&arena, tree);
  for (size_t i = 0; tree.n && i < planned->need_count; i++) {
    const char *why = NULL;
    if (!run->steps[planned->needs[i]].teammates)
      continue;
    const char *branch = ho_run_branch(run, &arena, planned->needs[i]).p;
    const char *const merge[] = {"merge", "-q", "--no-edit", "--no-verify", "--no-gpg-sign", branch, NULL};
    if (git(&arena, tree, merge, &why))
      continue;
    git(&arena, tree, give_up, &why);
    ho_run_note(run, "the branch %s does not merge by itself into the worktree of phase %.*s; its agent is told",
                branch, HO_ARG(planned->id));
  }
  ho_arena_free(&arena);
}
