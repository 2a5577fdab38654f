#!/bin/bash
# A process is stopped while it has SQLite's own locks: every command says soon who holds the store and how it goes on, none
# advises to move the database away, and all is well once it was continued.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs strace
strace -o /dev/null true 2>/dev/null || skip_test "processes cannot be traced here"

send --to bob --as alice "The first thing to look at"
# The first call that writes is one of SQLite's, with the log to itself. What strace has stopped stays so without it.
strace -o "$folder/trace" -e trace=pwrite64,write -e inject=pwrite64,write:signal=STOP:when=1 \
  "$handoff" send --to bob --as alice "The second thing to look at" >"$folder/second" 2>&1 &
tracer=$!
for _ in $(seq 100); do
  stopped=$(pgrep -P "$tracer")
  [ -n "$stopped" ] && grep -q '^State:.*[Tt] ' "/proc/$stopped/status" && grep -q SIGSTOP "$folder/trace" && break
  sleep 0.05
done
{ kill -9 "$tracer" && wait "$tracer"; } 2>/dev/null
trap 'kill -9 "$stopped" 2>/dev/null; rm -rf "$folder"' EXIT
sleep 0.2
expect_that "nobody is stopped" grep -q '^State:.*T ' "/proc/$stopped/status"
expect_that "it holds no lock" grep -q "POSIX .* WRITE $stopped " /proc/locks

advises_to_move() { grep -q "move the database" "$folder/err"; }
for command in list status verify rebuild "next --as bob"; do
  began=$SECONDS
  # shellcheck disable=SC2086
  expect 10 $command
  expect_err "store-busy"
  expect_err "process $stopped (handoff send"
  expect_err "it is stopped: continue it (kill -CONT $stopped) or end it"
  if advises_to_move; then result bad "it advises to move the database away"; fi
  expect_that "it took $((SECONDS - began)) s" [ $((SECONDS - began)) -lt 8 ]
done
run doctor
expect_out "process $stopped (handoff send"

kill -CONT "$stopped"
for _ in $(seq 100); do
  [ -s "$folder/second" ] && break
  sleep 0.05
done
expect 0 list
expect_out "The second thing to look at"
expect 0 verify
finish
