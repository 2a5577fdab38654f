/* Reading gates: which decision counts.
 *
 * The store can be changed by whoever may write to it, so what it says about a decision is judged each time it is read.
 * If the project has deciders, a decision counts only if one of them signed it, and it was about exactly this gate; any
 * other gate is shown as open, with the reason (doubt). The program itself only ever rejects: by a deadline, or because
 * another handoff took the place of the one that waited; that counts if there is an event of it. What was fixed when the
 * gate was raised is taken from its event. */
#ifndef HO_ENGINE_LEDGER_GATE_READ_H
#define HO_ENGINE_LEDGER_GATE_READ_H

#include "engine/ledger/deciders.h"
#include "store/handoffs/events.h"
#include "store/handoffs/gates.h"

/* Who raises the gate of a handoff that is never finished, and of one that a rebuild finds without its sender. */
#define HO_GATE_PROGRAM "handoff"

/* What approval means at a gate whose points are options: its note names one of them. */
#define HO_GATE_CHOICE "The option that the note names is taken"

/* The note of a gate that its handoff does not wait for (ho_turn_note). */
#define HO_NOTE_GATE_RAISED "gate_raised"
#define HO_NOTE_GATE_QUESTION "gate_question"
#define HO_NOTE_GATE_DECIDED "gate_decided"

/* In the data of the event that raised a gate again: the rebuild did not find its document. */
#define HO_GATE_DOCUMENT_LOST "document_lost"

/* Names under which the program itself rejects. */
#define HO_GATE_BY_DEADLINE "deadline"
#define HO_GATE_BY_HANDOFF "handoff"

/* HO_NOT_FOUND if there is none. */
ho_code ho_gate_read(ho_project *project, ho_str id, ho_arena *arena, ho_gate *out, ho_error *err) HO_NODISCARD;
/* As ho_gates_select; gates whose decision does not count are among the open ones. */
ho_code ho_gate_read_list(ho_project *project, ho_gate_state state, ho_str handoff, int64_t limit, ho_arena *arena,
                          ho_gate_list *out, ho_error *err) HO_NODISCARD;
/* Takes what was fixed when the gate was raised from its event; the decision stays as the store has it. */
ho_code ho_gate_read_raised(ho_project *project, ho_arena *arena, ho_gate *gate, ho_error *err) HO_NODISCARD;
/* What an event says about a gate, or NULL; and does it raise one? If memory runs out, the arena records it. */
const ho_node *ho_gate_read_about(const ho_event *event, ho_arena *arena);
bool ho_gate_read_raises(const ho_event *event);
/* Does one that raises a gate, and says this about it, hold its handoff up? */
bool ho_gate_read_blocks(const ho_event *event, const ho_node *said);
/* Puts what the event that raised the gate says in the place of what the row says. Which of these was another in the
 * row, or NULL. */
const char *ho_gate_read_correct(ho_gate *gate, const ho_node *raised);

/* The gate that a handoff has to wait for, by its events: the newest that holds it up and was not approved; if all were,
 * the newest. *waits: there is one that was not. A gate that is missing in the store is open. */
ho_code ho_gate_read_standing(ho_project *project, ho_str handoff, ho_arena *arena, ho_gate *out, bool *waits,
                              ho_error *err) HO_NODISCARD;
/* The same for whoever asks about many. */
ho_code ho_gate_read_standing_by(ho_project *project, ho_deciders *deciders, ho_str handoff, ho_arena *arena,
                                 ho_gate *out, bool *waits, ho_error *err) HO_NODISCARD;
/* What waited when the handoff's first gate was raised, by its events: digest of the document, receiver. Both are left as
 * they are if no event says it. */
ho_code ho_gate_read_waited(ho_project *project, ho_str handoff, ho_arena *arena, ho_str *body, ho_str *receiver,
                            ho_error *err) HO_NODISCARD;

/* What ho_gate.proof is for a decision that is signed, or not; and how that is said to people. */
ho_str ho_gate_read_proof_by(const ho_deciders *deciders, bool is_signed);
ho_str ho_gate_read_proof_words(ho_str proof);
/* ho_gate.proof if this is the data of an event that records a person's decision, else "". What the event itself
 * says about that proves nothing: it is signed if the gate's own decision is, and says the same. */
ho_str ho_gate_read_proof(ho_project *project, ho_arena *arena, const ho_node *data);

/* What a person signs: the decision in the row, bound to the project and to everything that was shown, the document and
 * the receiver of the handoff that waits among it. */
ho_str ho_gate_read_statement(ho_arena *arena, ho_str project, const ho_gate *gate);
/* Its digest: how earlier decisions are listed (ho_deciders.kept). */
ho_str ho_gate_read_digest(ho_arena *arena, ho_str project, const ho_gate *gate);
#endif
