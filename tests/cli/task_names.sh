#!/bin/bash
# task-005, 005 and 5 are one task: in what blocks it, in what it depends on, in its file and in the options.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
mkdir -p tasks src && touch src/a.ts

cat >tasks/task-004.md <<'M'
# Task 004: Issue tokens

## Objective
Tokens

## Handoff

```yaml
outcome: blocked
files_created:
  - path: src/a.ts
    purpose: Tokens
    lines: 1-9
patterns_discovered:
  - pattern: Use the clock of the server
    location: src/a.ts
    applies_to: [auth]
dependencies_for_next:
  - file: src/a.ts
    reason: Contains token validation
blockers:
  - blocker: Missing API credentials
    impact: Cannot pay
    suggested_resolution: Ask the user
    blocking_tasks: [task-005, "006"]
```
M
HANDOFF_AGENT=coder expect 0 send tasks/task-004.md

# ---- What blocks a task reaches it however either is spelled.
for id in task-005 005 5 'Task 5' task-006 006 6; do
  expect 0 prompt inject --task "$id"
  expect_out '- Missing API credentials: Cannot pay (to resolve: Ask the user)'
done
for id in 4 004 task-004 'Task #4'; do
  expect 0 know --task "$id" --kind pattern
  expect_out 'Use the clock of the server'
  expect 0 prompt inject --task new --after "$id"
  expect_out '| src/a.ts | Contains token validation |'
  expect 0 graph --task "$id" --as dot
done
expect 0 graph --task 5 --as dot
expect 0 graph --task task-6 --as dot

# ---- The file of a task that has handed nothing on yet, by each name, label and form.
depends() { # FILE METADATA: the file of task 005 says this
  rm -f tasks/*5.md
  printf '# Task 005: Pay\n\n## Metadata\n%b\n\n## Objective\nPayments\n' "$2" >"tasks/$1"
}
for name in 5.md 005.md task-005.md task-5.md; do
  for meta in '- Depends on: 4' '- **Dependencies**: task-004' '| **Depends On** | 004 |' '| Size | S | Depends On | 4 |' \
    'Dependencies: Task 4' '- **Depends on**:\n  - Task 004: Issue tokens' 'Dependencies:\n\n- task-004 (tokens)\n'; do
    depends "$name" "$meta"
    expect 0 prompt inject --task 5
    expect_out '| src/a.ts | Contains token validation |'
  done
done
for meta in '- Dependencies: None' 'Dependencies of the task are pinned, see 4' '- Depends on:\n- 4 hours'; do
  depends 005.md "$meta"
  expect 0 prompt inject --task 5
  expect_not_out 'Contains token validation'
done

# ---- It stays one task in the journal, under the name that was said first, and is unblocked under any.
sed -e 's/004/005/;s/Issue tokens/Pay/;s/outcome: blocked/outcome: completed/;/^blockers/,/blocking_tasks/d' tasks/task-004.md >tasks/005.md
HANDOFF_AGENT=coder expect 0 send tasks/005.md
expect 0 journal --json
expect_json "$folder/out" 'Object.keys(v.journal.tasks).sort().join() === "4,6,task-005" &&
  v.journal.tasks["task-005"].name === "Pay" && v.journal.active_blockers[0].blocking_tasks.join() === "task-005,6"'
expect 0 know --task 5 --kind pattern
expect_out 'Use the clock of the server'

# ---- A halt holds however a request spells the task.
response='"phase":"research","status":"blocked","decision":"STOP","findings":{},"context_summary":"x","issues":["It exists"]'
request='"phase":"write","context":{"feature":"x"},"instructions":"Write it","expected_output":"files_changed"'
echo "{\"task_id\":\"task-007\",$response}" >stop.json
HANDOFF_AGENT=coder expect 0 send stop.json --to lead
for id in 7 007 task-7; do
  echo "{\"task_id\":\"$id\",$request}" >request.json
  HANDOFF_AGENT=lead expect 7 send request.json --to coder
done

# ---- A name that only looks like a number is its own.
expect 0 know --task task-005b
expect 0 know --task 5.1
finish

# ---- A credential as the name of a task's folder: nothing is stored of it, and the message says what to do.
value="gh""p_$(printf 'aB3dE5gH7%.0s' 1 2 3 4)"
mkdir -p "specs/77_$value/plans"
for args in "progress start --objective Measure" "progress done 'Measured it'" "pass --next 'Run the tests of part 1'"; do
  eval "expect 2 $args --task 77 --phase 1"
  expect_err "the name of task 77's folder is a credential; rename it: mv specs/77_* specs/77_SLUG"
  expect_that "the credential is shown" [ -z "$(grep -F -- "$value" "$folder/err" "$folder/out")" ]
done
expect_that "the credential is stored" [ -z "$(grep -rlF -- "$value" .handoff .project 2>/dev/null)" ]
mv specs/77_* specs/77_start
expect 0 progress start --objective Measure --task 77 --phase 1
