/* How complete a task handoff is: the percentage of what the format asks a handoff to state.
 *
 * What is measured is presence, not length or truth. Each of these parts has the same weight:
 *
 *   outcome           stated
 *   files             at least one created or modified file, or an artifact
 *   patterns, gotchas, dependencies for the next agent, next steps
 *   blockers          only if the outcome asks for them (partial, failed, blocked) or some are named
 *
 * A list counts half for having an item, and half for the share of its items' required and expected fields that are
 * filled. Open questions are optional and do not count. A text without structure scores 0: nothing in it can be
 * found by name. */
#ifndef HO_MODEL_FORMATS_COMPLETE_H
#define HO_MODEL_FORMATS_COMPLETE_H

#include "model/format.h"

/* task: a bound tree of the format task, or NULL (scores 0). parts (may be NULL) becomes a list of {part, score};
 * each score is a percentage too. */
unsigned ho_complete(const ho_node *task, ho_arena *arena, ho_node **parts);
#endif
