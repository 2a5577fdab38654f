#!/bin/bash
# What a newcomer runs first, `make demo`: every command in it ends with the status that the script expects of it.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir bin
ln -s "$handoff" bin/handoff
last="(scripts/demo)"
export HOME=$folder
"$source_dir/scripts/demo" bin >"$folder/out" 2>"$folder/err" </dev/null
status=$?
if [ "$status" = 0 ]; then result ok; else result bad "exit status $status"; fi
expect_out '## Teammates'

# With a terminal it shows the live view, and does not need anybody.
# shellcheck source=tests/cli/screen_common
source "$source_dir/tests/cli/screen_common"
screen 0 100x40 'wait=what happened' 'wait=g decide' shot 'wait=approved G-' 'wait=## Teammates' -- "$source_dir/scripts/demo" bin
expect_out 'Ctrl-C stop'
finish
