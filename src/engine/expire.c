#include "engine/expire.h"

#include "engine/draft.h"
#include "engine/gate.h"

enum { AT_ONCE = 64 };

static ho_node *lease_data(ho_turn *turn)
{
  ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_put_text(turn->ledger, turn->arena, data, "claimed_by", turn->row.claimed_by);
  ho_put_text(turn->ledger, turn->arena, data, "lease_until", ho_time_str(turn->arena, turn->row.lease_until));
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

static ho_code work_lapsed(ho_turn *turn, ho_error *err)
{
  ho_code code = ho_draft_add(turn, err);
  return code ? code : again(turn, HO_STEP_WORK_LAPSED, err);
}

static ho_code settle(ho_turn *turn, int64_t now, ho_error *err)
{
  const ho_handoff *row = &turn->row;
  bool late = row->deadline && row->deadline <= now, lapsed = row->lease_until && row->lease_until <= now;
  if (turn->state == HO_STATE_GATED && late)
    return ho_gate_overdue(turn, err);
  if ((turn->state == HO_STATE_READY || turn->state == HO_STATE_CLAIMED) && late)
    return ho_turn_step(turn, HO_STEP_EXPIRED, NULL, err);
  if (turn->state == HO_STATE_CLAIMED && lapsed)
    return again(turn, HO_STEP_LAPSED, err);
  if (turn->state == HO_STATE_ACKED && lapsed)
    return work_lapsed(turn, err);
  if (late) { /* work under way is not cut off by the handoff's own deadline */
    turn->row.deadline = 0;
    return ho_turn_mark(turn, "overdue", NULL, err);
  }
  return HO_OK;
}

ho_code ho_expire_due(ho_ledger *ledger, ho_error *err)
{
  ho_arena arena;
  ho_handoff_list due;
  ho_turn turn = {0};
  int64_t now = ho_ledger_now(ledger);
  ho_str actor = ledger->actor;
  ho_arena_init(&arena, 0);
  ho_code code = ho_handoff_due(ledger->store, now, AT_ONCE, &arena, &due, err);
  ledger->actor = HO_STR("handoff");
  for (size_t i = 0; !code && i < due.count; i++) {
    code = ho_turn_of(ledger, &due.rows[i], &arena, &turn, err);
    if (!code)
      code = settle(&turn, now, err);
  }
  ledger->actor = actor;
  ho_arena_free(&arena);
  return code;
}
