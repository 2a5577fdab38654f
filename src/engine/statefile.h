/* state/current.json (E6): every open handoff and the newest ended ones, in a file that others write to as well. */
#ifndef HO_ENGINE_STATEFILE_H
#define HO_ENGINE_STATEFILE_H

#include "engine/ledger.h"

#define HO_STATEFILE_PATH "state/current.json"

/* Brings the list `handoffs` and `updated_at` up to date; every other byte of the file stays, and so do entries that
 * the ledger does not know and keys it does not write. Several processes at once write it once: whoever finds another
 * at work leaves it to that one. A large file is written at most once in as many seconds as it has megabytes, unless
 * `now`. On failure *err says why and the file is as it was. */
void ho_statefile_refresh(ho_ledger *ledger, bool now, ho_error *err);
#endif
