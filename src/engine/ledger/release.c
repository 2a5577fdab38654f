#include "engine/ledger/release.h"

#include "engine/context/context_cache.h"
#include "engine/ledger/leases.h"
#include "engine/ledger/write.h"
#include "engine/project/identity.h"
#include "store/handoffs/handoffs.h"

enum { AT_ONCE = 64 };

/* Is it held by another session, which has ended according to its harness? */
static bool has_ended(const ho_project *project, const ho_handoff *row)
{
  ho_trace trace;
  ho_str path = ho_context_path(project->arena, project->home, row->claim_session, HO_TRACE_SUFFIX);
  return row->claim_session.n && !ho_str_eq(row->claim_session, project->session) && path.n &&
         ho_trace_load(&trace, project->arena, path.p) && trace.ended;
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
        code = ho_leases_lapse(&turn, "its session ended without a handoff", *l->count > 0, err);
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

ho_code ho_release_and_claim(ho_project *project, ho_arena *arena, ho_delivery *delivery, ho_error *err)
{
  size_t released = 0;
  ho_code code = ho_claim_next(project, arena, delivery, err);
  if (!code && !delivery->found)
    code = ho_release_sessions(project, delivery->task, delivery->phase, &released, err);
  return code || !released ? code : ho_claim_next(project, arena, delivery, err);
}
