#!/bin/bash
# The picture of README.md is what the relay in examples/relay does today: scripts/picture makes it again, and it is the same.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
needs node script
mkdir bin
ln -s "$handoff" bin/handoff
last="(scripts/picture)"
export HOME=$folder
"$source_dir/scripts/picture" bin >"$folder/out" 2>"$folder/err" </dev/null
status=$?
expect_that "exit status $status" [ "$status" = 0 ]
expect_that "docs/relay.svg is another picture; run: scripts/picture build/dev >docs/relay.svg" cmp "$folder/out" "$source_dir/docs/relay.svg"
expect_out "9 agents"
expect_out "prefers-color-scheme: dark"
expect_that "README.md does not show it" grep -q '(docs/relay.svg)' "$source_dir/README.md"
finish
