#include "engine/ledger/draft_dead.h"

#include "engine/ledger/write.h"

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

ho_code ho_draft_dead(ho_project *project, ho_draft *draft, ho_error *err)
{
  ho_draft_look(project, draft, project->arena);
  ho_code code = ho_arena_code(project->arena, err);
  return code ? code : ho_ledger_write(project, work, &(drafting){project, draft}, err);
}
