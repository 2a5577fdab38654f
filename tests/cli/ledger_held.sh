#!/bin/bash
# Somebody keeps the store and does not let go: commands that read answer all the same, soon, from what there is.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
tools=$(dirname "$handoff")/tests

package work.yaml lead coder
send work.yaml
claim --as coder --lease 3600
expect 0 know
package more.yaml lead coder "" "Another piece of work, with 3 epics and 12 stories that are written down"
send more.yaml # nobody has learned from it yet

mkfifo "$folder/hold"
"$tools/hold_store" .handoff/handoff.db .handoff/handoff.lock <"$folder/hold" >"$folder/held" 2>&1 &
holder=$!
exec 8>"$folder/hold"
for _ in $(seq 100); do
  grep -q held "$folder/held" && break
  sleep 0.05
done
expect_that "it is not held: $(cat "$folder/held")" grep -q held "$folder/held"

# A busy machine may need a while, but nobody waits for half a minute.
for command in know 'search epics' graph journal quality list log status ps 'gate list' "show $id" lineage 'verify --quick' verify doctor; do
  began=$SECONDS
  # shellcheck disable=SC2086
  HANDOFF_TEST_LATER_S=7200 run $command
  expect_that "exit status $status" [ "$status" -le 1 ]
  expect_that "it took $((SECONDS - began)) s" [ $((SECONDS - began)) -lt 12 ]
done
expect 0 know
expect_err "the newest handoffs are not included: the store is still locked after 1 second: "
exec 8>&-
wait "$holder"
expect 0 know
expect_no_err

finish
