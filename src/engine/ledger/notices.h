/* Notifying people of gates: runs the project's own command, without a shell. */
#ifndef HO_ENGINE_LEDGER_NOTICES_H
#define HO_ENGINE_LEDGER_NOTICES_H

#include "engine/project/project.h"

/* If a person has trusted it, starts the command in the setting `notify` once for each gate in project->raised, with a
 * sentence as its last argument and HANDOFF_GATE and HANDOFF_ID in its environment. Does not wait for it; if it
 * cannot be started, nothing fails. */
void ho_notices_raised(ho_project *project);
#endif
