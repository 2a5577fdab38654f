#!/bin/bash
# A finished phase whose objective is reopened is in progress again: in the plan, its boxes, the metadata, for successors and `run`.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
task=specs/5_table
plan=$task/plans/implementation-001.md
where=(--task 5 --phase 1)
mkdir -p $task/plans
cat >$plan <<'P'
# Implementation Plan: Table

- **Task**: 5 - Table
- **Status**: [NOT STARTED]

## Implementation Phases

### Phase 1: Fill [NOT STARTED]
**Goal**: It is full

**Tasks**:
- [ ] Read the rows
- [ ] Write the rows
- [x] Name the columns
P
cp $plan "$folder/new"
finished() {
  expect 0 finish "${where[@]}"
  expect_that "the plan is not completed" grep -q '^### Phase 1: Fill \[COMPLETED\]' $plan
  expect_that "the box is not ticked" grep -q '^- \[x\] Write the rows' $plan
}
# goes_on: the plan says so, and nothing else of it has changed.
goes_on() {
  sed 's/^- \*\*Status\*\*: .*/- **Status**: [IMPLEMENTING]/; s/Fill \[NOT STARTED\]/Fill [IN PROGRESS]/; s/\[ \] Read/[x] Read/' "$folder/new" >"$folder/wanted"
  expect_that "the plan is $(cat $plan)" cmp -s "$folder/wanted" $plan
}
expect 0 progress start "${where[@]}" --objective 'Read the rows' --objective 'Write the rows'
expect 0 progress "done" 1 "${where[@]}"
expect 0 progress "done" 2 "${where[@]}"
finished
expect 0 prompt successor "${where[@]}"
expect_out 'is finished'
expect 0 progress reopen 2 --note 'Two rows are wrong' "${where[@]}"
goes_on
expect 0 prompt successor "${where[@]}"
expect_out 'Objective 2 (1 of 2 done): Write the rows'
expect 0 run $plan --dry-run --json
expect_json "$folder/out" 'v.waves.length === 1'
expect 0 pass "${where[@]}" --next 'Write row 3 again in src/rows.c'
goes_on
expect_json $task/.return-meta.json 'v.partial_progress.phases_completed === 0 && v.partial_progress.phases_total === 1'
# A pass alone also says that it goes on; boxes that somebody ticked by hand while it was in progress stay.
expect 0 progress "done" 2 "${where[@]}"
finished
expect 0 pass "${where[@]}" --next 'Write row 4 again in src/rows.c' --context 'Row 4 is wrong, too'
expect_err 'was finished, and goes on'
expect_that "the phase is not in progress" grep -q '^### Phase 1: Fill \[IN PROGRESS\]' $plan
expect_json $task/.return-meta.json 'v.partial_progress.phases_completed === 0'
expect 0 progress reopen 2 "${where[@]}"
sed -i 's/\[ \] Write/[x] Write/' $plan
expect 0 pass "${where[@]}" --next 'Write row 5 again in src/rows.c' --context 'Row 5 is wrong, too'
expect_that "a box ticked by hand was emptied" grep -q '^- \[x\] Write' $plan
# What the program marked in the plan that handoffs refer to is not drift.
expect 0 verify --json
expect_json "$folder/out" 'v.drift.length === 0'
finish
