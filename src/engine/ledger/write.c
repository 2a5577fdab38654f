#include "engine/ledger/write.h"

#include "engine/ledger/leases.h"
#include "engine/ledger/notices.h"
#include "engine/ledger/statefile.h"
#include "engine/project/project.h"

typedef struct guarded {
  ho_project *project;
  ho_store_work work; /* NULL: only what is overdue */
  void *data;
  int64_t before; /* the newest event */
} guarded;

static ho_code run_guarded(ho_store *store, void *data, ho_error *err)
{
  guarded *g = data;
  g->project->raised = ho_node_new(g->project->arena, HO_KIND_LIST);
  ho_code code = ho_project_newest_event(g->project, &g->before, err);
  if (!code)
    code = ho_leases_due(g->project, err);
  if (!code && g->work)
    code = g->work(store, g->data, err);
  return code ? code : ho_arena_code(g->project->arena, err); /* what was made without memory must not be kept */
}

ho_code ho_ledger_write(ho_project *project, ho_store_work work, void *data, ho_error *err)
{
  guarded g = {.project = project, .work = work, .data = data};
  int64_t after = 0;
  ho_error failure = {0};
  project->state_file = (ho_error){0};
  ho_code code = ho_store_write(project->store, run_guarded, &g, &failure);
  project->unfinished = *ho_store_unwritten(project->store);
  if (code) {
    if (failure.code)
      *err = failure;
    return code;
  }
  ho_notices_raised(project);
  if (ho_project_newest_event(project, &after, &project->state_file) == HO_OK && after > g.before)
    ho_statefile_refresh(project, false, &project->state_file);
  return HO_OK;
}

void ho_ledger_settle(ho_project *project)
{
  ho_error err = {0};
  if (project->other_store || !ho_leases_any(project))
    return;
  int usual = ho_store_patience(project->store, HO_STORE_READER_WAIT_MS);
  (void)!ho_ledger_write(project, NULL, NULL, &err);
  ho_store_patience(project->store, usual);
}
