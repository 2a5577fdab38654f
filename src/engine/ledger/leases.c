#include "engine/ledger/leases.h"

#include "base/time.h"
#include "engine/context/context_cache.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/gate_read.h"
#include "engine/project/event_data.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

enum { AT_ONCE = 64 };

static ho_node *lease_data(ho_turn *turn)
{
  ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_event_data_put(turn->project, turn->arena, data, "claimed_by", turn->row.claimed_by);
  ho_event_data_put(turn->project, turn->arena, data, "lease_until", ho_time_str(turn->arena, turn->row.lease_until));
  return data;
}

/* Makes it ready again, or raises a gate after too many attempts. */
static ho_code again(ho_turn *turn, ho_event_kind event, ho_error *err)
{
  ho_str gate;
  ho_node *data = lease_data(turn);
  turn->row.attempt++;
  ho_code code = ho_turn_apply(turn, event, data, err);
  if (code || turn->row.attempt < HO_ATTEMPTS)
    return code;
  ho_gate_wish wish = {.name = ho_arena_printf(turn->arena, "%.*s was delivered %d times but never finished",
                                               HO_ARG(turn->row.id), HO_ATTEMPTS),
                       .digest = turn->row.digest,
                       .raised_by = HO_STR(HO_GATE_PROGRAM),
                       .blocking = true,
                       .event = HO_EVENT_EXHAUSTED};
  return ho_gate_raise(turn, &wish, &gate, err);
}

ho_code ho_leases_draft(ho_turn *turn, const char *why, bool quick, ho_error *err)
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

ho_code ho_leases_lapse(ho_turn *turn, const char *why, bool quick, ho_error *err)
{
  ho_event_kind event = turn->state == HO_STATE_ACKED ? HO_EVENT_WORK_LAPSED : HO_EVENT_LAPSED;
  ho_code code = ho_leases_draft(turn, why, quick, err);
  return code ? code : again(turn, event, err);
}

static ho_code settle(ho_turn *turn, int64_t now, bool quick, ho_error *err)
{
  const ho_handoff *row = &turn->row;
  bool late = row->deadline && row->deadline <= now, over = row->lease_until && row->lease_until <= now;
  if ((turn->state == HO_STATE_READY || turn->state == HO_STATE_CLAIMED) && late) {
    ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
    ho_event_data_put(turn->project, turn->arena, data, HO_NOTE_HOLDER, row->claimed_by);
    return ho_turn_apply(turn, HO_EVENT_EXPIRED, data, err);
  }
  if ((turn->state == HO_STATE_CLAIMED || turn->state == HO_STATE_ACKED) && over)
    return ho_leases_lapse(turn, "it went silent, and its lease expired", quick, err);
  if (late) { /* work in progress is not cut off by the handoff's own deadline */
    turn->row.deadline = 0;
    return ho_turn_mark(turn, "overdue", NULL, err);
  }
  return HO_OK;
}

static ho_code settle_gates(ho_project *project, ho_arena *arena, int64_t now, ho_error *err)
{
  ho_gate_list due;
  ho_code code = ho_gates_due(project->store, now, AT_ONCE, arena, &due, err);
  for (size_t i = 0; !code && i < due.count; i++)
    code = ho_gate_overdue(project, arena, due.rows[i].id, err);
  return code;
}

/* Leases that began while the clock was ahead, and end later than any that begins now: they are given their length from
 * now on, or a handoff could be held for years by an agent that is gone. */
static ho_code find_ahead(ho_project *project, int64_t now, int64_t limit, ho_arena *arena, ho_handoff_list *out,
                          ho_error *err)
{
  int64_t usual = ho_settings_number(&project->settings, "lease") * 1000;
  return ho_handoffs_ahead(project->store, now + usual, now, limit, arena, out, err);
}

static ho_code shorten(ho_project *project, ho_arena *arena, int64_t now, ho_error *err)
{
  ho_handoff_list list;
  ho_code code = find_ahead(project, now, AT_ONCE, arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_handoff *row = &list.rows[i];
    int64_t length = row->lease_until > row->updated ? row->lease_until - row->updated : 0;
    int64_t until = now + length, due = row->deadline && row->deadline < until ? row->deadline : until;
    code = ho_handoffs_renew(project->store, row->id, row->state, row->token, until, due, now, err);
  }
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
  ho_code code = ho_handoffs_due(project->store, now, 1, &arena, &due, &err);
  if (!code && !due.count)
    code = find_ahead(project, now, 1, &arena, &due, &err);
  if (!code && !due.count)
    code = ho_gates_due(project->store, now, 1, &arena, &gates, &err);
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
  ho_project clerk = ho_project_acting(project, project->agent, HO_STR("handoff"), project->session);
  ho_arena_init(&arena, 0);
  ho_code code = ho_handoffs_due(project->store, now, AT_ONCE, &arena, &due, err);
  for (size_t i = 0; !code && i < due.count; i++) {
    code = ho_turn_of(&clerk, &due.rows[i], &arena, &turn, err);
    if (!code)
      code = settle(&turn, now, i > 0, err); /* others are waiting, so a program is started at most once */
  }
  if (!code)
    code = shorten(project, &arena, now, err);
  if (!code)
    code = settle_gates(&clerk, &arena, now, err);
  ho_arena_free(&arena);
  return code;
}
