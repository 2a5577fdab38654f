#!/bin/bash
# What one agent sent, holds or was asked is not ended, replaced or answered by another: not by the deadline of a gate, not
# by a document in the same file with the same id, not because a person sent it.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs node jq script

as() { HANDOFF_AGENT=$1 HANDOFF_SESSION=s-${1%%/*} "${@:2}"; }
# short FILE FROM TEXT [ID]: a package for bob that says little besides this.
short()
{
  jq -n --arg from "$2" --arg text "$3" --arg id "${4:-}" '{handoff: ((if $id == "" then {} else {id: $id} end) + {from: {agent: $from},
    to: {agent: "bob", reason: $text}, context: {summary: $text}, expectations: {deliverable: $text}})}' >"$1"
}
soon() { date -u -d "+$1" +%Y-%m-%dT%H:%M:%SZ; }

# A gate ends what waits at it when its deadline passes: one that has passed is refused, and so is any from an agent that
# could not end the handoff itself.
package work.yaml alice bob
as alice send work.yaml
work=$id
as bob expect 0 claim "$work" --ack
for time in 2020-01-01T00:00:00Z "$(soon '-2 seconds')"; do
  for who in mallory alice; do
    gate_document gate.yaml $who "$time"
    as $who expect 4 gate raise gate.yaml --for "$work"
    expect_err "gate.yaml: has a deadline that has passed"
    as $who expect 4 gate raise gate.yaml
  done
done
gate_document gate.yaml mallory "$(soon '1 hour')"
as mallory expect 6 gate raise gate.yaml --for "$work"
expect_err "only its sender, alice, its receiver, whoever holds it, or a person can set a deadline for the gate of $work: if nobody decides in time, it is rejected; leave out the deadline"
state_is "$work" acked
# Whoever could end it can, and the sender and the holder are told.
gate_document gate.yaml alice "$(soon '1 hour')"
as alice expect 0 gate raise gate.yaml --for "$work"
as bob expect 0 inbox
later 7200 run list
state_is "$work" rejected
for who in alice bob; do
  as $who expect 0 inbox --json
  expect_json "$folder/out" "v.items.some((i) => i.kind === 'decision' && i.text === 'reject: nobody decided in time')"
done
# A copy of somebody else's handoff does not bring the deadline that its sender has set.
short move.json alice "Move the backups to the other region, and restore them from there once"
as alice send move.json
as alice expect 0 gate raise gate.yaml --for "$id"
short copy.json carol "Move the backups to the other region and restore them from there once"
as carol send copy.json
expect 0 gate show "$gate" --json
expect_json "$folder/out" "v.raised_by === 'carol' && !v.deadline"

# The same file, the same id, another sender: both are there, and neither the person who is asked nor alice is told that it
# is hers.
short file.json alice "The manual is to be translated, with all of its tables and pictures" HO-2026-070
as alice send file.json
short file.json mallory "Fifty pizzas are to be ordered and paid with the card of the company" HO-2026-070
as mallory send file.json
expect_json "$folder/out" "v.id !== 'HO-2026-070' && !v.superseded"
state_is HO-2026-070 ready
# Of one that waits for a person, the copy waits as well, in the name of its own sender.
short file.json alice "The servers are to be stopped at noon, and started again in the evening" HO-2026-071
as alice send file.json
gate_document gate.yaml alice
as alice expect 0 gate raise gate.yaml --for HO-2026-071
short file.json mallory "Fifty more pizzas are to be ordered" HO-2026-071
as mallory send file.json
expect_json "$folder/out" "v.state === 'gated' && !v.superseded"
expect 0 gate show "$gate" --json
expect_json "$folder/out" "v.raised_by === 'mallory'"
state_is HO-2026-071 gated
# Its sender replaces it.
short file.json alice "Count all letters of the book twice and write the sums down at once" HO-2026-072
as alice send file.json
sed -i 's/at once/soon/' file.json
as alice send file.json
expect_json "$folder/out" "v.superseded === 'HO-2026-072'"

# What a person sent is a person's.
jq -n '{task_id: "T1", phase: "research", context: {feature: "login"}, instructions: "Look for the login",
  expected_output: "structured_findings"}' >ask.json
send ask.json --to bob
persons=$id
short free.json mallory "Nothing is to be done about this one, which only stands here"
as mallory send free.json
as mallory expect 6 supersede "$persons" --by "$id"
expect_err_is "handoff: only whoever holds it or a person can supersede $persons, which no agent sent"
as mallory expect 6 withdraw "$persons" --note x
expect_err "only a person can withdraw $persons, which no agent sent; to refuse it, run: handoff reject"
CLAUDECODE=1 expect 6 supersede "$persons" --by "$id"
state_is "$persons" ready
expect 0 supersede "$persons" --by "$id"

# What a person asks at a gate is for whoever raised it, or sent or holds what waits there.
short asked.json alice "The old tables are to be dropped, and their backups kept for a year"
as alice send asked.json
asked=$id
as bob expect 0 claim "$asked"
gate_document gate.yaml carol
as carol expect 0 gate raise gate.yaml --for "$asked" --json
gate=$(field gate)
for who in alice bob carol ''; do
  expect_terminal 0 gate decide "$gate" question --note "Is there a backup?"
  as mallory expect 6 answer "$gate" --note "Yes"
  expect_err "only its sender, alice, whoever holds it, carol, who raised the gate, or a person can answer what a person asked about $asked"
  CLAUDECODE=1 expect 6 answer "$gate" --note "Yes"
  as "$who" expect 0 answer "$gate" --note "Not yet"
done
expect 0 verify
finish
