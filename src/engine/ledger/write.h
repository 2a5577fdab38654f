/* Changing the store. Every change goes through ho_ledger_write: leases and deadlines that have passed are applied
 * first, in the same transaction, so that no decision rests on what no longer holds; afterwards state/current.json
 * is updated and people are notified of new gates. */
#ifndef HO_ENGINE_LEDGER_WRITE_H
#define HO_ENGINE_LEDGER_WRITE_H

#include "engine/project/project.h"

/* A transaction that changes something. HO_OK also if a file could not be written (project->unfinished). */
ho_code ho_ledger_write(ho_project *project, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* Applies leases and deadlines that have passed, for commands that only read; a store that cannot be written, or is kept
 * by somebody else for longer than a moment, stays as it is. */
void ho_ledger_settle(ho_project *project);
#endif
