/* Rebuilding a store: from what the old one still has, and from files. */
#ifndef HO_ENGINE_LEDGER_REBUILD_H
#define HO_ENGINE_LEDGER_REBUILD_H

#include "engine/project/project.h"

typedef struct ho_rebuilt {
  int64_t handoffs, events; /* that the old store had, and the new one has */
  ho_node *restored;        /* [{id, state, path}]: made again from files */
  ho_node *lost;            /* [{what, message}] */
  ho_str kept;              /* where the old database is now, or "" */
  ho_error state_file;      /* code is set: everything is done, but the state file could not be updated */
} ho_rebuilt;
/* Builds a new store and replaces the old one, which is kept. Everything is taken from the old one if that is sound; else
 * what proves itself, and the rest from the audit archive and the state file. Others who send in the meantime wait, and
 * continue with the new store. Unfinished intents are finished first. No id is given again. Until the new store is ready,
 * and if anything fails, the old store stays. The project, begun and without an open store, has the new one open
 * afterwards. */
ho_code ho_rebuild(ho_project *project, ho_arena *arena, ho_rebuilt *out, ho_error *err) HO_NODISCARD;
#endif
