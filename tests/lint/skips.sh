#!/bin/bash
# Tests ask for tools, packages and real documents through the helpers that say what is missing (tests/common,
# tests/js/lib/test.mjs, tests/unit/unit.h), so that nothing is left out without a word.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# Patterns are written so that they do not match themselves.
own='command -[v] .*>/dev/null|exit[ (]7[7]|[.][.]/share[d]'

check_tree()
{
  local found
  found=$(grep -rnE "$own" "$1/tests" --include='*.sh' --include='*.mjs' --include='*.c' --include='*.h' --include='*common' \
    --exclude-dir=node_modules --exclude-dir=corpus | grep -vE "^$1/tests/(common|js/lib/test.mjs|unit/unit.h|lint/tally.sh):")
  [ -z "$found" ] || { echo "$found"; false; }
}

mkdir -p "$tree/tests/cli" "$tree/tests/js/lib"
echo "needs git; has jq 'a case'; sed --version | head -1 >/dev/null" >"$tree/tests/cli/a.sh"
echo 'process.exit(7''7)' >"$tree/tests/js/lib/test.mjs"
accepts "a test that uses the helpers"
for text in 'if command -''v jq >/dev/null; then' 'exit 7''7' 'process.exit(7''7)' 'cd ../share''d/corpus'; do
  echo "$text" >"$tree/tests/cli/a.sh"
  rejects "a.sh:1:$text"
done

check_tree .
