#!/bin/bash
# Ways around a gate that nobody has approved: whatever takes the place of its handoff waits as well.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" approve
claim --as est
expect 0 ack "$id" --token "$token" --task x
expect 0 'done' "$id" --token "$token"
# The handoff that is gated is for est itself, about its own work.
package work.yaml lead est
send work.yaml
gate_document gate.yaml lead
expect 0 gate raise gate.yaml --for "$id" --json
work=$id first=$(field gate) gate=$(field gate)
keep
waits() { expect_json "$folder/out" "v.state === 'gated' && v.gate"; }

# Sent again: as it is, with a key, under another name, with an id, from another folder, from standard input.
send work.yaml
waits
send work.yaml --key again
waits
cp work.yaml renamed.yaml
send renamed.yaml
waits
mkdir sub && cp work.yaml sub/work.yaml
send sub/work.yaml
waits
expect 0 send - --json <work.yaml
waits
gate=$first
holds "sent again"
# With an id of its own, then under another one: what is compared is the document without its id.
sed 's/^handoff:/handoff:\n  id: HO-2026-777/; s/agent: est/agent: coder/; s/3 epics/5 epics/' work.yaml >own.yaml
send own.yaml
expect 0 gate raise gate.yaml --for "$id" --json
sed 's/HO-2026-777/HO-2026-778/' own.yaml >own2.yaml
send own2.yaml
waits
sed '/HO-2026-777/d' own.yaml >own3.yaml
send own3.yaml
waits
gate=$first
holds "sent under another id"

# Changed and sent again, to supersede it; superseded by another one, by one that has ended.
again
gate=$first
echo "  x_note: changed" >>work.yaml
send work.yaml
waits
state_is "$work" superseded
again
gate=$first
package free.yaml lead coder sequential "Something else that is free, with everything about it written down here"
send free.yaml
free=$id
expect 0 supersede "$work" --by "$free"
state_is "$free" gated
again
gate=$first
package free.yaml lead coder sequential "Something else that is free, with everything about it written down here"
send free.yaml
free=$id
claim --as coder
expect 0 ack "$free" --token "$token" --task x
expect 0 'done' "$free" --token "$token"
expect 7 supersede "$work" --by "$free"
gate=$first
holds "superseded"

# Rejected, archived, and sent again.
again
gate=$first
person 0 "$passphrase" -- gate decide "$gate" reject
send work.yaml --key rejected
waits
again
gate=$first
person 0 "$passphrase" -- gate decide "$gate" reject
expect 0 archive "$work"
send work.yaml --key archived
waits

# Rebuilt: the gate is the same; without the database, and with a state file that says otherwise, everything open waits.
again
gate=$first
expect 0 rebuild
holds "rebuilt"
expect 0 gate show "$gate"
again
gate=$first
person 0 "$passphrase" -- gate decide "$gate" approve
expect 0 rebuild
expect 0 gate wait "$gate" --timeout 1 --json
expect_json "$folder/out" 'v.proof === "signed"'
expect 0 verify
again
gate=$first
rm .handoff/handoff.db*
sed -i 's/"gated"/"pending"/; s/"gates_pending": *\[[^]]*\]/"gates_pending": []/' state/current.json
expect 1 rebuild
expect_out "every open handoff waits now"
state_is "$work" gated
run next --as est
expect_that "rebuilt without the database: it was delivered" [ "$status" != 0 ]
expect 0 key list --json
expect_json "$folder/out" 'v.deciders.length === 1 && v.deciders[0].state === "enrolled"'

# In a store of its own, or after everything was removed: the deciders are missing there, and nothing is delivered.
again
gate=$first
HANDOFF_STORE=$folder/own.db expect 0 send work.yaml
HANDOFF_STORE=$folder/own.db expect 7 next --as est
expect_err "the ledger does not have the deciders"
rm -rf .handoff .project state
expect 0 send work.yaml
expect 7 next --as est
expect 1 verify

# What waits, or was rejected, is no next step: neither the hook of a new session nor the page about the task has it.
again
steps()
{
  expect 0 prompt inject --task 71 --json
  expect_json "$folder/out" "v.next_steps.length === $1 && v.text.includes('Drop the tables') === $1 > 0 && v.text.includes('Use mmap')"
  expect 0 hook claude <<<'{"hook_event_name":"SessionStart","session_id":"new","source":"startup","cwd":"'"$PWD"'"}'
  expect_that "the hook shows it, not $1 times" [ "$(grep -c 'Drop the tables' "$folder/out")" = "$1" ]
}
HANDOFF_AGENT=est expect 0 pass --task 71 --phase 1 --slug loader --next 'Drop the tables in src/o.c' --decision 'Use mmap: fast' --json
steps 1
expect 0 list --limit 1 --json
expect 0 gate raise gate.yaml --for "$(grep -o 'HO-[0-9-]*' "$folder/out" | head -n 1)" --json
gate=$(field gate)
steps 0
person 0 "$passphrase" -- gate decide "$gate" reject
steps 0

# By the clock: a deadline only rejects. An answer to a question that nobody asked changes nothing.
again
gate=$first
expect 6 answer "$gate" --note approve
if (needs_clock) >/dev/null 2>&1; then
  again
  gate_document late.yaml lead "$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)"
  expect 0 gate raise late.yaml --json
  late=$(field gate)
  later 7200 expect 1 gate wait "$late" --timeout 1 --json
  expect_json "$folder/out" 'v.decision === "reject" && v.decided_by === "deadline" && v.proof === null'
fi
finish
