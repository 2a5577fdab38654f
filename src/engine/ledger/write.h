/* Changing the ledger. Every change goes through ho_ledger_write: leases and deadlines that have passed are dealt with
 * first, in the same transaction, so that nothing is decided on what no longer holds; afterwards state/current.json is
 * brought up to date and people are told about new gates. */
#ifndef HO_ENGINE_LEDGER_WRITE_H
#define HO_ENGINE_LEDGER_WRITE_H

#include "engine/project/project.h"

/* A transaction that changes something. HO_OK also if a file could not be written (project->unfinished). */
ho_code ho_ledger_write(ho_project *project, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* Leases and deadlines that have passed, for commands that only read; a store that cannot be written stays as it is. */
void ho_ledger_settle(ho_project *project);
#endif
