/* Learning in its own write (engine/knowledge/knowledge.h describes what is learned). */
#ifndef HO_ENGINE_LEDGER_LEARN_H
#define HO_ENGINE_LEDGER_LEARN_H

#include "engine/knowledge/knowledge.h"

/* Learns from all handoffs in the store that nobody has learned from, 200 per transaction: those that were there before
 * anything was learned. What is merely still to be derived (derive.h) comes first, and is not counted. */
ho_code ho_learn_all(ho_project *project, ho_learned *sum, ho_error *err) HO_NODISCARD;
/* The gate at which a person waits for the answer to this, or "". */
ho_code ho_learn_gate(ho_project *project, ho_arena *arena, const ho_known *known, ho_str *out,
                      ho_error *err) HO_NODISCARD;
/* The answer to one question or blocker, by its id; the handoffs that asked it get the note HO_NOTE_SETTLED. HO_NOT_FOUND,
 * HO_CONFLICT if it is closed. */
ho_code ho_learn_answer(ho_project *project, ho_arena *arena, ho_str id, ho_str note, ho_known *out,
                        ho_error *err) HO_NODISCARD;
#endif
