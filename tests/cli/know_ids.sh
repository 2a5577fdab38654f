#!/bin/bash
# Ids that authors give, and what is taken back: an id that stands twice in a document, or that another task has, names no
# newer version; what a withdrawn handoff asked is not asked any more; and what a STOP says blocks its task.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common"
expect 0 init

# task ID: a task file around the handoff on standard input, in $1.md.
task()
{
  printf '# Task %s: Work\n\n## Metadata\n| Key | Value |\n|---|---|\n| Depends On | None |\n\n## Objective\nx\n\n## Handoff\n\n```yaml\n%s\n```\n' "$1" "$(cat)" >"$1.md"
}

# ---- One id at two items of one document: both are told.
task task-001 <<'END'
outcome: completed
gotchas:
  - {id: gotcha-XXX, issue: The API takes 100 calls per minute, mitigation: Wait between calls, severity: high}
  - {id: gotcha-XXX, issue: The clocks of the servers differ, mitigation: Compare with a margin, severity: high}
END
expect 0 send task-001.md --to any
expect 0 know --kind gotcha --json
expect_json "$folder/out" 'v.nodes.length === 2 && v.nodes.every((n) => n.state === "open")'
expect 0 prompt inject --task task-002 --after task-001
expect_out "The API takes 100 calls per minute"
expect_out "The clocks of the servers differ"

# ---- The same id in two tasks is two ids; within a task, the newer text counts.
# decide AGENT TASK TEXT: a package of the task that decides D-001.
decide()
{
  package decision.yaml "$1" builder "" "$3 was decided after two days of measurements in 3 files"
  sed -i "s/name: feature/name: $2/; s/^    open_questions:/    decisions: [{id: D-001, decision: $3, rationale: It was measured}]\n    open_questions:/" decision.yaml
  expect 0 send decision.yaml
}
decide other billing "Invoices are in UTF-8"
decide planner export "Exports are CSV"
decide planner export "Exports are JSON lines"
expect 0 know --kind decision --json
expect_json "$folder/out" '["Invoices are in UTF-8 open D-001", "Exports are CSV closed D-001@export"].every((w) =>
  v.nodes.some((n) => `${n.text} ${n.state} ${n.id}` === w)) && v.nodes.find((n) => n.text === "Exports are JSON lines").state === "open"'
expect 0 prompt inject --task export
expect_out "Exports are JSON lines"
expect_not_out "Exports are CSV"

# ---- What is taken back asks nothing any more.
task task-004 <<'END'
outcome: blocked
blockers:
  - {blocker: The disk is full, impact: Nothing can be written, suggested_resolution: Delete the cache, blocking_tasks: [task-006]}
END
HANDOFF_AGENT=dep expect 0 send task-004.md --to ops
id=$(cat "$folder/out")
expect 0 prompt inject --task task-006
expect_out "The disk is full"
HANDOFF_AGENT=dep expect 0 withdraw "$id" --note "The wrong project"
expect 0 journal --json
expect_json "$folder/out" '!v.journal.active_blockers.some((b) => b.blocker === "The disk is full") && v.journal.tasks["task-004"].status !== "blocked" && v.journal.tasks["task-006"].status === "open"'
expect 0 inbox
expect_not_out "The disk is full"
expect 0 prompt inject --task task-006
expect_not_out "The disk is full"

# ---- A STOP blocks its task, whatever status it states.
cat >stop.json <<'END'
{"task_id": "auth-9", "phase": "research", "status": "complete", "decision": "STOP", "findings": {},
 "context_summary": "Login lives in src/login.c", "tokens_used": 700, "issues": ["The login exists already"]}
END
HANDOFF_AGENT=reader expect 0 send stop.json --to lead
id=$(cat "$folder/out")
expect 0 journal --json
expect_json "$folder/out" 'v.journal.active_blockers.some((b) => b.blocker === "The login exists already") && v.journal.tasks["auth-9"].status === "blocked"'
HANDOFF_AGENT=lead expect 0 answer "$id" --note "Extend it"
expect 0 journal --json
expect_json "$folder/out" '!v.journal.active_blockers.length && v.journal.tasks["auth-9"].status !== "blocked"'
finish
