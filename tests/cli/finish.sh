#!/bin/bash
# finish: the end of a phase: metadata, plan, progress file and ledger agree; what is not done is refused.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE
task=specs/7_fast_start
meta=$task/.return-meta.json
plan=$task/plans/implementation-001.md
mkdir -p $task/plans
cat >$plan <<'P'
# Implementation Plan: Fast start

- **Task**: 7 - Fast start
- **Status**: [IN PROGRESS]

## Implementation Phases

### Phase 1: Measure [IN PROGRESS]
**Goal**: Know it

**Tasks**:
- [ ] Write the bench
- [x] Run it

### Phase 2: Halve [NOT STARTED]
**Goal**: Halve it

**Tasks**:
- [ ] Do it
P
expect 5 progress start --task 7 --phase 9 --from-plan
expect 2 progress start --task 7 --phase 2 --from-plan --objective Halve
# Whoever has not started a phase that is planned is not told to make up objectives.
expect 5 progress "done" 1 --task 7 --phase 2
expect_err 'no progress file yet; run: handoff progress start --task 7 --phase 2 --from-plan'
expect 5 progress show --task 7 --phase 9
expect_err "no progress file yet; run: handoff progress start --task 7 --phase 9 --objective 'First'"
expect 0 prompt teammate --task 7 --phase 2
expect_out '`handoff progress start --task 7 --phase 2 --from-plan`'
expect 0 pass --task 7 --phase 2 --next 'Open src/start.c and halve the loop'
expect_err 'create it with: handoff progress start --task 7 --phase 2 --from-plan'
expect_that "the plan has the phase" bash -c "! grep -q 'has no phase' '$folder/err'"
expect 0 prompt successor --task 7 --phase 2
expect_out 'There is none: `handoff progress start --task 7 --phase 2 --from-plan`'
rm -r $task/handoffs $task/.return-meta.json
# A phase that the plan does not have is probably a slip.
expect 0 pass --task 7 --phase 99 --next 'Open src/start.c and halve the loop'
expect_err "$plan has no phase 99; if you meant another: handoff withdraw HO-"
rm -r $task/handoffs $task/.return-meta.json
expect 0 progress start --task 7 --phase 2 --from-plan
expect 0 progress show --task 7 --phase 2
expect_out 'Phase 2: Halve'
expect_out 'Do it'
expect 6 progress unblock 1 --task 7 --phase 2
expect_err 'objective 1 is not blocked; it is not_started'
expect 0 progress block 1 --note 'The disk is full' --task 7 --phase 2
expect 0 progress unblock 1 --note 'There is room again' --task 7 --phase 2
expect 6 progress reopen 1 --task 7 --phase 2
expect 0 progress "done" 1 --task 7 --phase 2
expect 0 progress reopen 1 --task 7 --phase 2
expect_json $task/progress/phase-2-progress.json 'v.objectives[0].status === "in_progress" && v.current_objective === 1'
# A progress file that is broken is put aside, and the work goes on.
echo '{"phase": 2, "objectives": [' >$task/progress/phase-2-progress.json
expect 3 progress note 'Half of it' --task 7 --phase 2
expect_err 'mend it, or rename it and run: handoff progress start --task 7 --phase 2 --from-plan'
expect 3 finish --task 7 --phase 2
expect_err 'mend it, or rename it if the phase is done, and run this again'
expect 4 pass --task 7 --phase 2 --next 'Go on'
expect_err 'nothing was written'
expect_that "a refused handoff moved the progress file" [ -f $task/progress/phase-2-progress.json ]
expect 0 pass --task 7 --phase 2 --next 'Open src/start.c and halve the loop'
expect_err "the progress file could not be read; it is kept in $task/progress/phase-2-progress.json.broken"
rm -r $task/progress $task/handoffs $task/.return-meta.json
expect 0 progress start --task 7 --phase 1 --objective Measure --objective Tell
expect 0 pass --next 'Run `make bench` and read its first line'
expect 0 progress "done" 1
expect 6 finish
expect_err "objective 2 is not done; run 'handoff progress done 2 --task 7 --phase 1' if it is"
expect_that "the plan was changed" grep -q 'Phase 1: Measure \[IN PROGRESS\]' $plan
expect 0 progress "done" 2
expect 0 finish --summary 'The start takes 1.2 ms' --json
expect_json "$folder/out" 'v.status === "implemented" && v.ended.length === 1 && v.task === "7" && v.phase === "1"'
expect_json $meta 'v.status === "implemented" && v.completion_data.completion_summary === "The start takes 1.2 ms" && !v.partial_progress.handoff_path && v.partial_progress.phases_completed === 1 && v.partial_progress.phases_total === 2 && v.artifacts.length === 1'
expect_that "the phase is not marked" grep -q 'Phase 1: Measure \[COMPLETED\]' $plan
expect_that "a box is not ticked" grep -q -- '- \[x\] Write the bench' $plan
expect_that "a box of another phase is ticked" grep -q -- '- \[ \] Do it' $plan
expect_that "the plan is not in progress" grep -q 'Status\*\*: \[IN PROGRESS\]' $plan
expect 0 list --task 7 --json
expect_json "$folder/out" 'v.handoffs.filter((h) => h.phase === "1").every((h) => h.state === "done")'
expect 0 check specs
expect 0 verify
expect 0 prompt successor --task 7 --phase 1
expect_out 'Phase 1 of task 7 is finished'
expect_out 'The start takes 1.2 ms'
# Again, it changes nothing that matters.
expect 0 finish --task 7 --phase 1 --summary 'The start takes 1.2 ms'
expect_that "the result was put aside" [ -z "$(find $task -name '*before*')" ]
# The last phase ends the plan; without a progress file its summary is what is said.
expect 0 finish --task 7 --phase 2 --summary 'Halved'
expect_that "the plan is not done" grep -q 'Status\*\*: \[COMPLETED\]' $plan
expect_that "a box is not ticked" grep -q -- '- \[x\] Do it' $plan
# What is passed on afterwards opens the phase again: pass says so, and a successor is started from it.
for p in 1 2; do
  expect 0 pass --task 7 --phase $p --next "Measure the start on the old machine, in phase $p" --context 'It is slower there'
  expect_err "phase $p of task 7 was finished, and goes on with this handoff; for other work, use --task"
  expect 0 prompt successor --task 7 --phase $p
  expect_out "Measure the start on the old machine, in phase $p"
  expect_not_out 'is finished'
  expect 0 finish --task 7 --phase $p --summary 'Measured on both'
  expect 0 prompt successor --task 7 --phase $p
  expect_out "Phase $p of task 7 is finished"
done
expect_json $task/progress/phase-1-progress.json 'v.x_finished.summary === "Measured on both"'
expect 0 check specs
expect 0 verify
# One that waits for a person goes on waiting.
expect 0 progress start --task 8 --slug gated --phase 1 --objective Ask
expect 0 pass --task 8 --phase 1 --next 'Open src/gate.c and ask a person' --json
id=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).id' "$folder/out")
cp "$(find "$source_dir/tests/cases/gate" -name '*.good.yaml' | sort | head -1)" gate.yaml
mkdir -p docs && echo Release >docs/release.md
expect 0 gate raise gate.yaml --for "$id"
expect 0 progress "done" 1 --task 8 --phase 1
expect 0 finish --task 8 --phase 1
expect_err "$id still waits for a person"
expect 0 list --state gated --json
expect_json "$folder/out" 'v.handoffs.length === 1'
finish
