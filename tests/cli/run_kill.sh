#!/bin/bash
# kill -9 of the lead at random moments: in the end everything is as if it had never been killed, and each phase has had
# its effect once. RUN_KILLS says how often (10).
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common" && . "$source_dir/tests/cli/run_common"
kills=${RUN_KILLS:-10}

# Twenty phases in a lattice: each third one exhausts its context first, one dies, one lies, one asks a person.
plan_of_twenty()
{
  rm -rf "$plan" effects counts/* specs/7_relay/progress specs/7_relay/handoffs
  for n in $(seq 20); do
    local act='done' needs=None
    [ $((n % 3)) = 0 ] && act='exhaust done'
    [ "$n" = 7 ] && act='dies done'
    [ "$n" = 11 ] && act='lies done'
    [ "$n" = 13 ] && act='blocks done'
    [ "$n" -gt 4 ] && needs="Phase $((n - 4)), Phase $((n - 3))"
    phase "$n" "Part $n" "$act" "$needs"
  done
}
# What has to be the same: how each phase ended, after how many teammates, with which outcomes.
final() { node -e 'const v = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
  for (const s of v.steps) console.log(s.step, s.state, v.teammates.filter((m) => m.step === s.step).map((m) => m.outcome).join(" "))' "$1"; }

# What the ledger has got since the last call: how many handoffs of which kind, in which state.
seen=0
new_handoffs()
{
  "$handoff" list --limit 100000 --json >"$folder/list"
  node -e 'const v = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).handoffs, count = {};
    for (const h of v.slice(0, v.length - Number(process.argv[2]))) count[h.kind + " " + h.state] = (count[h.kind + " " + h.state] || 0) + 1;
    for (const k of Object.keys(count).sort()) console.log(k, count[k])' "$folder/list" "$seen"
  seen=$(jq '.handoffs | length' "$folder/list")
}
# decide_all FILE: approves the gates of a result.
decide_all() { for gate in $(jq -r '.gates[].gate' "$1"); do decide "$gate" approve; done; }

plan_of_twenty
lead 7 --jobs 4
decide_all "$folder/last.json"
lead 0 --jobs 4
final "$folder/last.json" >"$folder/undisturbed"
new_handoffs >"$folder/undisturbed-handoffs"
sort -n effects >"$folder/undisturbed-effects"
cp "$plan" "$folder/undisturbed.md"

killed=0 rounds=0
while [ "$killed" -lt "$kills" ] && [ "$failed" = 0 ]; do
  rounds=$((rounds + 1))
  plan_of_twenty
  while :; do
    "$handoff" run "$plan" --agent ./teammate --jobs 4 --json >"$folder/out" 2>"$folder/err" &
    pid=$!
    ( sleep "0.$((RANDOM % 10))$((RANDOM % 10))"; exec kill -9 $pid 2>/dev/null ) &
    killer=$!
    wait $pid 2>/dev/null
    status=$?
    kill $killer 2>/dev/null
    wait $killer 2>/dev/null
    [ "$status" = 137 ] && killed=$((killed + 1)) && continue
    [ "$status" = 7 ] || break
    cp "$folder/out" "$folder/gated"
    decide_all "$folder/gated"
  done
  last="run after $killed kills"
  expect_that "it ends with $status" test "$status" = 0
  final "$folder/out" >"$folder/final"
  expect_that "another end than undisturbed: $(diff "$folder/undisturbed" "$folder/final")" cmp -s "$folder/undisturbed" "$folder/final"
  expect_that "effects are missing or there twice: $(paste -sd, effects)" cmp -s "$folder/undisturbed-effects" <(sort -n effects)
  new_handoffs >"$folder/handoffs"
  expect_that "other handoffs: $(diff "$folder/undisturbed-handoffs" "$folder/handoffs")" cmp -s "$folder/undisturbed-handoffs" "$folder/handoffs"
  expect_that "other markers" cmp -s "$folder/undisturbed.md" "$plan"
  expect_nobody
done
expect 0 verify
echo "$killed kills in $rounds runs"
finish
