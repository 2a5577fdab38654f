/* What is known about a handoff: its record, which of its facts the program has checked itself, and whether anything
 * has changed since it was sent. */
#ifndef HO_ENGINE_LEDGER_DESCRIBE_H
#define HO_ENGINE_LEDGER_DESCRIBE_H

#include "engine/project/project.h"
#include "store/handoffs/files.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

/* id, kind, type, state, from, to, task, phase, created, updated, … with null for what is absent. */
ho_node *ho_describe_record(const ho_handoff *row, ho_arena *arena);
/* [{claim, known: verified|asserted, then, now: same|changed|gone|unknown}]: artifacts, git's head, the tree, the copy.
 */
ho_code ho_describe_claims(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out,
                           ho_error *err) HO_NODISCARD;
/* Sentences about what has changed since: a list of texts. */
ho_node *ho_describe_drift(const ho_node *claims, ho_arena *arena);
/* The first artifact that is gone or changed, as a sentence, or "". */
ho_str ho_describe_moved(ho_project *project, const ho_handoff *row, ho_arena *arena);
/* The questions, answers and notes in the log: [{at, by, kind, text}]. */
ho_code ho_describe_talk(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out,
                         ho_error *err) HO_NODISCARD;
/* One event as a map, with its data read. */
ho_node *ho_describe_event(const ho_event *event, ho_arena *arena);
ho_node *ho_describe_gate(const ho_gate *gate, ho_arena *arena);
/* Is a file of a handoff the same as when it was recorded? A copy is compared without its credentials. HO_NOT_FOUND
 * if there is none. */
ho_code ho_describe_file_same(ho_project *project, ho_arena *arena, const ho_file *file, bool *same,
                              ho_error *err) HO_NODISCARD;
/* A copy's text as it is stored: without credentials, according to the settings. Fails only if memory runs out; a
 * text that is not a document is cleaned as plain text. */
ho_code ho_describe_clean_copy(const ho_project *project, ho_arena *arena, ho_str path, ho_str text, ho_str *out,
                               ho_error *err) HO_NODISCARD;
#endif
