#!/bin/bash
# A person frees what a session held that is gone without a word: what could be seen of its work is not lost with it, and the session
# that comes next has nothing to stop.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
unset HANDOFF_META
git init -q -b main .
mkdir .handoff
# words SESSION TEXT: what the person asked for there.
words() { session=$1 transcript=$folder/$1.jsonl && printf '{"type":"user","message":{"role":"user","content":"%s"}}\n' "$2" >"$transcript"; }
in_session() { CLAUDECODE=1 HANDOFF_SESSION=$session "$@"; }

words one 'Write a reader'
event claude SessionStart '"source":"startup"'
in_session expect 0 pass --task 7 --phase 1 --slug reader --next 'Write the reader in reader.py'
event claude SessionEnd '"reason":"other"'
words two 'Go on, in latin-1'
event claude SessionStart '"source":"startup"'
in_session expect 0 next --task 7 --phase 1 --ack
event claude PostToolUse '"tool_name":"Bash","tool_input":{"command":"ls"}'

# It is killed. A new session is told to leave the phase; its person frees it.
expect 0 release 1
expect_out 'HO-2026-001 is ready'
words three 'Go on'
event claude SessionStart '"source":"startup"'
says SessionStart 'claim it with `handoff next --task 7 --phase 1`'
for text in 'An agent worked on and left no handoff' 'The person asked: Go on, in latin-1'; do expect_out "$text"; done
expect_not_out 'New in your inbox'
in_session expect 0 next --task 7 --phase 1 --ack
expect_out '# draft of what is known: HO-2026-002'
# The one that had it is told, if it goes on after all.
session=two
in_session expect 0 inbox
expect_out 'stop HO-2026-001'

# Who gives back their own has said what there is to say: nothing is drafted.
session=three
in_session expect 0 release 1 --note 'Needs a database'
expect 0 list --state draft --json
expect_that "another draft" [ "$(jq '.handoffs | length' "$folder/out")" = 1 ]
finish
