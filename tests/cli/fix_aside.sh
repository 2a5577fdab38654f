#!/bin/bash
# fix: values that do not fit their fields go beside them, so that nothing wrong is left and nothing lost.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir -p .handoff specs/9_odd_values/progress
progress=specs/9_odd_values/progress/phase-1-progress.json
meta=specs/9_odd_values/.return-meta.json

# A key is renamed in its place; a map where a text is wanted becomes one.
cat >$meta <<'J'
{
  "status": "partial - phase 3 waits",
  "artifacts": [{"type": "plan", "path": "specs/9_odd_values/plans/implementation-001.md", "summary": {"of": "all"}},
    {"type": "source", "path": "https://example.org/a.c", "summary": "Elsewhere"}, ["b.c"]],
  "partial_progress": {"stage": "phase_3_partial", "details": [{"done": 1, "open": ["a", "b"]}], "phases_total": "four",
    "handoff_path": ["specs/a.md", "specs/b.md"]},
  "metadata": {"session_id": "sess_1770906622_a1b2c3", "duration_seconds": "half an hour", "delegation_depth": 1.0},
  "completion_data": {"completion_summary": "Half", "roadmap_items": {"first": "done", "second": ["a", "b"]}},
  "started_at": "yesterday",
  "requires_user_review": 0
}
J
expect 4 check $meta
expect 0 fix $meta
expect_json $meta 'v.status === "partial" && v.x_status_stated === "partial - phase 3 waits" && v.x_started_at === "yesterday"'
expect_json $meta 'v.artifacts.length === 1 && v.artifacts[0].summary === "of: all" && v.requires_user_review === false'
expect_json $meta 'JSON.stringify(v.x_artifacts_further) === JSON.stringify(
  [{type: "source", path: "https://example.org/a.c", summary: "Elsewhere"}, ["b.c"]])'
expect_json $meta 'v.partial_progress.details === "done: 1, open: a; b" && v.partial_progress.x_phases_total === "four"'
expect_json $meta 'v.partial_progress.x_handoff_path.length === 2 && v.metadata.delegation_depth === 1'
expect_json $meta 'v.metadata.x_duration_seconds === "half an hour"'
expect_json $meta 'v.completion_data.roadmap_items.join("|") === "first: done|second: a; b"'
twice $meta

# Only the key changes where that is enough.
cat >$meta <<'J'
{ "own": [ 1,2 ],
  "status": "planned", "artifacts": [  ], "started_at" : "some day",
  "metadata": {"session_id":"sess_1770906622_a1b2c3"} }
J
sed 's/"started_at"/"x_started_at"/' $meta >"$folder/wanted"
expect 0 fix $meta
expect_that "more than the key changed" cmp -s $meta "$folder/wanted"

# A word that the format does not know is not guessed at: the fact is missing, the word stays.
echo '{"status": "expanded", "artifacts": [], "metadata": {"session_id": "sess_1770906622_a1b2c3"}}' >$meta
expect 4 fix $meta
expect_out "error[required] /status"
expect_json $meta 'v.x_status === "expanded" && !("status" in v)'
twice $meta

# What contradicts something else is put aside, too.
cat >$progress <<'J'
{"phase": 1, "phase_name": "Odd", "started_at": "2026-02-12T10:30:00Z", "last_updated": "2026-02-11 10:30",
 "objectives": [{"id": 1, "description": "One", "status": "done"}, {"id": 1, "description": "Two", "status": "done"}],
 "current_objective": null, "approaches_tried": [], "handoff_count": 0}
J
expect 4 check $progress
expect 0 fix $progress
expect_json $progress 'v.objectives[0].id === 1 && v.objectives[1].x_id === 1 && v.x_last_updated && !v.last_updated'
twice $progress

# An empty word is missing, not wrong.
echo '{"status": "", "artifacts": [], "metadata": {"session_id": "sess_1770906622_a1b2c3"}}' >$meta
expect 4 check $meta
expect_out "error[required] /status"
expect_not_out "error[choice]"

# What it was recognised by may go aside, too; it stays what it is.
echo '{"decision": "perhaps", "findings": "all is well", "issues": []}' >answer.json
expect 4 fix answer.json
expect 4 check answer.json --json
expect_json "$folder/out" 'v.files[0].format === "response"'
expect_json answer.json 'v.x_decision === "perhaps" && v.x_findings === "all is well"'
finish
