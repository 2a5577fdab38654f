/* Seals: the heads of all chains, in one chain for the project. */
#ifndef HO_STORE_HANDOFFS_SEALS_H
#define HO_STORE_HANDOFFS_SEALS_H

#include "store/store.h"

/* Every 256th event is followed by a seal. This makes one now that covers all events since the last seal; nothing
 * happens if there are none. The newest seal is also written to the file `seal` beside the database, by an intent.
 * Call it inside a write. */
ho_code ho_seals_add(ho_store *store, int64_t at, ho_error *err) HO_NODISCARD;
#endif
