/* Delivery: whoever asks gets the oldest handoff that is ready, with a lease and a token.
 *
 * The lease makes sure that work is not lost with an agent that dies: unless it is renewed or acknowledged in time,
 * the handoff is ready again. The token makes sure that an agent that comes back after its lease expired cannot
 * change a handoff that somebody else has claimed by then. */
#ifndef HO_ENGINE_LEDGER_CLAIM_H
#define HO_ENGINE_LEDGER_CLAIM_H

#include "engine/ledger/turn.h"
#include "store/handoffs/handoffs.h"

enum { HO_CLAIM_TOKEN_BYTES = 16 };
typedef struct ho_delivery {
  ho_str id;          /* that handoff, or "": the oldest that is ready */
  ho_str task, phase; /* "" if not requested */
  int64_t lease;      /* seconds; 0: the setting */
  bool again;         /* what this agent holds in this session already comes first */
  ho_str result; /* what brings it a result or other news, or "": comes before what it holds, if it is still ready */
  bool ack;      /* acknowledges it as well, as it was asked */
  /* Filled. */
  bool found;
  bool held; /* it was claimed before; token is "", and not needed */
  ho_handoff row;
  char token[HO_CLAIM_TOKEN_BYTES * 2 + 1]; /* in hexadecimal digits */
  ho_str body;
} ho_delivery;

/* HO_USAGE if neither the agent nor the task is known. */
ho_code ho_claim_asker(ho_project *project, ho_str task, ho_error *err) HO_NODISCARD;
/* After an answer, a handoff is kept for the one who asked, and what was sent to an instance for that one: for the length of
 * a lease, or until a claim. For whom, and until when, if that is not the actor; else "". */
ho_str ho_claim_kept(ho_project *project, const ho_handoff *row, ho_arena *arena, int64_t *until);
/* Claims; found is false if nothing is ready. A handoff named by its id is claimed or refused: HO_CONFLICT if it is for
 * somebody else, or not ready. */
ho_code ho_claim_next(ho_project *project, ho_arena *arena, ho_delivery *delivery, ho_error *err) HO_NODISCARD;
/* Waits up to `ms` for something to claim. */
ho_code ho_claim_wait(ho_project *project, ho_arena *arena, ho_delivery *delivery, int64_t ms,
                      ho_error *err) HO_NODISCARD;
/* Extends the lease of whoever holds the claim. seconds 0: the same length as before. */
ho_code ho_claim_renew(ho_project *project, ho_arena *arena, ho_str id, ho_str token, int64_t seconds, ho_handoff *row,
                       ho_error *err) HO_NODISCARD;
/* Its lease begins again, unless it was renewed for longer than that. */
void ho_claim_lease_again(ho_turn *turn);
#endif
