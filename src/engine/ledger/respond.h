/* Receiving and ending: ack, done, release, reject, withdraw, supersede, answer. `return` is a send (send.h). */
#ifndef HO_ENGINE_LEDGER_RESPOND_H
#define HO_ENGINE_LEDGER_RESPOND_H

#include "engine/ledger/turn.h"
#include "model/document/read.h"
#include "store/handoffs/handoffs.h"

typedef struct ho_ack {
  ho_str id, token;
  ho_str task;                                       /* restated, or "" */
  const ho_node *constraints, *questions, *blockers; /* lists of texts, or NULL */
  bool not_starting;
  ho_str document; /* digest of an acknowledgement that came as a document, or "" */
  const ho_tokens *tokens;
  /* Filled. */
  ho_handoff row;
  ho_node *checks; /* the four of ack_checks.c: [{check, ok, known, why}] */
} ho_ack;
/* claimed → acked, or clarify if there is a blocker (also after it was acknowledged). Questions alone are delivered and
 * change nothing. HO_USAGE, with what is to be restated, if nothing is said. */
ho_code ho_receive_ack(ho_project *project, ho_arena *arena, ho_ack *ack, ho_error *err) HO_NODISCARD;

/* What else can be said about a handoff. */
typedef struct ho_say {
  ho_str id, token;
  ho_str note; /* why, or the answer */
  ho_str by;   /* supersede: the other handoff */
  /* Filled. */
  ho_handoff row;
  bool resumed;      /* answer: the task of the row goes on */
  bool stays;        /* answer: the state is as it was */
  ho_str gate, like; /* answer: the gate that a confirmed draft waits at, and why; or "" */
} ho_say;
ho_code ho_receive_done(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err) HO_NODISCARD;
ho_code ho_receive_reject(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err) HO_NODISCARD;
/* Its holder gives it back: ready again, for others as well. */
ho_code ho_receive_release(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err) HO_NODISCARD;
/* Its sender, or a person, takes it back; whoever holds it is told. A gate that it waits for is no longer needed, but what
 * waited stays unapproved: sent again, it waits again. */
ho_code ho_receive_withdraw(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err) HO_NODISCARD;
ho_code ho_receive_supersede(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err) HO_NODISCARD;
/* The answer to a blocker (clarify → ready) or to questions (no change of state); confirms a draft; resumes a task that
 * the handoff halts (halt.h). */
ho_code ho_receive_answer(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err) HO_NODISCARD;

/* The four checks of a receiver, as far as the program can make them itself. */
ho_node *ho_receive_checks(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str body, const ho_ack *ack);
#endif
