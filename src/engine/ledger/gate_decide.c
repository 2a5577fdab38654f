#include "engine/ledger/gate_decide.h"

#include "engine/ledger/gate_identity.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/project.h"

static ho_code still_open(const ho_gate *gate, ho_error *err)
{
  if (gate->state == HO_GATE_OPEN)
    return HO_OK;
  return ho_fail(err, HO_CONFLICT, "%.*s is already decided: %.*s by %.*s", HO_ARG(gate->id),
                 HO_ARG(ho_words_str(&ho_gate_decisions, gate->decision)), HO_ARG(gate->decided_by));
}

typedef struct deciding {
  ho_project *project;
  ho_arena *arena;
  ho_decision *decision;
  ho_gate_identity decider;
} deciding;

static ho_code ask_back(ho_turn *turn, ho_gate *gate, ho_error *err)
{
  ho_code code = ho_gates_change(turn->project->store, gate, HO_GATE_OPEN, err);
  return code ? code : ho_turn_note(turn, "gate_question", ho_gate_data(turn, gate), err);
}

/* The gate, which must be open, and the turn of the handoff that waits for it. */
static ho_code begin(const deciding *d, ho_gate *gate, ho_turn *turn, ho_error *err)
{
  *turn = (ho_turn){0};
  ho_code code = ho_gates_get(d->project->store, d->decision->gate, d->arena, gate, err);
  if (!code)
    code = still_open(gate, err);
  return code ? code : ho_turn_begin(d->project, gate->handoff, d->arena, turn, err);
}

static ho_code decide(ho_store *store, void *data, ho_error *err)
{
  deciding *d = data;
  ho_turn turn;
  ho_gate gate;
  ho_code code = begin(d, &gate, &turn, err);
  if (code)
    return code;
  if (ho_str_eq(d->decider.name, gate.raised_by))
    return ho_fail(err, HO_GATED, "%.*s raised gate %.*s, so it cannot decide it", HO_ARG(gate.raised_by),
                   HO_ARG(gate.id));
  gate.decision = d->decision->decision;
  gate.note = ho_project_clean(d->project, d->arena, d->decision->note);
  gate.decided_by = d->decider.name;
  gate.proof = d->decider.proof;
  if (d->decider.key_digest.n)
    code = ho_store_meta_set(store, HO_GATE_KEY, d->decider.key_digest, err);
  if (!code)
    code = gate.decision == HO_DECISION_QUESTION ? ask_back(&turn, &gate, err) : ho_gate_settle(&turn, &gate, err);
  d->decision->after = gate;
  d->decision->state = turn.row.state;
  return code;
}

ho_code ho_gate_decide(ho_project *project, ho_arena *arena, ho_decision *decision, ho_error *err)
{
  deciding d = {.project = project, .arena = arena, .decision = decision};
  if (decision->decision == HO_DECISION_QUESTION && ho_str_blank(decision->note))
    return ho_fail(err, HO_USAGE, "use --note TEXT to ask a question");
  ho_gate gate; /* a wrong id is the first thing to say, whoever asks */
  ho_code code = ho_gates_get(project->store, decision->gate, arena, &gate, err);
  if (!code)
    code = ho_gate_identity_find(project, arena, &d.decider, err);
  return code ? code : ho_ledger_write(project, decide, &d, err);
}

static ho_code answer(ho_store *store, void *data, ho_error *err)
{
  deciding *d = data;
  ho_turn turn;
  ho_gate gate;
  ho_code code = begin(d, &gate, &turn, err);
  if (!code && gate.decision != HO_DECISION_QUESTION)
    code = ho_fail(err, HO_CONFLICT, "nobody asked a question at %.*s", HO_ARG(gate.id));
  if (code)
    return code;
  ho_node *map = ho_node_new(d->arena, HO_KIND_MAP);
  ho_event_data_put(d->project, d->arena, map, "gate", gate.id);
  ho_event_data_put(d->project, d->arena, map, "question", gate.note);
  ho_event_data_put(d->project, d->arena, map, "note", d->decision->note);
  gate.note = gate.decided_by = HO_EMPTY;
  gate.decision = HO_DECISION_NONE;
  gate.proof = HO_PROOF_NONE;
  code = ho_gates_change(store, &gate, HO_GATE_OPEN, err);
  if (!code)
    code = ho_turn_note(&turn, HO_NOTE_GATE_ANSWER, map, err);
  d->decision->after = gate;
  return code;
}

ho_code ho_gate_answer(ho_project *project, ho_arena *arena, ho_str gate, ho_str note, ho_gate *after, ho_error *err)
{
  ho_decision decision = {.gate = gate, .note = note};
  deciding d = {.project = project, .arena = arena, .decision = &decision};
  ho_code code = ho_ledger_write(project, answer, &d, err);
  *after = decision.after;
  return code;
}
