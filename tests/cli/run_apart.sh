#!/bin/bash
# What belongs to a run is its own: results and progress of one plan never count for another.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common"
needs jq
PATH=$(dirname "$handoff"):$PATH
export folder

# plan FILE [TASK]: one phase.
plan()
{
  mkdir -p "$(dirname "$1")"
  printf '# Implementation Plan: %s\n\n%s- **Status**: [NOT STARTED]\n\n### Phase 1: One [NOT STARTED]\n\n- [ ] do it\n' \
    "$1" "${2:+- **Task**: $2 - both
}" >"$1"
}
# agent NAME COMMAND: a teammate; `returns SUMMARY` writes its result.
agent()
{
  # shellcheck disable=SC2016
  printf '#!/bin/bash\ncat >"$folder/prompt-%s"\nreturns() { printf '\''{"status":"implemented","summary":"%%s","artifacts":[],"completion_data":{"completion_summary":"%%s"}}'\'' "$1" "$1" >"$HANDOFF_META"; }\n%s\n' \
    "$1" "$2" >"$folder/$1"
  chmod +x "$folder/$1"
}
# wait_for FILE: ten seconds at most.
wait_for()
{
  for _ in $(seq 200); do
    [ -e "$1" ] && return 0
    sleep 0.05
  done
  result bad "waited in vain for $1"
}

# Two plans of the same name, at the same time: one teammate writes nothing, the other its result meanwhile.
plan a/plan.md
plan b/plan.md
# shellcheck disable=SC2016
agent silent 'touch "$folder/silent-works"; while [ ! -e "$folder/b-wrote" ]; do sleep 0.05; done'
# shellcheck disable=SC2016
agent writes 'while [ ! -e "$folder/silent-works" ]; do sleep 0.05; done; returns "B is there"; touch "$folder/b-wrote"; sleep 0.5'
"$handoff" run a/plan.md --agent "$folder/silent" --json >"$folder/a.json" 2>"$folder/a.err" &
a=$!
"$handoff" run b/plan.md --agent "$folder/writes" --json >"$folder/b.json" 2>"$folder/b.err"
expect_that "plan b ended with $?" test $? = 0
wait $a
expect_that "plan a ended with $?" test $? = 7
expect_json "$folder/a.json" 'v.steps[0].state === "gated" && v.teammates.every((t) => t.outcome === "died")'
expect_json "$folder/b.json" 'v.steps[0].state === "done" && v.teammates.length === 1'
expect_that "plan a is marked as done" grep -q '^### Phase 1: One \[BLOCKED\]' a/plan.md
expect_that "plan b is not marked as done" grep -q '^### Phase 1: One \[COMPLETED\]' b/plan.md
one=$(jq -r .task "$folder/a.json") two=$(jq -r .task "$folder/b.json")
expect_that "both plans are task $one" test "$one" != "$two"
expect_that "tasks $one and $two" test "$(printf '%s\n' "$one" "$two" | sort | paste -sd,)" = plan,plan-2
expect_that "the plan is not remembered" grep -qx b/plan.md "specs/${two}_run/.plan"
expect_that "the result is not in the task's folder" grep -q 'B is there' "specs/${two}_run/.return-meta-phase-1.json"

# One after the other: the second does not meet the objectives of the first. Each continues in its own folder.
plan c/steps.md
plan d/steps.md
# shellcheck disable=SC2016
agent begins 'handoff progress start --task "$HANDOFF_TASK" --phase 1 --objective "Only for $HANDOFF_TASK"; echo "$HANDOFF_TASK" >>"$folder/tasks"; [ -e "$folder/again" ] && returns Done'
touch "$folder/tasks"
expect 7 run c/steps.md --agent "$folder/begins" --max-successors 1
expect 7 run d/steps.md --agent "$folder/begins" --max-successors 1
expect_that "c: $(cat "$folder/tasks")" test "$(sort -u "$folder/tasks" | paste -sd,)" = steps,steps-2
expect_that "mixed" grep -q 'Only for steps-2"' specs/steps-2_run/progress/phase-1-progress.json
expect_that "mixed" grep -q 'Only for steps"' specs/steps_run/progress/phase-1-progress.json
touch "$folder/again"
rm "$folder/tasks"
expect 0 gate list --json
jq -r '.gates[] | select(.state == "open") | .gate // .id' "$folder/out" >"$folder/gates"
while read -r gate; do expect_terminal 0 gate decide "$gate" approve --note Fine; done <"$folder/gates"
expect 0 run d/steps.md --agent "$folder/begins"
expect_that "d continued as $(cat "$folder/tasks")" test "$(cat "$folder/tasks")" = steps-2
# In a fresh clone, which has no store, too.
mkdir "$folder/clone" && cp -r specs d "$folder/clone"
rm "$folder/tasks"
cd "$folder/clone" || exit
plan d/steps.md
expect 0 run d/steps.md --agent "$folder/begins"
expect_that "d continued as $(cat "$folder/tasks")" test "$(cat "$folder/tasks")" = steps-2
cd "$folder/project" || exit

# A file named like a numbered task does not get that task's folder.
mkdir -p specs/7_both
plan 7.md
agent quick 'returns Quick'
expect 0 run 7.md --agent "$folder/quick" --json
expect_json "$folder/out" 'v.task === "7-2"'

# Two plans of one task: one at a time, even if the first one's lead was killed.
first=specs/8_both/plans/implementation-001.md second=specs/8_both/plans/implementation-002.md
plan $first 8
plan $second 8
# shellcheck disable=SC2016
agent slow 'handoff progress start --task 8 --phase 1 --objective "Of the first"; touch "$folder/slow-works"; while [ ! -e "$folder/go" ]; do sleep 0.05; done; returns First'
"$handoff" run $first --agent "$folder/slow" >"$folder/first" 2>&1 &
lead=$!
wait_for "$folder/slow-works"
expect 6 run $second --agent "$folder/quick"
expect_err "$first, another plan of task 8, is being run by process $lead"
kill -9 $lead
wait $lead 2>/dev/null
expect 6 run $second --agent "$folder/quick"
expect_err "still works on task 8 for another plan; run: handoff run $first"
touch "$folder/go"
expect 0 run $first --agent "$folder/quick" --json
expect_json "$folder/out" 'v.teammates.length === 1 && v.steps[0].state === "done"'
# Then the second starts its phase from the beginning; what the first one noted is kept.
# shellcheck disable=SC2016
agent other 'handoff progress start --task 8 --phase 1 --objective "Of the second" && returns Second'
expect 0 run $second --agent "$folder/other"
expect_out "phase 1 starts from the beginning; its progress in $first is now in .handoff/run/R-"
expect_that "the first plan's objective is still there" grep -q 'Of the second' specs/8_both/progress/phase-1-progress.json
expect_that "the first plan's progress is lost" grep -q 'Of the first' .handoff/run/R-*/phase-1-progress.json
# If the plan says that the phase was begun, it continues with what is there.
third=specs/8_both/plans/implementation-003.md
plan $third 8
sed -i 's/One \[NOT STARTED\]/One [PARTIAL]/' $third
expect 0 run $third --agent "$folder/quick"
expect_that "progress was moved" grep -q 'Of the second' specs/8_both/progress/phase-1-progress.json

# A teammate that follows its prompt leaves documents without a warning, whatever the plan is called.
plan plain.md
# shellcheck disable=SC2016
agent obeys 'echo x >made
done=$(grep -m1 "^- Done: " "$folder/prompt-obeys" | sed "s/^- Done: \`//; s/\`$//; s/\"path\": \"…\"/\"path\": \"made\"/; s/…/It is made in the file/g")
blocked=$(grep -m1 "^- You cannot continue: " "$folder/prompt-obeys" | sed "s/^[^\`]*\`//; s/\`, or the same.*//; s/…/Something/g")
handoff progress start --task "$HANDOFF_TASK" --phase 1 --objective "Make it" >/dev/null
[ -e "$folder/unblocked" ] || { touch "$folder/unblocked"; echo "$blocked" >"$HANDOFF_META"; exit; }
handoff progress done 1 --task "$HANDOFF_TASK" --phase 1 >/dev/null
echo "$done" >"$HANDOFF_META"'
expect 7 run plain.md --agent "$folder/obeys" --json
jq -r '.gates[0].gate' "$folder/out" >"$folder/gates"
expect 0 check specs/plain_run --strict
expect_out_is ""
expect_terminal 0 gate decide "$(cat "$folder/gates")" approve --note Fine
expect 0 run plain.md --agent "$folder/obeys"
expect_json specs/plain_run/.return-meta-phase-1.json 'v.status === "implemented" && v.metadata.agent_type === "obeys"'
expect 0 check specs/plain_run --strict
# Other folders without a proper number still get one.
for name in plain 007_fast_run Fast_plain_run; do
  mkdir "specs/$name" && cp specs/plain_run/.return-meta-phase-1.json "specs/$name"
  expect 4 check "specs/$name" --strict
  expect_out "meta-place"
done
finish
