#!/bin/bash
# `handoff` alone: on a terminal the overview, which fits on the screen; in a pipe help.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
needs script
export TERM=xterm HANDOFF_PAGER='sed s/^/paged:/'
# on COLUMNS ROWS COMMAND...: on a terminal of that size, into $folder/out, without colours.
on()
{
  local size="cols $1 rows $2"
  shift 2
  script -qec "stty $size; $(printf '%q ' "$@")" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' >"$folder/out"
}
git init -q .

# Nothing yet: what to do first, and nothing is created.
on 80 24 "$handoff"
expect_out 'nothing has been handed off in this project yet'
expect_out 'next: handoff init'
expect_that "created something" [ "$(ls -A)" = .git ]
expect 0
expect_out 'Common commands'
expect 0 --json
expect_json "$folder/out" 'v.commands.length > 50'
expect 0 overview --json
expect_json "$folder/out" 'v.inbox.items.length === 0 && v.ps.holders.length === 0 && v.log.events.length === 0 && v.next === "handoff init"'
expect 0 init
on 80 24 "$handoff"
expect_out 'next: handoff help'

# More than fits is counted; every line fits, and so does the screen.
for task in 1 2 3 4 5 6 7 8; do
  expect 0 pass --task $task --phase 1 --slug "task_$task" --next "Open src/part_$task.c and add the field that the reader of part $task needs before the release"
done
on 80 24 "$handoff"
expect_out 'but HO-'
expect_out 'Waiting (4 of 8; all: handoff list --state ready,clarify,gated,draft)'
expect_out 'next: handoff show HO-'
for task in 1 2 3 4 5; do
  expect 0 claim $task --as codex
  expect 0 ack $task --as codex --task "Add the field of part $task"
done
on 80 24 "$handoff"
expect_out 'Working (4 of 5; all: handoff ps)'
expect_out 'codex acknowledged it: "Add the field of part 5"'
expect_that "too many lines" [ "$(wc -l <"$folder/out")" -lt 24 ]
expect_that "a line is too wide" [ "$(wc -L <"$folder/out")" -le 80 ]
expect_not_out 'paged:'
on 60 24 "$handoff"
expect_that "a line is too wide" [ "$(wc -L <"$folder/out")" -le 60 ]

# What waits for whoever looks comes first, with its command; looking does not mark it as seen.
expect 0 claim 6 --as codex
expect 0 ack 6 --as codex --task 'Add the field of part 6' --question 'Before or after the release?'
for round in first second; do
  on 80 24 "$handoff"
  expect_that "the question is not there the $round time" grep -q '^  question .*codex' "$folder/out"
  expect_out 'next: handoff answer '
done
expect 0 overview --as codex
expect_out 'held'
expect 0 overview --jq .next

# A run that is paused is there until somebody continues it, also if its lead was killed; it takes up what its teammates left.
printf '# Implementation Plan: Export\n\n- **Task**: 9 - Export\n- **Status**: [NOT STARTED]\n' >plan.md
for phase in 1 2; do
  printf '\n### Phase %s: Part %s [NOT STARTED]\n- **Dependencies**: None\n- **Goal**: It is there\n' $phase $phase >>plan.md
done
cat >agent <<'END'
#!/bin/bash
cat >/dev/null
echo $$ >>working
while [ -e wait ] && [ "$HANDOFF_PHASE" = 2 ]; do sleep 0.1; done
printf '{"status":"implemented","summary":"Part %s is written","artifacts":[]}' "$HANDOFF_PHASE" >"$HANDOFF_META"
END
chmod +x agent && touch wait
"$handoff" run plan.md --agent ./agent --jobs 2 >"$folder/lead" 2>&1 &
lead=$!
for ((i = 0; i < 300; i++)); do grep -q '^1 *done' "$folder/lead" && break; sleep 0.1; done
expect 0 ps --json
expect_json "$folder/out" 'v.paused.length === 0 && v.teammates.length === 1'
kill -9 $lead
wait $lead 2>/dev/null
expect 0 ps
expect_out '1 of 2 done  Export'
expect_out 'paused: whoever led it is gone'
rm wait
expect 0 answer 6 --note 'After the release' # what waits for a person comes before it
run_id=R-$(date -u +%Y)-001
on 80 24 "$handoff"
expect_out 'Paused'
expect_out "  $run_id  1 of 2 done  Export"
expect_out "next: handoff run $run_id"
expect_that "too many lines" [ "$(wc -l <"$folder/out")" -lt 24 ]
expect 0 run "$run_id" --agent ./agent
expect 0 ps --jq '.paused[].run'
expect_no_out
on 80 24 "$handoff"
expect_not_out 'Paused'

on 80 24 timeout 3 "$handoff" --watch
expect_that "not shown again" [ "$(grep -c 'For you' "$folder/out")" -ge 2 ]
finish
