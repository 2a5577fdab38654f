#!/bin/bash
# `pass` carries on what a phase knows, but nothing of a handoff that waits at a gate, or that a person has rejected there: what nobody
# has let through would be delivered by being repeated.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script

# passed SESSION NEXT OPTION...: $id is the new handoff of the phase.
passed()
{
  HANDOFF_SESSION=$1 HANDOFF_AGENT=coder expect 0 pass --task 7 --phase 1 --used 90 --next "$2" "${@:3}" --json
  id=$(field id)
}
# without SESSION NEXT WHY: the next one says why it has nothing of the first, and has nothing of it.
without()
{
  passed "$1" "$2"
  expect_out "nothing of $waits is carried on: it $3 $gate"
  expect 0 show "$id"
  expect_out "Keep the table of users"
  for text in "Drop the index" "Pandas" "port 99" "twice as fast" "$file"; do expect_not_out "$text"; done
  expect 0 next --task 7 --as est
  expect_out "$2"
  expect 0 release "$id" --as est
}

git init -q .
passed one "Measure the parser" --slug fast --decision "Keep the table of users: it is read by the report"
passed two "Halve the time of the parser" --decision "Drop the index: it is old" --not "Pandas: loads everything" \
  --context "The server listens at port 99" --goal "It is twice as fast"
waits=$id
file=$(basename "$(ls specs/7_fast/handoffs/*[0-9]Z.md | tail -n 1)")
gate_document gate.yaml coder
expect 0 gate raise gate.yaml --for "$waits" --as coder --json
gate=$(field gate)
cp -a . "$folder/kept"

without three "Write the release notes" "waits at"
expect_terminal 0 reject "$gate" --note "The index stays"
without four "Count the rows of the report" "was rejected at"
expect 0 verify

# Once it is approved, it is carried on like any other.
cd "$folder/kept" || exit
expect_terminal 0 approve "$gate"
passed three "Write the release notes"
expect_not_out "is carried on"
expect 0 show "$id"
for text in "Keep the table of users" "Drop the index" "Pandas" "port 99" "twice as fast"; do expect_out "$text"; done
finish
