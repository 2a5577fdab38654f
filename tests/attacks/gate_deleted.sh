#!/bin/bash
# The rows by which a copy of a waiting document is recognised, deleted or changed in the database: that it waits follows from
# its events, so what is sent again waits as well.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" reject
package work.yaml lead coder
send work.yaml
work=$id
gate_document gate.yaml lead
expect 0 gate raise gate.yaml --for "$work" --json
first=$(field gate)
sed 's/3 epics/4 epics/' work.yaml >near.yaml
keep

# copies WAY: the same document under a key, and nearly the same one from another file, wait; or the first is refused, because
# the handoff that it would take the place of was changed.
copies()
{
  run send work.yaml --key again --json
  expect_that "$1: it is neither refused nor waits" [ "$status" = 10 -o "$(field state)" = gated ]
  send near.yaml
  expect_json "$folder/out" "v.state === 'gated' && v.gate"
  run next --as coder
  expect_that "$1: it was delivered" [ "$status" = 1 ]
}

# tampered WAY: all of these, with the gate as it is now.
tampered()
{
  rm -rf "$folder/now" && cp -a . "$folder/now"
  for how in "DELETE FROM gates WHERE id = '$first'" "DELETE FROM gates" \
    "DELETE FROM gates WHERE id = '$first'; UPDATE handoffs SET state = 'archived', gate = '' WHERE id = '$work'" \
    "DELETE FROM gates WHERE id = '$first'; UPDATE handoffs SET state = 'done', gate = '' WHERE id = '$work'" \
    "UPDATE gates SET handoff = (SELECT id FROM handoffs ORDER BY seq LIMIT 1) WHERE id = '$first'" \
    "UPDATE gates SET state = 'decided', decision = 'approve', decided_by = 'alice', verified = 'verified' WHERE id = '$first'" \
    "UPDATE handoffs SET digest = (SELECT digest FROM handoffs ORDER BY seq LIMIT 1), body = (SELECT body FROM handoffs ORDER BY seq LIMIT 1) WHERE id = '$work'" \
    "UPDATE handoffs SET receiver = 'tester', path = '' WHERE id = '$work'"; do
    find . -mindepth 1 -delete
    cp -a "$folder/now/." .
    sql "$how"
    copies "$1: $how"
    run verify
    expect_that "$1: $how: verify finds nothing" [ "$status" = 1 ]
  done
}
tampered "it waits"
again
person 0 "$passphrase" -- gate decide "$first" reject
expect 0 archive "$work"
tampered "rejected and archived"

# The gate's row deleted and the history broken, so that a person rebuilds the ledger: the gate is kept with its handoff.
for how in "DELETE FROM gates" "UPDATE gates SET handoff = (SELECT id FROM handoffs ORDER BY seq LIMIT 1)"; do
  for decision in reject ''; do
    again
    [ -z "$decision" ] || person 0 "$passphrase" -- gate decide "$first" "$decision"
    sql "$how WHERE id = '$first'; UPDATE handoffs SET task = 'x' WHERE id = '$work'"
    expect 1 rebuild
    copies "rebuilt"
    expect 0 gate show "$first"
  done
done

# The waiting document itself, changed or deleted: nothing can be compared with it, so nothing is sent.
again
sql "UPDATE bodies SET body = 'gone' WHERE digest = (SELECT digest FROM handoffs WHERE id = '$work')"
expect 10 send near.yaml
again
sql "DELETE FROM bodies WHERE digest = (SELECT digest FROM handoffs WHERE id = '$work')"
run send near.yaml
expect_that "without its document: it was sent" [ "$status" != 0 ]

# What was approved can be sent again.
again
person 0 "$passphrase" -- gate decide "$first" approve
send work.yaml --key again
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
expect 0 verify
finish
