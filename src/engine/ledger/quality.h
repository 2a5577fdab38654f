/* How well a handoff served, measured from what followed.
 *
 * Evidence is the ledger (who took it, what they asked), the transcript of the session that took it (between claim and
 * end; found through the trace that hooks keep, or given), and the phase's progress file. What there is no evidence for
 * is unknown, which is null and never 0:
 *
 *   reread      files that the handoff says need not be read (an artifact's References, "do not re-read FILE"), and that
 *               were read all the same
 *   retried     approaches that it says have failed, and that were logged as tried again afterwards
 *   asked       questions and blockers that the receiver had: what the handoff should have said
 *   tokens_to_first_edit   tokens that came into the receiver's context between the claim and its first edit
 *   completeness           of a task handoff (model/formats/complete.h) */
#ifndef HO_ENGINE_LEDGER_QUALITY_H
#define HO_ENGINE_LEDGER_QUALITY_H

#include "engine/project/project.h"
#include "store/handoffs/handoffs.h"

/* transcript: of the session that took it, absolute, or "" to look for it. *out: a map with id, kind, from, taken_by,
 * task, phase, state, the measures above, told_not_to_read, reread_files, retried_approaches, questions, transcript, and
 * `unknown`, a sentence for each measure that is null. taken_by is null where nobody has taken it yet. */
ho_code ho_quality_measure(ho_project *project, const ho_handoff *row, ho_str transcript, ho_arena *arena,
                           ho_node **out, ho_error *err) HO_NODISCARD;
/* handoffs: list of such maps. One map a value of their member `by` ("from", "kind"), in order of name: {NAME: value,
 * handoffs, and for each measure {known, any} or, of tokens, {known, median}}. */
ho_node *ho_quality_groups(const ho_node *handoffs, const char *by, const char *name, ho_arena *arena);
#endif
