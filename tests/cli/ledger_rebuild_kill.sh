#!/bin/bash
# A rebuild that is killed at any step leaves the old store or the new one, with everything in it, also for those who have
# it open; and a store that is not damaged, only out of reach, is not rebuilt.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
tools=$(dirname "$handoff")/tests

# begin NAME: a project with one handoff that is in the log only, and somebody who waits for another.
begin()
{
  mkdir -p "$folder/$1/docs" && cd "$folder/$1" && echo spec >docs/spec.md || exit
  package p.yaml lead coder
  expect 0 init
  "$handoff" next --as later --wait 60 --json >waited 2>waited.err &
  waiter=$!
  for ((i = 0; i < 3; i++)); do "$handoff" send - --again <p.yaml; done >given
}

# ---- Killed at each step.
begin try
if (HANDOFF_KILL_AT=swap-ready "$handoff" rebuild; exit $?) >/dev/null 2>&1; then
  skip "a rebuild that is killed" "this build cannot be killed at a step"
  steps=""
else
  steps="swap-ready swap-decided swap-named swap-log swap-index swap-seal swap-moved"
fi
kill "$waiter"
for step in $steps; do
  begin "$step"
  (HANDOFF_KILL_AT=$step "$handoff" rebuild; exit $?) >/dev/null 2>&1
  status=$?
  last="a rebuild that was killed at $step"
  expect_that "it ended with $status" [ "$status" = 137 ]
  case $step in
  swap-ready) kept=0 ;;
  swap-index) # Whoever waits finishes it, if nobody else comes.
    for ((i = 0; i < 100; i++)); do [ ! -e .handoff/handoff.db.swap ] || sleep 0.1; done
    expect_that "nobody has finished it" [ ! -e .handoff/handoff.db.swap ]
    ;;
  *) kept=1 ;;
  esac
  for ((i = 0; i < 2; i++)); do "$handoff" send - --again <p.yaml; done >>given
  expect_that "an id was given twice" [ -z "$(sort given | uniq -d)" ]
  expect 0 list --limit 100
  expect_that "something is missing" cmp -s <(sort given) <(cut -d' ' -f1 "$folder/out" | sort)
  package q.yaml lead later
  send - <q.yaml
  wait "$waiter"
  status=$?
  expect_that "whoever waited ended with $status: $(cat waited.err)" [ "$status" = 0 ]
  expect_that "whoever waited has something else" grep -q "\"$id\"" waited
  expect 0 verify
  expect_that "it is not finished" [ ! -e .handoff/handoff.db.swap ]
  expect_that "$(ls .handoff)" [ "$(find .handoff -name '*.before-rebuild-*' ! -name '*-wal' ! -name '*-shm' ! -name '*.seal' | wc -l)" = "$kept" ]
  [ "$kept" = 0 ] || expect 0 --store "$(find .handoff -name '*.before-rebuild-*' ! -name '*-wal' ! -name '*-shm' ! -name '*.seal')" list
  [ "$kept" = 0 ] || expect_that "the kept store has not all" [ "$(wc -l <"$folder/out")" = 3 ]
  expect 0 rebuild
  expect 0 verify
done

# ---- A store that is only out of reach.
begin reach
kill "$waiter"
expect 0 list
# refused TEXT: a rebuild says so, and changes nothing.
refused()
{
  expect 10 rebuild
  expect_err "$1"
  expect_err "nothing was rebuilt"
  expect_that "something was changed" [ -z "$(find .handoff -name '*.before-rebuild-*' -o -name '*.swap' -o -name '*.rebuild')" ]
}
mkfifo "$folder/hold"
"$tools/hold_store" .handoff/handoff.db - <"$folder/hold" >"$folder/held" 2>&1 &
holder=$!
exec 8>"$folder/hold"
for ((i = 0; i < 100; i++)); do [ -s "$folder/held" ] || sleep 0.1; done
refused "the store is locked: process $holder (hold_store), started "
if grep -q "move the database" "$folder/err"; then result bad "it tells to move away what others have open"; fi
exec 8>&-
wait "$holder"

"$tools/sql_tool" .handoff/handoff.db "PRAGMA user_version = 99; CREATE TABLE later (x)"
refused "was written by a newer handoff"
"$tools/sql_tool" .handoff/handoff.db "DROP TABLE later" # the tables are ours: it is the head that is damaged
expect 0 rebuild
expect 0 verify
rm .handoff/*.before-rebuild-*
rm -f .handoff/handoff.db-wal && echo "my only copy" >own && ln own .handoff/handoff.db-wal
refused "second name"
finish
