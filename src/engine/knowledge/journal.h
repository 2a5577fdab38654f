/* The orchestrator's journal and memory, derived from what was learned. */
#ifndef HO_ENGINE_KNOWLEDGE_JOURNAL_H
#define HO_ENGINE_KNOWLEDGE_JOURNAL_H

#include "engine/knowledge/know.h"

/* {journal: {context_map: {PATH: {purpose, created_by: {agent, task, at}, modified_by: [{agent, task, at, lines,
 * change_type, description}], lines, change_type, tasks, origin, line, by, last}}, active_blockers: [{id, blocker, impact,
 * suggested_resolution, blocking_tasks, tasks, since, origin, line, by}], tasks: {ID: {name, status, blocked_by, last}},
 * decisions: [{id, decision, rationale, answers, tasks, at, origin, line, by}]}, orchestrator_memory: {learned_context:
 * {gotchas: [{id, issue, discovered_in, mitigation, severity, tasks, at, origin, line, by}]}}, left_out: {files,
 * blockers, tasks, decisions, gotchas}}
 *
 * Of a file, lines and change_type are those of its newest change. The status of a task is that of its newest outcome,
 * "blocked" while an open blocker blocks it, and "open" if nobody has said, or if it was blocked and all its blockers
 * are settled. Completed tasks come after the others. At most `limit` of each, the most severe and newest; the rest is
 * counted. All of it is empty if the project has no store. */
ho_code ho_journal_make(ho_project *project, int64_t limit, ho_arena *arena, ho_node *out, ho_error *err) HO_NODISCARD;
#endif
