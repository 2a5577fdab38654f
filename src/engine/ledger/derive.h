/* Deriving what follows from the documents of handoffs: the text for the search, and what was learned.
 *
 * It is not part of the transaction that records a handoff (store/handoffs/derived.h). Whoever asks for it calls ho_derive
 * first, and sees what was sent before as if it had been derived at once. Whoever changes what was learned calls
 * ho_derive_inside first, so that everything is learned in the order in which it happened: what an event of a handoff
 * says, or what is forgotten, then has the same effect as ever. */
#ifndef HO_ENGINE_LEDGER_DERIVE_H
#define HO_ENGINE_LEDGER_DERIVE_H

#include "engine/knowledge/knowledge.h"
#include "store/handoffs/derived.h"

/* Derives what is to be derived when it is called, in bounded transactions. watch: told if there is much to do; may be
 * NULL. */
ho_code ho_derive(ho_project *project, ho_derived what, const ho_store_watch *watch, ho_error *err) HO_NODISCARD;
/* For commands that write nothing from now on: if the store is read-only, it is derived in a private copy; if somebody
 * else keeps it for longer than a moment, what is not derived is not waited for. */
ho_code ho_derive_to_read(ho_project *project, ho_derived what, const ho_store_watch *watch,
                          ho_error *err) HO_NODISCARD;
/* Derives all of it inside a write; ho_derive_ahead, called before, leaves little to be done there. */
ho_code ho_derive_inside(ho_project *project, ho_derived what, ho_error *err) HO_NODISCARD;
void ho_derive_ahead(ho_project *project, ho_derived what);
/* For those who must answer soon: as much as is possible within `ms`; what remains, or fails, is left to others. */
void ho_derive_within(ho_project *project, ho_derived what, int64_t ms);
/* For those who have nothing else to do: a little of everything. */
void ho_derive_idle(ho_project *project);

/* Learns from the handoffs with after < seq <= upto that were not learned from yet, at most `limit`. *last: the seq of
 * the last one, 0 if there was none. A document that cannot be read teaches nothing. Adds to *sum, which may be NULL.
 * Call it inside a write. */
ho_code ho_derive_knowledge(ho_project *project, int64_t after, int64_t upto, int64_t limit, ho_learned *sum,
                            int64_t *last, ho_error *err) HO_NODISCARD;
#endif
