/* What an agent holds when it passes on. The new handoff takes the place of what only tells how far its phase is: earlier
 * handoffs of the phase, and drafts. Any other document (a package, a request) asks for something that its sender still
 * waits for: it goes back to its receiver's queue, and whoever takes it next continues from the new handoff. */
#include "engine/ledger/draft.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/holder.h"
#include "engine/project/access.h"
#include "engine/project/paths.h"
#include "engine/relay/pass.h"
#include "engine/which/which.h"
#include "model/lifecycle.h"

/* Is the handoff about the work that is passed on? One that belongs to no task is, unless the caller named another. */
static ho_code is_about(ho_pass *pass, const ho_handoff *row, bool *yes, ho_error *err)
{
  ho_str task, phase;
  ho_code code = ho_which_of(pass->project, pass->phase.arena, row, &task, &phase, err);
  *yes = task.n ? ho_str_eq(task, pass->phase.task) && (!phase.n || ho_str_eq(phase, pass->phase.phase)) : !pass->named;
  return code;
}

ho_code ho_pass_find_held(ho_pass *pass, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  ho_handoff_list held;
  ho_code code = ho_which_held(pass->project, arena, &held, err);
  pass->still_held = ho_node_new(arena, HO_KIND_LIST);
  for (size_t i = 0; !code && i < held.count; i++) {
    bool about;
    code = is_about(pass, &held.rows[i], &about, err);
    if (!code && about && ho_draft_tells(&held.rows[i], arena))
      continue;
    if (!code && about && !pass->origin.id.n)
      pass->origin = held.rows[i];
    else
      ho_list_add(pass->still_held, ho_node_text(arena, held.rows[i].id));
  }
  return code ? code : ho_arena_code(arena, err);
}

/* Is the request among what earlier handoffs of the phase say? */
static bool is_carried(const ho_pass *pass)
{
  static const char *const keys[] = {HO_PASS_GOAL_LIST, "critical_context"};
  for (size_t k = 0; k < HO_COUNT(keys); k++)
    HO_EACH_CONST (item, ho_map_getz(pass->inherited, keys[k]))
      if (ho_str_has(ho_node_str(item), HO_DRAFT_REQUEST))
        return true;
  return false;
}

ho_code ho_pass_find_request(ho_pass *pass, ho_error *err)
{
  ho_project *project = pass->project;
  ho_arena *arena = pass->phase.arena;
  ho_which_work work;
  ho_handoff_list drafts, held = {0};
  if (is_carried(pass) || ho_access_variable("HANDOFF_META").n)
    return HO_OK;
  ho_code code = ho_draft_select(project, pass->phase.task, pass->phase.phase, project->session, arena, &drafts, err);
  if (!code)
    code = ho_which_held(project, arena, &held, err);
  for (size_t i = 0; !code && !pass->request.n && i < drafts.count; i++)
    pass->request = ho_draft_asked(project, &drafts.rows[i], arena);
  for (size_t i = 0; !code && !pass->request.n && i < held.count; i++)
    if (ho_draft_is(&held.rows[i], arena))
      pass->request = ho_draft_asked(project, &held.rows[i], arena);
  ho_which_load(project, arena, &work);
  if (!pass->request.n && !pass->previous.path.n)
    pass->request = work.request;
  return code ? code : ho_arena_code(arena, err);
}

static ho_code supersede(ho_send *in, const ho_handoff *row, ho_error *err)
{
  ho_turn turn = {0};
  if (ho_str_eq(row->id, in->made.row.id))
    return HO_OK;
  ho_code code = ho_turn_of(in->project, row, in->arena, &turn, err);
  return code ? code : ho_gate_supersede(&turn, in->made.row.id, err);
}

/* Is it of a task that has the same number, but another folder? Two worktrees may have begun both before they knew of each
 * other. */
static bool is_elsewhere(const ho_pass *pass, const ho_handoff *row)
{
  ho_str folder = ho_paths_task_folder(row->path);
  return folder.n && !ho_str_eq(folder, ho_fs_name(pass->phase.folder));
}

/* Those of the phase that nobody has claimed. */
static ho_code supersede_waiting(ho_pass *pass, ho_send *in, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.kind = in->made.row.kind,
                      .task = in->made.row.task,
                      .phase = in->made.row.phase,
                      .state = ho_str_of(ho_state_name(HO_STATE_READY))};
  ho_code code = ho_handoffs_select(in->project->store, &filter, in->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    if (is_elsewhere(pass, &list.rows[i]))
      continue;
    code = supersede(in, &list.rows[i], err);
    if (!ho_str_eq(list.rows[i].id, in->made.row.id))
      ho_list_add(pass->replaced, ho_node_text(in->arena, list.rows[i].id));
  }
  return code;
}

ho_code ho_pass_supersede(ho_pass *pass, ho_send *in, ho_error *err)
{
  ho_handoff_list held;
  ho_code code = ho_holder_check(in->project, in->arena, pass->phase.task, pass->phase.phase, err);
  if (!code)
    code = supersede_waiting(pass, in, err);
  if (!code)
    code = ho_which_held(in->project, in->arena, &held, err);
  for (size_t i = 0; !code && i < held.count; i++) {
    bool about;
    code = is_about(pass, &held.rows[i], &about, err);
    if (!code && about && !is_elsewhere(pass, &held.rows[i]) && ho_draft_tells(&held.rows[i], in->arena))
      code = supersede(in, &held.rows[i], err);
  }
  return code ? code : ho_draft_replace(in->project, &in->made.row, in->arena, err);
}
