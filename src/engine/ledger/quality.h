/* How well a handoff worked, measured by what followed.
 *
 * The evidence is the store (who claimed it, what they asked), the transcript of the session that claimed it (between
 * claim and end; found through the trace that hooks keep, or given), and the phase's progress file. A measure without
 * evidence is unknown, which is null and never 0:
 *
 *   reread      files that the handoff says need not be read (an artifact's References, "do not re-read FILE"), but
 *               that were read anyway
 *   retried     approaches that it says have failed, but that were logged as tried again afterwards
 *   asked       questions and blockers that the receiver had: what the handoff should have said
 *   tokens_to_first_edit   tokens added to the receiver's context between the claim and its first edit
 *   completeness           of a task handoff (model/document/complete.h) */
#ifndef HO_ENGINE_LEDGER_QUALITY_H
#define HO_ENGINE_LEDGER_QUALITY_H

#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"

/* transcript: of the session that claimed it, absolute, or "" to look for it. *out: a map with id, kind, from,
 * taken_by, task, phase, state, the measures above, told_not_to_read, reread_files, retried_approaches, questions,
 * transcript, and `unknown`, one sentence for each measure that is null. taken_by is null if nobody has claimed it
 * yet. */
ho_code ho_quality_measure(ho_project *project, const ho_handoff *row, ho_str transcript, ho_arena *arena,
                           ho_node **out, ho_error *err) HO_NODISCARD;
/* handoffs: list of such maps. Returns one map per value of their member `by` ("from", "kind"), sorted by name:
 * {NAME: value, handoffs, and for each measure {known, any} or, for tokens, {known, median}}. */
ho_node *ho_quality_groups(const ho_node *handoffs, const char *by, const char *name, ho_arena *arena);
#endif
