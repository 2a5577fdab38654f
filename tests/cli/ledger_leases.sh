#!/bin/bash
# Claims that end: leases of claims and of work, too many attempts, deadlines, clarify and answer.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script
needs_clock

# A claim that is not acknowledged in time is ready again, and its token is stale.
package work.yaml lead coder
send work.yaml
work=$id
claim --as coder/1 --lease 60
old=$token
later 30 expect 1 next --as coder/2
later 90 claim --as coder/2 --lease 60
expect_that "it was not delivered again" [ "$id" = "$work" ]
expect_json "$folder/out" 'v.handoff.attempt === 1'
expect 6 ack "$work" --token "$old"
expect_err "stale"
later 90 expect 0 renew "$work" --token "$token" --lease 600
later 200 expect 1 next --as coder/3
later 1000 expect 6 renew "$work" --token "$token"
expect 0 log "$work" --json
later 1000 expect 0 list --state ready
expect_out "$work"
expect 0 log "$work" --json
expect_json "$folder/out" 'v.events.filter(e => e.event === "lapsed").length === 2'

# Work that goes silent: ready again, with a draft of what is known.
claim --as coder/4 --lease 60
expect 0 ack "$work" --task "Write the record" --question "Which region?" --token "$token"
later 100 expect 0 status --json
state_is "$work" ready
expect_json "$folder/out" 'v.handoff.drafts.length === 1'
draft=$(field handoff.drafts.0)
expect 0 show "$draft" --json
expect_json "$folder/out" 'v.handoff.state === "draft" && v.handoff.from === "coder/4" && v.handoff.text.includes("Which region?")'
expect 6 'done' "$work" --token "$token"
expect 0 answer "$draft" --note "Go on from here"
state_is "$draft" ready
expect 0 show "$draft" --as yaml
cp "$folder/out" draft.yaml
expect 0 check draft.yaml --format package

# Too many attempts: a person has to decide; approval starts anew.
package many.yaml lead tester
send many.yaml
many=$id
for i in 1 2 3 4 5; do later $((i * 100)) claim --as tester --lease 60; done
later 600 expect 0 gate list --json
gate=$(field gates.0.id)
expect_json "$folder/out" "v.gates.length === 1 && v.gates[0].handoff === '$many'"
later 600 expect 1 next --as tester
state_is "$many" gated
# Nobody raised that gate: what a person asks back is for whoever sent the handoff, and for people if none did.
expect 0 send --to sampler 'Compare the prices of 9 shops with those of last year' --json
id=$(field id)
for i in 1 2 3 4 5; do later $((600 + i * 100)) claim --as sampler --lease 60; done
later 1200 expect 0 gate list --json
persons=$(jq -r --arg id "$id" '.gates[] | select(.handoff == $id).id' "$folder/out")
for each in "$gate" "$persons"; do later 1200 expect_terminal 0 gate decide "$each" question --note 'Why is it never finished?'; done
later 1200 expect 0 inbox --as lead --json
expect_json "$folder/out" "v.items.some((i) => i.kind === 'question' && i.id === '$gate' && i.text === 'Why is it never finished?' && i.commands[0] === 'handoff answer $gate --note TEXT --as lead') && !v.items.some((i) => i.id === '$persons')"
later 1200 expect 0 inbox --json
expect_json "$folder/out" "v.items.map((i) => [i.kind, i.id].join()).join() === 'gate,$persons' && v.items[0].commands.includes('handoff answer $persons --note TEXT')"
later 1200 expect 0 answer "$gate" --note 'The machine was too slow' --as lead
later 1200 expect 0 answer "$persons" --note 'The machine was too slow'
later 1200 expect 0 withdraw "$id" --note 'Enough'
expect_terminal 0 gate decide "$gate" approve
state_is "$many" ready
expect_json "$folder/out" 'v.handoff.attempt === 0'

# What is sent to one instance is for the agent, and that instance has it first; so it is with what goes back to one.
package one.yaml lead mason/2
for who in mason/2 mason/1; do
  send one.yaml --again
  expect_json "$folder/out" "v.to === 'mason' && v.notes.some((n) => n === '$id is for mason; it is kept for mason/2 for the length of a lease')"
  expect 1 next --as mason
  expect 6 claim "$id" --as mason/1
  expect_err "$id is kept for mason/2 until "
  expect 0 inbox --as mason
  expect_out "$id"
  sent=$id
  after=0
  [ $who = mason/2 ] || after=1000
  later $after claim --as $who
  expect_that "$who claimed $id" [ "$id" = "$sent" ]
  HANDOFF_TOKEN=$token HANDOFF_TEST_LATER_S=$after expect 0 "done" "$id" --as $who
done
package up.yaml guide/3 human escalation "Which of the two ways through the valley is to be taken in winter?"
send up.yaml
expect_terminal 0 gate decide "$gate" approve --note "The upper one"
expect 1 next --as guide
HANDOFF_SESSION=g-3 expect 0 inbox --as guide/3
claim --as guide/3
expect_json "$folder/out" "v.handoff.to === 'guide'"
package lent.yaml guide/3 climber delegation "Look for the ropes in the hut, and count those that can still be used"
send lent.yaml
claim --as climber
expect 0 ack "$id" --token "$token" --blocker "In which hut?"
expect 0 inbox --as guide/3
expect_out "In which hut?"
expect 0 answer "$id" --note "In the lower one" --as guide/3
claim --as climber
package back.yaml climber guide return "Seven ropes can be used, and four cannot, because they are wet and old"
expect 0 return "$id" back.yaml --token "$token" --as climber
claim --as guide/3

# A deadline that passes before it is taken.
package soon.yaml lead painter
sed -i "s/^handoff:/handoff:\n  x_deadline: \"$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)\"/" soon.yaml
send soon.yaml
later 7200 expect 1 next --as painter
state_is "$id" expired
expect_json state/current.json "v.handoffs.find(h => h.id === '$id').status === 'expired'"

# A blocker asks back: clarify, answered, and then for the one who asked first.
package block.yaml lead builder
send block.yaml
block=$id
claim --as builder/1
expect 0 ack "$block" --question "Only a question" --token "$token"
expect_err "the question was recorded, but $block is not acknowledged; to start working, run: handoff ack $block --task TEXT"
state_is "$block" claimed
expect 0 status --as lead
expect_out "Has a question, work goes on"
expect_out "    | Only a question"
expect 0 status --as painter
expect_not_out "Has a question"
expect 0 status --json
expect_json "$folder/out" "v.asked.length > 0 && v.asked.some(h => h.id === '$block')"
expect 0 answer "$block" --note "Only an answer"
expect 0 status --json
expect_json "$folder/out" "!v.asked.some(h => h.id === '$block')"
expect 6 answer "$block" --note "Nobody asked"
expect 0 ack "$block" --blocker "docs/spec.md contradicts itself" --token "$token"
state_is "$block" clarify
expect 0 next --as builder/1 # first what was answered
expect_out "Only an answer"
expect 1 next --as builder/1
expect 6 'done' "$block" --token "$token"
expect 0 status --as lead
expect_out "$block"
expect 0 answer "$block" --note "The second paragraph counts" --as lead
state_is "$block" ready
expect 1 next --as builder/2
claim --as builder/1
expect_json "$folder/out" 'v.handoff.talk.some(t => t.kind === "answer" && t.text === "The second paragraph counts")'
expect 0 ack "$block" --not-starting --token "$token"
state_is "$block" clarify
expect 0 answer "$block" --note "Then begin tomorrow"
later 1800 claim --as builder/2 # the one who asked does not come
expect_that "it was not given to another" [ "$id" = "$block" ]

# An acknowledgement as a document does the same.
package doc.yaml lead writer
send doc.yaml
doc=$id
claim --as writer
printf 'acknowledgment:\n  handoff: %s\n  received: true\n  from: lead\n  understood: partial\n  blockers:\n    - docs/spec.md ends too early\n  action: request_clarification\n' "$doc" >ACK-1.yaml
expect 6 send ACK-1.yaml
HANDOFF_TOKEN=$token expect 0 send ACK-1.yaml --json
expect_json "$folder/out" "v.id === '$doc' && v.state === 'clarify'"

# What was renewed for longer stays so when the work begins, and when it is renewed as before.
package long.yaml lead mason
send long.yaml
claim --as mason --lease 60
expect 0 renew "$id" --token "$token" --lease 7200
for words in "ack $id --task Build" "renew $id"; do
  read -ra command <<<"$words"
  expect 0 "${command[@]}" --token "$token"
  expect 0 show "$id" --json
  left=$(($(date -d "$(field handoff.lease_until)" +%s) - $(date +%s)))
  expect_that "its lease lasts $left seconds" [ "$left" -gt 7000 ]
done
later 3600 expect 0 'done' "$id" --token "$token"

# --wait.
package wait.yaml lead sleeper
(sleep 1; "$handoff" send wait.yaml >/dev/null 2>&1) &
claim --as sleeper --wait 20
wait
expect 1 next --as sleeper --wait 1
expect 0 verify
# Waiting ends when its time has passed, however the clock jumps meanwhile.
# waits STATUS ARGUMENT...: for a second, with a clock that is an hour later at every look, and with one that is an hour
# earlier.
waits()
{
  local wanted=$1 jump begin
  shift
  for jump in +3600 +-3600; do
    begin=${EPOCHREALTIME/./}
    last="(clock $jump) $*"
    HANDOFF_TEST_LATER_S=$jump timeout 20 "$handoff" "$@" >"$folder/out" 2>"$folder/err"
    status=$?
    expect_that "exit status $status, not $wanted" [ "$status" = "$wanted" ]
    expect_that "it did not wait" [ $((${EPOCHREALTIME/./} - begin)) -ge 990000 ]
  done
}
gate_document asked.yaml coder
expect 0 gate raise asked.yaml --json
waits 7 gate wait "$(field gate)" --timeout 1
waits 1 next --as nobody --wait 1
mkdir "$folder/new" && cd "$folder/new" || exit
waits 1 next --as nobody --wait 1

# Claims made while the clock was ten years ahead: once it is right, no lease lasts longer than its length.
mkdir -p "$folder/ahead/docs" && cd "$folder/ahead" && echo spec >docs/spec.md || exit
# lasts ID MOST: seconds from now.
lasts()
{
  expect 0 show "$1" --json
  local left=$(($(date -d "$(field handoff.lease_until)" +%s) - $(date +%s)))
  expect_that "its lease lasts $left seconds" [ "$left" -le "$2" -a "$left" -gt $(($2 - 120)) ]
}
for name in reader renewer sleeper; do
  package "$name.yaml" lead "$name"
  send "$name.yaml"
done
later 315360000 claim --as reader
reader=$id
later 315360000 claim --as sleeper --lease 7200
sleeper=$id
later 315360000 claim --as renewer
later 315360000 expect 0 ack "$id" --token "$token" --task "Architecture decision record for the login"
expect 0 status # any command will do
lasts "$reader" 900
lasts "$sleeper" 7200
lasts "$id" 900
expect 0 renew "$id" --token "$token"
later 1000 claim --as reader
expect_that "another one was claimed" [ "$id" = "$reader" ]
later 1000 expect 1 next --as sleeper
expect 0 verify
# What has ended is not said to have run out.
package over.yaml lead coder
send over.yaml
expect 0 withdraw "$id" --note "No longer needed"
expect 6 renew "$id" --token 0123456789abcdef0123456789abcdef
expect_err "$id is already rejected"
finish
