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
finish
