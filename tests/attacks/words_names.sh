#!/bin/bash
# Names that would run something where a command line shows them, and texts that hide what agents read.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

package()
{
  jq -n --arg to "$1" '{handoff: {timestamp: "2026-03-04T09:00:00Z", type: "sequential", from: {agent: "backend"}, to: {agent: $to, reason: "Review"},
    context: {summary: "Order export written: 2 endpoints, 14 tests"}, expectations: {deliverable: "Review of the export with a list of faults"}}}'
}

for name in 'x; touch pwned' '$(touch pwned)' '`touch pwned`' "it's" $'a\nb' '-rf' '../../x' $'re\u202eviewer' "$(printf 'a%.0s' {1..65})"; do
  package "$name" >package.json
  expect 4 send --format package package.json
  expect_err "name-form"
  expect 2 next --as "$name"
  HANDOFF_AGENT=$name expect 2 next
  HANDOFF_AGENT=$name expect 2 send package.json --format package
  expect 2 send package.json --format package --to "$name"
done
expect_that "something ran" test ! -e pwned
# Names of other scripts and with spaces are understood, and shown in quotes.
package 'Code Reviewer' >package.json
expect 0 send --format package package.json
package 'spécification' >package.json
expect 0 send --format package package.json
for name in reviewer me@host; do
  package $name >package.json
  expect 0 send --format package package.json
  expect 0 next --as "$name"
done

# Hidden characters: reported with their place, and gone from what agents read.
hidden=$'\u200b\u2066\u2069\U000e0041\ufeff\u2062'
mkdir -p specs/7_hidden/handoffs
cat >specs/7_hidden/handoffs/phase-1-handoff-20260304T090000Z.md <<END
# Phase 1 Handoff

**Task**: 7
**Phase**: 1
**Timestamp**: 20260304T090000Z

## Immediate Next Action
Run the tests${hidden} of the export and repair what fails.

## Current State
- **File**: src/export.ts
- **Location**: line 10
- **Goal state**: all tests pass${hidden}

## Key Decisions
1. **One file**: it is small${hidden}

## What NOT to Try
1. **Two files**: they drift apart

## Critical Context
1. The database keeps UTC${hidden}

## References
- Plan: specs/7_hidden/plans/implementation-001.md
END
expect 0 check specs/7_hidden/handoffs/phase-1-handoff-20260304T090000Z.md
expect_out "8:14: warning[hidden-character]"
expect 0 prompt successor specs/7_hidden/handoffs/phase-1-handoff-20260304T090000Z.md
expect_out "Run the tests of the export"
for one in $'\u200b' $'\u2066' $'\u2069' $'\U000e0041' $'\ufeff' $'\u2062'; do expect_not_out "$one"; done
# Scripts and emoji that need joiners are left alone.
printf '{"phase": 1, "note": "👩\u200d💻 می\u200cخواهم"}' >ordinary.json
expect 4 check --format progress ordinary.json
expect_not_out "hidden-character"
finish
