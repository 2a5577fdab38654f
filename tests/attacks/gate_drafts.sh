#!/bin/bash
# A document that waits for a person, or was rejected, said in a session that then gets a draft: the draft is confirmed, and
# waits as well.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"

# draft TEXT: somebody's session about $transcript has come to its end; $draft is what is left of it.
sessions=0
draft()
{
  sessions=$((sessions + 1)) session=said-$sessions
  node -e 'for (const type of ["user", "assistant"]) console.log(JSON.stringify({type, isSidechain: false, message: {id: "m-" + type, role: type,
    content: [{type: "text", text: process.argv[1]}], usage: {input_tokens: 9}}}))' "$1" >"$transcript"
  for moment in SessionStart PostToolUse PreCompact; do
    HANDOFF_AGENT=coder event claude $moment '"source":"startup","tool_name":"Bash","trigger":"auto"'
  done
  expect 0 list --state draft --json
  draft=$(field handoffs.0.id)
  expect_that "there is no draft" [ -n "$draft" ]
}
# confirmed STATE: whoever confirms the draft makes it that.
confirmed()
{
  HANDOFF_AGENT=lead expect 0 answer "$draft" --note "Go on" --json
  expect_json "$folder/out" "v.state === '$1'"
}
decided() { if [ "$who" = alice ]; then person 0 "$passphrase" -- gate decide "$1" "$2"; else expect_terminal 0 gate decide "$1" "$2"; fi; }

for who in nobody alice; do
  if [ "$who" = alice ]; then
    enrolled "$folder/alice"
  else
    mkdir -p "$folder/nobody/docs" && cd "$folder/nobody" || exit
    echo spec >docs/spec.md
    expect 0 init
  fi
  transcript=$folder/$who.jsonl
  package work.yaml lead coder sequential "Drop every backup that is older than a day, and publish the signing keys"
  send work.yaml
  gate_document gate.yaml lead
  expect 0 gate raise gate.yaml --for "$id" --json
  work=$id gate=$(field gate)

  draft "$(cat work.yaml)"
  confirmed gated
  expect_out "so it waits for a person as well; run: handoff gate show"
  decided "$gate" reject
  state_is "$work" rejected
  draft "$(cat work.yaml)"
  confirmed gated
  waiting=$(field gate)
  HANDOFF_AGENT=coder run next
  expect_that "$who: it was delivered" [ "$status" = 1 ]
  # A person lets it pass; and what has nothing to do with it goes on.
  decided "$waiting" approve
  state_is "$draft" ready
  draft "The loader takes sixty of eighty milliseconds, most of them for relocations that nobody needs"
  confirmed ready
  expect 0 verify
done
finish
