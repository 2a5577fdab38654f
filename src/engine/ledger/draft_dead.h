/* Drafts on behalf of an agent that ended without a handoff.
 *
 * Whoever runs agents (`run`) calls ho_draft_dead when one has ended without a handoff:
 *
 *   ho_draft draft = {.task = …, .phase = …, .session = …, .log = transcript or output, .folder = where it worked,
 *                     .why = HO_STR("it was killed by signal 9"), .since = when it was started};
 *   code = ho_draft_dead(project, &draft, err);    draft.id: of the draft, or "" if the agent itself handed off
 *
 * It must not be called inside a ho_ledger_write. What cannot be read (no progress file, a damaged transcript, no
 * git) is left out; that is not a failure. */
#ifndef HO_ENGINE_LEDGER_DRAFT_DEAD_H
#define HO_ENGINE_LEDGER_DRAFT_DEAD_H

#include "engine/ledger/draft.h"

/* Both steps: examines, then adds in its own write. */
ho_code ho_draft_dead(ho_project *project, ho_draft *draft, ho_error *err) HO_NODISCARD;
#endif
