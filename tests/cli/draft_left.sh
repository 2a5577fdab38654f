#!/bin/bash
# A session works on a phase that nobody handed to it, says how far it is (progress), and goes: whoever comes next is told.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
unset HANDOFF_META
git init -q -b main .
mkdir .handoff src && echo 'int start;' >src/start.c
# words TEXT: what the person asked for, and the last words of the agent.
words()
{
  transcript=$folder/$session.jsonl
  printf '%s\n' '{"type":"user","message":{"role":"user","content":"Make the start fast"}}' >"$transcript"
  printf '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"%s"}]}}\n' "$1" >>"$transcript"
}
# works TASK PHASE: the session begins, starts the phase and gets somewhere.
works()
{
  words 'I measure the relocations next.'
  event claude SessionStart '"source":"startup"'
  HANDOFF_SESSION=$session expect 0 progress start --task "$1" --slug "t$1" --phase "$2" --objective Measure --objective Halve --objective Check
  HANDOFF_SESSION=$session expect 0 progress "done" 1
  HANDOFF_SESSION=$session expect 0 progress tried mmap --why 'slow on NFS'
}
drafts_of() { "$handoff" list --state draft --task "$1" --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).handoffs.length'; }
expect_drafts() { expect_that "task $1 has $(drafts_of "$1") drafts, not $2" [ "$(drafts_of "$1")" = "$2" ]; }

# Its harness says that it has ended: the draft is there at once.
session=s1
works 7 2
event claude SessionEnd '"reason":"other"'
silent
expect 0 status
expect_out '7/2'
draft=$("$handoff" list --state draft --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).handoffs[0].id')
expect 0 show "$draft"
for fact in 'Make the start fast' 'I measure the relocations next' 'Objective 1 (done): Measure' 'Objective 2 (not_started): Halve' \
  'Tried: mmap: failed slow on NFS' 'its session ended without a handoff'; do expect_out "$fact"; done
# A successor's prompt is made from it and the progress file, whoever asks.
expect 0 prompt successor --task 7 --phase 2
for fact in '# Successor for phase 2 of task 7' 'Objective 2 (1 of 3 done): Halve' 'Then: objective 3: Check' 'mmap: slow on NFS' 'left no handoff' \
  'I measure the relocations next' "\`handoff show $draft\`" '`specs/7_t7/progress/phase-2-progress.json`'; do expect_out "$fact"; done
# The next session is offered it, once; what it passes on is of that phase once it has taken it, as it is taught.
for session in s2 s3; do
  event claude SessionStart '"source":"clear"'
  says SessionStart "An unconfirmed draft about work that was left in this project"
  expect_out 'Objective 2 (not_started): Halve'
done
expect_drafts 7 1
HANDOFF_SESSION=s3 expect 0 answer "$draft" --note 'I continue it'
HANDOFF_SESSION=s3 expect 0 next --as agent --task 7 --phase 2
HANDOFF_SESSION=s3 expect 0 pass --next 'Measure the start of src/start.c'
expect_that "another task" [ "$(ls specs)" = 7_t7 ]
expect_drafts 7 0

# It only went silent: it counts as alive for as long as a lease.
for i in 2 3; do expect 0 progress "done" $i --task 7 --phase 2; done
expect 0 finish --task 7 --phase 2
rm -r specs .handoff/context
session=q1
works 8 1
session=q2 transcript=$folder/none.jsonl
HANDOFF_TEST_LATER_S=600 event claude SessionStart '"source":"startup"'
expect_drafts 8 0
HANDOFF_TEST_LATER_S=1000 event claude SessionStart '"source":"startup"'
says SessionStart 'task 8, phase 1'
expect_out 'it went silent'
expect_drafts 8 1
# `next` finds it too, also in a project without a store, and says how to go on.
rm -r specs .handoff/context .handoff/handoff.db* .handoff/levels* state .project 2>/dev/null
session=n1
works 9 1
HANDOFF_SESSION=n2 HANDOFF_TEST_LATER_S=1000 expect 1 next --task 9
expect_err 'tells what was left of it; to continue it, run: handoff answer'
expect_drafts 9 1
command=$(sed -n 's/.*to continue it, run: //p' "$folder/err")
expect_that "$command does not work" env PATH="$(dirname "$handoff"):$PATH" HANDOFF_SESSION=n2 bash -c "$command" >/dev/null

# Nothing is drafted for one that handed on, finished, or did nothing; nor for a teammate, whose lead drafts.
rm -r specs .handoff/context
session=p1
works 10 1
HANDOFF_SESSION=p1 expect 0 pass --next 'Halve the start in src/start.c'
event claude SessionEnd '"reason":"other"'
expect_drafts 10 0
session=p2
works 11 1
for i in 2 3; do HANDOFF_SESSION=p2 expect 0 progress "done" $i; done
HANDOFF_SESSION=p2 expect 0 finish
event claude SessionEnd '"reason":"other"'
expect_drafts 11 0
session=p3
export HANDOFF_META=$folder/meta.json
works 12 1
unset HANDOFF_META
event claude SessionEnd '"reason":"other"'
expect_drafts 12 0
session=p4
event claude SessionStart '"source":"startup"'
event claude SessionEnd '"reason":"other"'
expect_drafts 12 0

# What a session that is at work has drafted before a compaction is not offered to another.
rm -r specs .handoff/context
expect 0 finish --task 10 --phase 1 --slug t10
session=w1
works 13 1
event claude PreCompact '"trigger":"auto"'
expect_drafts 13 1
session=w2
event claude SessionStart '"source":"startup"'
expect_not_out 'work that was left'
session=w1
event claude SessionEnd '"reason":"other"'
expect_drafts 13 1
session=w2
event claude SessionStart '"source":"startup"'
expect_out 'task 13, phase 1'

# What is blocked is known, although it is not the current objective.
expect 0 progress block 3 --note 'needs the key from ops' --task 13 --phase 1
expect 0 prompt successor --task 13 --phase 1
expect_out 'Blocked: objective 3: Check - needs the key from ops'
expect_that "something was logged: $(cat .handoff/hook.log 2>/dev/null)" [ ! -e .handoff/hook.log ]
# What the person said later changes what was asked first; what a harness says in their place is not theirs.
for harness in claude codex; do
  session=l-$harness transcript=$folder/l-$harness.jsonl
  : >"$transcript"
  for text in 'Write the reader' 'Write the reader' 'Separate fields by ;' '[Request interrupted by user]' '<system-reminder>Be brief</system-reminder>' 'No tabs'; do
    case $harness in
      claude) printf '{"type":"user","message":{"role":"user","content":"%s"}}\n' "$text" ;;
      codex) printf '{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}}\n' "$text" ;;
    esac >>"$transcript"
  done
  event $harness SessionStart '"source":"startup"'
  HANDOFF_SESSION=$session expect 0 progress start --task 6 --slug reader --phase $harness --objective Read
  event $harness SessionEnd '"reason":"other"'
  expect 0 show "$("$handoff" list --state draft --task 6 --phase $harness --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).handoffs[0].id')"
  for fact in 'The person asked: Write the reader' 'The person said later: Separate fields by ;' 'The person said later: No tabs'; do expect_out "$fact"; done
  for fact in 'interrupted' 'Be brief' 'later: Write the reader'; do expect_not_out "$fact"; done
done
finish
