/* A handoff from the middle of the work on another one, which it continues. */
#include "engine/ledger/gate.h"
#include "engine/ledger/send.h"
#include "engine/project/event_data.h"
#include "engine/which/which.h"

/* Has its author, and nobody since, worked on it? Meanwhile the lease may have run out. */
static bool is_authors(ho_project *project, const ho_turn *turn)
{
  bool held = turn->state == HO_STATE_CLAIMED || turn->state == HO_STATE_ACKED;
  return turn->state == HO_STATE_READY || (held && ho_which_is_mine(project, &turn->row));
}

ho_code ho_send_give_back(ho_send *in, ho_error *err)
{
  ho_turn held = {0}, own = {0};
  ho_node *data = ho_node_new(in->arena, HO_KIND_MAP);
  ho_code code = ho_turn_begin(in->project, in->continues, in->arena, &held, err);
  if (code || !is_authors(in->project, &held))
    return code;
  in->made.continued = held.row.id;
  ho_event_data_put(in->project, in->arena, data, "by", in->made.row.id);
  if (held.state != HO_STATE_READY)
    code = ho_turn_apply(&held, HO_EVENT_RELEASED, data, err);
  if (!code)
    code = ho_turn_of(in->project, &in->made.row, in->arena, &own, err);
  if (!code && !in->made.gate.n)
    code = ho_gate_supersede(&own, held.row.id, err);
  in->made.row = own.row;
  return code;
}
