/* Changing the store. Every change goes through ho_ledger_write: leases and deadlines that have passed are applied
 * first, in the same transaction, so that no decision rests on what no longer holds; afterwards people are notified of
 * new gates. The files that follow (state/current.json, copies in the archive) wait a moment for more changes. */
#ifndef HO_ENGINE_LEDGER_WRITE_H
#define HO_ENGINE_LEDGER_WRITE_H

#include "engine/project/project.h"

/* A transaction that changes something. HO_OK also if a file could not be written. HO_GATED if this thread works for a request
 * that may not (engine/project/access). */
ho_code ho_ledger_write(ho_project *project, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* The same for the decision of a gate, which nothing but this writes, and for which other roles may ask. raiser: of the gate. */
ho_code ho_ledger_decide(ho_project *project, ho_str raiser, ho_store_work work, void *data,
                         ho_error *err) HO_NODISCARD;
/* Writes the files that wait: at the end of a command, before it starts a program that may look at them, and before it
 * waits for something. Says in project->unfinished and project->state_file what could not be written. */
void ho_ledger_follow(ho_project *project);
/* Applies leases and deadlines that have passed, and writes files that a killed process has left, for commands that
 * only read; a store that cannot be written, or is kept by somebody else for longer than a moment, stays as it is. */
void ho_ledger_settle(ho_project *project);
#endif
