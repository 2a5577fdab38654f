/* Seals: the heads of all chains, in one chain of the project. */
#ifndef HO_STORE_HANDOFFS_SEALS_H
#define HO_STORE_HANDOFFS_SEALS_H

#include "store/store.h"

/* Every 256th event is followed by a seal; this makes one now, covering all events since the last (none since: nothing
 * happens). The newest is also written to the file `seal` beside the database, by an intent. To be called in a write.
 */
ho_code ho_store_seal(ho_store *store, int64_t at, ho_error *err) HO_NODISCARD;
#endif
