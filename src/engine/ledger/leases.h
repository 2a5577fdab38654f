/* Leases and deadlines that have passed. */
#ifndef HO_ENGINE_LEDGER_LEASES_H
#define HO_ENGINE_LEDGER_LEASES_H

#include "engine/project/project.h"

enum { HO_ATTEMPTS = 5 }; /* deliveries of one handoff before a person has to decide */

/* A claim whose lease ran out is ready again; too often, and a gate is raised. Work whose lease ran out is ready again
 * with a draft of what is known, and so is a claim under which hooks saw a session work. A gate's deadline rejects, a
 * handoff's own expires it. Inside a write; deals with the most overdue, a bounded number at once. */
ho_code ho_leases_due(ho_project *project, ho_error *err) HO_NODISCARD;

/* Is there anything of that to be dealt with? False where that cannot be told. */
bool ho_leases_any(ho_project *project);

/* What other sessions hold of the task (phase "": of all its phases) that are over, as their harness has said, is ready
 * again at once, with a draft of what is known; *count: how many. A write of its own. */
ho_code ho_leases_sessions(ho_project *project, ho_str task, ho_str phase, size_t *count, ho_error *err) HO_NODISCARD;
#endif
