/* The orchestrator's journal and memory, derived from what was learned. */
#ifndef HO_ENGINE_KNOWLEDGE_JOURNAL_H
#define HO_ENGINE_KNOWLEDGE_JOURNAL_H

#include "engine/knowledge/know.h"

/* {journal: {context_map: {PATH: {purpose, tasks, origin, line, last}}, active_blockers: [{id, blocker, impact,
 * suggested_resolution, blocking_tasks, tasks, since, origin, line}], tasks: {ID: {name, status, blocked_by, last}},
 * decisions: [{id, decision, rationale, tasks, at, origin, line}]}, orchestrator_memory: {learned_context: {gotchas:
 * [{id, issue, mitigation, severity, tasks, at, origin, line}]}}, left_out: {files, blockers, tasks, decisions,
 * gotchas}}
 *
 * The status of a task is that of its newest outcome, "blocked" while an open blocker blocks it, and "open" if
 * nobody has said. At most `limit` of each, the most severe and newest; the rest is counted. */
ho_code ho_journal_make(ho_project *project, int64_t limit, ho_arena *arena, ho_node *out, ho_error *err) HO_NODISCARD;
#endif
