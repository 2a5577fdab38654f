/* Leases and deadlines that have passed. */
#ifndef HO_ENGINE_LEDGER_LEASES_H
#define HO_ENGINE_LEDGER_LEASES_H

#include "engine/ledger/turn.h"

enum { HO_ATTEMPTS = 5 }; /* deliveries of one handoff before a person must decide */

/* Applies leases and deadlines that have passed: a claim whose lease expired is ready again, and after too many
 * attempts a gate is raised, because a handoff that agents keep dropping needs a person. Work whose lease expired is
 * ready again with a draft of what is known; so is a claim under which hooks saw a session work. A gate's deadline
 * rejects it, a handoff's own deadline expires it. Call it inside a write; handles a bounded number, most overdue
 * first. */
ho_code ho_leases_due(ho_project *project, ho_error *err) HO_NODISCARD;

/* Is there anything of that to do? False if that cannot be determined. */
bool ho_leases_any(ho_project *project);

/* Drafts what is known about the work of whoever holds it, unless there is no sign of any; `why` and `quick` as below. */
ho_code ho_leases_draft(ho_turn *turn, const char *why, bool quick, ho_error *err) HO_NODISCARD;
/* Ends the claim on one handoff: it is ready again with a draft of what is known, and `why` says what happened to
 * the agent. quick: no program may be started. Call it inside a write. */
ho_code ho_leases_lapse(ho_turn *turn, const char *why, bool quick, ho_error *err) HO_NODISCARD;
#endif
