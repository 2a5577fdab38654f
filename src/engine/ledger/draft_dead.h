/* A draft for an agent that has ended without a handoff.
 *
 * Whoever runs agents (`run`) calls ho_draft_dead when one has ended without a handoff:
 *
 *   ho_draft draft = {.task = …, .phase = …, .session = …, .log = transcript or output, .folder = where it worked,
 *                     .why = HO_STR("it was killed by signal 9"), .since = when it was started};
 *   code = ho_draft_dead(ledger, &draft, err);     draft.id: of the draft, or "" where the agent has handed off itself
 *
 * It must not be called inside a ho_ledger_write. What cannot be read (no progress file, a damaged transcript, no git) is
 * left out and is no failure. */
#ifndef HO_ENGINE_LEDGER_DRAFT_DEAD_H
#define HO_ENGINE_LEDGER_DRAFT_DEAD_H

#include "engine/ledger/draft.h"

/* Both steps: looks, then adds in a write of its own. */
ho_code ho_draft_dead(ho_project *project, ho_draft *draft, ho_error *err) HO_NODISCARD;
#endif
