/* Seals: the heads of all chains, in one chain for the project. */
#ifndef HO_STORE_HANDOFFS_SEALS_H
#define HO_STORE_HANDOFFS_SEALS_H

#include "store/store.h"

typedef struct ho_seal_row {
  int64_t n, upto, at;
  ho_str prev, hash;
  ho_str signature, signer; /* of a person, and the fingerprint of the key; or "" */
} ho_seal_row;
typedef struct ho_seal_list {
  ho_seal_row *rows;
  size_t count;
} ho_seal_list;

/* Every 256th event is followed by a seal. This makes one now that covers all events since the last seal; nothing
 * happens if there are none. The newest seal is also written to the file `seal` beside the database, by an intent.
 * Call it inside a write. */
ho_code ho_seals_add(ho_store *store, int64_t at, ho_error *err) HO_NODISCARD;
/* All, oldest first; or only the newest. */
ho_code ho_seals_select(ho_store *store, bool newest, ho_arena *arena, ho_seal_list *out, ho_error *err) HO_NODISCARD;
/* What a text says that the file `seal` had, now or in git; n is 0 if it is none. prev is not in it. */
ho_seal_row ho_seals_parse(ho_arena *arena, ho_str text);
/* What the file says; n is 0 if it is not *there, or cannot be read. *unfinished: it is still to be written. */
ho_code ho_seals_file(ho_store *store, ho_arena *arena, ho_seal_row *out, bool *there, bool *unfinished,
                      ho_error *err) HO_NODISCARD;
/* Writes the file for the newest seal again, if there is none. *wrote: it was not there. Call it inside a write. */
ho_code ho_seals_restore_file(ho_store *store, bool *wrote, ho_error *err) HO_NODISCARD;
/* Adds a signature to the newest seal, also in the file. Call it inside a write. */
ho_code ho_seals_sign(ho_store *store, const ho_seal_row *seal, ho_error *err) HO_NODISCARD;
#endif
