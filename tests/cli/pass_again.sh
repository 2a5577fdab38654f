#!/bin/bash
# What a document says beside the format, and where the work is, stay known in the handoffs after it; what says that there is
# nothing is nothing.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_TASK HANDOFF_PHASE
expect 0 init
touch a.c b.c
export HANDOFF_SESSION=one
top=$PWD where=(--task 5 --phase 2 --used 85)
passes() {
  expect 0 pass "${where[@]}" "$@"
  newest=$(find specs/5_up/handoffs -name '*Z.md' | sort | tail -1)
}
says() { expect_that "the handoff does not say '$1': $(cat "$newest")" grep -qxF -- "$1" "$newest"; }
lacks() { expect_that "the handoff says '$1': $(cat "$newest")" [ -z "$(grep -F -- "$1" "$newest")" ]; }
cat >h.md <<'D'
# Phase 3 Handoff - 20260101T000000Z

**Task**: 9

## Immediate Next Action
Write the table in a.c
## Current State
- **File**: a.c
- **Location**: line 3
## Key Decisions Made
1. None so far
## What NOT to Try
1. None.
## Critical Context
- None yet
## Notes
Remember the milk.

- and the butter
## Numbers
12 and 13
D
passes --slug up --from h.md
expect_err 'the document is about phase 3 of task 9; it is recorded for phase 2 of task 5'
for text in 'None so far' 'None.' 'None yet'; do
  lacks "$text"
done
says '1. None recorded: no decision binds the successor'
# The same session goes on in the same place, until it says another one.
passes --next 'Write the second table'
for text in "- **File**: $top/a.c" '- **Location**: line 3' '## Notes' '- and the butter' '12 and 13'; do
  says "$text"
done
lacks hop
expect_that 'the place is missed' [ -z "$(grep 'does not say which' "$folder/err")" ]
passes --next 'Write the third table' --location 'line 9'
says "- **File**: $top/a.c"
says '- **Location**: line 9'
passes --next 'Write the list' --file b.c
says "- **File**: $top/b.c"
lacks 'Location'
# A section is replaced by one of the same name, and can be taken back.
printf '## Immediate Next Action\nWrite the list again\n## Numbers\n14\n' >again.md
passes --from again.md
says 14
says '- and the butter'
lacks '12 and 13'
passes --next 'Write the end' --revoke Notes
expect_err "revoked the section 'Notes'"
lacks butter
says 14
# Another session may be about to work elsewhere.
HANDOFF_SESSION=two passes --next 'Test it'
lacks '**File**'
says 14
finish
