/* Delivery: who asks gets the oldest handoff that is ready, with a lease and a token. */
#ifndef HO_ENGINE_LEDGER_CLAIM_H
#define HO_ENGINE_LEDGER_CLAIM_H

#include "engine/ledger/turn.h"
#include "store/handoffs/handoffs.h"

typedef struct ho_delivery {
  ho_str task, phase; /* "" where not asked for */
  int64_t lease;      /* seconds; 0: the setting */
  /* Filled. */
  bool found;
  ho_handoff row;
  char token[65];
  ho_str body;
} ho_delivery;

/* Claims; found is false where nothing is ready. */
ho_code ho_claim_next(ho_project *project, ho_arena *arena, ho_delivery *delivery, ho_error *err) HO_NODISCARD;
/* Waits up to `ms` for something to claim. */
ho_code ho_claim_wait(ho_project *project, ho_arena *arena, ho_delivery *delivery, int64_t ms,
                      ho_error *err) HO_NODISCARD;
/* A longer lease for who holds the claim. seconds 0: as long as it was. */
ho_code ho_claim_renew(ho_project *project, ho_arena *arena, ho_str id, ho_str token, int64_t seconds, ho_handoff *row,
                       ho_error *err) HO_NODISCARD;
/* How long a lease of this handoff is, in seconds. */
int64_t ho_claim_lease(const ho_turn *turn);
#endif
