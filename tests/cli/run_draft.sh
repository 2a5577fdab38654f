#!/bin/bash
# While a successor works from what was drafted of a teammate that died, nobody is asked to take that draft on: the phase
# would be done twice.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common" && . "$source_dir/tests/cli/run_common"
phase 1 Dies 'dies waits'
"$handoff" run "$plan" --agent ./teammate >"$folder/lines" 2>&1 &
lead=$!
for ((i = 0; i < 400; i++)); do
  run ps --json
  grep -q '"successor":1' "$folder/out" && break
  sleep 0.05
done
last='while a successor works'
expect_json "$folder/out" 'v.teammates[0].id.endsWith("/1.2") && v.teammates[0].alive'
expect 0 list --state draft --json
expect_json "$folder/out" 'v.handoffs.length === 1'
draft=$(jq -r '.handoffs[0].id' "$folder/out")
expect 0 inbox --json
expect_json "$folder/out" 'v.items.length === 0'
expect 1 next --as other --task 7 --phase 1
expect_err "nothing is ready for task 7: R-$(date -u +%Y)-001/1.2 already continues draft $draft; see: handoff ps"
expect 6 answer "$draft" --note 'I continue it'
expect_err "R-$(date -u +%Y)-001/1.2 already continues $draft; see: handoff ps"
touch "$folder/go"
wait "$lead"
expect_that "the run does not end" [ $? = 0 ]
expect_that "the phase was not done once" test "$(paste -sd, effects)" = 1
finish
