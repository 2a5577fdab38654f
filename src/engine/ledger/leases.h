/* Leases and deadlines that have passed. */
#ifndef HO_ENGINE_LEDGER_LEASES_H
#define HO_ENGINE_LEDGER_LEASES_H

#include "engine/ledger/turn.h"

enum { HO_ATTEMPTS = 5 }; /* deliveries of one handoff before a person has to decide */

/* A claim whose lease ran out is ready again; too often, and a gate is raised. Work whose lease ran out is ready again
 * with a draft of what is known, and so is a claim under which hooks saw a session work. A gate's deadline rejects, a
 * handoff's own expires it. Inside a write; deals with the most overdue, a bounded number at once. */
ho_code ho_leases_due(ho_project *project, ho_error *err) HO_NODISCARD;

/* Is there anything of that to be dealt with? False where that cannot be told. */
bool ho_leases_any(ho_project *project);

/* The claim of one handoff is over: it is ready again with a draft of what is known, and `why` says what happened to the
 * agent. quick: no program may be started. Inside a write. */
ho_code ho_leases_lapse(ho_turn *turn, const char *why, bool quick, ho_error *err) HO_NODISCARD;
#endif
