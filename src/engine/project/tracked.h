/* Is the ledger one of the files that git tracks? Then it came with the repository, or will go with it. */
#ifndef HO_ENGINE_PROJECT_TRACKED_H
#define HO_ENGINE_PROJECT_TRACKED_H

#include "base/fs.h"

/* The first file of the store that the repository around `home` tracks, relative to home; "" if none is. Reads the
 * beginning of git's index, which is sorted; git itself is asked only if the index is split or of an unknown version.
 * HO_IO if neither can tell. */
ho_code ho_tracked_store(ho_arena *arena, ho_str home, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
