#!/bin/bash
# Many senders at once, some of them killed: whatever answered is there, once; and nobody gets what another has.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
package p.yaml lead coder
send p.yaml
: >answers

sender()
{
  local i
  for i in 1 2 3 4 5 6 7 8; do
    local limit=30
    [ $((RANDOM % 3)) != 0 ] || limit=0.$((RANDOM % 4))$((RANDOM % 9 + 1))
    timeout -s KILL "$limit" "$handoff" send - --key "$1-$i" <p.yaml >"out.$1" 2>/dev/null && cat "out.$1" >>answers
  done
}
for n in 1 2 3 4 5 6 7 8; do sender "$n" & done 2>/dev/null
wait 2>/dev/null
last="send, many times"
answered=$(wc -l <answers)
echo "$answered of 64 sends answered"
expect_that "nothing was sent" [ "$answered" -gt 0 ]
expect_that "an id was given twice" [ -z "$(sort answers | uniq -d)" ]
expect 0 list --limit 10000
cut -d' ' -f1 "$folder/out" | sort >ids
expect_that "a send that answered is lost" [ -z "$(sort answers | comm -23 - ids)" ]
expect 0 verify
expect 0 state
expect_json "$folder/out" "v.handoffs.length === $(wc -l <ids)"

claimer() { while "$handoff" next --as "coder/$1" >"out.$1" 2>/dev/null; do grep '^# id:' "out.$1" >>claims; done; }
for n in 1 2 3 4; do claimer "$n" & done
wait
last="next, many times"
expect_that "not everything was delivered" [ "$(wc -l <claims)" = "$(wc -l <ids)" ]
expect_that "something was delivered twice" [ -z "$(sort claims | uniq -d)" ]
expect 0 verify
finish
