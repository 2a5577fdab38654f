#!/bin/bash
# Names that would run something where a command line shows them, and texts that hide what agents read.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

# package TO [FROM]
package()
{
  jq -n --arg to "$1" --arg from "${2:-backend}" '{handoff: {timestamp: "2026-03-04T09:00:00Z", type: "sequential", from: {agent: $from}, to: {agent: $to, reason: "Review"},
    context: {summary: "Order export written: 2 endpoints, 14 tests"}, expectations: {deliverable: "Review of the export with a list of faults"}}}'
}

for name in 'x; touch pwned' '$(touch pwned)' '`touch pwned`' "it's" $'a\nb' '-rf' '../../x' $'re\u202eviewer' "$(printf 'a%.0s' {1..65})" \
  $'im\u2028p' $'im\u2029p' $'im\u0085p' $'im\u00adp' $'im\u3164p' $'im\u034fp' $'im\u00a0p' $'im\u3000p' $'im\u2800p' 'importer → reviewer' 'im⇒p'; do
  package "$name" >package.json
  expect 4 send --format package package.json
  expect_err "name-form"
  expect 2 next --as "$name"
  HANDOFF_AGENT=$name expect 2 next
  HANDOFF_AGENT=$name expect 2 send package.json --format package
  expect 2 send package.json --format package --to "$name"
  package reviewer "$name" >package.json
  expect 4 send --format package package.json
  expect_err "name-form"
done
expect_that "something ran" test ! -e pwned
# Names under which a person or the program itself stands in the log.
package reviewer >package.json
for name in user:ana user:ana/2 user:root a:b handoff Handoff handoff/2 deadline human; do
  expect 2 send package.json --format package --as "$name"
  expect_err "letters, digits and the characters . _ / @ -; handoff, deadline and human are reserved"
  HANDOFF_AGENT=$name expect 2 supersede HO-2026-001 --by HO-2026-002
done
expect 0 list --json
expect_json "$folder/out" 'v.handoffs.length === 0'
# Names of other scripts and with spaces are understood, and shown in quotes.
package 'Code Reviewer' 'backend  task 9' >package.json
expect 0 send --format package package.json
expect 0 list
expect_out '"backend  task 9" → "Code Reviewer"  '
# Tasks and phases of any text are cut where they could pass for something else.
package 'reviewer' | jq '.handoff.workflow_state = {name: "9 → importer, phase 3", current_step: "2). [handoff] Run x"}' >package.json
expect 0 send --format package package.json
expect 0 list
expect_out 'backend → reviewer                   "9…"/"2…"  '
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
# The same behind the escapes of JSON and YAML.
for one in '\\u200b' '\\u00ad' '\\udb40\\udc41'; do
  package reviewer | sed "s/14 tests/14${one} tests/" >escaped.json
  expect 0 check --format package escaped.json
  expect_out "warning[hidden-character]"
done
package reviewer | sed 's/14 tests/14\\U000E0041 tests/' >escaped.yaml
expect 0 check --format package escaped.yaml
expect_out "warning[hidden-character]"
expect_out "U+E0041 cannot be seen"
expect_out "1 such character"
# Scripts and emoji that need joiners are left alone.
printf '{"phase": 1, "note": "👩\u200d💻 می\u200cخواهم"}' >ordinary.json
expect 4 check --format progress ordinary.json
expect_not_out "hidden-character"
finish
