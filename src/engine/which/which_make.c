/* A task for work that belongs to none, and a phase. */
#include "engine/phase/folders.h"
#include "engine/project/git.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/worktree.h"
#include "engine/which/which_parts.h"
#include "store/handoffs/handoffs.h"

typedef struct counting {
  ho_arena *arena;
  long long next; /* above all numbers that were seen */
} counting;

static void count_folders(void *data, ho_str root)
{
  counting *c = data;
  ho_folders folders;
  ho_error none = {0};
  long long next = ho_folders_list(c->arena, root, &folders, &none) ? 0 : ho_folders_next(&folders);
  c->next = next > c->next ? next : c->next;
}

/* Above the numbers of all folders, of every worktree: they share the store, and two tasks of one number would take each
 * other's place there. It is no handoff's number either: the worktree that has its folder may be gone. */
ho_code ho_which_free_number(ho_phase *phase, ho_error *err)
{
  ho_project *project = phase->project;
  ho_handoff_list list = {0};
  counting c = {.arena = phase->arena};
  count_folders(&c, phase->root);
  ho_worktree_each(phase->arena, project->home, count_folders, &c);
  ho_code code = ho_arena_code(phase->arena, err);
  long long number = c.next;
  if (!code && ho_project_has_store(project))
    code = ho_project_open(project, HO_OPEN_EXISTING, err);
  for (; !code; number++) {
    phase->task = ho_arena_printf(phase->arena, "%lld", number);
    ho_filter filter = {.task = phase->task, .limit = 1};
    if (project->store)
      code = ho_handoffs_select(project->store, &filter, phase->arena, &list, err);
    if (!code && !list.count)
      break;
  }
  return code ? code : ho_arena_code(phase->arena, err);
}

ho_code ho_which_slug(ho_phase *phase, ho_str hint, ho_error *err)
{
  ho_which_work work;
  ho_arena *arena = phase->arena;
  if (!phase->slug.n)
    phase->slug = ho_phase_recorded_slug(phase);
  if (phase->slug.n)
    return HO_OK;
  ho_which_load(phase->project, arena, &work);
  phase->slug = ho_which_slug_of_branch(arena, ho_git_branch(arena, phase->root));
  if (!phase->slug.n) /* cleaned before it is cut into words: the half of a credential is not recognised */
    phase->slug =
        ho_which_slug_of_text(arena, ho_project_clean(phase->project, arena, work.request.n ? work.request : hint));
  if (!phase->slug.n || !ho_str_eq(ho_project_clean(phase->project, arena, phase->slug), phase->slug))
    phase->slug = HO_STR("work");
  return ho_arena_code(arena, err);
}

/* Whoever takes a number holds a lock that all worktrees share, if the main one has a place for it. */
ho_code ho_which_new_task(ho_phase *phase, ho_error *err)
{
  ho_phase all = {.arena = phase->arena, .root = phase->root, .folder = HO_STR(HO_PATH_SPECS)};
  if (ho_fs_is_folder(ho_fs_join(phase->arena, phase->project->home, HO_STR(HO_PATH_FOLDER)).p)) {
    all.root = phase->project->home;
    all.folder = HO_STR(HO_PATH_FOLDER);
  }
  int lock = -1;
  ho_code code = ho_phase_lock(&all, &lock, err);
  if (code)
    return code;
  code = ho_which_free_number(phase, err);
  const char *folder =
      ho_fs_join(phase->arena, phase->root,
                 ho_arena_printf(phase->arena, HO_PATH_SPECS "/%.*s_%.*s", HO_ARG(phase->task), HO_ARG(phase->slug)))
          .p;
  if (!code)
    code = ho_arena_code(phase->arena, err);
  if (!code)
    code = ho_fs_mkdirs_in(ho_arena_z(phase->arena, phase->root), folder, err);
  ho_phase_unlock(lock);
  return code;
}

ho_code ho_which_new_phase(ho_phase *phase, const ho_folders *folders, ho_error *err)
{
  enum { MOST = 1000 };
  ho_phase p = {.arena = phase->arena, .root = phase->root};
  for (size_t i = 0; !p.folder.n && i < folders->count; i++)
    if (ho_str_eq(folders->items[i].task, phase->task))
      p.folder = folders->items[i].path;
  for (int number = 1; number <= MOST; number++) {
    size_t count = 0;
    ho_str *paths;
    p.phase = ho_arena_printf(phase->arena, "%d", number);
    p.progress = ho_fs_join(phase->arena, phase->root, ho_paths_progress(phase->arena, p.folder, p.phase));
    ho_code code = ho_phase_handoffs(&p, &paths, &count, err);
    phase->phase = p.phase;
    if (code || !p.folder.n || (!count && !ho_fs_exists(p.progress.p)))
      return code;
  }
  return ho_fail(err, HO_USAGE, "task %.*s has more than %d phases; use --phase P", HO_ARG(phase->task), MOST);
}
