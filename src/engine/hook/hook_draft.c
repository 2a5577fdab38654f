/* Before a compaction: drafts a handoff from what is known about the session's work. */
#include "engine/hook/hook.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/draft_dead.h"
#include "engine/project/project.h"

enum { RECENT_MS = 10 * 60 * 1000 };

/* A compaction may be announced several times: only the first one drafts. */
ho_code ho_hook_draft(ho_hook *hook, ho_str *id, ho_error *err)
{
  ho_project *project = hook->project;
  *id = HO_EMPTY;
  ho_code code = ho_project_open(project, HO_OPEN_CREATE, err);
  if (code)
    return code;
  ho_draft draft = {.task = hook->task,
                    .phase = hook->phase,
                    .agent = project->agent.n ? project->agent : hook->named,
                    .session = project->session,
                    .folder = ho_hook_work(hook),
                    .log = hook->transcript,
                    .why = HO_STR("saved before compaction"),
                    .saved = true,
                    .since = ho_hook_now(hook) - RECENT_MS,
                    .once = true};
  code = ho_draft_dead(project, &draft, err);
  if (!code)
    *id = draft.id;
  return code;
}
