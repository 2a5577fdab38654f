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

# Unchanged: it is the same handoff, wherever the document is, unless --again or a key says that another one is meant.
same() { expect_json "$folder/out" "v.id === '$1' && v.same && !v.superseded && v.notes.some(n => n.startsWith('already sent: $1 is '))"; }
expect 0 log --json
events=$(field events.length)
send a.yaml
same "$second"
expect 0 send a.yaml
expect_out_is "$second"
expect_err "already sent: $second is ready; to send another one, use --again"
expect 0 send - <a.yaml
expect_out_is "$second"
cp a.yaml elsewhere.yaml
send elsewhere.yaml
same "$second"
"$handoff" send a.yaml >/dev/full 2>"$folder/err"
status=$? last="send a.yaml >/dev/full"
expect_that "an answer that cannot be printed: exit status $status" [ "$status" = 9 ]
expect 0 log --json
expect_that "something was recorded twice" [ "$(field events.length)" = "$events" ]
send a.yaml --again
expect_json "$folder/out" "!v.same && v.id !== '$second' && !(v.notes || []).some(n => n.includes('same'))"
expect 0 supersede "$id" --by "$second"
send a.yaml --key monday
expect_json "$folder/out" "!(v.notes || []).some(n => n.includes('same content'))"
expect 0 supersede "$second" --by "$id"
second=$id

# A new version is instead of every copy that nobody works on.
package copies.yaml lead painter "" "The colours of 12 pages are listed with the places where they are used"
send copies.yaml
one=$id
send copies.yaml --again
two=$id
send copies.yaml --again
three=$id
HANDOFF_AGENT=painter HANDOFF_SESSION=s expect 0 claim "$one"
sed -i 's/12 pages/13 pages/' copies.yaml
send copies.yaml
expect_json "$folder/out" "v.superseded === '$three' && v.notes.includes('supersedes $three, $two')"
state_is "$two" superseded
state_is "$three" superseded
state_is "$one" claimed
HANDOFF_AGENT=painter HANDOFF_SESSION=s expect 0 release "$one"
expect 0 withdraw "$one" --note 'Enough'

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
expect 0 ack "$first" --task "As asked" --token "$token"
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

# What is claimed or waits is open too; what has ended is not.
package e.yaml lead planner
send e.yaml
first=$id
claim --as planner
send e.yaml
same "$first"
expect 0 ack "$first" --token "$token" --task "Architecture decision record for the login"
send e.yaml
same "$first"
expect 0 "done" "$first" --token "$token"
send e.yaml
expect_json "$folder/out" "!v.same && v.id !== '$first'"
package f.yaml lead human escalation
send f.yaml
first=$id asked=$gate
send f.yaml
same "$first"
expect_that "it has another gate" [ "$gate" = "$asked" ]
gate_document g.yaml lead
expect 0 gate raise g.yaml
asked=$(cat "$folder/out")
expect 0 gate raise g.yaml
expect_out_is "$asked"
expect 0 gate raise g.yaml --again
expect_that "no other gate was raised" [ "$(cat "$folder/out")" != "$asked" ]

# Other senders and receivers.
printf '{"task_id": "T-9", "phase": "research", "context": {"feature": "Sessions"}, "instructions": "Find the handlers", "expected_output": "structured_findings"}\n' >s.request.json
send s.request.json --to coder --as lead
first=$id
send s.request.json --to coder --as lead
same "$first"
send s.request.json --to tester --as lead
expect_json "$folder/out" "!v.same"
send s.request.json --to coder --as owner
expect_json "$folder/out" "!v.same"

# An answer that has ended what it answers, and whose id the sender never saw.
package h.yaml lead helper delegation
send h.yaml
claim --as helper
expect 0 ack "$id" --token "$token" --task "Architecture decision record for the login"
package answer.yaml helper lead return
send answer.yaml --token "$token"
first=$id
send answer.yaml --token "$token"
same "$first"

# An id that belongs to another handoff is replaced; the document is still the same.
package i.yaml lead writer
sed -i 's/^handoff:/handoff:\n  id: HO-1999-021/; s/3 epics/9 epics, 40 drawings/' i.yaml
expect 0 send - --json <i.yaml
first=$(field id)
expect_that "it has the id of another one" [ "$first" != HO-1999-021 ]
expect 0 send - --json <i.yaml
same "$first"

# Many at once: one handoff.
package j.yaml lead racer
for _ in 1 2 3 4 5 6 7 8; do "$handoff" send j.yaml >>"$folder/ids" 2>/dev/null & done
wait
expect_that "the same document became several handoffs" [ "$(sort -u "$folder/ids" | wc -l)/$(wc -l <"$folder/ids")" = 1/8 ]

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
