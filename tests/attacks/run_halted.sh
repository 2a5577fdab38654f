#!/bin/bash
# The shim of a teammate is halted by a signal: its lead notices, says so, and does not wait for ever.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"

until_so() { for _ in $(seq 200); do "$@" && return; sleep 0.05; done; false; }
# started PHASE OPTION...: a lead in the background, whose teammate has begun.
started()
{
  local phase=$1
  shift
  timeout 60 "$handoff" run "$plan" --agent ./teammate "$@" >"$folder/said" 2>&1 </dev/null &
  lead=$!
  expect_that "no teammate began" until_so test -e "counts/$phase"
  shim=$(pgrep -f "handoff-shim $folder")
}
# ended STATUS
ended()
{
  wait "$lead"
  status=$?
  expect_that "the lead ended with $status" test "$status" = "$1"
  expect_nobody
}
said() { expect_that "it did not say '$1': $(cat "$folder/said")" grep -qF -- "$1" "$folder/said"; }
expect 0 init

# Halted once: it goes on, and the work counts.
phase 1 One waits
started 1
kill -STOP "$shim"
touch "$folder/go"
ended 0
lead 0 # shows the last run again
expect_step 1 's.state === "done" && m.length === 1'
said "(process $shim) was halted by a signal; letting it continue"

# The time that it was halted counts.
phase 2 Two 'hangs done'
started 2 --timeout 2
kill -STOP "$shim"
ended 0
lead 0
expect_step 2 'm[0].outcome === "timeout" && s.state === "done"'

# A teammate that halts it again and again is lost, also without a time limit; a successor does the work.
phase 3 Three 'halts done'
sed -i 's/^  done) finish ;;/&\n  halts) while :; do kill -STOP $PPID; done ;;/' teammate
started 3
ended 0
lead 0
expect_step 3 'm[0].state === "lost" && s.state === "done"'
said "was halted again and again; ending it"

# Whoever interrupts twice does not wait for it either.
phase 4 Four hangs
started 4
kill -STOP "$shim"
kill -INT "$(pgrep -P "$lead")" && sleep 0.3 && kill -INT "$(pgrep -P "$lead")"
ended 1
finish
