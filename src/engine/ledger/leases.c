#include "engine/ledger/leases.h"

#include "engine/context/context_cache.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/gate.h"

enum { AT_ONCE = 64 };

static ho_node *lease_data(ho_turn *turn)
{
  ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_put_text(turn->project, turn->arena, data, "claimed_by", turn->row.claimed_by);
  ho_put_text(turn->project, turn->arena, data, "lease_until", ho_time_str(turn->arena, turn->row.lease_until));
  return data;
}

/* Ready again, or a person has to decide. */
static ho_code again(ho_turn *turn, ho_step step, ho_error *err)
{
  ho_str gate;
  ho_node *data = lease_data(turn);
  turn->row.attempt++;
  ho_code code = ho_turn_step(turn, step, data, err);
  if (code || turn->row.attempt < HO_ATTEMPTS)
    return code;
  ho_gate_wish wish = {.name = ho_arena_printf(turn->arena, "%.*s was delivered %d times and never finished",
                                               HO_ARG(turn->row.id), HO_ATTEMPTS),
                       .digest = turn->row.digest,
                       .raised_by = HO_STR("handoff"),
                       .blocking = true,
                       .step = HO_STEP_EXHAUSTED};
  return ho_gate_raise(turn, &wish, &gate, err);
}

/* A draft of what is known of the work, unless nothing says that there was any. */
static ho_code draft(ho_turn *turn, const char *why, bool quick, ho_error *err)
{
  const ho_handoff *row = &turn->row;
  ho_trace trace;
  ho_str path = ho_context_path(turn->arena, turn->project->home, row->claim_session, HO_TRACE_SUFFIX);
  bool seen = path.n && ho_trace_load(&trace, turn->arena, path.p);
  if (turn->state == HO_STATE_CLAIMED && !seen)
    return HO_OK;
  ho_draft draft = {.task = row->task,
                    .phase = row->phase,
                    .agent = row->claimed_by,
                    .session = row->claim_session,
                    .receiver = row->receiver,
                    .parent = row->id,
                    .why = ho_str_of(why),
                    .quick = quick};
  ho_draft_look(turn->project, &draft, turn->arena);
  return ho_draft_add(turn->project, &draft, turn->arena, err);
}

/* Ready again, with a draft. */
static ho_code lapsed(ho_turn *turn, const char *why, bool quick, ho_error *err)
{
  ho_step step = turn->state == HO_STATE_ACKED ? HO_STEP_WORK_LAPSED : HO_STEP_LAPSED;
  ho_code code = draft(turn, why, quick, err);
  return code ? code : again(turn, step, err);
}

static ho_code settle(ho_turn *turn, int64_t now, bool quick, ho_error *err)
{
  const ho_handoff *row = &turn->row;
  bool late = row->deadline && row->deadline <= now, over = row->lease_until && row->lease_until <= now;
  if ((turn->state == HO_STATE_READY || turn->state == HO_STATE_CLAIMED) && late)
    return ho_turn_step(turn, HO_STEP_EXPIRED, NULL, err);
  if ((turn->state == HO_STATE_CLAIMED || turn->state == HO_STATE_ACKED) && over)
    return lapsed(turn, "it went silent, and its lease ran out", quick, err);
  if (late) { /* work under way is not cut off by the handoff's own deadline */
    turn->row.deadline = 0;
    return ho_turn_mark(turn, "overdue", NULL, err);
  }
  return HO_OK;
}

static ho_code settle_gates(ho_project *project, ho_arena *arena, int64_t now, ho_error *err)
{
  ho_gate_list due;
  ho_code code = ho_gate_due(project->store, now, AT_ONCE, arena, &due, err);
  for (size_t i = 0; !code && i < due.count; i++)
    code = ho_gate_overdue(project, arena, &due.rows[i], err);
  return code;
}

bool ho_leases_any(ho_project *project)
{
  ho_arena arena;
  ho_handoff_list due = {0};
  ho_gate_list gates = {0};
  ho_error err = {0};
  int64_t now = ho_project_now(project);
  ho_arena_init(&arena, 0);
  ho_code code = ho_handoff_due(project->store, now, 1, &arena, &due, &err);
  if (!code && !due.count)
    code = ho_gate_due(project->store, now, 1, &arena, &gates, &err);
  bool any = !code && (due.count || gates.count);
  ho_arena_free(&arena);
  return any;
}

ho_code ho_leases_due(ho_project *project, ho_error *err)
{
  ho_arena arena;
  ho_handoff_list due;
  ho_turn turn = {0};
  int64_t now = ho_project_now(project);
  ho_str actor = project->actor;
  ho_arena_init(&arena, 0);
  ho_code code = ho_handoff_due(project->store, now, AT_ONCE, &arena, &due, err);
  project->actor = HO_STR("handoff");
  for (size_t i = 0; !code && i < due.count; i++) {
    code = ho_turn_of(project, &due.rows[i], &arena, &turn, err);
    if (!code)
      code = settle(&turn, now, i > 0, err); /* others wait meanwhile: a program is asked once at most */
  }
  if (!code)
    code = settle_gates(project, &arena, now, err);
  project->actor = actor;
  ho_arena_free(&arena);
  return code;
}

/* Is it held by another session, of which the harness has said that it is over? */
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
    code = ho_handoff_select(store, &filter, arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++) {
      ho_turn turn;
      if (!has_ended(l->project, &list.rows[i]))
        continue;
      code = ho_turn_of(l->project, &list.rows[i], arena, &turn, err);
      if (!code)
        code = lapsed(&turn, "its session ended without a handoff", *l->count > 0, err);
      ++*l->count;
    }
  }
  return code;
}

ho_code ho_leases_sessions(ho_project *project, ho_str task, ho_str phase, size_t *count, ho_error *err)
{
  leaving l = {project, ho_id_plain(task), ho_id_plain(phase), count};
  return ho_ledger_write(project, release_ended, &l, err);
}
