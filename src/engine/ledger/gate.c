#include "engine/ledger/gate.h"

#include "base/time.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/rights.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "store/handoffs/seals.h"

ho_str ho_gate_raiser(ho_project *project, ho_str stated)
{
  bool taken = ho_str_starts(stated, HO_PROJECT_PERSON) || ho_identity_reserved(ho_identity_name(stated));
  return stated.n && !taken ? stated : ho_project_actor(project);
}

ho_code ho_gate_new_id(ho_turn *turn, ho_str *out, ho_error *err)
{
  char stamp[HO_TIME_SIZE];
  ho_time_stamp(ho_project_now(turn->project), stamp);
  return ho_store_id(turn->project->store, ho_arena_printf(turn->arena, "G-%.4s", stamp), turn->arena, out, err);
}

static void tell_people(ho_turn *turn, const ho_gate *gate)
{
  ho_arena *arena = turn->project->arena;
  ho_node *item = ho_list_add(turn->project->raised, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "gate", ho_node_text(arena, ho_arena_copy(arena, gate->id)));
  ho_map_addz(item, "name", ho_node_text(arena, ho_arena_copy(arena, gate->name)));
  ho_map_addz(item, "handoff", ho_node_text(arena, ho_arena_copy(arena, gate->handoff)));
}

/* What waits at the gate, and for whom. */
static void put_waiting(ho_turn *turn, ho_node *data, const ho_gate *gate)
{
  ho_event_data_put(turn->project, turn->arena, data, "body", gate->body);
  ho_event_data_put(turn->project, turn->arena, data, "receiver", gate->receiver);
}

ho_node *ho_gate_raised_data(ho_turn *turn, const ho_gate *gate)
{
  const ho_project *l = turn->project;
  ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_event_data_put(l, turn->arena, data, "gate", gate->id);
  ho_event_data_put(l, turn->arena, data, "name", gate->name);
  ho_event_data_put(l, turn->arena, data, "digest", gate->digest);
  ho_event_data_put(l, turn->arena, data, "raised_by", gate->raised_by);
  ho_map_addz(data, "raised", ho_node_number(turn->arena, gate->raised));
  ho_event_data_put(l, turn->arena, data, "deadline", ho_time_str(turn->arena, gate->deadline));
  ho_event_data_put(l, turn->arena, data, "resume", gate->resume);
  if (gate->root.n && !ho_str_eq(gate->root, gate->id))
    ho_event_data_put(l, turn->arena, data, "inherited", gate->root);
  put_waiting(turn, data, gate);
  return data;
}

ho_code ho_gate_raise(ho_turn *turn, const ho_gate_wish *wish, ho_str *id, ho_error *err)
{
  const ho_project *l = turn->project;
  ho_gate gate = {.handoff = turn->row.id,
                  .digest = wish->digest,
                  .name = ho_project_clean(l, turn->arena, wish->name),
                  .raised_by = wish->raised_by,
                  .state = HO_GATE_OPEN,
                  .resume = turn->row.state,
                  .raised = ho_project_now(l),
                  .deadline = wish->deadline,
                  .root = wish->root,
                  .body = turn->row.digest,
                  .receiver = turn->row.receiver};
  ho_code code = ho_gate_new_id(turn, &gate.id, err);
  if (code)
    return code;
  ho_node *data = ho_gate_raised_data(turn, &gate);
  code = ho_gates_add(l->store, &gate, err);
  if (!code && wish->blocking) {
    turn->row.gate = gate.id;
    code = ho_turn_apply(turn, wish->event, data, err);
  } else if (!code) {
    code = ho_turn_note(turn, HO_NOTE_GATE_RAISED, data, err);
  }
  if (!code) /* else whoever can write to the store could take the gate out of its history */
    code = ho_seals_add(l->store, gate.raised, err);
  if (!code)
    tell_people(turn, &gate);
  *id = gate.id;
  return code;
}

/* Writes the rejection down where the copy in the archive has it. */
static void mark_rejected(ho_turn *turn, const ho_gate *gate)
{
  ho_node *said = ho_gate_raised_data(turn, gate);
  HO_EACH_CONST (item, ho_gate_data(turn, gate))
    ho_map_set(said, item->key, ho_node_copy(turn->arena, item));
  if (gate->deadline) /* which is signed to the millisecond */
    ho_map_set(said, HO_STR("deadline_ms"), ho_node_number(turn->arena, gate->deadline));
  ho_marks_set(&turn->row, turn->arena, HO_MARK_REJECTED_AT, ho_event_data_json(turn->arena, said));
}

/* Applies the decision to the handoff that waits for this gate. */
static ho_code resume(ho_turn *turn, const ho_gate *gate, ho_node *data, bool approved, ho_error *err)
{
  if (!ho_state_named(gate->resume, &turn->before))
    turn->before = HO_STATE_READY;
  turn->row.gate = HO_EMPTY;
  if (!approved) {
    ho_event_data_put(turn->project, turn->arena, data, HO_NOTE_HOLDER, turn->row.claimed_by);
    mark_rejected(turn, gate);
    return ho_turn_apply(turn, HO_EVENT_GATE_REJECTED, data, err);
  }
  turn->row.attempt = 0;
  if (ho_str_is(turn->row.receiver, "human")) { /* whoever asked continues, with the decision */
    ho_marks_set(&turn->row, turn->arena, HO_MARK_TO, turn->row.receiver);
    turn->row.receiver = ho_identity_name(turn->row.sender);
    if (!ho_str_eq(turn->row.receiver, turn->row.sender))
      ho_marks_set(&turn->row, turn->arena, HO_MARK_KEPT_FOR, turn->row.sender);
  }
  if (turn->before == HO_STATE_CLAIMED || turn->before == HO_STATE_ACKED)
    ho_turn_lease(turn, ho_settings_number(&turn->project->settings, "lease"));
  return ho_turn_apply(turn, HO_EVENT_APPROVED, data, err);
}

ho_node *ho_gate_data(ho_turn *turn, const ho_gate *gate)
{
  ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_event_data_put(turn->project, turn->arena, data, "gate", gate->id);
  ho_event_data_put(turn->project, turn->arena, data, "decision", ho_words_str(&ho_gate_decisions, gate->decision));
  ho_event_data_put_who(turn->project, turn->arena, data, "by", gate->decided_by);
  ho_event_data_put(turn->project, turn->arena, data, "known", ho_words_str(&ho_gate_knowns, gate->known));
  ho_event_data_put(turn->project, turn->arena, data, "digest", gate->digest);
  ho_event_data_put(turn->project, turn->arena, data, "note", gate->note);
  put_waiting(turn, data, gate);
  if (gate->signature.n) { /* not cleaned: it looks like a credential, and is none */
    ho_map_addz(data, "signature", ho_node_text(turn->arena, gate->signature));
    ho_map_addz(data, "signer", ho_node_text(turn->arena, gate->signer));
  }
  if (gate->decided)
    ho_map_addz(data, "decided", ho_node_number(turn->arena, gate->decided));
  return data;
}

/* Without `default`, so that the compiler asks what a new decision means. Wherever else HO_DECISION_ stands, it has to be
 * thought of too. */
static bool approves(ho_gate_decision decision)
{
  switch (decision) {
  case HO_DECISION_APPROVE:
    return true;
  case HO_DECISION_REJECT:
  case HO_DECISION_QUESTION: /* never settles a gate */
  case HO_DECISION_NONE:
    break;
  }
  return false;
}

ho_code ho_gate_settle(ho_turn *turn, ho_gate *gate, ho_error *err)
{
  bool approved = approves(gate->decision), waits = ho_str_eq(turn->row.gate, gate->id);
  gate->state = HO_GATE_DECIDED;
  if (!gate->decided)
    gate->decided = ho_project_now(turn->project);
  ho_node *data = ho_gate_data(turn, gate);
  ho_code code = ho_gates_change(turn->project->store, gate, HO_GATE_OPEN, err);
  if (code)
    return code;
  return waits ? resume(turn, gate, data, approved, err) : ho_turn_note(turn, HO_NOTE_GATE_DECIDED, data, err);
}

static void end_by(ho_gate *gate, const char *by, const char *note)
{
  gate->decision = HO_DECISION_REJECT;
  gate->decided_by = ho_str_of(by);
  gate->known = HO_GATE_KNOWN_SIGNED;
  gate->note = ho_str_of(note);
  gate->signature = gate->signer = gate->proof = HO_EMPTY;
}

ho_code ho_gate_overdue(ho_project *project, ho_arena *arena, ho_str id, ho_error *err)
{
  ho_turn turn = {0};
  ho_gate gate;
  ho_code code = ho_gate_read(project, id, arena, &gate, err);
  if (code || gate.unknown) /* verify names it */
    return code;
  code = ho_turn_begin(project, gate.handoff, arena, &turn, err);
  if (!code)
    code = ho_gate_restore(&turn, &gate, err);
  if (code || !gate.deadline || gate.deadline > ho_project_now(project)) /* the row said otherwise */
    return code;
  end_by(&gate, HO_GATE_BY_DEADLINE, "nobody decided in time");
  return ho_gate_settle(&turn, &gate, err);
}

ho_code ho_gate_drop(ho_turn *turn, const char *why, ho_error *err)
{
  ho_gate gate;
  if (!turn->row.gate.n)
    return HO_OK;
  ho_code code = ho_gates_get(turn->project->store, turn->row.gate, turn->arena, &gate, err);
  if (code)
    return code;
  end_by(&gate, HO_GATE_BY_HANDOFF, why);
  gate.state = HO_GATE_DECIDED;
  gate.decided = ho_project_now(turn->project);
  turn->row.gate = HO_EMPTY;
  mark_rejected(turn, &gate);
  code = ho_gates_change(turn->project->store, &gate, HO_GATE_OPEN, err);
  return code ? code : ho_turn_mark(turn, HO_NOTE_GATE_DECIDED, ho_gate_data(turn, &gate), err);
}

/* The store's row of the gate as it should be: open, or decided as a decision that counts says. */
static ho_code restore_row(ho_turn *turn, ho_gate *gate, ho_error *err)
{
  ho_gate stored;
  ho_error none = {0};
  ho_code code = ho_gates_get(turn->project->store, gate->id, turn->arena, &stored, &none);
  if (code == HO_NOT_FOUND) {
    if (!gate->resume.n)
      gate->resume = ho_str_of(ho_state_name(HO_STATE_READY));
    return ho_gates_add(turn->project->store, gate, err);
  }
  if (code)
    return *err = none, code;
  return gate->doubt.n ? ho_gates_change(turn->project->store, gate, stored.state, err) : HO_OK;
}

ho_code ho_gate_restore(ho_turn *turn, ho_gate *gate, ho_error *err)
{
  ho_gate standing;
  bool waits;
  ho_code code = ho_gate_read_standing(turn->project, turn->row.id, turn->arena, &standing, &waits, err);
  if (code)
    return code;
  bool blocks = waits && ho_str_eq(standing.id, gate->id) && ho_state_open(turn->state);
  bool lost = blocks && (turn->state != HO_STATE_GATED || !ho_str_eq(turn->row.gate, gate->id));
  if (!lost && !gate->doubt.n)
    return HO_OK;
  code = restore_row(turn, gate, err);
  ho_node *data = ho_gate_raised_data(turn, gate);
  ho_event_data_put(turn->project, turn->arena, data, "restored",
                    gate->doubt.n ? gate->doubt : HO_STR("it was not decided"));
  gate->doubt = HO_EMPTY;
  if (code)
    return code;
  if (!lost)
    return ho_turn_mark(turn, HO_NOTE_GATE_RAISED, data, err);
  turn->row.gate = gate->id;
  if (ho_str_is(gate->receiver, "human") && ho_str_eq(turn->row.receiver, ho_identity_name(turn->row.sender)))
    turn->row.receiver = gate->receiver; /* it had gone back, as if it were approved */
  code = turn->state == HO_STATE_GATED ? ho_turn_mark(turn, HO_NOTE_GATE_RAISED, data, err)
                                       : ho_turn_apply(turn, HO_EVENT_GATED, data, err);
  if (!code && gate->state == HO_GATE_DECIDED) /* it was rejected, and was not rejected in the row */
    code = resume(turn, gate, ho_gate_data(turn, gate), false, err);
  return code;
}

/* A handoff that waits for a gate of its own cannot wait for another one as well; one that inherited the same gate does
 * already. */
static ho_code can_wait(const ho_turn *from, const ho_gate *gate, ho_turn *to, ho_error *err)
{
  ho_gate own = {0};
  bool waits = false;
  if (!ho_state_open(to->state))
    return ho_fail(err, HO_GATED,
                   "%.*s waits for a person at %.*s, and %.*s is %.*s, so it cannot wait instead; run: "
                   "handoff gate show %.*s",
                   HO_ARG(from->row.id), HO_ARG(gate->id), HO_ARG(to->row.id), HO_ARG(to->row.state), HO_ARG(gate->id));
  if (to->state != HO_STATE_GATED)
    return HO_OK;
  ho_code code = ho_gate_read_standing(to->project, to->row.id, to->arena, &own, &waits, err);
  if (code || (waits && ho_str_eq(own.root, gate->root)))
    return code;
  return ho_fail(err, HO_GATED,
                 "%.*s waits for a person at %.*s, and %.*s at %.*s, which is another question; decide that first, or "
                 "run: handoff gate show %.*s",
                 HO_ARG(from->row.id), HO_ARG(gate->id), HO_ARG(to->row.id), HO_ARG(to->row.gate), HO_ARG(gate->id));
}

ho_code ho_gate_pass_on(ho_turn *from, ho_turn *to, ho_error *err)
{
  ho_gate gate;
  bool waits;
  ho_str id;
  ho_code code = ho_gate_read_standing(from->project, from->row.id, from->arena, &gate, &waits, err);
  if (code || !waits)
    return code;
  code = can_wait(from, &gate, to, err);
  if (!code && to->state != HO_STATE_GATED)
    code = ho_gate_inherit(to, &gate, ho_str_eq(gate.digest, from->row.digest), &id, err);
  if (code)
    return code;
  if (gate.state == HO_GATE_OPEN)
    code = ho_gate_restore(from, &gate, err);
  return code ? code : ho_gate_drop(from, HO_GATE_SUPERSEDED, err);
}

ho_code ho_gate_supersede(ho_turn *turn, ho_str by, ho_error *err)
{
  ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_event_data_put(turn->project, turn->arena, data, "by", by);
  turn->row.superseded_by = by;
  ho_code code = ho_gate_drop(turn, HO_GATE_SUPERSEDED, err);
  return code ? code : ho_turn_apply(turn, HO_EVENT_SUPERSEDED, data, err);
}

ho_code ho_gate_inherit(ho_turn *turn, const ho_gate *gate, bool document, ho_str *id, ho_error *err)
{
  size_t was = ho_str_find(gate->name, " (inherited from ");
  ho_str name = was == HO_NONE ? gate->name : ho_str_sub(gate->name, 0, was);
  ho_str raised_by = ho_gate_raiser(turn->project, turn->row.sender); /* what they sent is asked about */
  bool limited = gate->state == HO_GATE_OPEN && ho_rights_limited(&turn->row, gate->raised_by);
  ho_gate_wish wish = {.name =
                           ho_arena_printf(turn->arena, "%.*s (inherited from %.*s)", HO_ARG(name), HO_ARG(gate->id)),
                       .digest = document ? turn->row.digest : gate->digest,
                       .raised_by = raised_by,
                       .root = gate->root.n ? gate->root : gate->id,
                       .deadline = limited ? gate->deadline : 0,
                       .blocking = true,
                       .event = HO_EVENT_GATED};
  return ho_gate_raise(turn, &wish, id, err);
}
