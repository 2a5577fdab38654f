#!/bin/bash
# Paths on the command line of pass are meant from the folder where they are typed; those that are not there, from the root.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE
expect 0 init
mkdir -p src/deep
touch src/deep/p.c src/deep/q.md top.c
top=$PWD
# passes STEP OPTION...: in src/deep. newest: the handoff.
passes() {
  cd src/deep || exit 1
  expect 0 pass --task 1 --slug a --phase 1 --used 85 --next "Read part $1 of the file" "${@:2}"
  cd "$top" || exit 1
  newest=$(find specs/1_a/handoffs -name '*Z.md' | sort | tail -1)
}
says() { expect_that "the handoff says $1: $(cat "$newest")" grep -qF -- "$1" "$newest"; }
passes 1 --file p.c --ref 'Notes: q.md, section 2'
says "**File**: $top/src/deep/p.c"
says 'Notes: src/deep/q.md, section 2'
expect_not_out 'does not exist'
passes 2 --file top.c --ref 'Related file: src/deep/q.md'
says "**File**: $top/top.c"
says 'Related file: src/deep/q.md'
passes 3 --file ../../top.c
says "**File**: $top/top.c"
passes 4 --file "$top/src/deep/p.c"
says "**File**: $top/src/deep/p.c"
passes 5 --file new.c
says "**File**: $top/new.c"
expect_err "--file new.c does not exist; it is recorded as $top/new.c"
# What a document says is meant from the root, wherever it is read.
cat >src/deep/h.md <<'D'
## Immediate Next Action
Read the rest of the file
## Current State
- **File**: top.c
D
cd src/deep || exit 1
expect 0 pass --task 1 --phase 1 --used 85 --from h.md
cd "$top" || exit 1
newest=$(find specs/1_a/handoffs -name '*Z.md' | sort | tail -1)
says "**File**: $top/top.c"
finish
