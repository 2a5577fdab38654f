#!/bin/bash
# Copies of a handoff that waits for a person, or that a person rejected, changed so that they look like another one: they
# wait as well. What is about something else does not.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" reject
# The gated handoff states an id of its own.
package work.yaml importer reviewer
sed -i 's/^handoff:/handoff:\n  id: HO-2026-014/' work.yaml
send work.yaml
gate_document gate.yaml importer
expect 0 gate raise gate.yaml --for HO-2026-014 --json
first=$(field gate)
keep

# waits WAY [WORD]: the document on standard input waits for a person, and so does the same from a file.
waits()
{
  cat >"$folder/copy"
  expect 0 send - --json <"$folder/copy"
  expect_json "$folder/out" "v.state === 'gated' && v.gate && v.notes.some((n) => / ${2:-says (nearly )?the same as} HO-[^ ]* which (waits|was rejected) at G-/.test(n))"
  cp "$folder/copy" copy.yaml
  expect 0 send copy.yaml --json
  expect_json "$folder/out" "v.state === 'gated'"
  run next --as reviewer
  expect_that "$1: it was delivered" [ "$status" = 1 ]
}

# copies: all of these, with the gate as it is now.
copies()
{
  (cat work.yaml; echo '#') | waits "a comment"
  (sed /HO-2026-014/d work.yaml; echo '# more') | waits "a comment, no id"
  sed 's/HO-2026-014/HO-2026-914/; s/^/ /; s/^ handoff:/handoff: # again/' work.yaml | waits "a comment, another id"
  sed 's/16:20:00/16:20:01/' work.yaml | waits "a second later"
  sed 's/3 epics/4 epics/' work.yaml | waits "a digit"
  sed 's/3 epics/4 epics/; s/HO-2026-014/HO-2026-915/' work.yaml | waits "a digit, another id"
  sed '/HO-2026-014/d; s/3 epics/4 epics/' work.yaml | waits "a digit, no id"
  sed 's/agent: importer/agent: importer2/; s/HO-2026-014/HO-2026-916/' work.yaml | waits "another sender"
  sed '/success_criteria/,/coverage/d; /HO-2026-014/d' work.yaml | waits "less"
  (sed '/HO-2026-014/d' work.yaml; echo "  x_note: >"; seq -f '    %g more words that say nothing' 200) | waits "more"
  expect 0 convert work.yaml --to package --as json
  sed 's/HO-2026-014/HO-2026-917/' "$folder/out" >copy.json
  send copy.json
  expect_json "$folder/out" "v.state === 'gated'"
  sed -i 's/3 epics/4 epics/; s/^{/{ /' copy.json
  expect 0 send - --json <copy.json
  expect_json "$folder/out" "v.state === 'gated'"
  cat >"$folder/other.yaml" <<'END'
handoff:
  id: HO-2026-014
  timestamp: "2026-05-01T09:00:00Z"
  from: {agent: importer, step: 7}
  to: {agent: reviewer, reason: Payments were moved to another provider}
  context:
    summary: Payments now go through the new provider; the old client was removed from the code
    key_info: [The sandbox answers within 300 ms, Refunds need a second call]
  expectations:
    deliverable: A list of all endpoints with their limits
END
  waits "its id, on something else" "states the id of" <"$folder/other.yaml"
}
copies
again
person 0 "$passphrase" -- gate decide "$first" reject
state_is HO-2026-014 rejected
copies
expect 0 gate list
expect_out "inherited from $first"

# Another matter, for the same receiver: it does not wait, unless it says that it is the gated one.
again
sed '/id: HO-2026-014/d' "$folder/other.yaml" >other.yaml
send other.yaml
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
# Almost the same for somebody else is another matter, too.
sed 's/agent: reviewer/agent: tester/; s/3 epics/4 epics/; /HO-2026-014/d' work.yaml >tester.yaml
send tester.yaml
expect_json "$folder/out" "v.state === 'ready'"

# What a person approved can be sent again, and changed a little.
again
person 0 "$passphrase" -- gate decide "$first" approve
send - <work.yaml
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
sed 's/3 epics/4 epics/; /HO-2026-014/d' work.yaml >more.yaml
send more.yaml
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
expect 0 verify
finish
