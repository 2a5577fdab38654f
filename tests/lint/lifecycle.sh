#!/bin/bash
# The table of states and events in docs/concepts.md is the one that test_lifecycle.c holds the program to.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# "FROM EVENT TO", one line each, from the page; "-" is no state yet. Approval goes back to the state before, for which
# the test has acked.
documented()
{
  awk -F ' *[|] *' '
    /^\| from \| event \|/ { on = 1; getline; next }
    !/^\|/ { on = 0 }
    on {
      count = split($2, from, ", ")
      for (i = 1; i <= count; i++)
        print (from[i] == "–" ? "-" : from[i]), $3, ($5 == "the state before" ? "acked" : $5)
    }' "$1/docs/concepts.md" | sort
}

tested()
{
  find "$1/tests/unit" -name test_lifecycle.c -exec sed -n \
    's/^ *{"\([a-z]*\)", "\([a-z_]*\)", "\([a-z]*\)"},$/\1 \2 \3/p' {} + | sed 's/^ /- /' | sort
}

check_tree()
{
  local tested
  tested=$(tested "$1")
  [ -n "$tested" ] || { echo "test_lifecycle.c has no list of events"; return 1; }
  diff <(documented "$1") - <<<"$tested" | sed -n 's/^< /only in docs\/concepts.md: /p; s/^> /only in the test: /p' | (! grep .)
}

mkdir -p "$tree/docs" "$tree/tests/unit/model"
printf '| from | event | because of | to |\n| --- | --- | --- | --- |\n| – | sent | `send` | ready |
| ready, claimed | expired | late | expired |\n| gated | approved | | the state before |\n\n| a | b | c | d |\n' \
  >"$tree/docs/concepts.md"
printf '    {"%s", "%s", "%s"},\n' "" sent ready ready expired expired claimed expired expired gated approved acked \
  >"$tree/tests/unit/model/test_lifecycle.c"
accepts "a page that says what is tested"
sed -i 's/ready, claimed/ready/' "$tree/docs/concepts.md"
rejects "only in the test: claimed expired expired"
sed -i 's/^| ready |/| ready, claimed, acked |/' "$tree/docs/concepts.md"
rejects "only in docs/concepts.md: acked expired expired"
rm "$tree/tests/unit/model/test_lifecycle.c"
rejects "has no list of events"

check_tree .
