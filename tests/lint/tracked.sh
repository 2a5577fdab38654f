#!/bin/bash
# What git tracks is the project's own: no link (it leads to a place on somebody's machine), nothing that is installed.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

check_tree()
{
  local wrong=0 mode path
  while IFS=$'\t' read -r mode path; do
    case $mode in 120000*) echo "$path: a link is not committed"; wrong=1 ;; esac
    case /$path/ in */node_modules/*) echo "$path: what npm installs is not committed"; wrong=1 ;; esac
  done < <(git -C "$1" ls-files --stage)
  return $wrong
}

git -C "$tree" init -q
echo text >"$tree/file"
git -C "$tree" add file
accepts "a file"
ln -s /elsewhere "$tree/node_modules"
git -C "$tree" add -f node_modules
rejects "node_modules: a link is not committed"
rejects "node_modules: what npm installs is not committed"

check_tree .
