#!/bin/bash
# A session that goes on without having taken what it was offered is offered it again, beside what was seen of its work.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
mkdir .handoff src && echo 'int start;' >src/start.c

# begins HARNESS SOURCE: a new session does, from what its harness says of it.
begins() { event "$1" "$(events_of "$1" start)" '"source":"'"$2"'","model":"m","permission_mode":"acceptEdits"'; }
expect 0 pass --task 7 --slug fast_start --phase 2 --next 'Return `TOKEN_EXPIRED`.' --file src/start.c --location 'line 1'
transcript=$folder/asked.jsonl session=a-untaken
echo '{"type":"user","message":{"role":"user","content":"Go on."},"timestamp":"2026-02-12T14:00:00Z"}' >"$transcript"
begins claude startup
event claude PreCompact '"trigger":"auto","custom_instructions":null'
for source in compact resume; do
  begins claude $source
  says SessionStart '(package, from claude), state draft'
  expect_out 'The person asked: Go on.'
  expect_out 'An open handoff in this project, not claimed for you: HO-'
  expect_out 'TOKEN_EXPIRED'
  expect_out 'claim it with `handoff next --task 7 --phase 2`'
  expect_not_out 'Drafts about other work'
done

# Somebody else takes it: it is no more on offer.
HANDOFF_SESSION=other HANDOFF_AGENT=codex expect 0 next --task 7 --phase 2
begins claude resume
says SessionStart 'state draft'
expect_not_out 'An open handoff'
expect_not_out 'TOKEN_EXPIRED'
finish
