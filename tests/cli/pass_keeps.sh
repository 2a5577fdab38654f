#!/bin/bash
# pass: everything that it is given is in the handoff or in its details file.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TOKEN
git init -q . 2>/dev/null

# kept TASK LINE: it is a line of its own there.
kept() { expect_that "lost: $2" grep -qE "^([-*]|[0-9]+\.) $2\$|^$2\$" specs/"$1"_*/handoffs/*; }

# Items that stand inside another one, in words, are items of their own.
expect 0 pass --task 1 --slug items --phase 1 --next 'Write the test of the parser' --file src/a.c --location 'Line 3' \
  --goal "$(seq -f 'goal line %g with some text' 1 30)" \
  --decision 'Keep the tests: fast' --decision b --decision c --decision d --decision Keep \
  --not 'Mock the clock: flaky' --not 'Mock the clock: slow' --not c --not d --not Mock \
  --context 1 --context 2 --context 3 --context 4 --context 5 --context 6 --context 30
for line in 'Keep the tests: fast' Keep 'Mock the clock: flaky' 'Mock the clock: slow' Mock 1 2 3 4 5 6 30; do kept 1 "$line"; done
# The next one in the chain inherits both reasons.
expect 0 pass --task 1 --phase 1 --next 'Write the other test of the parser' --context new
for line in 'Mock the clock: flaky \(hop 1\)' 'Mock the clock: slow \(hop 1\)' 'Keep \(hop 1\)'; do kept 1 "$line"; done
# Who succeeded whom is known, although nobody claimed anything.
expect 0 lineage 1 --json
expect_json "$folder/out" 'v.handoffs.length === 1 && v.handoffs[0].state === "superseded"'
expect 0 finish --task 1 --phase 1
expect 0 lineage 1 --json
expect_json "$folder/out" 'v.handoffs.length === 2 && v.handoffs[1].state === "done"'

# Sections, items and text that no field takes.
expect 0 pass --task 2 --slug sections --phase 1 --from - <<'EOF'
Words before the first section.

## Immediate Next Action
Edit x.c
## Current State
- **File**: x.c
- **Branch**: topic
- **Goal state**: g

More about the state.
## Surprise
Found on the way.
## Key Decisions
Words before the list
- foo: bar
EOF
for line in 'Words before the first section.' '\*\*Branch\*\*: topic' 'More about the state.' '## Surprise' 'Found on the way.' \
  'Words before the list' 'foo: bar'; do kept 2 "$line"; done

# The same in JSON, where options may be given beside the artifact's own names.
expect 0 pass --task 3 --slug members --phase 1 --from - <<'EOF'
{"immediate_next_action": "Open parse.c", "notes": "A free note", "goal": "It parses", "decision": ["a: b"],
 "key_decisions": [{"decision": "k", "rationale": "r"}], "current_state": {"branch": "topic"}}
EOF
for line in 'notes: A free note' '\*\*branch\*\*: topic' 'a: b' 'k: r' '\*\*Goal state\*\*: It parses'; do kept 3 "$line"; done

# What was null is replaced where it stands, by every command that edits these files: no key stands twice.
once() { expect_that "$1 $2 stands twice" test "$(grep -o "\"$2\"" "$1" | wc -l)" = "$3"; }
expect 0 progress start --task 4 --slug nulls --phase 1 --objective A --objective B
progress=specs/4_nulls/progress/phase-1-progress.json meta=specs/4_nulls/.return-meta.json
cat >$progress <<'EOF'
{"phase": 1, "phase_name": "Phase 1", "started_at": "2026-02-12T10:30:00Z", "last_updated": "2026-02-12T10:30:00Z",
 "objectives": [{"id": 1, "description": "A", "status": "in_progress", "note": null, "files_touched": null},
  {"id": 2, "description": "B", "status": "not_started", "note": null}],
 "current_objective": 1, "approaches_tried": null, "handoff_count": null, "x_passed": null}
EOF
echo '{"status":"in_progress","started_at":"2026-02-12T10:30:00Z","artifacts":null,"partial_progress":null,"summary":null,
  "metadata":{"session_id":"sess_1700000000_abcd","agent_type":"x","delegation_depth":1,"delegation_path":["x"]}}' >$meta
expect 0 progress tried 'mmap' --why 'slow' --task 4 --phase 1
expect 0 progress "done" 1 --note 'A is done' --task 4 --phase 1
expect 0 pass --task 4 --phase 1 --next 'Run a.sh once' --not 'sed: quoting'
for key in approaches_tried handoff_count x_passed; do once $progress $key 1; done
once $progress note 2
for key in artifacts partial_progress; do once $meta $key 1; done
expect_json $meta 'v.partial_progress.handoff_path && v.artifacts.length === 1'
expect_json $progress 'v.approaches_tried.length === 2 && v.handoff_count === 1 && v.objectives[0].note === "A is done"'
expect 0 progress "done" 2 --note 'B is done' --task 4 --phase 1
expect 0 finish --task 4 --phase 1
for key in next_steps completion_data partial_progress; do once $meta $key 1; done
expect_json $progress 'v.objectives[1].note === "B is done"'
expect_json $meta 'v.summary === "A; B"'
run check $progress $meta
expect_not_out DUPLICATE
finish
