#!/bin/bash
# A hook never keeps the agent waiting: input that nobody closes, a store that somebody keeps, a transcript without end.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
mkdir .handoff

now_ms() { echo $(($(date +%s%N) / 1000000)); }
# within MS COMMAND...: the command, and how long it took.
within()
{
  local limit=$1 begun spent
  shift
  begun=$(now_ms)
  "$@"
  spent=$(($(now_ms) - begun))
  expect_that "it took $spent ms, not $limit at most" [ "$spent" -le "$limit" ]
}
# A pipe that never ends: the event is answered all the same, as soon as it is whole.
open_ended()
{
  exec 9<>"$folder/pipe"
  cat "$folder/event" >&9
  expect 0 hook claude <&9
  exec 9>&-
}
mkfifo "$folder/pipe"
echo 'threshold: 75' >.handoff/config.yaml
transcript=$data/claude-usage.jsonl session=w1
printf '{"session_id":"w1","transcript_path":"%s","cwd":"%s","hook_event_name":"PostToolUse","tool_name":"Bash"}' "$transcript" "$PWD" >"$folder/event"
within 3000 open_ended
says PostToolUse "75.6 % full"
expect_that "something was logged" [ ! -e .handoff/hook.log ]
# Nothing, or half an event: some seconds, and the agent goes on.
printf '{"session_id":"w2","hook_event_name":"Stop"' >"$folder/event"
within 7900 open_ended
expect_out_is '{}'
expect_that "nothing was logged" grep -q "limit: no complete event on standard input" .handoff/hook.log
rm .handoff/hook.log

# The end of a session, with a transcript of four gigabytes that was never looked at: within its second and a half.
cp "$data/claude-usage.jsonl" "$folder/end"
truncate -s 4G "$folder/huge.jsonl"
{ echo; cat "$folder/end"; } >>"$folder/huge.jsonl"
transcript=$folder/huge.jsonl session=e1
for harness in claude codex gemini; do
  within 1500 event $harness SessionEnd '"reason":"other"'
  silent
done

# The store is kept by somebody who does not let go.
expect 0 progress start --task 7 --slug fast_start --phase 2 --objective Measure
HANDOFF_SESSION=e1 expect 0 pass --task 7 --phase 2 --next 'Measure `src/start.c`.' --file src/start.c --location 'line 1' --goal 'Half the time'
export HANDOFF_TASK=7
event claude SessionStart '"source":"startup"' # e1 holds it, and has a trace
says SessionStart "It is claimed for this session"
mkfifo "$folder/hold"
"$tools/hold_store" .handoff/handoff.db .handoff/handoff.lock <"$folder/hold" >"$folder/held" 2>&1 &
holder=$!
exec 8>"$folder/hold"
for _ in $(seq 100); do
  grep -q held "$folder/held" && break
  sleep 0.05
done
expect_that "it is not held: $(cat "$folder/held")" grep -q held "$folder/held"
printf x >>"$folder/huge.jsonl"
within 1500 event claude SessionEnd '"reason":"other"'
silent
expect_that "the end was not noted" grep -q '"ended":true' .handoff/context/e1.trace.json
# A busy machine may have it give up in time; nothing else may go wrong.
expect_that "it failed: $(cat .handoff/hook.log 2>/dev/null)" [ -z "$(grep -v ' SessionEnd: limit: it took longer ' .handoff/hook.log 2>/dev/null)" ]
rm -f .handoff/hook.log
# Whoever needs the store gives up in time: the agent goes on, and the log says why.
touch -d '1 hour ago' .handoff/context/e1.lease
within 6500 event claude PostToolUse '"tool_name":"Bash"' # is to renew its lease
silent
expect_that "nothing was logged" grep -Eq "claude PostToolUse: (limit: it took longer than 5000 ms|store: )" .handoff/hook.log
rm -f .handoff/hook.log
exec 8>&-
wait "$holder"
# Afterwards all is as it was.
session=e3
event claude SessionStart '"source":"startup"'
says SessionStart "It is claimed for this session"
expect 0 verify
finish
