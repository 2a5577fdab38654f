/* Reading gates: which decision counts.
 *
 * The store can be changed by whoever may write to it, so what it says about a decision is judged each time it is read.
 * If the project has deciders, a decision counts only if one of them signed it, and it was about exactly this gate; any
 * other gate is shown as open, with the reason (doubt). The program itself only ever rejects: by a deadline, or because
 * another handoff took the place of the one that waited. */
#ifndef HO_ENGINE_LEDGER_GATE_READ_H
#define HO_ENGINE_LEDGER_GATE_READ_H

#include "engine/ledger/deciders.h"
#include "store/handoffs/gates.h"

/* The note of a gate that its handoff does not wait for (ho_turn_note). */
#define HO_NOTE_GATE_RAISED "gate_raised"

/* Names under which the program itself rejects. */
#define HO_GATE_BY_DEADLINE "deadline"
#define HO_GATE_BY_HANDOFF "handoff"

/* HO_NOT_FOUND if there is none. */
ho_code ho_gate_read(ho_project *project, ho_str id, ho_arena *arena, ho_gate *out, ho_error *err) HO_NODISCARD;
/* As ho_gates_select; gates whose decision does not count are among the open ones. */
ho_code ho_gate_read_list(ho_project *project, ho_gate_state state, ho_str handoff, int64_t limit, ho_arena *arena,
                          ho_gate_list *out, ho_error *err) HO_NODISCARD;
/* Judges a gate as the store has it. */
void ho_gate_read_judge(ho_project *project, ho_deciders *deciders, ho_arena *arena, ho_gate *gate);

/* The gate that a handoff has to wait for, by its events: the newest that holds it up, unless that was approved.
 * *waits: there is one. A gate that is missing in the store is open. */
ho_code ho_gate_read_standing(ho_project *project, ho_str handoff, ho_arena *arena, ho_gate *out, bool *waits,
                              ho_error *err) HO_NODISCARD;

/* "signed" or "unsigned" if this is the data of an event that records a person's decision, else "". What the event itself
 * says about that proves nothing. */
ho_str ho_gate_read_proof(ho_project *project, ho_arena *arena, const ho_node *data);

/* What a person signs: the decision in the row, bound to the project and to everything that was shown. */
ho_str ho_gate_read_statement(ho_arena *arena, ho_str project, const ho_gate *gate);
/* Its digest: how earlier decisions are listed (ho_deciders.kept). */
ho_str ho_gate_read_digest(ho_arena *arena, ho_str project, const ho_gate *gate);
#endif
