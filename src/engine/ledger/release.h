/* Releases what ended sessions still hold. */
#ifndef HO_ENGINE_LEDGER_RELEASE_H
#define HO_ENGINE_LEDGER_RELEASE_H

#include "engine/ledger/claim.h"
#include "engine/project/project.h"

/* Makes what other, ended sessions hold of the task (phase "": of all its phases) ready again at once, with a draft
 * of what is known; *count: how many. A session has ended if its harness said so, or its process is gone. Uses its own write. */
ho_code ho_release_sessions(ho_project *project, ho_str task, ho_str phase, size_t *count, ho_error *err) HO_NODISCARD;
/* Drafts what other sessions left of the task (phase "": of all its phases; task "": of all tasks) that held nothing: those
 * that have ended, and those without a sign of life for as long as a lease (draft_left.h). Opens the store if there is
 * something to draft; one that is lost is left alone. */
ho_code ho_release_work(ho_project *project, ho_str task, ho_str phase, ho_error *err) HO_NODISCARD;
/* Drafts that other sessions saved before a compaction, went on and ended with nothing left to do: they are about nothing
 * any more. If files have changed that nobody has committed, the draft is made again, and tells how the session ended. Uses
 * its own writes. */
ho_code ho_release_drafts(ho_project *project, ho_error *err) HO_NODISCARD;
/* Claims as ho_claim_next does; if nothing is ready, what ended sessions hold is released first, and what others left
 * drafted. */
ho_code ho_release_and_claim(ho_project *project, ho_arena *arena, ho_delivery *delivery, ho_error *err) HO_NODISCARD;
#endif
