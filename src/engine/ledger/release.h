/* Releases what ended sessions still hold. */
#ifndef HO_ENGINE_LEDGER_RELEASE_H
#define HO_ENGINE_LEDGER_RELEASE_H

#include "engine/ledger/claim.h"
#include "engine/project/project.h"

/* Makes what other, ended sessions hold of the task (phase "": of all its phases) ready again at once, with a draft
 * of what is known; *count: how many. A session has ended if its harness said so. Uses its own write. */
ho_code ho_release_sessions(ho_project *project, ho_str task, ho_str phase, size_t *count, ho_error *err) HO_NODISCARD;
/* Claims as ho_claim_next does; if nothing is ready, what ended sessions hold is released first. */
ho_code ho_release_and_claim(ho_project *project, ho_arena *arena, ho_delivery *delivery, ho_error *err) HO_NODISCARD;
#endif
