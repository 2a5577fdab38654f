#!/bin/bash
# A phase goes on from its newest handoff also where that has no file: it was written in another worktree, or cleaned up.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs git
git init -q -b main && git config user.name t && git config user.email t@example.com
expect 0 init
echo 1 >a && git add -A && git commit -qm a
git worktree add -q ../wt -b side
where=(--task 3 --phase 1)
(
  cd ../wt || exit 1
  HANDOFF_SESSION=one "$HANDOFF" progress start "${where[@]}" --slug up --objective 'Read it' --objective 'Write it'
  HANDOFF_SESSION=one "$HANDOFF" pass "${where[@]}" --next 'Write it' --decision 'Use a table: fast' --not 'Lists: slow' \
    --context 'Rows are short' --used 85
) >/dev/null 2>&1
path=$(cd ../wt && ls specs/3_up/handoffs/*)
export HANDOFF_SESSION=two

# says_it WHAT…: the prompt for whoever continues has what the store has, and names no file that is not there.
says_it() {
  expect 0 prompt successor "$@"
  for text in 'Next action: Write it' 'Use a table: fast' 'Lists: slow' 'Run `handoff show HO-'; do
    expect_out "$text"
  done
  expect_not_out 'Read `'
}
# As long as the worktree is there, the progress file in it counts, and the successor is sent there; also by the hook.
for asked in "${where[*]}" "$path" HO-1; do
  # shellcheck disable=SC2086
  expect 0 prompt successor $asked
  expect_no_err
  expect_out "Work in the worktree that has the phase: \`cd $(realpath ../wt)\`"
  expect_out 'Objective 1 (0 of 2 done): Read it'
  expect_not_out 'progress start'
done
printf '{"session_id":"hooked","cwd":"%s","hook_event_name":"SessionStart","source":"startup"}' "$PWD" >event.json
expect 0 hook claude <event.json
expect_out "cd $(realpath ../wt)"
expect_out 'Objective 1 (0 of 2 done): Read it'
for tree in there gone; do
  [ $tree = there ] || git worktree remove --force ../wt
  says_it "${where[@]}" --slug up
  says_it "${where[@]}"
  says_it "$path"
  says_it HO-1
done
expect 0 prompt successor "${where[@]}" --json
expect_json "$folder/out" '/^HO-\d+-001$/.test(v.handoff)'
expect 5 prompt successor --task 4 --phase 1 --slug up
expect 5 prompt successor HO-7

# The file that was worked on is named by where it is here, if it is.
(
  git worktree add -q ../wt2 -b side2 && cd ../wt2 && mkdir src && echo 1 >src/y.c || exit 1
  HANDOFF_SESSION=three "$HANDOFF" pass --task 5 --phase 1 --slug y --next 'Write line 2' --file src/y.c --location 'line 1'
) >/dev/null 2>&1
expect 0 prompt successor --task 5 --phase 1
expect_out "File: $(realpath ../wt2)/src/y.c"
expect_not_out 'not there'
mkdir -p b/src && echo 1 >b/src/y.c
git worktree remove --force ../wt2
expect 0 prompt successor --task 5 --phase 1
expect_out "/wt2/src/y.c (not there)"
mkdir src && echo 1 >src/y.c
expect 0 prompt successor --task 5 --phase 1
expect_out "File: src/y.c (was $(realpath ..)/wt2/src/y.c, which is not there)"
rm -r src b

# Whoever passes on carries it, and finds the folder's name; then its own file is the newest.
# passes_on NEXT: every item of the handoff before is in the new one.
passes_on() {
  expect 0 pass "${where[@]}" --next "$1" --used 85
  newest=$(find specs/3_up/handoffs -name '*Z.md' | sort | tail -1)
  for text in 'Use a table: fast' 'Lists: slow' 'Rows are short'; do
    expect_that "the handoff keeps '$text'" grep -qF "$text (hop 1)" "$newest"
  done
}
passes_on 'Write it, step 2'
expect_that "the handoff before is named by its command" grep -q '^- Previous handoff: handoff show HO-.*-001$' "$newest"
expect 0 prompt successor "${where[@]}"
expect_out 'Read `specs/3_up/handoffs/'
passes_on 'Write it, step 3'
expect_that "the handoff before is named by its path" grep -q '^- Previous handoff: specs/3_up/handoffs/' "$newest"
# Only the newest is gone: what it said counts, not the file before it.
rm "$newest"
expect 0 prompt successor "${where[@]}"
expect_out 'step 3'
git clean -qfd specs
passes_on 'Write it, step 4'
# A handoff that was taken back is nothing to go on from, and neither is one of another task with the same number.
rm "$newest"
expect 0 list --state ready --json
HANDOFF_AGENT='' expect 0 withdraw "$(field handoffs.0.id)" --note 'Wrong'
expect 0 prompt successor "${where[@]}"
expect_out 'step 3'
mkdir specs/3_down
rm -r specs/3_up
expect 5 prompt successor "${where[@]}"
finish
