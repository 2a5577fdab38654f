#!/bin/bash
# What is asked is answered once, by whichever name it is called; whoever holds the work is told, and nobody who has nothing to
# do with it. What a question's state is follows from the handoff that it was asked about.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/inbox_common
source "$source_dir/tests/cli/inbox_common"
needs script
needs_clock

# handed TO: a handoff from lead that no task knows; $id.
handed() { as lead send --to "$1" "Write ${2:-x} in src/${2:-x}.c" --criterion '12 tests pass' --again; }
# told AGENT SESSION TEXT: the inbox of this agent's session has it as an answer.
told()
{
  HANDOFF_AGENT=$1 HANDOFF_SESSION=$2 expect 0 inbox --peek --json
  expect_json "$folder/out" "v.items.some((i) => i.kind === 'answer' && i.seq !== 0 && i.text.includes('$3'))"
}
untold()
{
  HANDOFF_AGENT=$1 HANDOFF_SESSION=$2 expect 0 inbox --peek --json
  expect_json "$folder/out" "!v.items.some((i) => i.kind === 'answer' && (i.text ?? '').includes('$3'))"
}

# ---- A note of whoever gives work back, or has done it, answers nothing.
handed coder notes
as coder expect 0 next --ack
as coder expect 0 ack "$id" --question 'Tabs or spaces?'
as coder expect 0 release "$id" --note 'I am not the one'
as painter expect 0 show "$id"
expect_out '# note (coder): I am not the one'
expect_not_out '# answer (coder)'
as coder expect 0 next --json
expect_json "$folder/out" "v.handoff.talk.some((t) => t.kind === 'note' && t.text === 'I am not the one') && !v.handoff.talk.some((t) => t.kind === 'answer')"
as lead expect 0 answer "$id" --note 'Tabs'
as coder expect 0 ack "$id" --task 'Write it'
as coder expect 0 "done" "$id" --note 'With tabs'
expect 0 show "$id"
expect_out '# answer (lead): Tabs'
expect_out '# note (coder): With tabs'

# ---- A gate is called by its short name, as everywhere.
package choice.yaml coder human escalation "Two ways to store sessions were measured: 4 ms in memory, 19 ms in the database"
as coder send choice.yaml
expect_terminal 0 gate decide "$gate" question --note 'How long do sessions live?'
as coder expect 0 answer G-1 --note 'Eight hours'
expect 0 gate show "$gate"
expect_out 'Eight hours'

# known TEXT: the id of what was asked, from 'know'; $known.
known()
{
  expect 0 know "$1" --json
  known=$(json "$folder/out" "v.nodes.find((n) => ['question', 'blocker'].includes(n.kind)).id" && echo "$json")
}
# open_known TEXT YES: does the knowledge call it open?
open_known()
{
  expect 0 know "$1" --json
  expect_json "$folder/out" "(v.nodes.find((n) => ['question', 'blocker'].includes(n.kind)).state === 'open') === $2"
}

# ---- By its own id, what a receiver asked is answered as by the handoff's: it goes on, and nobody is asked any more.
handed coder schema
as coder expect 0 claim "$id"
as coder expect 0 ack "$id" --blocker 'There is no schema' --question 'Which draft of it?' --question 'Which indent?'
known 'no schema'
as painter expect 6 answer "$known" --note 'specs/j.json'
expect_err "only its sender, lead, or a person can answer $id"
state_is "$id" clarify
expect 0 answer "$known" --note 'specs/j.json'
state_is "$id" ready
item coder answer "$id" 'There is no schema: specs/j.json'
as lead expect 0 inbox --peek --json
expect_json "$folder/out" "v.items.find((i) => i.kind === 'question' && i.id === '$id').text === 'Which draft of it?\nWhich indent?'"
as coder expect 0 claim "$id" --ack
known 'which draft'
as lead expect 0 answer "$known" --note '2020-12'
item coder answer "$id" 'Which draft of it?: 2020-12'
as lead expect 0 inbox --peek --json
expect_json "$folder/out" "v.items.find((i) => i.kind === 'question' && i.id === '$id').text === 'Which indent?'"
as lead expect 0 answer "$id" --note 'Two spaces'
as lead expect 0 inbox --peek --json
expect_json "$folder/out" "!v.items.some((i) => i.id === '$id')"
as lead expect 6 answer "$id" --note 'Four'
open_known 'which indent' false
as coder expect 0 "done" "$id"
as coder expect 0 inbox

# ---- A question that nobody answered stays when its handoff is archived; the answer reaches whoever asked.
handed coder tabs
as coder expect 0 claim "$id" --ack
as coder expect 0 ack "$id" --question 'Does a tab count as 4?'
as coder expect 0 "done" "$id"
expect 0 archive "$id"
item lead question "$id" 'Does a tab count as 4?'
expect 0 status
expect_out 'Does a tab count as 4?'
as lead expect 0 answer "$id" --note 'As 8'
expect_out_is "$id is answered"
item coder answer "$id" 'As 8'
expect 0 verify
as coder expect 0 inbox

# ---- What was asked about a handoff ends with it, unless its work was done; an answer that comes later is still told.
handed coder older
old=$id
as coder expect 0 claim "$old"
as coder expect 0 ack "$old" --blocker 'The disk is full'
expect 0 journal
expect_out 'The disk is full'
handed coder newer
as lead expect 0 supersede "$old" --by "$id"
expect 0 journal
expect_not_out 'The disk is full'
open_known 'disk is full' false
as lead expect 0 answer "$old" --note 'It is not any more'
expect_out_is "$old is answered"
item coder answer "$old" 'It is not any more'
expect 0 know 'disk is full' --kind blocker
expect_out 'answer: It is not any more (lead)'
as lead expect 6 answer "$old" --note 'Again'
as coder expect 0 claim "$id"
as coder expect 0 ack "$id" --blocker 'The disk is gone'
as lead expect 0 withdraw "$id" --note 'Enough'
open_known 'disk is gone' false
as coder expect 0 inbox

# ---- An answer is for whoever has asked, and for whoever holds the work by then.
handed dev version
HANDOFF_AGENT=dev/1 expect 0 claim "$id" --ack
HANDOFF_AGENT=dev/1 expect 0 ack "$id" --question 'Which version?'
HANDOFF_AGENT=dev/1 expect 0 release "$id"
HANDOFF_AGENT=dev/2 expect 0 claim "$id" --ack
as lead expect 0 answer "$id" --note 'Version 1.3'
told dev/1 '' 'Version 1.3'
told dev/2 '' 'Version 1.3'
untold dev/3 '' 'Version 1.3'
HANDOFF_AGENT=dev/2 expect 0 next
expect_out 'Version 1.3'
HANDOFF_AGENT=dev/2 expect 0 inbox
expect_not_out 'Version 1.3'
HANDOFF_AGENT=dev/2 expect 0 "done" "$id"
# Also after a lease has run out, and whoever of the agent reads the inbox first.
handed dev colour
HANDOFF_AGENT=dev HANDOFF_SESSION=one expect 0 claim "$id" --ack --lease 60
HANDOFF_AGENT=dev HANDOFF_SESSION=one expect 0 ack "$id" --question 'Which colour?'
export HANDOFF_TEST_LATER_S=100
HANDOFF_AGENT=dev HANDOFF_SESSION=two expect 0 claim "$id" --ack
as lead expect 0 answer "$id" --note 'Not blue'
HANDOFF_AGENT=dev HANDOFF_SESSION=one expect 0 inbox
expect_out 'Not blue'
HANDOFF_AGENT=dev HANDOFF_SESSION=two expect 0 inbox
expect_out 'Not blue'
HANDOFF_AGENT=dev HANDOFF_SESSION=two expect 0 inbox
expect_not_out 'Not blue'
HANDOFF_AGENT=dev HANDOFF_SESSION=two expect 0 "done" "$id"
# Also if another session of the same agent has sent it, and answers.
HANDOFF_AGENT=solo HANDOFF_SESSION=one send --to solo "Write y in src/y.c" --criterion '12 tests pass'
HANDOFF_AGENT=solo HANDOFF_SESSION=two expect 0 next --ack
HANDOFF_AGENT=solo HANDOFF_SESSION=two expect 0 ack "$id" --question 'In C17?'
HANDOFF_AGENT=solo HANDOFF_SESSION=one expect 0 answer "$id" --note 'In C23'
untold solo one 'In C23'
HANDOFF_AGENT=solo HANDOFF_SESSION=one expect 0 inbox
told solo two 'In C23'
HANDOFF_AGENT=solo HANDOFF_SESSION=two expect 0 inbox
untold solo two 'In C23'
HANDOFF_AGENT=solo HANDOFF_SESSION=two expect 0 "done" "$id"

# ---- Work without a task has no task in common with other work: an answer is for those whom it concerns.
package asks.yaml alice bob "" "The tariff is described in 3 rows, and a question about it is open"
sed -i 's/How long does a session live?/How many rows has the tariff?/' asks.yaml
as alice send asks.yaml
handed painter logo
known 'rows has the tariff'
expect 0 answer "$known" --note 'Four'
told alice s-alice 'Four'
untold painter s-painter 'Four'
untold lead s-lead 'Four'
as painter expect 0 next --json
expect_json "$folder/out" "v.id === '$id'"
as bob expect 0 next
expect_out '# answer (user:'

# ---- A draft ends with the handoff that it tells of: confirmed afterwards, it would hand out the work again.
for way in "done" withdraw; do
  handed "runner/$way" "$way"
  HANDOFF_AGENT=runner/$way HANDOFF_SESSION=one expect 0 claim "$id" --ack --lease 60
  HANDOFF_TEST_LATER_S=$((HANDOFF_TEST_LATER_S + 100))
  HANDOFF_AGENT=runner/$way HANDOFF_SESSION=two expect 0 claim "$id" --ack
  expect 0 list --state draft --json
  draft=$(field handoffs.0.id)
  state_is "$draft" draft
  case $way in
    "done") HANDOFF_AGENT=runner/$way HANDOFF_SESSION=two expect 0 "done" "$id" ;;
    withdraw) as lead expect 0 withdraw "$id" --note 'Enough' ;;
  esac
  state_is "$draft" superseded
  expect 6 answer "$draft" --note 'I continue it'
  expect 0 log "$draft"
  expect_out "ended it: \"$id, which it tells of, is "
  expect 0 show "$draft"
  expect_out "$id, which it tells of, is "
  expect 0 inbox --peek --json
  expect_json "$folder/out" "!v.items.some((i) => i.kind === 'draft')"
done
expect 0 verify

# ---- While a handoff is kept for the instance that asked, no other one is offered what it would be refused. Only the sender
# answers, so that nobody else is told to.
handed crew kept
HANDOFF_AGENT=crew/1 expect 0 claim "$id"
HANDOFF_AGENT=crew/1 expect 0 ack "$id" --blocker 'No key'
HANDOFF_AGENT=crew/1 expect 6 reject "$id" --note 'Not mine'
expect_err "$id waits for an answer; run: handoff inbox"
# Whoever asked is told whose answer it waits for; nobody else is.
HANDOFF_AGENT=crew/1 expect 0 inbox
expect_err "$id waits until lead answers what you asked"
HANDOFF_AGENT=crew/1 expect 1 next
expect_err "$id waits until lead answers what you asked"
HANDOFF_AGENT=crew/2 expect 0 inbox --json
expect_json "$folder/out" "!(v.notes ?? []).some((n) => n.includes('answers what you asked'))"
as lead expect 6 reject "$id" --note 'Not mine'
expect_err "$id waits for an answer; run: handoff answer $id --note TEXT"
as lead expect 0 answer "$id" --note 'It is in the safe'
HANDOFF_AGENT=crew/2 expect 1 next
HANDOFF_AGENT=crew/2 expect 0 inbox --peek --json
expect_json "$folder/out" "(i => i.text.startsWith('kept for crew/1 until ') && i.commands.join() === 'handoff show $id')(v.items.find((i) => i.id === '$id'))"
HANDOFF_AGENT=crew/1 expect 0 inbox --peek --json
expect_json "$folder/out" "v.items.find((i) => i.id === '$id').commands[0] === 'handoff claim $id'"
HANDOFF_AGENT=crew/1 expect 0 next

# ---- What a person asked at a gate is shown at the gate that is inherited from it.
package first.yaml coder human escalation "Two ways to store logs were measured: 4 ms in memory, 19 ms in the database"
as coder send first.yaml
first=$id
expect_terminal 0 gate decide "$gate" question --note 'How long do logs live?'
package second.yaml coder painter "" "Two ways to store logs were measured, and a third one was found since"
as coder send second.yaml
as coder expect 0 supersede "$first" --by "$id"
expect 0 gate list --json
json "$folder/out" "v.gates.find((g) => g.handoff === '$id').id"
expect 0 gate show "$json"
expect_out ', unsigned): question'
expect_out 'How long do logs live?'

# ---- Nor does it matter by which name a person's question at a gate is called.
package third.yaml coder human escalation "Two ways to store keys were measured: 4 ms in memory, 19 ms in the database"
as coder send third.yaml
expect_terminal 0 gate decide "$gate" question --note 'How long do keys live?'
known 'how long do keys live'
as painter expect 6 answer "$known" --note 'A year'
as coder expect 0 answer "$known" --note 'A year'
expect_out_is "$gate is open"
as coder expect 0 inbox --peek --json
expect_json "$folder/out" "!v.items.some((i) => i.kind === 'question' && i.id === '$gate')"
open_known 'how long do keys live' false
finish
