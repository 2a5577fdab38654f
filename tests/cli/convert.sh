#!/bin/bash
# convert: another format by role, and back to the same.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
cat >a.md <<'END'
# Phase 3 Handoff - 20260212T143022Z

## Immediate Next Action
Return `TOKEN_EXPIRED` from `verify_token`.

## Current State
- **File**: /srv/app/src/auth/jwt.c
- **Location**: Line 142
- **Goal state**: test_expired_token passes

## Key Decisions Made
1. Check the expiry before the signature: It is cheaper

## What NOT to Try
1. Comparing times as text: Offsets sort wrongly

## Critical Context (max 5 items)
- `exp` is in seconds

## References (read only if stuck)
- Plan: specs/12_token_expiry/plans/implementation-001.md, Phase 3
END
cat >t.yaml <<'END'
outcome: completed
files_created:
  - path: src/auth/jwt.ts
    purpose: Issues and checks tokens
    lines: 1-150
gotchas:
  - issue: The rate limit is 100 a minute
    discovered_in: Integration of the payment service
    mitigation: Retry with exponential backoff
    severity: high
open_questions:
  - question: Should refresh tokens live in cookies?
    context: Security against convenience
suggested_next_steps:
  - step: Write the middleware
    priority: high
  - step: Test it
    priority: low
x_own: [1, two]
END

# A phase handoff is partial work, but says of no blocker: none is invented (C2a).
expect 4 convert a.md --to task --format artifact
expect_out "outcome: partial"
expect_out "step: Return \`TOKEN_EXPIRED\` from \`verify_token\`."
expect_not_out "blockers:"
expect_err "error[task-partial]"
expect_err "kept in x_kept because task has no place for it: /key_decisions"
cp "$folder/out" from-artifact.yaml
expect 0 convert from-artifact.yaml --format task --to artifact
expect_that "artifact → task → artifact differs" diff -u a.md "$folder/out"
expect_no_err

# Markdown without a file: x_kept is a section.
expect 4 convert t.yaml --format task --to artifact
expect_out "x_kept:"
cp "$folder/out" from-task.md
expect 0 convert from-task.md --format artifact --to task
run show t.yaml --format task --as yaml
cp "$folder/out" canonical.yaml
run convert from-task.md --format artifact --to task
expect_that "task → artifact → task differs" diff -u canonical.yaml "$folder/out"

# Markdown in a file: x_kept is in the file beside it.
sed 's/^x_kept:/x_own: [1, two]\n&/' from-artifact.yaml >full.yaml
run show full.yaml --format task --as yaml
cp "$folder/out" canonical.yaml
expect 0 convert full.yaml --format task --to artifact -o out.md
expect_out_is "out.md
out-details.md"
expect_err "kept in out-details.md because artifact has no place for it: /x_own"
expect_that "x_kept stands in the document" bash -c '! grep -q x_kept out.md'
expect_that "no x_kept in the details" grep -q '^## x_kept' out-details.md
expect 4 convert out.md --format artifact --to task # as from-artifact.yaml
expect_that "with a details file it differs" diff -u canonical.yaml "$folder/out"
expect 0 convert full.yaml --format task --to artifact -o out.md # the same is there already
echo mine >>out-details.md
expect 6 convert full.yaml --format task --to artifact -o out.md
expect_err "out-details.md: already exists; move it away first"

# A file that is there is not written over, and no file is written if the result has errors.
echo mine >there.md
expect 6 convert full.yaml --format task --to artifact -o there.md
expect_err "there.md: already exists; move it away first"
expect_that "a file was written over" [ "$(cat there.md)" = mine ]
expect 4 convert t.yaml --format task --to artifact -o broken.md
expect_err "broken.md was not written: the result has errors; without -o it is printed"
expect_no_out
expect_that "an invalid document was written" [ -z "$(ls broken* 2>/dev/null)" ]

# An edit in between stays.
expect 0 convert t.yaml --format task --to meta -o m.json
sed -i 's/Write the middleware/Write the handler/' m.json
expect 0 convert m.json --format meta --to task
expect_out "Write the handler"
expect_out "Test it"

# Words of the same meaning.
expect 0 convert t.yaml --format task --to meta --json
expect_json "$folder/out" 'v.from === "task" && v.to === "meta" && v.as === "json" && v.errors === 0 && v.kept.includes("/x_own")'
expect_json "$folder/out" 'JSON.parse(v.text).status === "implemented" && JSON.parse(v.text).x_kept.from === "task"'
expect 4 convert t.yaml --format task --to response --as yaml
expect_out "status: complete"
expect_out "decision: PROCEED"
expect_out '- "The rate limit is 100 a minute: Integration of the payment service; Retry with exponential backoff"'

# What is no YAML, but plain, is converted as it is checked.
expect 0 convert - --format task --to meta <<<$'outcome: completed\nx_note: all is well: really'
expect_json "$folder/out" 'v.x_kept.fields.x_note === "all is well: really"'

# Standard input has no name that tells YAML from Markdown: a comment is no title, and a title no comment.
expect 0 show - --format task --as json <<<$'# what came of it\noutcome: completed'
expect_json "$folder/out" 'v.outcome === "completed" && !v.task_file'
expect 0 show - --format task --as json <<<$'## Handoff\n\n```yaml\noutcome: completed\n```'
expect_json "$folder/out" 'v.outcome === "completed"'
expect 0 show - --format task --as json <<<$'# Task 7: Name\nStatus: x\n\n## Handoff\n\n```yaml\noutcome: completed\n```'
expect_json "$folder/out" 'v.outcome === "completed" && v.task_file.id == 7'

# Every pair of formats, there and back.
while read -r from; do
  run template "$from" --as yaml
  cp "$folder/out" "$from.yaml"
  run show "$from.yaml" --format "$from" --as yaml
  cp "$folder/out" "$from.yaml"
  while read -r to; do
    run convert "$from.yaml" --format "$from" --to "$to" --as yaml
    cp "$folder/out" there.yaml
    run convert there.yaml --format "$to" --to "$from" --as yaml
    expect_that "$from → $to → $from differs" diff -u "$from.yaml" "$folder/out"
  done < <("$handoff" formats --json | node -e 'JSON.parse(require("fs").readFileSync(0)).formats.forEach(f => console.log(f.name))')
done < <("$handoff" formats --json | node -e 'JSON.parse(require("fs").readFileSync(0)).formats.forEach(f => console.log(f.name))')

expect 2 convert t.yaml --format task
expect 2 convert t.yaml --format task --to nothing
expect_err "unknown format 'nothing'"
expect 2 convert t.yaml --format task --to progress --as md
expect_err "has no Markdown form"
expect 5 convert nowhere.yaml --to task
finish
