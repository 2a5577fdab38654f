#!/bin/bash
# A hook never keeps the agent waiting: input that nobody closes, a store that somebody keeps, a transcript without end.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
mkdir .handoff

# How fast a hook is, bench/hook.sh measures. Here its limits are counted, which a busy machine does not change: the timer
# that ends it whatever it waits for, the bytes that it reads, and what the log says. A hook that hangs is stopped after
# two minutes, with status 124.
real=$handoff
printf '#!/bin/sh\nexec timeout --foreground 120 "%s" "$@"\n' "$real" >"$folder/guarded"
printf '#!/bin/sh\nASAN_OPTIONS=detect_leaks=0 exec timeout --foreground 120 strace -qq -y -e trace=setitimer,read,pread64 -e signal=none -o "%s" "%s" "$@"\n' \
  "$folder/trace" "$real" >"$folder/traced"
chmod +x "$folder/guarded" "$folder/traced"
handoff=$folder/guarded

# counted MOMENT MS BYTES: an event of each harness sets its timer to MS milliseconds or less, counted from its start, and
# reads at most BYTES of the transcript.
counted()
{
  local harness
  for harness in $harnesses; do
    handoff=$folder/traced event "$harness" "$(events_of "$harness" "$1")" '"reason":"other"'
    silent
    expect_that "its last timer is not within $2 ms: $(grep setitimer "$folder/trace")" \
      awk -v most="$2" '/setitimer\(ITIMER_REAL/ && match($0, /it_value=\{tv_sec=[0-9]+, tv_usec=[0-9]+/) {
          split(substr($0, RSTART, RLENGTH), at, /[=,]/)
          ms = at[3] * 1000 + at[5] / 1000
          if (ms > 0) last = ms
        } END { exit !(last > 0 && last <= most) }' "$folder/trace"
    expect_that "it read more than $3 bytes of the transcript" \
      awk -v most="$3" -v of="<$transcript>" 'index($0, of) && / = [0-9]+$/ { sum += $NF } END { exit !(sum <= most) }' "$folder/trace"
  done
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
open_ended
says PostToolUse "75.6 % full"
expect_that "it waited for more: $(cat .handoff/hook.log 2>/dev/null)" [ ! -e .handoff/hook.log ]
# Nothing, or half an event: some seconds, and the agent goes on.
printf '{"session_id":"w2","hook_event_name":"Stop"' >"$folder/event"
open_ended
expect_out_is '{}'
expect_that "nothing was logged" grep -q "limit: no complete event on standard input" .handoff/hook.log
rm .handoff/hook.log

# The end of a session, with a transcript of four gigabytes that was never looked at: its time is limited to the second
# that the harness gives it, and it reads no more than 64 megabytes of the end.
cp "$data/claude-usage.jsonl" "$folder/end"
truncate -s 4G "$folder/huge.jsonl"
{ echo; cat "$folder/end"; } >>"$folder/huge.jsonl"
transcript=$folder/huge.jsonl session=e1
counting="the timer and the bytes read at the end of a session"
if ! has strace "$counting"; then
  :
elif ! strace -o /dev/null true 2>/dev/null; then
  skip "$counting" "processes cannot be traced here"
else
  counted end 1000 $((65 << 20))
fi

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
event claude SessionEnd '"reason":"other"'
silent
# A busy machine may have it give up in time; nothing else may go wrong.
grep -q ' SessionEnd: limit: it took longer ' .handoff/hook.log 2>/dev/null ||
  expect_that "the end was not noted" grep -q '"ended":true' .handoff/context/e1.trace.json
expect_that "it failed: $(cat .handoff/hook.log 2>/dev/null)" [ -z "$(grep -v ' SessionEnd: limit: it took longer ' .handoff/hook.log 2>/dev/null)" ]
rm -f .handoff/hook.log
# Whoever needs the store gives up in time: the agent goes on, and the log says why.
rm .handoff/context/e1.lease
event claude PostToolUse '"tool_name":"Bash"' # is to renew its lease
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
