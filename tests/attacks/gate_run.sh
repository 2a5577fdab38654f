#!/bin/bash
# A run does not continue past a gate because somebody changed the store: not the gate, not the step.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
phase 1 First blocks
phase 2 Second 'done' 1
person 0 "$passphrase" "$passphrase" -- key new --name alice
person 0 "$passphrase" -- key enrol
person 0 yes -- trust
lead 7
gate=$(gate_of 1)
keep
sql "UPDATE gates SET state = 'decided', decision = 'approve', decided_by = 'alice', verified = 'verified', decided = raised + 1"
lead 7
expect_step 1 's.state === "gated"'
again
for change in "state = 'done'" "state = 'done', gate = ''" "state = 'waiting', gate = '', gate_why = ''"; do
  sql "UPDATE run_steps SET $change WHERE step = '1'"
  named "$change" "step 1 of R-"
  lead 7
  expect_step 1 's.state === "gated"'
  expect_that "$change: the gate is another one" [ "$(gate_of 1)" = "$gate" ]
  expect_that "$change: a phase was done" [ ! -e effects ]
  expect 0 verify
  again
done
# With alice's decision it does.
echo 'done' >acts/1
person 0 "$passphrase" -- gate decide "$gate" approve --note "Here is the key"
lead 0
expect_json "$folder/last.json" 'v.steps.every((s) => s.state === "done")'
finish
