#include "engine/ledger/write.h"

#include "base/time.h"
#include "engine/ledger/behind.h"
#include "engine/ledger/leases.h"
#include "engine/ledger/notices.h"
#include "engine/ledger/statefile.h"
#include "engine/project/access_check.h"
#include "engine/project/project.h"

enum { FOLLOW_MS = 100 }; /* how long files wait for more changes, at most */

typedef struct guarded {
  ho_project *project;
  ho_store_work work; /* NULL: only what is overdue */
  void *data;
} guarded;

static ho_code run_guarded(ho_store *store, void *data, ho_error *err)
{
  guarded *g = data;
  g->project->raised = ho_node_new(g->project->arena, HO_KIND_LIST);
  ho_code code = ho_behind_look(g->project, err);
  if (!code)
    code = ho_leases_due(g->project, err);
  if (!code && g->work)
    code = g->work(store, g->data, err);
  return code ? code : ho_arena_code(g->project->arena, err); /* what was made without memory must not be kept */
}

/* What other processes are at, or have just written, waits on: they may include it, and it is not written too often. */
static void follow_soon(ho_project *project)
{
  project->state_file = (ho_error){0};
  ho_store_follow_soon(project->store);
  project->unfinished = *ho_store_unwritten(project->store);
  if (!ho_statefile_follow(project, FOLLOW_MS, &project->state_file))
    ho_store_wait_on(project->store);
}

static ho_code commit(ho_project *project, ho_store_work work, void *data, ho_error *err)
{
  guarded g = {.project = project, .work = work, .data = data};
  ho_error failure = {0};
  ho_code code = ho_store_commit(project->store, run_guarded, &g, &failure);
  if (code) {
    if (failure.code)
      *err = failure;
    return code;
  }
  if (!ho_node_empty(project->raised)) /* whoever is notified may look at the files */
    ho_ledger_follow(project);
  else if (ho_time_monotonic_ms() - ho_store_waiting(project->store) >= FOLLOW_MS)
    follow_soon(project);
  ho_notices_raised(project);
  return HO_OK;
}

ho_code ho_ledger_write(ho_project *project, ho_store_work work, void *data, ho_error *err)
{
  ho_code code = ho_access_check_write(project->arena, err);
  return code ? code : commit(project, work, data, err);
}

ho_code ho_ledger_decide(ho_project *project, ho_str raiser, ho_store_work work, void *data, ho_error *err)
{
  ho_code code = ho_access_check_decide(project->arena, raiser, err);
  return code ? code : commit(project, work, data, err);
}

void ho_ledger_follow(ho_project *project)
{
  if (!project->store || !ho_store_waiting(project->store))
    return;
  project->state_file = (ho_error){0};
  ho_store_follow(project->store);
  project->unfinished = *ho_store_unwritten(project->store);
  (void)ho_statefile_follow(project, 0, &project->state_file);
}

/* What another process has left, because it was killed or has not got round to it. Looking at another store changes
 * nothing in the project. */
static void catch_up(ho_project *project)
{
  ho_error ignored;
  if (project->other_store || ho_store_followed(project->store) < 0)
    return;
  if (ho_store_lags(project->store))
    ho_store_follow_soon(project->store);
  (void)ho_statefile_follow(project, 0, &ignored);
}

void ho_ledger_settle(ho_project *project)
{
  ho_error err = {0};
  int usual = ho_store_patience(project->store, HO_STORE_READER_WAIT_MS);
  if (!project->other_store && ho_leases_any(project))
    (void)!commit(project, NULL, NULL, &err); /* what is overdue is nobody's doing */
  ho_ledger_follow(project);
  catch_up(project);
  ho_store_patience(project->store, usual);
}
