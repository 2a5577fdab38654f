#!/bin/bash
# A draft that is saved before a compaction: once its session has gone on and ended with nothing left to do, nobody is offered
# it; else it tells how the session ended. Whoever reads a draft is told how to end it.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
needs git
commit() { git add -A && git -c user.name=a -c user.email=a@b commit -q -m "$1"; }
git init -q . && expect 0 init && commit one

# used TOKENS: so much of 200000 are used now.
used() { printf '%s\n' '{"type":"user","message":{"role":"user","content":"Write the list"}}' '{"type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"It is written."}],"usage":{"input_tokens":'"$1"',"output_tokens":0}}}' >"$transcript"; }
# compacted SESSION [TOKENS]: a session that is compacted, and then writes the list.
compacted()
{
  session=$1 transcript=$folder/$1.jsonl
  used 20000
  event claude SessionStart '"source":"startup"'
  event claude PreCompact '"trigger":"manual"'
  event claude SessionStart '"source":"compact"'
  expect_not_out 'handoff reject'
  echo "$session" >>list.txt
  used "${2:-20000}"
  event claude PostToolUse '"tool_name":"Write","tool_input":{"file_path":"list.txt"}'
}
stops()
{
  event claude Stop
  event claude SessionEnd '"reason":"other"'
}
# begins SESSION: another session begins; $folder/out has what it is told.
begins()
{
  session=$1 transcript=$folder/none.jsonl
  event claude SessionStart '"source":"startup"'
}
# drafted COUNT: so many drafts; $draft is the newest.
drafted()
{
  run list --state draft --json
  expect_json "$folder/out" "v.handoffs.length === $1"
  draft=$(field handoffs.0.id)
}

# It went on, committed and stopped: the draft is gone.
compacted g1
commit two
stops
drafted 1
expect 0 show "$draft"
expect_out 'Saved automatically before compaction'
expect_out "# next: handoff answer $draft --note TEXT"
expect_not_out "--as"
expect_out "# next: handoff reject $draft --note TEXT"
begins g2
silent
drafted 0
# Of a session of which nothing is known there is nothing to save.
session=g0 transcript=$folder/none.jsonl
event claude PreCompact '"trigger":"auto","custom_instructions":null'
event codex PreCompact '"trigger":"auto"'
silent
drafted 0
# Changes that are not committed: it is made again, and says so; the commands that end it work.
compacted g3
stops
begins g4
drafted 1
expect 0 show "$draft"
expect_out 'its session ended with changes that are not committed'
begins g5
expect_out 'list.txt'
expect_out "claim it with \`handoff answer $draft --note 'I continue it' && handoff claim $draft\`; if nobody needs it, discard it with \`handoff reject $draft --note 'not needed'\`"
CLAUDECODE=1 HANDOFF_SESSION=g5 expect 0 answer "$draft" --note 'I continue it'
CLAUDECODE=1 HANDOFF_SESSION=g5 expect 0 claim "$draft"
CLAUDECODE=1 HANDOFF_SESSION=g5 expect 0 "done" "$draft"
commit three
# It stays as it is if the session was full when it stopped, was at work again, or never said that it ended.
compacted g6 190000
commit four
stops
begins g7
drafted 1
expect 0 reject "$draft" --note 'not needed'
compacted g8
event claude Stop
event claude PostToolUse '"tool_name":"Bash"'
commit five
event claude SessionEnd '"reason":"other"'
begins g9
drafted 1
expect 0 reject "$draft" --note 'not needed'
compacted g10
commit six
event claude Stop
begins g11
drafted 1
finish
