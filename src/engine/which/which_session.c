/* What a session works on: .handoff/context/SESSION.work.json of the main worktree. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "engine/context/context_cache.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/which/which_parts.h"

#define WORK_SUFFIX ".work.json"

/* A session that nobody named is that of a day, which people in several worktrees share: they work on different things. */
static ho_str path_of(const ho_project *project, ho_arena *arena)
{
  char digest[HO_DIGEST_SIZE];
  ho_str name = project->session;
  if (ho_str_starts(name, "local-")) {
    ho_digest_text(project->root, digest);
    name = ho_arena_printf(arena, "%.*s-%.8s", HO_ARG(name), digest);
  }
  return ho_context_path(arena, project->home, name, WORK_SUFFIX);
}

void ho_which_load(ho_project *project, ho_arena *arena, ho_which_work *out)
{
  ho_str path = path_of(project, arena);
  ho_node *map = path.n ? ho_context_load(arena, path.p) : NULL;
  *out = (ho_which_work){
      .task = ho_map_str(map, "task"), .phase = ho_map_str(map, "phase"), .request = ho_map_str(map, "request")};
  if (!ho_id_fits(out->task))
    out->task = HO_EMPTY;
  if (!out->task.n || !ho_id_fits(out->phase))
    out->phase = HO_EMPTY;
}

bool ho_which_others(ho_project *project, ho_arena *arena, ho_str task, ho_str phase)
{
  enum { RECENT_S = 60 * 60 };
  ho_str folder = ho_fs_join(arena, project->home, HO_STR(HO_PATH_CONTEXT)), own = ho_fs_name(path_of(project, arena));
  DIR *dir = folder.n ? ho_fs_opendir(folder.p) : NULL;
  bool found = false;
  struct stat info;
  for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
    ho_str name = ho_str_of(entry->d_name);
    if (!ho_str_ends(name, WORK_SUFFIX) || ho_str_eq(name, own) ||
        fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
        info.st_mtime < ho_project_now(project) / 1000 - RECENT_S)
      continue;
    const ho_node *map = ho_context_load(arena, ho_fs_join(arena, folder, name).p);
    found = ho_str_eq(ho_map_str(map, "task"), task) && ho_str_eq(ho_map_str(map, "phase"), phase);
  }
  if (dir)
    closedir(dir);
  return found;
}

static void save(ho_project *project, ho_arena *arena, const ho_which_work *work)
{
  ho_error none = {0};
  ho_str path = path_of(project, arena), own = ho_fs_join(arena, project->home, HO_STR(HO_PATH_FOLDER));
  if (!path.n || !own.n || !ho_fs_is_folder(own.p))
    return;
  ho_node *map = ho_context_map(arena);
  ho_map_put(arena, map, "task", work->task);
  ho_map_put(arena, map, "phase", work->phase);
  ho_map_put(arena, map, "request", work->request);
  (void)!ho_context_save(map, arena, path.p, &none);
}

void ho_which_remember(ho_project *project, ho_arena *arena, ho_str task, ho_str phase)
{
  ho_which_work work;
  ho_which_load(project, arena, &work);
  work.task = task;
  work.phase = phase;
  save(project, arena, &work);
}

void ho_which_request(ho_project *project, ho_arena *arena, ho_str request)
{
  enum { MOST = 300 };
  ho_which_work work;
  ho_which_load(project, arena, &work);
  if (work.request.n || !request.n)
    return;
  work.request = ho_quote_clean(arena, ho_project_clean(project, arena, request), MOST, true);
  save(project, arena, &work);
}
