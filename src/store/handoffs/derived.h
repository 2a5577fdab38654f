/* How far what follows from the bodies of handoffs has been derived.
 *
 * A handoff is recorded without it, so that whoever sends waits for nothing that can be done later. For each kind of it,
 * a cursor says up to which handoff (seq) it is there; whoever asks for it, or has time, derives the rest first, in order
 * of arrival (engine/ledger/derive.h), and moves the cursor in the same transaction. So a killed process leaves no
 * half of it, and two processes do not derive anything twice. */
#ifndef HO_STORE_HANDOFFS_DERIVED_H
#define HO_STORE_HANDOFFS_DERIVED_H

#include "store/store.h"

/* The text for the search, and what documents say (store/knowledge/known.h). */
typedef enum ho_derived { HO_DERIVED_SEARCH, HO_DERIVED_KNOWLEDGE, HO_DERIVED_COUNT } ho_derived;

/* What is still to be derived: the handoffs with after < seq <= newest; none if they are equal. A store to which no
 * handoff was added since there are cursors has everything: it was derived with the handoffs. */
ho_code ho_derived_gap(ho_store *store, ho_derived what, int64_t *after, int64_t *newest, ho_error *err) HO_NODISCARD;
/* The last of the next `limit` handoffs after `after`; 0 if there is none. */
ho_code ho_derived_end(ho_store *store, int64_t after, int64_t limit, int64_t *out, ho_error *err) HO_NODISCARD;
/* It is derived up to here. Call it inside the write that derives. */
ho_code ho_derived_set(ho_store *store, ho_derived what, int64_t upto, ho_error *err) HO_NODISCARD;
/* ho_store_write for this work, which can wait: gives up if the store is busy for so long (0: as long as any write). */
ho_code ho_derived_write(ho_store *store, int wait_ms, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* If the store is read-only, a private copy of it is used from now on, in which ho_derived_write works. Only for a process
 * that writes nothing else any more. */
ho_code ho_derived_apart(ho_store *store, ho_error *err) HO_NODISCARD;
#endif
