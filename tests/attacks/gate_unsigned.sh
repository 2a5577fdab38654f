#!/bin/bash
# Without deciders, an agent of the same user who pretends to be a person can decide. What works is called unsigned.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
needs script
package ask.yaml est human escalation
send ask.yaml
keep
shows()
{
  expect 0 gate show "$gate" --json
  expect_json "$folder/out" 'v.decision === "approve" && v.proof === "unsigned" && v.known === "asserted"'
  expect 0 gate show "$gate"
  expect_out "(unsigned)"
  expect_not_out "# signer:"
  expect 0 gate list --all
  expect_out "(unsigned)"
}
# Refused: no terminal, the signs of an agent.
expect 7 gate decide "$gate" approve
HANDOFF_AGENT=est expect_terminal 7 gate decide "$gate" approve
CLAUDECODE=1 expect_terminal 7 gate decide "$gate" approve
# Works: a terminal of its own and no sign of an agent.
SHELL=/bin/bash script -qec "env -i HOME=$HOME PATH=$PATH $handoff gate decide $gate approve" /dev/null </dev/null >/dev/null
shows
expect 0 log "$id" --json
expect_out '"proof":"unsigned"'
expect 0 verify
expect_out "0 decisions signed, 1 unsigned"
again
setsid "$build/tests/person" -- "$handoff" gate decide "$gate" approve >/dev/null
shows
again
# Works: changing the store. It never looks signed, and verify names it.
sql "UPDATE gates SET state = 'decided', decision = 'approve', decided_by = 'alice', verified = 'verified', decided = 1, signature = 'c2ln', signer = 'abc'"
shows
named "the gate's row" "gate $gate"
again
# A normal project notices nothing: a person decides at a terminal.
expect_terminal 0 gate decide "$gate" approve
expect_out "(unsigned)"
claim --as est
expect 0 verify
finish
