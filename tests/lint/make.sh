#!/bin/bash
# `make help` names every target of the Makefile, and no other.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

check_tree()
{
  local there said wrong
  there=$(sed -n 's/^\.PHONY://p' "$1/Makefile" | tr -s ' ' '\n' | grep -vx -e all -e '' | sort)
  said=$(make -s --no-print-directory -C "$1" help | grep -oE '(^|; )make [a-z-]+' | sed 's/.*make //' | sort -u)
  wrong=$(diff <(echo "$there") <(echo "$said") |
    sed -n 's/^< \(.*\)/make help does not name \1/p; s/^> \(.*\)/make help names \1, which there is not/p')
  [ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

cp Makefile "$tree"
sed -i 's/^\.PHONY:.*/.PHONY: all help deps dist/' "$tree/Makefile"
printf 'make      # builds\nmake deps # what make needs\nmake help # this\n' >"$tree/CONTRIBUTING.md"
printf 'make deps # once more\nmake dist # packages\n' >"$tree/README.md"
accepts "targets that are explained"
sed -i /dist/d "$tree/README.md"
rejects "does not name dist"
printf 'make dist # packages\nmake coffee # hot\n' >>"$tree/README.md"
rejects "names coffee, which there is not"

check_tree .
