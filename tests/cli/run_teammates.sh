#!/bin/bash
# Teammates of every kind: each ends as it should, nothing is lost, and no process is left behind.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common" && . "$source_dir/tests/cli/run_common"

phase 1 Exhausts 'exhaust done'
phase 2 Thrice 'exhaust exhaust exhaust done'
phase 3 Dies 'dies done'
phase 4 Plain 'done'
phase 5 Lies 'lies done'
phase 6 Garbles 'garbles done'
phase 7 Idles 'idles'
phase 8 Blocks 'blocks done'
phase 9 Asks 'asks done'
phase 10 Floods 'floods'
phase 11 Forks 'forks'
phase 12 After 'done' 'Phase 8'
phase 13 Fails 'fails'
phase 14 Later 'done' 'Phase 13'
phase 15 Relays 'exhaust dies done'
cp "$plan" "$folder/before.md"

expect 0 run "$plan" --dry-run --json
expect_json "$folder/out" 'JSON.stringify(v.waves) === JSON.stringify([["1","2","3","4","5","6","7","8","9","10","11","13","15"],["12","14"]])'

lead 7 --jobs 6
expect_json "$folder/last.json" 'v.state === "waiting" && v.gates.length === 4'

expect_step 1 's.state === "done" && m.length === 2 && m[0].outcome === "handoff" && m[1].from === m[0].left && m[1].n === 2'
expect_that "the successor was not given the handoff" grep -q "Write line 1 of effects.txt" "$folder/prompt-1"
expect_step 2 's.state === "done" && m.length === 4 && m.slice(0, 3).every((x) => x.outcome === "handoff") && m[3].outcome === "done"'
expect_step 3 's.state === "done" && m.length === 2 && m[0].outcome === "died" && m[0].exit_status === -9 && /^HO-/.test(m[0].left)'
expect_that "the draft is not in the prompt" grep -q "was made from what could be seen" "$folder/prompt-3"
expect_step 4 's.state === "done" && m.length === 1'
expect_step 5 's.state === "done" && m.length === 2 && m[0].outcome === "missing" && m[0].why.includes("no/such/file")'
expect_step 6 's.state === "done" && m.length === 2 && m[0].outcome === "invalid"'
expect_step 7 's.state === "gated" && m.length >= 2 && m.length <= 3'
expect_json "$folder/last.json" 'v.gates.find((g) => g.step === "7").about === "progress"'
expect_step 8 's.state === "gated" && m.length === 1 && s.why.includes("key of the server")'
expect_step 9 's.state === "gated" && m.length === 1 && s.why.includes("Which of the two ways")'
expect_step 10 's.state === "done" && m.length === 1 && /the log leaves out \d+ bytes/.test(m[0].why)'
log=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).teammates.find((x) => x.step === "10").log' "$folder/last.json")
expect_that "the log is not capped" test "$(stat -c %s "$log")" -lt 8500000
expect_that "the end of the log is lost" grep -q "the last line" "$log"
expect_step 11 's.state === "done" && m.length === 1 && /process(es)? that it left running (was|were) ended/.test(m[0].why)'
# shellcheck disable=SC2046
expect_that "children are left" test -z "$(ps -o pid= -p $(paste -sd, "$folder/pids"))"
expect_step 12 's.state === "waiting" && m.length === 0'
expect_step 13 's.state === "gated" && m.length === 1'
expect_step 15 's.state === "done" && m.map((x) => x.outcome).join() === "handoff,died,done"'
expect_that "the last handoff is not in the prompt" grep -q "Write line 1 of effects.txt" "$folder/prompt-15"
expect_that "what was drafted since is not in the prompt" grep -q "^## Since that handoff" "$folder/prompt-15"
expect_nobody
expect_that "an effect is missing or there twice" test "$(sort -n effects | paste -sd,)" = 1,2,3,4,5,6,10,11,15
for n in 1 2 3 4 5 6 10 11 15; do expect_marker "$n" COMPLETED; done
for n in 7 8 9 13; do expect_marker "$n" BLOCKED; done
expect_marker 12 'NOT STARTED'

# People decide; the run goes on with their words, and what waited follows.
decide "$(gate_of 8)" approve "The key is in the vault"
decide "$(gate_of 9)" approve "The second way"
decide "$(gate_of 13)" reject "We stay with the old compiler"
lead 7 --jobs 6
expect_step 8 's.state === "done" && m.length === 2'
expect_that "the note was not told" grep -q "The key is in the vault" "$folder/prompt-8"
expect_that "how the predecessor ended is missing" \
  bash -c "grep -A3 '^How your predecessor ended:' '$folder/prompt-8' | grep -q 'key of the server'"
expect_that "what was decided is missing" bash -c "grep -A3 '^What was decided:' '$folder/prompt-8' | grep -q 'approved G-'"
expect_step 9 's.state === "done"'
expect_step 12 's.state === "done"'
expect_step 13 's.state === "failed" && s.why.includes("old compiler")'
expect_step 14 's.state === "waiting"'
decide "$(gate_of 7)" reject
lead 1
expect_json "$folder/last.json" 'v.state === "failed" && v.gates.length === 0'
expect_nobody

# Every byte but the markers is as it was.
expect_that "the plan was changed beyond its markers" diff <(sed 's/\[[A-Z ]*\]/[]/' "$folder/before.md") <(sed 's/\[[A-Z ]*\]/[]/' "$plan")
# The handoffs between teammates have ended with them.
expect 0 list --json
expect_json "$folder/out" 'v.handoffs.filter((h) => ["ready", "claimed", "acked", "draft"].includes(h.state) && h.phase !== "7").length === 0'
expect 0 verify
finish
