#!/bin/bash
# A session that starts is not given a phase's handoff that waits for a person, or was rejected, because an agent has died
# in that phase since: it is shown what was drafted, and goes on from the handoff before, if any.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
mkdir -p "$folder/p/docs" && cd "$folder/p" || exit
git init -q .
echo 'int main;' >a.c
expect 0 init
transcript=$folder/session.jsonl
node -e 'for (const type of ["user", "assistant"]) console.log(JSON.stringify({type, isSidechain: false, message: {id: "m-" + type, role: type,
  content: [{type: "text", text: "The parser takes most of the time"}], usage: {input_tokens: 9}}}))' >"$transcript"
first="Measure the parser with perf" text="Drop the table of the users"

# told SESSION SOURCE: what a session of the phase is told when it starts.
told()
{
  session=$1 HANDOFF_TASK=5 HANDOFF_PHASE=1 event claude SessionStart "\"source\":\"$2\""
}
# dies: an agent works on the phase and leaves a draft.
dies()
{
  session=dead-$RANDOM
  for moment in SessionStart PostToolUse PreCompact SessionEnd; do
    HANDOFF_TASK=5 HANDOFF_PHASE=1 event claude $moment '"source":"startup","tool_name":"Edit","trigger":"auto","reason":"exit"'
  done
  expect 0 list --state draft --json
  draft=$(field handoffs.0.id)
  expect_that "there is no draft" [ -n "$draft" ]
}
# hidden WAY: neither a session that starts, nor the agent's own after a compaction, is told the text.
hidden()
{
  for source in startup resume compact; do
    told "new-$source" $source
    expect_not_out "$text"
    session=$(sql "SELECT session FROM handoffs WHERE id = '$draft'")
    told "$session" $source
    expect_not_out "$text"
  done
}

expect 0 progress start --task 5 --phase 1 --objective "It is fast" --slug fast
expect 0 pass --task 5 --phase 1 --next "$first" --file a.c --location main --as est
expect 0 progress tried --task 5 --phase 1 "A larger buffer" --why "no difference"
sleep 1.1 # the names of handoffs have seconds
expect 0 pass --task 5 --phase 1 --next "$text" --file a.c --location main --as est
gate_document gate.yaml est
expect 0 gate raise gate.yaml --for "$("$handoff" list --state ready --json --jq '.handoffs[0].id')" --json
gate=$(field gate)
dies
keep
hidden waits
again
expect_terminal 0 gate decide "$gate" reject --note "Not in production"
hidden rejected
told another startup
expect_out "$first" # the one before
again
expect_terminal 0 gate decide "$gate" approve
told another startup
expect_out "$text"
finish
