/* Telling people about gates: the project's own command, without a shell. */
#ifndef HO_ENGINE_LEDGER_NOTICES_H
#define HO_ENGINE_LEDGER_NOTICES_H

#include "engine/project/project.h"

/* Where HANDOFF_NOTIFY is 1, starts the command of the setting `notify` once for each gate in ledger->raised, with a
 * sentence as its last argument and HANDOFF_GATE and HANDOFF_ID in its environment. It is not waited for; nothing fails
 * where it cannot be started. */
void ho_notices_raised(ho_project *project);
#endif
