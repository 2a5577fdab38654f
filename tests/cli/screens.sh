#!/bin/bash
# What people see at terminals of three sizes: the overview, and a list of 200 rows, in the pager and without it.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/screen_common
source "$source_dir/tests/cli/screen_common"
needs_clock
git init -q .
expect 0 init
# give NUMBER RECEIVER
give() { "$handoff" send --to "$2" "Review part $1 of the import, and say which of its fields the reader needs before the release" --as lead >/dev/null 2>"$folder/err"; }

# The overview: what waits for a person, who works, what waits to be taken; its rows are a second apart, so that their order
# is certain. Hours pass before anybody looks.
for ((n = 1; n <= 8; n++)); do
  give $n "$([ $n -lt 3 ] && echo human || echo reviewer)"
  [ $n != 3 ] || expect 0 claim 3 --as reviewer --lease 604800
  sleep 1.1
done
export HANDOFF_TEST_LATER_S=18000
for size in 80x24 120x40 60x20; do
  screen 0 $size wait=next: shot -- "$handoff"
  expect_screen "overview-$size"
done
unset HANDOFF_TEST_LATER_S

for ((n = 9; n <= 200; n++)); do
  give $n "reviewer/$((n % 3 + 1))"
done
expect 0 list --limit 300 --jq '.handoffs[].id'
expect_that "there are $(wc -l <"$folder/out") rows" [ "$(wc -l <"$folder/out")" = 200 ]

export HANDOFF_TEST_LATER_S=18000
for size in 80x24 120x40 60x20; do
  HANDOFF_PAGER="head -n $((${size#*x} - 2))" screen 0 $size wait=STATE shot -- "$handoff" list --limit 300
  expect_screen "list-$size"
done
LC_ALL=C screen 0 80x24 wait=next: shot -- "$handoff"
expect_that "not only ASCII" [ "$(LC_ALL=C grep -c '[^ -~]' "$folder/out")" = 0 ]
NO_COLOR=1 screen 0 80x24 wait=next: shot -- "$handoff"
expect_that "coloured" [ "$(grep -c '^:' "$folder/out")" = 0 ]
TERM=dumb screen 0 80x24 wait=next: shot -- "$handoff"
expect_that "coloured on a terminal that has none" [ "$(grep -c '^:' "$folder/out")" = 0 ]

# In less: a screen, the next one, and the end; the command ends with it. Ctrl-C ends --watch, which follows another size.
if has less "a list in less"; then
  unset HANDOFF_PAGER
  screen 0 80x24 wait=HO- 'type= ' "shot=$folder/out" type=G 'wait=-001 ' type=q -- "$handoff" list --limit 300
fi
screen 130 80x24 wait=next: size=60x20 wait=next: shot 'type=^C' -- "$handoff" --watch
expect_that "it is wider than the terminal" [ "$(grep '^|' "$folder/out" | wc -L)" -le 61 ]
finish
