#!/bin/bash
# No tracked text names a place of one machine (a work folder, a home of root, a registry), or has a conflict marker.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"
needs git
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip_test "this is not a git work tree"

# Patterns are written so that they do not match themselves.
patterns='(^|[^[:alnum:]_.~-])/(work|root)[/]|[.]py[e]nv|regi[s]try[.]npm|npm[.]pk[g]|^<{7} |^>{7} '

check_tree()
{
  ! git -C "$1" grep -nIE "$patterns" -- . ':!*/corpus/*'
}

git -C "$tree" init -q
echo 'fine: src/work/tree, https://example.org/root' >"$tree/a"
git -C "$tree" add a
accepts "a text without such words"
echo "see /wo""rk/main" >"$tree/a"
rejects "a:1:see"

check_tree .
