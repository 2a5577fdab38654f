/* Is the ledger one of the files that git tracks? Then it came with the repository, or will go with it. */
#ifndef HO_ENGINE_PROJECT_TRACKED_H
#define HO_ENGINE_PROJECT_TRACKED_H

#include "base/fs.h"
#include "doc/tree.h"

typedef struct ho_tracked {
  ho_str file;       /* the first file of the store that a repository tracks, absolute; "" if none does */
  ho_node *versions; /* list of "OBJECT FILE": what git has of each; another ledger that git brings has others */
} ho_tracked;

/* Asks every repository around the store about the database and what has its name in front; `database` is absolute. Reads
 * the beginning of git's index, which is sorted; git itself is asked only if the index is split or of an unknown version.
 * A repository that cannot be read by the user has brought nothing. HO_IO if neither can tell. */
ho_code ho_tracked_store(ho_arena *arena, ho_str database, ho_tracked *out, ho_error *err) HO_NODISCARD;
#endif
