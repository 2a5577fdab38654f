/* A rejection is not forgotten with the database: what was rejected could be sent again, and would not wait. */
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/rebuild_parts.h"
#include "engine/project/identity.h"
#include "store/handoffs/gates.h"

/* What the copy in the archive says of the gate at which it was rejected, or NULL. */
static const ho_node *told_by_copy(const ho_handoff *row, ho_arena *arena)
{
  ho_source source;
  ho_node *map = NULL;
  ho_error none = {0};
  ho_str text = ho_marks_get(row, arena, HO_MARK_REJECTED_AT);
  if (!text.n || ho_source_init(&source, arena, HO_STR("mark"), text, &none) ||
      ho_json_read(&source, 0, arena, NULL, &map, &none))
    return NULL;
  return ho_id_fits(ho_map_str(map, "gate")) ? map : NULL;
}

/* Whatever else the copy says, it is a rejection: a file cannot approve anything. */
static ho_gate gate_told(const ho_handoff *row, const ho_node *said)
{
  ho_str by = ho_map_str(said, "by");
  bool is_signed =
      ho_map_str(said, "signature").n || ho_str_is(by, HO_GATE_BY_DEADLINE) || ho_str_is(by, HO_GATE_BY_HANDOFF);
  return (ho_gate){.id = ho_map_str(said, "gate"),
                   .handoff = row->id,
                   .digest = ho_map_str(said, "digest"),
                   .name = ho_map_str(said, "name"),
                   .raised_by = ho_map_str(said, "raised_by"),
                   .state = HO_GATE_DECIDED,
                   .resume = ho_map_str(said, "resume"),
                   .raised = ho_map_int(said, "raised"),
                   .deadline = ho_map_int(said, "deadline_ms"),
                   .decided_by = by,
                   .note = ho_map_str(said, "note"),
                   .decision = HO_DECISION_REJECT,
                   .known = is_signed ? HO_GATE_KNOWN_SIGNED : HO_GATE_KNOWN_STATED,
                   .decided = ho_map_int(said, "decided"),
                   .signature = ho_map_str(said, "signature"),
                   .signer = ho_map_str(said, "signer"),
                   .root = ho_map_str(said, "inherited"),
                   .body = ho_map_str(said, "body"),
                   .receiver = ho_map_str(said, "receiver")};
}

/* A gate that stands for one of which only the rejection is known. */
static ho_code gate_unknown(ho_turn *turn, ho_gate *out, ho_error *err)
{
  const ho_handoff *row = &turn->row;
  int64_t now = ho_project_now(turn->project);
  *out = (ho_gate){.handoff = row->id,
                   .digest = row->digest,
                   .name = ho_arena_printf(turn->arena, "%.*s was rejected before the rebuild", HO_ARG(row->id)),
                   .raised_by = row->sender.n ? row->sender : HO_STR(HO_GATE_PROGRAM),
                   .state = HO_GATE_DECIDED,
                   .resume = HO_STR("ready"),
                   .raised = now,
                   .decided_by = HO_STR(HO_GATE_BY_HANDOFF),
                   .note = HO_STR("who rejected it, and why, was lost with the database"),
                   .decision = HO_DECISION_REJECT,
                   .known = HO_GATE_KNOWN_SIGNED,
                   .decided = now,
                   .body = row->digest,
                   .receiver = row->receiver};
  return ho_gate_new_id(turn, &out->id, err);
}

ho_code ho_rebuild_rejection(ho_rebuilding *r, const ho_restored *item, ho_turn *turn, ho_error *err)
{
  ho_gate gate;
  ho_gate_list kept;
  const ho_node *said = told_by_copy(&turn->row, r->arena);
  bool rejected = item->rejected || turn->state == HO_STATE_REJECTED;
  bool by_receiver = !item->at_gate && ho_marks_get(&turn->row, r->arena, HO_MARK_REJECTED_BY).n > 0;
  ho_code code = ho_gates_select(r->project->store, HO_GATE_ANY, turn->row.id, 1, r->arena, &kept, err);
  if (code || kept.count || ho_state_open(turn->state) || (!said && (!rejected || by_receiver)))
    return code;
  if (said) {
    gate = gate_told(&turn->row, said);
    code = ho_store_id_used(r->project->store, gate.id, err);
  } else {
    code = gate_unknown(turn, &gate, err);
    ho_rebuild_lost(r, turn->row.id, "who rejected it, and why; it stays rejected, and what says the same waits");
  }
  return code ? code : ho_rebuild_gate(turn, &gate, true, err);
}
