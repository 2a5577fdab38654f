#!/bin/bash
# A file that is sent again with other content: a new version supersedes what nobody has claimed; nothing else does.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

# wanting TEXT FILE: the package asks for something else.
wanting() { sed -i "s/deliverable: .*/deliverable: $1/" "$2"; }
# beside ID [WHO]: the newest send left it alone and says so.
beside() { expect_json "$folder/out" "!v.superseded && v.notes.includes('$1 was sent from the same file${2:-}; to replace it, run: handoff supersede $1 --by $id')"; }

# A new version of what nobody has claimed.
package a.yaml lead coder
send a.yaml
first=$id
package a.yaml lead coder sequential "Specifications completed: 5 epics, 20 user stories and their personas are written down"
send a.yaml
expect_json "$folder/out" "v.superseded === '$first'"
expect_json "$folder/out" "v.notes.includes('supersedes $first')"
state_is "$first" superseded
second=$id

# Unchanged: both stay open, and the second is said to be one, unless its key says that it is meant.
send a.yaml
expect_json "$folder/out" "!v.superseded && v.notes.includes('$second has the same content; to replace it, run: handoff supersede $second --by $id')"
expect 0 supersede "$id" --by "$second"
send a.yaml --key monday
expect_json "$folder/out" "!(v.notes || []).some(n => n.includes('same content'))"
expect 0 supersede "$second" --by "$id"
second=$id

# Another thing in the same file.
wanting "A list of all endpoints with their limits" a.yaml
send a.yaml
beside "$second"
state_is "$second" ready
third=$id
expect 0 verify # the file is the newer one's copy
expect 0 supersede "$third" --by "$second"

# The same words for what is wanted, but hardly any other line.
cat >a.yaml <<'END'
handoff:
  timestamp: "2026-05-01T09:00:00Z"
  from: {agent: lead, step: 7}
  to: {agent: coder, reason: The payment service was replaced by another one}
  context:
    summary: Payments now go through the new provider; the old client was removed from the code
    key_info: [The sandbox answers within 300 ms, Refunds need a second call]
  expectations:
    deliverable: A list of all endpoints with their limits
END
package b.yaml lead coder
wanting "A list of all endpoints with their limits" b.yaml
send b.yaml
other=$id
cp a.yaml b.yaml
send b.yaml
beside "$other"
state_is "$other" ready

# What somebody works on is left alone, whatever is sent.
package c.yaml lead tester
send c.yaml
first=$id
claim --as tester/1
package c.yaml lead tester sequential "Specifications completed: 6 epics, 21 user stories and their personas are written down"
send c.yaml
beside "$first" ", and tester/1 works on it"
state_is "$first" claimed
expect 0 ack "$first" --token "$token"
package c.yaml lead tester sequential "Specifications completed: 7 epics, 22 user stories and their personas are written down"
second=$id
send c.yaml # the newest one from this file is not claimed
expect_json "$folder/out" "v.superseded === '$second'"
state_is "$first" acked

# The author's id decides where it is stated.
package d.yaml lead writer
sed -i 's/^handoff:/handoff:\n  id: HO-1999-020/' d.yaml
send d.yaml
wanting "A list of all endpoints with their limits" d.yaml
send d.yaml
expect_json "$folder/out" 'v.superseded === "HO-1999-020"'
package d.yaml lead writer
sed -i 's/^handoff:/handoff:\n  id: HO-1999-021/' d.yaml
second=$id
send d.yaml
beside "$second"
expect_json "$folder/out" 'v.id === "HO-1999-021"'

# Formats without ids are about a task, or a phase of one.
request() { printf '{"task_id": "T-1", "phase": "%s", "context": {"feature": "Sessions"}, "instructions": "%s", "expected_output": "structured_findings"}\n' "$1" "$2" >r.request.json; }
request research "Find out which handlers read the session table"
send r.request.json --to coder
first=$id
request research "Find out which handlers read or write the session table"
send r.request.json --to coder
expect_json "$folder/out" "v.superseded === '$first'"
first=$id
request validate "Find out which handlers read or write the session table"
send r.request.json --to coder
beside "$first"
finish
