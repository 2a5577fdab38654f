/* Leases and deadlines that have passed. */
#ifndef HO_ENGINE_EXPIRE_H
#define HO_ENGINE_EXPIRE_H

#include "engine/ledger.h"

enum { HO_ATTEMPTS = 5 }; /* deliveries of one handoff before a person has to decide */

/* A claim whose lease ran out is ready again; too often, and a gate is raised. Work whose lease ran out is ready again
 * with a draft of what is known. A gate's deadline rejects, a handoff's own expires it. Inside a write; deals with the
 * most overdue, a bounded number at once. */
ho_code ho_expire_due(ho_ledger *ledger, ho_error *err) HO_NODISCARD;
#endif
