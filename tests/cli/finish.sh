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
expect 0 pass --task 7 --phase 2 --next 'Open src/start.c and halve the loop' --used 90
expect_err 'create it with: handoff progress start --task 7 --phase 2 --from-plan'
expect_that "the plan has the phase" bash -c "! grep -q 'has no phase' '$folder/err'"
expect 0 prompt successor --task 7 --phase 2
expect_out 'There is none: `handoff progress start --task 7 --phase 2 --from-plan`'
rm -r $task/handoffs $task/.return-meta.json
# A phase that the plan does not have is probably a slip.
expect 0 pass --task 7 --phase 99 --next 'Open src/start.c and halve the loop'
expect_err "$plan has no phase 99; if you meant another: handoff withdraw HO-"
rm -r $task/handoffs $task/.return-meta.json
# Nor is it finished by a slip, unless somebody has tracked it; and who was started for a phase finishes that one.
expect 5 finish --task 7 --phase 11 --summary 'All of it is done'
expect_err_is "handoff: $plan: has no phase 11, but 1, 2; use --phase P with one of these"
expect_that "a result was written" [ ! -e $task/.return-meta.json ]
expect 0 progress start --task 7 --phase 22 --objective 'Something more'
expect_err "$plan has no phase 22, but 1, 2; if you meant one of these, run this and start again: rm $task/progress/phase-22-progress.json"
expect 0 progress "done" 1 --task 7 --phase 22
HANDOFF_TASK=7 HANDOFF_PHASE=1 expect 2 finish --phase 22
expect_err_is 'handoff: you were started for phase 1 of task 7, not for phase 22 of task 7; when yours is done, run: handoff finish'
expect_that "a result was written" [ ! -e $task/.return-meta.json ]
HANDOFF_TASK=7 HANDOFF_PHASE=022 expect 0 finish --phase 22
rm -r $task/progress $task/.return-meta.json
expect 0 progress start --task 7 --phase 2 --from-plan
expect_that "the plan has the phase" bash -c "! grep -q 'has no phase' '$folder/err'"
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
expect 4 pass --task 7 --phase 2 --next 'Go on' --used 90
expect_err 'nothing was written'
expect_that "a refused handoff moved the progress file" [ -f $task/progress/phase-2-progress.json ]
expect 0 pass --task 7 --phase 2 --next 'Open src/start.c and halve the loop' --used 90
expect_err "the progress file could not be read; it is kept in $task/progress/phase-2-progress.json.broken"
rm -r $task/progress $task/handoffs $task/.return-meta.json
expect 0 progress start --task 7 --phase 1 --objective 'Write  the bench' --objective Tell
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
expect_that "a box is ticked that nobody did" grep -q -- '- \[ \] Do it' $plan
expect_err "$plan still has 1 open box of the phase, which is not an objective; tick it if it is done"
# The result of the phase that was finished before is kept beside it, also if nobody says in words what was done, and however
# often they are finished.
result_is() { expect_json $meta "v.summary === '$2' && v.completion_data.completion_summary === '$2' && v.partial_progress.stage === 'phase_$1_completed'"; }
result_is 2 Halved
expect 0 finish --task 7 --phase 1
expect_err "an older result lay in $meta; it is kept in $task/.return-meta-before-phase-1-finish-"
result_is 1 'The start takes 1.2 ms'
expect 0 finish --task 7 --phase 2 --summary 'Halved twice'
result_is 2 'Halved twice'
expect 0 finish --task 7 --phase 1
result_is 1 'The start takes 1.2 ms'
expect 0 finish --task 7 --phase 1
result_is 1 'The start takes 1.2 ms'
for said in 'The start takes 1.2 ms' Halved 'Halved twice'; do
  expect_that "the result '$said' is lost" grep -qF "\"summary\": \"$said\"" $task/.return-meta-before-*.json
done
expect 0 check $meta
rm $task/.return-meta-before-*
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
# While somebody else works on the phase, it is not finished under them; a document of it that somebody holds goes on.
expect 0 progress start --task 9 --slug shared --phase 1 --objective One
HANDOFF_AGENT=coder HANDOFF_SESSION=one expect 0 pass --task 9 --phase 1 --next 'Open src/shared.c and write it'
HANDOFF_AGENT=coder HANDOFF_SESSION=one expect 0 next --task 9 --phase 1
expect 0 progress "done" 1 --task 9 --phase 1
HANDOFF_AGENT=coder HANDOFF_SESSION=two expect 6 finish --task 9 --phase 1
expect_err "(phase 1 of task 9) is held by another session of coder until 2"
HANDOFF_AGENT=tester HANDOFF_SESSION=three expect 6 finish --task 9 --phase 1
expect_err "(phase 1 of task 9) is held by coder until 2"
HANDOFF_TEST_LATER_S=90000 HANDOFF_AGENT=coder HANDOFF_SESSION=two expect 0 finish --task 9 --phase 1
printf 'handoff:\n  from: {agent: coder}\n  to: {agent: reviewer}\n  context: {summary: Review the parser of task nine. It is new.}\n  expectations: {deliverable: A review}\n  workflow_state: {name: "10", current_step: 1}\n' >review.yaml
expect 0 progress start --task 10 --slug reviewed --phase 1 --objective One
expect 0 progress "done" 1 --task 10 --phase 1
expect 0 send review.yaml --as coder
HANDOFF_AGENT=reviewer HANDOFF_SESSION=four expect 0 next
HANDOFF_AGENT=coder HANDOFF_SESSION=one expect 0 finish --task 10 --phase 1
expect_err "goes on: reviewer holds it"
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

# However people write the boxes of a phase: they are its objectives, and only those that are done are ticked.
# objectives TASK LIST TEXT: the phase has these objectives, and nothing in it is ticked that is not done.
number=20
objectives()
{
  number=$((number + 1))
  mkdir -p specs/${number}_boxes/plans
  {
    printf '# Implementation Plan: Boxes\n\n- **Task**: %s - Boxes\n- **Status**: [NOT STARTED]\n\n### Phase 1: One [NOT STARTED]\n' $number
    printf '%b' "$2"
    printf '\n### Phase 2: Two [NOT STARTED]\n- **Dependencies**: Phase 1\n- [ ] Other\n'
  } >specs/${number}_boxes/plans/implementation-001.md
  expect 0 progress start --task $number --phase 1 --from-plan
  expect_json specs/${number}_boxes/progress/phase-1-progress.json "v.objectives.map((o) => o.description).join('|') === '$1'"
}
objectives 'A one|B two' '- **Dependencies**: None\n- **Goal**: know it\n**Tasks**:\n- [ ] A one\n- [ ] B two\n'
objectives 'A one|B two' '- **Goal**: know it\n- [ ] A one\n- [ ] B two\n'
objectives 'A one|B two' '- **Goal**: know it\n- [ ] A one\n- **Timing**: 1 h\n- [ ] B two\n'
objectives 'A one|B two' '\n1. [ ] A one\n2. [ ] B two\n'
objectives 'A one' '**Goal**: x\n**Tasks**:\n- [ ] A one\n**Verification**:\n- [ ] It runs\n- It is fast\n**Timing**: 1 h\n'
expect 0 check specs
expect 0 progress "done" 1 --task $number --phase 1
expect 0 finish --task $number --phase 1
expect_err 'still has 1 open box of the phase'
expect_that "the wrong boxes are ticked" [ "$(grep -- '\[[ x]\]' specs/${number}_boxes/plans/*.md | tr '\n' '|')" = '- [x] A one|- [ ] It runs|- [ ] Other|' ]
# Who begins a phase by hand sees it in the plan, and what it waits for.
marks() { grep -o 'Phase [12]: .*\]\|Status.*\]' specs/${number}_boxes/plans/*.md | sed 's/.*\[//' | tr '\n' ' '; }
expect_marks() { expect_that "the plan is marked $(marks), not $1" [ "$(marks)" = "$1" ]; }
objectives 'A one' '- [ ] A one\n'
expect_marks 'IMPLEMENTING] IN PROGRESS] NOT STARTED] '
expect 0 progress start --task $number --phase 2 --from-plan
expect_err 'phase 2 depends on phase 1, which is not done (IN PROGRESS)'
expect_marks 'IMPLEMENTING] IN PROGRESS] IN PROGRESS] '
sed -i 's/IMPLEMENTING/NOT STARTED/; s/One \[IN PROGRESS\]/One [NOT STARTED]/' specs/${number}_boxes/plans/*.md
expect 0 pass --task $number --phase 1 --next 'Open src/a.c and read it'
expect_marks 'IMPLEMENTING] IN PROGRESS] IN PROGRESS] '
# What stands inside a task belongs to it.
objectives 'A one\n- [ ] part a\n- [x] part b|B two' '- [ ] A one\n  - [ ] part a\n  - [x] part b\n- [ ] B two\n'
for i in 1 2; do expect 0 progress "done" $i --task $number --phase 1; done
expect 0 finish --task $number --phase 1
expect_that "a box is not ticked" [ "$(grep -c -- '\[x\]' specs/${number}_boxes/plans/*.md)" = 4 ]
# One that was added later, or worded otherwise by hand, is nobody's objective.
objectives 'A one' '- [ ] A one\n'
sed -i 's/- \[ \] A one/&\n- [ ] A two/' specs/${number}_boxes/plans/*.md
expect 0 progress "done" 1 --task $number --phase 1
expect 0 finish --task $number --phase 1
expect_that "a box is ticked that nobody did" grep -q -- '- \[ \] A two' specs/${number}_boxes/plans/*.md

# What the handoffs of a phase begin with is done once the phase is: nobody is told to take that step, also after the archive.
expect 0 progress start --task 60 --slug steps --phase 1 --objective One
expect 0 pass --task 60 --phase 1 --next 'Open src/step.c and take it' --decision 'Keep the step: it is short'
expect 0 prompt inject --task 60
expect_out 'Open src/step.c and take it'
expect 0 progress "done" 1 --task 60 --phase 1
expect 0 finish --task 60 --phase 1
for _ in finished archived; do
  expect 0 prompt inject --task 60
  expect_out 'Keep the step'
  expect_not_out 'Open src/step.c and take it'
  expect 0 archive --completed
done

# Whoever has taken a phase handoff is shown how the phase ends, or goes on, not how the handoff alone ends: that leaves the rest to
# nobody.
expect 0 progress start --task 31 --slug taken --phase 1 --objective One --objective Two
expect 0 pass --task 31 --phase 1 --next 'Write the table of the lexer'
expect 0 next --task 31 --phase 1 --as taker --ack
expect_out '# next: handoff finish --task 31 --phase 1 --as taker'
expect_out '# next: handoff pass --task 31 --phase 1 --next TEXT --as taker'
expect_not_out '# next: handoff done'
expect 0 inbox --as taker
expect_out 'handoff finish --task 31 --phase 1 --as taker'
expect 0 progress "done" 1 --task 31 --phase 1
expect 0 pass --task 31 --phase 1 --next 'Write the second part' --as taker
expect 0 next --task 31 --phase 1 --as other --ack
expect 0 progress "done" 2 --task 31 --phase 1
expect 0 finish --task 31 --phase 1 --as other
expect 0 list --task 31 --json
expect_json "$folder/out" 'v.handoffs.every((h) => h.state !== "ready" && h.state !== "acked")'

finish
