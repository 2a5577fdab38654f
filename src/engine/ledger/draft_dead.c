#include "engine/ledger/draft_dead.h"

#include "engine/context/touched.h"
#include "engine/ledger/write.h"
#include "engine/phase/progress.h"

typedef struct drafting {
  ho_project *project;
  ho_draft *draft;
} drafting;

static ho_code work(ho_store *store, void *data, ho_error *err)
{
  drafting *d = data;
  (void)store;
  return ho_draft_add(d->project, d->draft, d->project->arena, err);
}

/* A successor reads the phase's progress file besides the draft: it names the files that the agent knew. */
static void take_files(ho_project *project, const ho_draft *draft)
{
  ho_arena *arena = project->arena;
  ho_progress_answer answer;
  ho_error none = {0};
  ho_phase phase = {.arena = arena,
                    .project = project,
                    .root = draft->folder,
                    .task = draft->task,
                    .phase = draft->phase,
                    .now_ms = ho_project_now(project)};
  if (!draft->task.n || !draft->phase.n || !draft->folder.n || ho_phase_find(&phase, &none) || !phase.there)
    return;
  ho_touched touched = ho_touched_load(arena, ho_touched_path(arena, project->home, phase.task, phase.phase));
  ho_progress_change change = {.kind = HO_PROGRESS_TOUCH, .files = touched.files};
  if (touched.size && ho_progress_apply(&phase, &change, &answer, &none) == HO_OK)
    ho_touched_forget(&touched);
}

ho_code ho_draft_dead(ho_project *project, ho_draft *draft, ho_error *err)
{
  ho_draft_look(project, draft, project->arena);
  take_files(project, draft);
  ho_code code = ho_arena_code(project->arena, err);
  if (!code && draft->saved && !draft->tells) /* whoever is offered it would learn nothing */
    return HO_OK;
  return code ? code : ho_ledger_write(project, work, &(drafting){project, draft}, err);
}
