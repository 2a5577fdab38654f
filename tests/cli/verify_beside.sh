#!/bin/bash
# verify beside writers: whatever they do meanwhile, it finds no difference, whole or quick.
# VERIFY_BESIDE=N: so many runs instead of 24.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
runs=${VERIFY_BESIDE:-24}
package seed.yaml lead nobody
send seed.yaml

# One writer: a handoff through its life and a gate, again and again; now and then the archive, which seals the log.
writer()
{
  local turn=0 out
  out=$folder/writer.$1
  while [ ! -e "$folder/enough" ]; do
    turn=$((turn + 1))
    package "work$1.yaml" lead "coder$1" '' "Part $turn of writer $1: 3 epics, 12 user stories and their personas"
    "$handoff" send "work$1.yaml" || return
    "$handoff" next --as "coder$1" >"$out" || return
    HANDOFF_TOKEN=$(grep -oE '[0-9a-f]{32}' "$out" | head -1)
    export HANDOFF_TOKEN
    id=$(grep -oE 'HO-[0-9]+-[0-9]+' "$out" | head -1)
    "$handoff" ack "$id" --task "As asked" && "$handoff" 'done' "$id" || return
    gate_document "gate$1-$turn.yaml" "lead$1-$turn"
    "$handoff" send "gate$1-$turn.yaml" || return
    [ $((turn % 3)) != 0 ] || "$handoff" archive --completed || return
  done
  : >"$folder/ended.$1"
}
for n in 1 2 3 4; do
  writer "$n" >"$folder/said.$n" 2>&1 &
done
for ((i = 0; i < runs; i++)); do
  expect 0 verify
  expect_out "no differences"
  expect_not_out "not written"
  [ $((i % 4)) != 0 ] || expect 0 verify --quick
done
: >"$folder/enough"
wait
for n in 1 2 3 4; do
  expect_that "writer $n failed: $(tail -3 "$folder/said.$n")" [ -e "$folder/ended.$n" ]
done
expect 0 verify
expect_no_err
finish
