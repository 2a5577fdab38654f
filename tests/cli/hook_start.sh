#!/bin/bash
# A session begins: whatever it begins from, it is offered what is open, with the command that claims it.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
mkdir .handoff src && echo 'int start;' >src/start.c

# begins HARNESS SOURCE: a new session does, from what its harness says of it.
begins() { event "$1" "$(events_of "$1" start)" '"source":"'"$2"'","model":"m","permission_mode":"acceptEdits"'; }
# taught WORD: the command in the reply that begins with it, as it stands there.
taught() { node -e 'const v = JSON.parse(require("fs").readFileSync(process.argv[1])); const t = Object.values(v.hookSpecificOutput)[1]; console.log(t.split("`").find(p => p.startsWith(process.argv[2])))' "$folder/out" "$1"; }
# does WORD: runs that command verbatim, as the session would.
does()
{
  local command
  command=$(taught "$1")
  expect_that "$command does not work" env PATH="$(dirname "$handoff"):$PATH" CLAUDECODE=1 HANDOFF_SESSION="$session" bash -c "$command" >"$folder/did" 2>&1
}
# works_on TASK PHASE: the session's work is that one.
works_on() { expect_json ".handoff/context/$session.work.json" "v.task === '$1' && v.phase === '$2'"; }
# only_offered: it works on nothing yet.
only_offered() { expect_json ".handoff/context/$session.work.json" "!v.task && !v.phase && /^HO-/.test(v.offered)"; }

# Nothing is open: nothing is said.
session=a0
begins claude startup
silent

# One handoff: its quick start, in every case and for every harness.
expect 0 progress start --task 7 --slug fast_start --phase 2 --objective Measure --objective Halve
expect 0 pass --task 7 --phase 2 --next 'Return `TOKEN_EXPIRED`.' --file src/start.c --location 'line 1' --goal 'Half the time' --decision 'Keep the table: clients read it'
for source in startup resume clear compact fork; do
  session=a-$source
  begins claude $source
  says SessionStart "An open handoff in this project"
  expect_out "# Successor for phase 2 of task 7"
  expect_out "TOKEN_EXPIRED"
  expect_out 'claim it with `handoff next --task 7 --phase 2`'
  only_offered
done
for harness in $harnesses; do
  session=h-$harness
  begins "$harness" startup
  says "$(events_of "$harness" start)" "# Successor for phase 2 of task 7"
done
# A name that only repeats that of the harness is no other agent's.
session=a-named
HANDOFF_AGENT=claude begins claude startup
says SessionStart "# Successor for phase 2 of task 7"
session=a-other
HANDOFF_AGENT=reviewer begins claude startup
silent

# What it is offered is not what it means afterwards; what it says something about is.
expect 0 progress start --task 8 --slug other --phase 1 --objective Something
session=a-startup
HANDOFF_SESSION=a-startup expect 2 progress note 'Half of it'
HANDOFF_SESSION=a-startup expect 0 progress note 'A quarter of it' --task 7 --phase 2
HANDOFF_SESSION=a-startup expect 0 progress note 'Half of it'
expect_that "the wrong phase" grep -q 'Half of it' specs/7_fast_start/progress/phase-2-progress.json

# The command that is taught claims it; then the session has it, also when it goes on.
session=a-clear
begins claude clear
does 'handoff next'
expect_that "another document" grep -q TOKEN_EXPIRED "$folder/did"
begins claude resume
says SessionStart "You are working on"
expect_out "TOKEN_EXPIRED"

# Somebody else is not offered it now, but another session of the same agent is told who has it and until when; and so is the one
# that wrote it, when it goes on.
session=a1
begins claude startup
says SessionStart "HO-2026-001 (artifact, task 7, phase 2): another session of yours holds it until 2"
expect_out 'once it is free, claim it with `handoff next --task 7 --phase 2`.'
expect_not_out "# Successor"
session=a-other
begins codex startup
silent

# The session is compacted: it has its handoff, and what was drafted before.
cat >"$folder/work.jsonl" <<'J'
{"type":"user","message":{"role":"user","content":"Make the start faster"},"timestamp":"2026-02-12T14:00:00Z"}
{"type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"The cache is warm now; next I measure."}],"usage":{"input_tokens":9000,"output_tokens":5}}}
J
transcript=$folder/work.jsonl session=a-clear
event claude PreCompact '"trigger":"auto","custom_instructions":null'
expect_out_is ''
begins claude compact
says SessionStart "Your context was compacted. You are working on"
expect_out "TOKEN_EXPIRED"
expect_out "Since that handoff"
expect_out "The cache is warm now"
expect_out "The person asked: Make the start faster"
# It is not told of itself as of somebody else, nor anything twice.
expect_out "Seen of your own work"
expect_not_out "An agent worked on"
expect_not_out "About this task"
expect_json "$folder/out" 'v.hookSpecificOutput.additionalContext.split("Keep the table: clients read it").length === 2'
earlier=specs/7_fast_start/handoffs/phase-1-handoff-20260101T000000Z.md
sed 's/Keep the table: clients read it/Copy the table: two threads read it/; s/^# Phase 2/# Phase 1/' specs/7_fast_start/handoffs/phase-2-*Z.md >$earlier
expect 0 learn $earlier
rm $earlier
begins claude compact
expect_out "About this task"
expect_out "Copy the table: two threads read it"
expect_json "$folder/out" 'v.hookSpecificOutput.additionalContext.split("Keep the table: clients read it").length === 2'

# It dies. Whoever comes next is given the last good handoff and the draft's news, not the draft instead.
transcript=$folder/none.jsonl session=b1
HANDOFF_TEST_LATER_S=90000 begins claude startup
says SessionStart "# Successor for phase 2 of task 7"
expect_out "TOKEN_EXPIRED"
expect_out "An agent worked on and left no handoff"
expect_out "The cache is warm now"
HANDOFF_TEST_LATER_S=90000 expect 0 prompt successor --task 7 --phase 2
expect_out "TOKEN_EXPIRED"
expect_out "The cache is warm now"

HANDOFF_TEST_LATER_S=90000 HANDOFF_SESSION=b1 expect 0 next --task 7 --phase 2

# A phase with a draft alone.
expect 0 progress start --task 9 --slug drafted --phase 1 --objective Begin
transcript=$folder/work.jsonl session=c1
HANDOFF_TASK=9 HANDOFF_PHASE=1 event claude PreCompact '"trigger":"auto"'
session=c2 transcript=$folder/none.jsonl
begins claude startup
says SessionStart "draft about work that was left"
expect_out "The cache is warm now"
only_offered

# Drafts alone: a line each.
transcript=$folder/work.jsonl
for session in loose1 loose2; do event claude PreCompact '"trigger":"auto"'; done
transcript=$folder/none.jsonl session=d0
begins claude startup
says SessionStart "none is claimed for you"
expect_out "draft HO-2026-004 (package, task 9, phase 1"
expect_not_out "# Successor"

# A handoff beside drafts, even newer ones: the handoff is quoted, and they share a line.
expect 0 progress start --task 10 --slug third --phase 1 --objective Third
expect 0 pass --task 10 --phase 1 --next 'Read `src/start.c`.' --file src/start.c --location 'line 1' --goal Third --decision 'No threads: the loader has none'
third=$("$handoff" list --state ready --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).handoffs[0].id')
transcript=$folder/work.jsonl session=loose3
event claude PreCompact '"trigger":"auto"'
transcript=$folder/none.jsonl session=d1
begins claude startup
says SessionStart "An open handoff in this project, not claimed for you: $third"
expect_out "# Successor for phase 1 of task 10"
expect_out "confirmed by nobody: HO-"
expect_out "HO-2026-004; see"
only_offered

# What was decided stands before the first step.
expect_json "$folder/out" '/Quick start[^]*Keep these decisions:[^]*No threads: the loader has none[^]*If you get stuck/.test(v.hookSpecificOutput.additionalContext)'

# Several handoffs: the newest is quoted, the others have a line each, and each command works.
expect 0 progress start --task 12 --slug fourth --phase 1 --objective Fourth
expect 0 pass --task 12 --phase 1 --next 'Write `src/end.c`.' --file src/start.c --location 'line 1' --goal Fourth
session=d2
begins claude startup
says SessionStart "The newest open handoff in this project"
expect_out "# Successor for phase 1 of task 12"
expect_out "Also open:"
only_offered
does 'handoff next --task 10'
works_on 10 1
does 'handoff next --task 12'
works_on 12 1

# The drafts of a session end with its handoff, or with its phase; what others left stays.
HANDOFF_SESSION=loose1 expect 0 pass --task 13 --slug fifth --phase 1 --next 'Write `src/more.c`.' --file src/start.c --location 'line 1' --goal Fifth
HANDOFF_SESSION=loose2 expect 0 finish --task 13 --phase 1
expect 0 list --state draft --json
expect_json "$folder/out" 'v.handoffs.map(h => h.session).join() === "loose3,c1,a-clear"'
expect 0 progress 'done' 1 --task 12 --phase 1
HANDOFF_SESSION=loose3 expect 0 finish --task 12 --phase 1
session=d3
begins claude startup
does 'handoff answer'
works_on 9 1

# A session claims by a command and ends before its next event: what it held is offered to the next one at once, and
# whoever asks for it without hooks gets it, too.
expect 0 progress start --task 14 --slug ended --phase 1 --objective Ended
expect 0 pass --task 14 --phase 1 --next 'Close `src/start.c`.' --file src/start.c --location 'line 1' --goal Ended
for way in start command; do
  session=ends-$way
  begins claude startup
  event claude PostToolUse '"tool_name":"Read"'
  HANDOFF_SESSION=$session expect 0 next --task 14
  expect_out 'Close `src/start.c`.'
  session=other-$way
  HANDOFF_SESSION=$session expect 1 next --task 14
  session=ends-$way
  event claude SessionEnd '"reason":"prompt_input_exit"'
  session=other-$way
  if [ $way = command ]; then
    HANDOFF_SESSION=$session expect 0 next --task 14
    expect_out 'Close `src/start.c`.'
    continue
  fi
  begins claude startup
  says SessionStart 'Close `src/start.c`.'
done
# Of one that had begun, the heir is told what it did, not who claimed what until when.
expect 0 progress start --task 16 --slug heir --phase 1 --objective Inherit
expect 0 pass --task 16 --phase 1 --next 'Open `src/start.c`.' --file src/start.c --location 'line 1' --goal Open
session=begun
begins claude startup
event claude PostToolUse '"tool_name":"Read"'
HANDOFF_SESSION=$session expect 0 next --task 16 --ack
event claude SessionEnd '"reason":"other"'
expect 0 prompt successor --task 16 --phase 1
session=heir
HANDOFF_TASK=16 HANDOFF_PHASE=1 begins claude startup
says SessionStart 'Open `src/start.c`.'
expect_out 'Since that handoff'
expect_not_out 'lease_until'
# So is whoever starts for no particular task, although the one that lost its claim a moment ago gave a sign of life since.
expect 0 progress start --task 38 --slug lost --phase 1 --objective Lose
HANDOFF_SESSION=before expect 0 pass --task 38 --phase 1 --next 'Open `src/start.c`.' --file src/start.c --location 'line 1' --goal Lose
session=lost transcript=$folder/work.jsonl
begins claude startup
HANDOFF_SESSION=$session expect 0 next --task 38 --phase 1 --lease 60
HANDOFF_SESSION=$session expect 0 progress note 'Half of it' --task 38 --phase 1
transcript=$folder/none.jsonl
session=finder
HANDOFF_TEST_LATER_S=120 begins claude startup
says SessionStart 'claim it with `handoff next --task 38 --phase 1`'
expect_out 'Since that handoff'
expect_out 'The cache is warm now'
HANDOFF_SESSION=lost expect 0 progress 'done' 1 --task 38 --phase 1
HANDOFF_SESSION=lost expect 0 finish --task 38 --phase 1
# One that comes back and claims again keeps it.
session=other-command
event claude SessionEnd '"reason":"other"'
session=ends-start
begins claude resume
HANDOFF_SESSION=$session expect 0 next --task 14
HANDOFF_SESSION=someone expect 1 next --task 14
expect 0 progress 'done' 1 --task 14 --phase 1
expect 0 finish --task 14 --phase 1

# What a session is taught about the handoff that it was started for works as it stands: of a phase, its end.
expect 0 progress start --task 37 --slug taught --phase 1 --objective Taught
expect 0 pass --task 37 --phase 1 --next 'Open `src/start.c`.' --file src/start.c --location 'line 1' --goal Taught
session=assigned
HANDOFF_TASK=37 HANDOFF_PHASE=1 begins claude startup
says SessionStart "It is claimed for this session"
expect_not_out 'handoff done'
does 'handoff ack'
HANDOFF_SESSION=assigned expect 0 progress 'done' 1 --task 37 --phase 1
HANDOFF_TASK=37 HANDOFF_PHASE=1 begins claude resume
does 'handoff finish'
expect_json specs/37_taught/.return-meta.json 'v.status === "implemented"'

# The lead gave a teammate the page as its prompt: it is not sent twice, but after a compaction it is needed again.
expect 0 progress start --task 11 --slug led --phase 1 --objective Led
expect 0 pass --task 11 --phase 1 --next 'Rename `start` in `src/start.c`.' --file src/start.c --location 'line 1' --goal Led
session=e1
export HANDOFF_TASK=11 HANDOFF_PHASE=1 HANDOFF_SESSION=mate-1 HANDOFF_META=$folder/meta.json
begins claude startup
silent
begins claude compact
says SessionStart 'Rename `start`'
unset HANDOFF_TASK HANDOFF_PHASE HANDOFF_SESSION HANDOFF_META

# What a session wrote, another works on: when it goes on, it is told so, and cannot pass it on or finish it under the other.
at() { HANDOFF_SESSION=$1 CLAUDECODE=1 "${@:2}"; }
at writer expect 0 progress start --task 17 --slug both --phase 1 --objective Sort
at writer expect 0 pass --task 17 --phase 1 --next 'Sort `src/start.c`.' --file src/start.c --location 'line 1' --goal Sorted
both=$("$handoff" list --task 17 --json | jq -r '.handoffs[0].id')
at reader expect 0 next --task 17 --phase 1 --ack
session=writer
begins claude resume
says SessionStart "Your latest handoff: $both (artifact, task 17, phase 1), state acked; another session of yours holds it until 2"
expect_not_out "# Successor"
at writer expect 0 progress 'done' 1 --task 17 --phase 1
for command in finish "pass --next 'Write the test of start.c'"; do
  eval "at writer expect 6 $command --task 17 --phase 1"
  expect_err "$both (phase 1 of task 17) is held by another session of claude until 2"
  expect_err "once it is free, run: handoff next --task 17 --phase 1; a person can free it: handoff release $both"
done
expect 0 list --task 17 --json
expect_json "$folder/out" 'v.handoffs.map((h) => h.state).join() === "acked"'
# Once that one has ended, or its lease, it can.
session=reader
event claude SessionEnd '"reason":"other"'
at writer expect 0 finish --task 17 --phase 1

# A harness is killed: what its session held is free at once. As long as it runs, it is not.
cp "$(command -v bash)" "$folder/claude"
expect 0 progress start --task 18 --slug killed --phase 1 --objective Survive
expect 0 pass --task 18 --phase 1 --next 'Save `src/start.c`.' --file src/start.c --location 'line 1' --goal Saved
for source in startup resume; do
  printf '{"session_id":"killed","transcript_path":"%s","cwd":"%s","hook_event_name":"SessionStart","source":"%s"}' "$transcript" "$PWD" "$source" >"$folder/event"
  mkfifo "$folder/lives"
  # shellcheck disable=SC2016
  "$folder/claude" -c '"$1" hook claude <"$2" >/dev/null; HANDOFF_SESSION=killed CLAUDECODE=1 "$1" next --task 18 --ack >/dev/null; echo ready >"$3"; read -r _ <"$3"; exit' claude "$handoff" "$folder/event" "$folder/lives" &
  harness=$!
  read -r _ <"$folder/lives"
  session=after-$source
  begins claude startup
  says SessionStart "(artifact, task 18, phase 1): another session of yours holds it until 2"
  expect_not_out 'Save `src/start.c`.'
  kill -9 $harness
  wait $harness 2>/dev/null
  rm "$folder/lives"
  session=heir-of-$source
  begins claude startup
  says SessionStart 'Save `src/start.c`.'
  expect_not_out "task 18, phase 1): another session of yours"
done
# One of a chain of its processes may go: the others work on.
printf '{"session_id":"chain","transcript_path":"%s","cwd":"%s","hook_event_name":"SessionStart","source":"startup"}' "$transcript" "$PWD" >"$folder/event"
mkfifo "$folder/lives"
# shellcheck disable=SC2016
"$folder/claude" -c '"$0" -c "$5" "$0" "$@" & wait' "$folder/claude" "$handoff" "$folder/event" "$folder/lives" "$folder/pid" \
  '"$1" hook claude <"$2" >/dev/null; HANDOFF_SESSION=chain CLAUDECODE=1 "$1" next --task 18 --ack >/dev/null; echo $$ >"$4"; echo ready >"$3"; read -r _ <"$3"; exit' &
harness=$!
read -r _ <"$folder/lives"
kill -9 $harness
wait $harness 2>/dev/null
session=chained
begins claude startup
says SessionStart "(artifact, task 18, phase 1): another session of yours holds it until 2"
kill -9 "$(cat "$folder/pid")"
for _ in $(seq 100); do kill -0 "$(cat "$folder/pid")" 2>/dev/null || break; sleep 0.05; done
session=unchained
begins claude startup
says SessionStart 'Save `src/start.c`.'
at heir-of-resume expect 0 next --task 18
expect_out 'Save `src/start.c`.'
at heir-of-resume expect 0 progress 'done' 1 --task 18 --phase 1
at heir-of-resume expect 0 finish --task 18 --phase 1

# An agent without a name is known by its harness, to whoever sends it something and in its own commands; what is for another
# agent is not offered to it.
package mine.yaml lead claude
package theirs.yaml claude reviewer
mine=$("$handoff" send mine.yaml) theirs=$("$handoff" send theirs.yaml)
session=named
begins claude startup
says SessionStart "open handoff in this project, not claimed for you: $mine"
expect_out 'claim it with `handoff next --task feature --phase 3`'
expect_not_out "$theirs"
session=of-codex
begins codex startup
expect_not_out "$mine"
expect_not_out "$theirs"
CODEX_THREAD_ID=of-codex expect 1 next
expect_err "nothing is ready for 'codex'"
CLAUDECODE=1 HANDOFF_SESSION=named expect 0 next --json
expect_json "$folder/out" "v.id === '$mine'"
CLAUDECODE=1 HANDOFF_SESSION=named expect 0 'done' "$mine" --note 'It is half as long'
CLAUDECODE=1 HANDOFF_SESSION=named expect 1 next
expect_err "nothing is ready for 'claude'"
CLAUDECODE=1 HANDOFF_SESSION=named expect 6 claim "$theirs"
expect_err "$theirs is for reviewer"

expect_that "something was logged: $(cat .handoff/hook.log 2>/dev/null)" [ ! -e .handoff/hook.log ]
finish
