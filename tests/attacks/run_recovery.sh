#!/bin/bash
# A lead and its teammate's shim were killed, and the number of the shim's process belongs to somebody else by now: going
# on with the run ends nothing of theirs. Numbers can be chosen in a namespace of our own.
# shellcheck source=tests/common
source "$(dirname "$0")/../common"
needs unshare setsid
if [ $$ != 1 ]; then
  unshare --pid --fork --mount-proc sh -c 'echo 300 >/proc/sys/kernel/ns_last_pid' 2>/dev/null ||
    skip_test "numbers of processes cannot be chosen here"
  exec unshare --pid --fork --mount-proc bash "$0" "$@"
fi
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"

# until_so COMMAND...: waits until it succeeds, at most ten seconds.
until_so() { for _ in $(seq 200); do "$@" && return; sleep 0.05; done; false; }
gone() { ! kill -0 "$1" 2>/dev/null; }
session_gone() { [ -z "$(ps -o pid= --sid "$1")" ]; }

# taken NUMBER: a session of somebody else that has this number; its leader's, and $bystander is in it.
taken()
{
  for _ in $(seq 50); do
    echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
    setsid sleep 300 &
    bystander=$!
    [ "$bystander" = "$1" ] && return
    kill "$bystander"
  done
  skip_test "the number $1 was not given out again"
}

phase 1 One 'waits done'
expect 0 init
# What a clone says about how processes of the first teammate ended is not how they ended, whatever their numbers are.
files=.handoff/run/R-$(date -u +%Y)-001/1.1
mkdir -p "$files"
for number in $(seq 3000); do printf 'went 1\nexit 0\nended 1\n' >"$files/status-$number"; done
"$handoff" run "$plan" --agent ./teammate --json >/dev/null 2>&1 &
lead=$!
expect_that "no teammate began" until_so test -e counts/1
shim=$(pgrep -f "handoff-shim $folder")
kill -9 "$lead" "$shim"
wait "$lead" 2>/dev/null
expect_that "the teammate lives on" until_so session_gone "$shim"
taken "$shim"
lead 0
expect_that "a stranger's session was ended" kill -0 "$bystander"
expect_step 1 's.state === "done" && m[0].state === "lost"'
kill "$bystander"

# What the teammate itself left is still ended: it shares the mark, though the one who led its session is gone.
phase 2 Two 'forks done'
sed -i 's/sleep 0.3; finish ;;/sleep 0.3; echo x >"$folder\/forked"; sleep 300 ;;/' teammate
rm -f "$folder/pids"
"$handoff" run "$plan" --agent ./teammate --json >/dev/null 2>&1 &
lead=$!
expect_that "no teammate forked" until_so test -e "$folder/forked"
shim=$(pgrep -f "handoff-shim $folder")
kill -9 "$lead" "$shim"
wait "$lead" 2>/dev/null
expect_that "the first child is gone already" kill -0 "$(head -1 "$folder/pids")"
lead 0
expect_that "the first child lives on" until_so gone "$(head -1 "$folder/pids")"

finish
