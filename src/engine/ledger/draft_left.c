#include "engine/ledger/draft_left.h"

#include "engine/ledger/draft_dead.h"
#include "engine/phase/progress.h"
#include "engine/project/identity.h"

enum { LOOKED_AT = 50 };

/* Is there something to continue? */
static bool is_unfinished(const ho_project *project, const ho_which_work *work, ho_str folder)
{
  ho_doc doc;
  ho_error none = {0};
  ho_phase phase = {.arena = project->arena,
                    .root = folder,
                    .task = work->task,
                    .phase = work->phase,
                    .now_ms = ho_project_now(project)};
  return ho_phase_find(&phase, &none) == HO_OK && ho_progress_read(&phase, &doc, &none) == HO_OK &&
         !ho_progress_finished(doc.root);
}

/* Does a handoff or a draft say it already, or will one, because the session holds the phase's handoff? */
static ho_code is_told(ho_project *project, const ho_which_work *work, bool *yes, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.task = ho_id_plain(work->task), .phase = ho_id_plain(work->phase), .limit = LOOKED_AT};
  *yes = false;
  ho_code code = ho_handoffs_select(project->store, &filter, project->arena, &list, err);
  for (size_t i = 0; !code && !*yes && i < list.count; i++) {
    const ho_handoff *row = &list.rows[i];
    *yes = (ho_draft_tells(row, project->arena) && row->created >= work->at) ||
           ho_str_eq(row->claim_session, work->session);
  }
  return code;
}

ho_code ho_draft_left(ho_project *project, const ho_which_work *work, const char *why, bool quick, ho_str *id,
                      ho_error *err)
{
  const char *named = work->folder.n ? ho_arena_z(project->arena, work->folder) : NULL;
  ho_str folder = named && ho_fs_is_folder(named) ? ho_str_of(named) : project->home;
  bool told;
  *id = HO_EMPTY;
  if (work->at <= 0 || work->led || ho_identity_is_day(work->session) || !is_unfinished(project, work, folder))
    return ho_arena_code(project->arena, err);
  ho_code code = ho_project_open(project, HO_OPEN_CREATE, err);
  if (!code)
    code = is_told(project, work, &told, err);
  if (code || told)
    return code;
  ho_draft draft = {.task = work->task,
                    .phase = work->phase,
                    .agent = work->agent,
                    .session = work->session,
                    .folder = folder,
                    .why = ho_str_of(why),
                    .request = work->request,
                    .since = work->at,
                    .once = true,
                    .quick = quick};
  code = ho_draft_dead(project, &draft, err);
  if (!code)
    *id = draft.id;
  return code;
}
