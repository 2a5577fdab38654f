/* Giving back what sessions that are over still hold. */
#ifndef HO_ENGINE_LEDGER_RELEASE_H
#define HO_ENGINE_LEDGER_RELEASE_H

#include "engine/project/project.h"

/* What other sessions hold of the task (phase "": of all its phases) that are over, as their harness has said, is ready
 * again at once, with a draft of what is known; *count: how many. A write of its own. */
ho_code ho_release_sessions(ho_project *project, ho_str task, ho_str phase, size_t *count, ho_error *err) HO_NODISCARD;
#endif
