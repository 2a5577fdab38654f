#!/bin/bash
# explain: every rule with its example, as text, as JSON and as the page of rules.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
expect 0 explain artifact-title
expect_out "artifact-title  warning, format artifact"
expect_out "Example (artifact): - breaks the rule, + keeps it"
expect_out "  -# Phase 2 Handoff: Archive old orders"
expect_out "  +# Phase 2 Handoff - 20260301T090000Z"
expect_not_out "artifact-agree"
expect 0 explain artifact-file-name
expect_out "  -specs/31_archive_orders/handoffs/phase-2-handoff-20260301b.md"
expect 0 explain unreadable
expect_out "Fix: Check that it is a file"
expect_not_out "Example"

# What cannot be seen is not shown as it is, nor in a document's JSON.
expect 0 explain hidden-character
expect_out 'old\u200b'
expect_that "a hidden character is shown" bash -c "! grep -q $'\\u200b' '$folder/out'"

# All rules, once each; each that a format or an encoding has, with an example that differs.
expect 0 explain
expect_out "syntax "
expect_out "next-action-vague"
expect 0 explain --json
expect_json "$folder/out" 'v.rules.length > 100 && new Set(v.rules.map((r) => r.rule)).size === v.rules.length &&
  v.rules.every((r) => r.doc && r.fix && ["error", "warning", "note"].includes(r.severity)) &&
  v.rules.filter((r) => !r.change).map((r) => r.rule).sort().join() === "limit,secret,unreadable" &&
  v.rules.every((r) => !r.change || r.breaks !== r.keeps)'
expect 0 explain choice --json
expect_json "$folder/out" 'v.rules.length === 1 && v.rules[0].format === "all" && v.rules[0].example_format === "progress" &&
  v.rules[0].breaks.includes("someday") && v.rules[0].keeps.includes("not_started") && !v.rules[0].keeps.includes("someday")'
expect 0 explain --fields rule,severity
expect_not_out "WHAT MUST HOLD"

expect 5 explain artifact-titel
expect_err "did you mean 'artifact-title'?"
expect 5 explain qqqqqqqqqqqq
expect_err "run: handoff explain"

# The page is the committed one.
expect 0 explain --as md
if ! cmp -s "$folder/out" "$source_dir/docs/rules.md"; then
  result bad "docs/rules.md is not what the tables say; run: make generate"
else
  result ok
fi
expect 0 explain choice --as md
expect_out "### choice"
expect_not_out "### required"
finish
