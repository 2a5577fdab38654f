/* What is known about a handoff: its record, which of its facts the program has checked itself, and whether anything
 * has changed since it was sent. */
#ifndef HO_ENGINE_LEDGER_DESCRIBE_H
#define HO_ENGINE_LEDGER_DESCRIBE_H

#include "engine/project/project.h"
#include "model/document/read.h"
#include "store/handoffs/files.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

/* clang-format off */
/* The members of a handoff's record in results: how the value is shown, name, field of the row, what it means. The record
 * and the fields of results (command/ledger_call.h) are made of this list. */
#define HO_HANDOFF_MEMBERS(X, LAST) \
  X(TEXT, "id", id, "Id of the handoff.") \
  X(TEXT, "kind", kind, "Format of the document.") \
  X(TEXT, "type", type, "sequential, delegation, escalation or return.") \
  X(TEXT, "state", state, "State of the handoff.") \
  X(TEXT, "from", sender, "The sender.") \
  X(TEXT, "to", receiver, "The receiver; null for whoever asks for the task.") \
  X(TEXT, "task", task, "The task.") \
  X(TEXT, "phase", phase, "The phase.") \
  X(TIME, "created", created, "When it was sent.") \
  X(TIME, "updated", updated, "When it last changed.") \
  X(TEXT, "session", session, "Session of the sender.") \
  X(TEXT, "digest", digest, "SHA-256 of the stored document.") \
  X(TEXT, "path", path, "Path of the document's readable copy.") \
  X(TEXT, "parent", parent, "The handoff it answers.") \
  X(TEXT, "claimed_by", claimed_by, "The agent that claimed it.") \
  X(TIME, "lease_until", lease_until, "When the lease runs out.") \
  X(TIME, "deadline", deadline, "When it has to be taken or decided.") \
  X(TEXT, "gate", gate, "The gate it waits for.") \
  X(TEXT, "superseded_by", superseded_by, "The handoff that replaced it.") \
  LAST(NUMBER, "attempt", attempt, "How often it was claimed and became ready again.")

/* The same of a gate. */
#define HO_GATE_MEMBERS(X, LAST) \
  X(TEXT, "id", id, "Id of the gate.") \
  X(TEXT, "handoff", handoff, "The handoff that waits for the decision.") \
  X(TEXT, "name", name, "What has to be decided.") \
  X(GATE_STATE, "state", state, "open or decided.") \
  X(TEXT, "raised_by", raised_by, "Who raised it.") \
  X(TIME, "raised", raised, "When it was raised.") \
  X(TIME, "deadline", deadline, "When it is rejected if nobody has decided.") \
  X(TEXT, "digest", digest, "SHA-256 of the document that is decided about.") \
  X(DECISION, "decision", decision, "approve, reject or question.") \
  X(TEXT, "decided_by", decided_by, "Who decided, or asked back.") \
  X(KNOWN, "known", known, "verified: signed; asserted: unsigned or unconfirmed; checked: rejected by the program.") \
  X(TEXT, "proof", proof, "signed, unconfirmed (key of nobody known) or unsigned; null if no person has decided.") \
  X(TEXT, "signer", signer, "Fingerprint of the key that signed the decision.") \
  X(TEXT, "doubt", doubt, "Why a decision that the store has does not count.") \
  X(TIME, "decided", decided, "When it was decided.") \
  LAST(TEXT, "note", note, "The reason, or the question.")
/* clang-format on */

/* Absent values are null. */
ho_node *ho_describe_record(const ho_handoff *row, ho_arena *arena);
/* The same, with its subject, and as sent_by who recorded it if its document names no sender: one look at the log more. */
ho_node *ho_describe_listed(ho_project *project, const ho_handoff *row, ho_arena *arena);
/* Who sent it, and gets what is asked about it and what comes of it: the agent that its document names; if that names
 * nobody, or just a person, the person who recorded it (user:NAME), unless an agent did. */
ho_code ho_describe_sender(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out,
                           ho_error *err) HO_NODISCARD;
/* What it is about: one line of its document, by its format, of at most HO_SUBJECT bytes; its file's path or its kind if it
 * does not say. */
enum { HO_SUBJECT = 160 };
ho_str ho_describe_subject(ho_project *project, const ho_handoff *row, ho_arena *arena);
/* That line of a document that was read; "" if it does not say. */
ho_str ho_describe_subject_of(const ho_doc *doc, ho_arena *arena);
/* Who took it up outside a run: whoever holds it, or held it last if it has ended; "" if nobody did. */
ho_code ho_describe_taker(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out,
                          ho_error *err) HO_NODISCARD;
/* What a handoff states, and whether the program checked it: artifacts, git's head, the tree, the copy, the content. As
 * JSON has it, [{claim, about, known: verified|asserted, now: same|changed|gone|unknown}]: verified is checked, asserted
 * is stated. */
ho_code ho_describe_statements(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out,
                               ho_error *err) HO_NODISCARD;
/* Sentences about what has changed since: a list of texts. */
ho_node *ho_describe_drift(const ho_node *statements, ho_arena *arena);
/* The first artifact that is gone or changed, as a sentence, or "". */
ho_str ho_describe_moved(ho_project *project, const ho_handoff *row, ho_arena *arena);
/* The questions, answers and notes in the log: [{at, by, kind, text}]. */
ho_code ho_describe_talk(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out,
                         ho_error *err) HO_NODISCARD;
/* The same of the handoff that waits at a gate; first what a person asked, and was told, at the gate that it was inherited
 * from. */
ho_code ho_describe_gate_talk(ho_project *project, const ho_gate *gate, ho_arena *arena, ho_node **out,
                              ho_error *err) HO_NODISCARD;
/* The questions and blockers in the log that nobody has answered yet, as in the talk. The document's own are not among them. */
ho_code ho_describe_asked(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out,
                          ho_error *err) HO_NODISCARD;
/* Does one of them ask this, as the knowledge compares what is asked? */
bool ho_describe_is_asked(ho_arena *arena, const ho_node *asked, ho_str text);
/* Their texts, a line each, and who said the newest; "" if there are none. */
ho_code ho_describe_question(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *text, ho_str *by,
                             ho_error *err) HO_NODISCARD;
/* One event as a map, with its data read. */
ho_node *ho_describe_event(const ho_event *event, ho_arena *arena);
ho_node *ho_describe_gate(const ho_gate *gate, ho_arena *arena);
/* Is a file of a handoff the same as when it was recorded? A copy is compared without its credentials; a plan or progress
 * file is the same while it is there. HO_NOT_FOUND
 * if there is none. */
ho_code ho_describe_file_same(ho_project *project, ho_arena *arena, const ho_file *file, bool *same,
                              ho_error *err) HO_NODISCARD;
/* The document of the newest handoff that was sent from this file (its whole path), as the store has it: the file itself
 * may be gone, or not written yet. */
bool ho_describe_recorded(ho_project *project, ho_arena *arena, ho_str full, ho_str *text);
/* What did not fit in it, as the store has it; "" if everything did. */
ho_str ho_describe_details(ho_project *project, const ho_handoff *row, ho_arena *arena);
#endif
