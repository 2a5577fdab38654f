/* Files that follow the store and are not there: naming them, and writing them again. */
#ifndef HO_ENGINE_LEDGER_REPAIR_H
#define HO_ENGINE_LEDGER_REPAIR_H

#include "engine/project/project.h"

/* Files that could not be written, or whose content is beside them: [{part, name, message}], with the reason and what to
 * do; also the state file. all: also those that nobody has tried to write yet; usually a command is about to. store: it may
 * be open to look at only. */
ho_code ho_repair_unwritten(ho_project *project, ho_store *store, bool all, ho_arena *arena, ho_node **out,
                            ho_error *err) HO_NODISCARD;

typedef struct ho_repaired {
  ho_node *written;   /* [path] */
  ho_node *given_up;  /* [{part, name, message}]: what has no place any more, and is forgotten */
  ho_node *remaining; /* [{part, name, message}]: what could not be written, and why */
} ho_repaired;
/* Tries again to write what could not be written, gives up what was to be written in a worktree that is gone, then writes what is merely missing: copies in the archive whose text is
 * still the recorded one, the seal's file and the state file. Nothing that is there is changed. watch: may be NULL. */
ho_code ho_repair(ho_project *project, const ho_store_watch *watch, ho_arena *arena, ho_repaired *out,
                  ho_error *err) HO_NODISCARD;
#endif
