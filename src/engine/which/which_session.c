/* What a session works on: .handoff/context/SESSION.work.json of the main worktree. */
#include <dirent.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/grow.h"
#include "engine/context/context_cache.h"
#include "engine/project/access.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/which/which_parts.h"
#include "store/store.h"

#define WORK_SUFFIX ".work.json"

/* A session that nobody named is that of a day, which people in several worktrees share: they work on different things. */
static ho_str path_of(const ho_project *project, ho_arena *arena)
{
  char digest[HO_DIGEST_SIZE];
  ho_str name = project->session;
  if (ho_identity_is_day(name)) {
    ho_digest_text(project->root, digest);
    name = ho_arena_printf(arena, "%.*s-%.8s", HO_ARG(name), digest);
  }
  return ho_context_path(arena, project->home, name, WORK_SUFFIX);
}

static ho_which_work work_of(const ho_node *map)
{
  ho_which_work work = {.task = ho_map_str(map, "task"),
                        .phase = ho_map_str(map, "phase"),
                        .handoff = ho_map_str(map, "handoff_taken"),
                        .request = ho_map_str(map, "request"),
                        .at = ho_map_int(map, "at"),
                        .agent = ho_map_str(map, "agent"),
                        .folder = ho_map_str(map, "folder"),
                        .led = ho_node_true(ho_map_getz(map, "led")),
                        .left = ho_node_true(ho_map_getz(map, "left")),
                        .asked = ho_node_true(ho_map_getz(map, "asked")),
                        .offered = ho_map_str(map, "offered"),
                        .session = ho_map_str(map, "session")};
  if (!ho_id_fits(work.task))
    work.task = HO_EMPTY;
  if (!work.task.n || !ho_id_fits(work.phase))
    work.phase = HO_EMPTY;
  if (work.folder.n && work.folder.p[0] != '/')
    work.folder = HO_EMPTY;
  return work;
}

void ho_which_load(ho_project *project, ho_arena *arena, ho_which_work *out)
{
  ho_str path = path_of(project, arena);
  *out = work_of(path.n ? ho_context_load(arena, path.p) : NULL);
}

static ho_trace trace_of(const ho_project *project, ho_arena *arena, ho_str session)
{
  ho_trace trace = {0};
  ho_str path = session.n ? ho_context_path(arena, project->home, session, HO_TRACE_SUFFIX) : HO_EMPTY;
  if (path.n)
    ho_trace_load(&trace, arena, path.p);
  return trace;
}

bool ho_which_ended(const ho_project *project, ho_arena *arena, ho_str session)
{
  return trace_of(project, arena, session).ended;
}

static int64_t changed(ho_str path)
{
  struct stat info;
  return path.n && stat(path.p, &info) == 0 ? (int64_t)info.st_mtime * 1000 : 0;
}

/* Its hooks measure the transcript at every step; a long step shows in the transcript alone. */
static void look_for_life(const ho_project *project, ho_arena *arena, ho_which_work *work)
{
  ho_trace trace = trace_of(project, arena, work->session);
  const int64_t signs[] = {changed(trace.transcript),
                           changed(ho_context_path(arena, project->home, work->session, HO_SCAN_SUFFIX))};
  work->ended = trace.ended;
  for (size_t i = 0; i < HO_COUNT(signs); i++)
    if (signs[i] > work->seen)
      work->seen = signs[i];
}

ho_which_list ho_which_workers(ho_project *project, ho_arena *arena)
{
  enum { MOST = 500 };
  ho_which_list list = {0};
  ho_str folder = ho_fs_join(arena, project->home, HO_STR(HO_PATH_CONTEXT)), own = ho_fs_name(path_of(project, arena));
  DIR *dir = folder.n ? ho_fs_opendir(folder.p) : NULL;
  for (struct dirent *entry; dir && list.count < MOST && (entry = readdir(dir));) {
    if (!ho_str_ends(ho_str_of(entry->d_name), WORK_SUFFIX))
      continue;
    ho_str path = ho_fs_join(arena, folder, ho_str_of(entry->d_name));
    ho_which_work work = work_of(path.n ? ho_context_load(arena, path.p) : NULL);
    ho_which_work *kept = work.at > 0 && work.phase.n && work.session.n ? HO_PUSH(arena, list.items, list.count) : NULL;
    if (!kept)
      continue;
    work.own = ho_str_eq(ho_fs_name(path), own);
    work.seen = changed(path);
    look_for_life(project, arena, &work);
    *kept = work;
  }
  if (dir)
    closedir(dir);
  return list;
}

bool ho_which_works_on(const ho_which_work *work, ho_str task, ho_str phase, int64_t since)
{
  return !work->own && !work->ended && work->seen >= since && (!task.n || ho_str_eq(work->task, task)) &&
         (!phase.n || ho_str_eq(work->phase, phase));
}

/* A project without a .handoff gets it from the first session that works there: without it, sessions side by side would
 * each mean the other's phase, and hooks would say nothing. */
static void save(ho_project *project, ho_arena *arena, const ho_which_work *work)
{
  ho_error none = {0};
  ho_str path = path_of(project, arena), own = ho_fs_join(arena, project->home, HO_STR(HO_PATH_FOLDER));
  if (!path.n || !own.n || (!ho_fs_is_folder(own.p) && (!work->at || ho_store_make_place(own.p, &none))))
    return;
  ho_node *map = ho_context_map(arena);
  ho_context_put(map, "session", project->session, arena);
  ho_map_put(arena, map, "task", work->task);
  ho_map_put(arena, map, "phase", work->phase);
  ho_map_put(arena, map, "handoff_taken", work->handoff);
  ho_map_put(arena, map, "request", work->request);
  ho_map_put(arena, map, "offered", work->offered);
  if (work->left)
    ho_map_addz(map, "left", ho_node_bool(arena, true));
  if (work->asked)
    ho_map_addz(map, "asked", ho_node_bool(arena, true));
  if (work->at > 0) {
    ho_map_addz(map, "at", ho_node_number(arena, work->at));
    ho_context_put(map, "agent", work->agent, arena);
    ho_context_put(map, "folder", work->folder, arena);
    ho_map_addz(map, "led", ho_node_bool(arena, work->led));
  }
  (void)!ho_context_save(map, arena, path.p, &none);
}

void ho_which_remember(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, ho_which_how how)
{
  ho_which_work work,
      now = {.task = task, .phase = phase, .left = how == HO_WHICH_LEFT, .asked = how == HO_WHICH_ASKED};
  ho_str actor = ho_project_actor(project);
  ho_which_load(project, arena, &work);
  bool same = ho_str_eq(work.task, task) && ho_str_eq(work.phase, phase);
  if (how == HO_WHICH_ASKED && (same || (work.task.n && !work.left)))
    return;
  if (how == HO_WHICH_NAMED && same)
    now = work;
  if (how == HO_WHICH_NAMED)
    now.left = now.asked = false;
  now.request = work.request;
  now.offered = work.offered;
  now.handoff = HO_EMPTY;
  if (how == HO_WHICH_WORKED) {
    now.at = ho_project_now(project);
    now.agent = ho_str_starts(actor, HO_PROJECT_PERSON) ? HO_EMPTY : actor;
    now.folder = project->root;
    now.led = ho_access_variable("HANDOFF_META").n > 0;
  }
  save(project, arena, &now);
}

void ho_which_offered(ho_project *project, ho_arena *arena, ho_str handoff)
{
  ho_which_work work;
  ho_which_load(project, arena, &work);
  if (ho_str_eq(work.offered, handoff))
    return;
  work.offered = handoff;
  save(project, arena, &work);
}

void ho_which_took(ho_project *project, ho_arena *arena, ho_str handoff)
{
  ho_which_work work;
  ho_which_load(project, arena, &work);
  work.handoff = handoff;
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
