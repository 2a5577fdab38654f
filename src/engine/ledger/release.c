#include "engine/ledger/release.h"

#include "engine/context/context_cache.h"
#include "engine/ledger/draft_dead.h"
#include "engine/ledger/draft_left.h"
#include "engine/ledger/leases.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/git.h"
#include "engine/project/identity.h"
#include "store/handoffs/handoffs.h"

enum { AT_ONCE = 64 };

/* Is it held by another session, which has ended? */
static bool has_ended(const ho_project *project, const ho_handoff *row)
{
  return !ho_str_eq(row->claim_session, project->session) &&
         ho_which_ended(project, project->arena, row->claim_session);
}

typedef struct leaving {
  ho_project *project;
  ho_str task, phase;
  size_t *count;
} leaving;

static ho_code release_ended(ho_store *store, void *data, ho_error *err)
{
  leaving *l = data;
  static const ho_state states[] = {HO_STATE_CLAIMED, HO_STATE_ACKED};
  ho_arena *arena = l->project->arena;
  ho_code code = HO_OK;
  *l->count = 0;
  for (size_t s = 0; !code && s < HO_COUNT(states); s++) {
    ho_handoff_list list;
    ho_filter filter = {
        .state = ho_str_of(ho_state_name(states[s])), .task = l->task, .phase = l->phase, .limit = AT_ONCE};
    code = ho_handoffs_select(store, &filter, arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++) {
      ho_turn turn;
      if (!has_ended(l->project, &list.rows[i]))
        continue;
      code = ho_turn_of(l->project, &list.rows[i], arena, &turn, err);
      if (!code)
        code = ho_leases_lapse(&turn, HO_DRAFT_ENDED, *l->count > 0, err);
      ++*l->count;
    }
  }
  return code;
}

ho_code ho_release_sessions(ho_project *project, ho_str task, ho_str phase, size_t *count, ho_error *err)
{
  leaving l = {project, ho_id_plain(task), ho_id_plain(phase), count};
  return ho_ledger_write(project, release_ended, &l, err);
}

ho_code ho_release_work(ho_project *project, ho_str task, ho_str phase, ho_error *err)
{
  ho_which_list list = ho_which_workers(project, project->arena);
  ho_code code = ho_arena_code(project->arena, err);
  ho_error lost = {0};
  ho_str id = HO_EMPTY;
  int64_t silent = ho_project_now(project) - ho_settings_number(&project->settings, "lease") * 1000;
  size_t drafted = 0;
  task = ho_id_plain(task);
  phase = ho_id_plain(phase);
  if (list.count && !ho_project_has_store(project) && ho_project_refuse_lost(project, &lost))
    return code;
  for (size_t i = 0; !code && drafted < AT_ONCE && i < list.count; i++) {
    const ho_which_work *work = &list.items[i];
    if (work->own || (task.n && !ho_str_eq(work->task, task)) || (phase.n && !ho_str_eq(work->phase, phase)) ||
        (!work->ended && work->seen >= silent))
      continue;
    code = ho_draft_left(project, work, work->ended ? HO_DRAFT_ENDED : "it went silent", drafted > 0, &id, err);
    drafted += id.n > 0;
  }
  return code;
}

/* Has its session ended, with nothing left to do? */
static bool is_settled(const ho_project *project, const ho_handoff *row, ho_trace *trace)
{
  ho_str path = ho_context_path(project->arena, project->home, row->session, HO_TRACE_SUFFIX);
  return row->session.n && !ho_str_eq(row->session, project->session) && path.n &&
         ho_trace_load(trace, project->arena, path.p) && trace->ended && trace->settled;
}

typedef struct dropping {
  ho_project *project;
  const ho_handoff *row;
} dropping;

static ho_code drop(ho_store *store, void *data, ho_error *err)
{
  const dropping *d = data;
  ho_turn turn = {0};
  ho_arena *arena = d->project->arena;
  ho_node *note = ho_node_new(arena, HO_KIND_MAP);
  (void)store;
  ho_code code = ho_turn_begin(d->project, d->row->id, arena, &turn, err);
  turn.actor = HO_STR("handoff");
  ho_event_data_put(d->project, arena, note, "note", HO_STR("its session went on, and ended with nothing left to do"));
  return code || turn.state != HO_STATE_DRAFT ? code : ho_turn_apply(&turn, HO_EVENT_SUPERSEDED, note, err);
}

ho_code ho_release_drafts(ho_project *project, ho_error *err)
{
  ho_arena *arena = project->arena;
  ho_handoff_list list;
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_DRAFT)), .limit = AT_ONCE};
  ho_code code = ho_handoffs_select(project->store, &filter, arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_handoff *row = &list.rows[i];
    ho_trace trace;
    ho_str changes = HO_EMPTY;
    if (!ho_draft_was_saved(row, arena) || !is_settled(project, row, &trace))
      continue;
    if (!ho_git_changes(arena, trace.folder, &project->written, &changes) || ho_str_blank(changes)) {
      code = ho_ledger_write(project, drop, &(dropping){project, row}, err);
      continue;
    }
    ho_draft again = {.task = row->task,
                      .phase = row->phase,
                      .agent = row->sender,
                      .session = row->session,
                      .receiver = row->receiver,
                      .parent = row->parent,
                      .why = HO_STR("its session ended with changes that are not committed")};
    code = ho_draft_dead(project, &again, err);
  }
  return code;
}

ho_code ho_release_and_claim(ho_project *project, ho_arena *arena, ho_delivery *delivery, ho_error *err)
{
  size_t released = 0;
  ho_code code = ho_claim_next(project, arena, delivery, err);
  if (!code && !delivery->found)
    code = ho_release_sessions(project, delivery->task, delivery->phase, &released, err);
  if (!code && !delivery->found)
    code = ho_release_work(project, delivery->task, delivery->phase, err);
  return code || !released ? code : ho_claim_next(project, arena, delivery, err);
}
