/* What proves itself in a store whose rows were copied from a damaged one. All of it inside ho_store_write. */
#ifndef HO_STORE_HANDOFFS_SOUND_H
#define HO_STORE_HANDOFFS_SOUND_H

#include "store/store.h"

/* Removes documents that are not what their digests say; then calls `each` with the id of every handoff whose history,
 * row or document is not whole, and with HO_EVENTS_PROJECT if that chain is broken. Some come twice. */
ho_code ho_sound_flawed(ho_store *store, ho_text_each each, void *data, ho_error *err) HO_NODISCARD;
/* Removes a handoff with its events, gates and files, as if there had never been one. */
ho_code ho_sound_drop(ho_store *store, ho_str id, ho_error *err) HO_NODISCARD;
/* Calls `each` with the id of every handoff that is, or was, in the store. */
ho_code ho_sound_ids(ho_store *store, ho_text_each each, void *data, ho_error *err) HO_NODISCARD;
/* Numbers the project's events without gaps, and removes the seals, which covered others. */
ho_code ho_sound_renumber(ho_store *store, ho_error *err) HO_NODISCARD;
#endif
