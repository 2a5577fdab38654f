#!/bin/bash
# The lead: one a plan, interrupted, killed, stopped; budgets; worktrees; a chain of requests and responses.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common" && . "$source_dir/tests/cli/run_common"

# wait_for COMMAND...: until it succeeds, ten seconds at most.
wait_for()
{
  for _ in $(seq 200); do
    "$@" && return 0
    sleep 0.05
  done
  result bad "waited in vain: $*"
}
is_running() { [ -n "$(pgrep -f "handoff-shim $folder")" ]; }

# A second lead is told who leads. A lead that is killed leaves its teammates at work; the next one goes on with them.
phase 1 Waits waits
phase 2 After 'done' 'Phase 1'
"$handoff" run "$plan" --agent ./teammate >"$folder/first" 2>&1 &
first=$!
wait_for test -s counts/1
expect 6 run "$plan" --agent ./teammate
expect_err "process $first of"
kill -9 $first
wait $first 2>/dev/null
expect_that "the teammate died with its lead" is_running
touch "$folder/go"
lead 0
expect_step 1 's.state === "done" && m.length === 1'
expect_json "$folder/last.json" 'v.run === "R-2026-001" || v.run.endsWith("-001")'
expect_that "something was done twice" test "$(paste -sd, effects)" = 1,2
expect_marker 1 COMPLETED
expect_marker 2 COMPLETED
expect_that "the plan's own marker" grep -q '\*\*Status\*\*: \[COMPLETED\]' "$plan"
# Nothing is left to do: the same run is shown again.
lead 0
expect_json "$folder/last.json" 'v.run.endsWith("-001") && v.teammates.length === 2'
expect_nobody
# A run by its id stands for its plan.
id=$(json "$folder/last.json" 'v.run' && echo "$json")
expect 0 run "$id" --agent ./teammate --json
expect_json "$folder/out" "v.run === '$id' && v.teammates.length === 2"
expect 0 run "$id" --dry-run
expect_out "Nothing is left to do."
expect 5 run R-1999-001
expect_err "there is no run R-1999-001; run: handoff lineage"

# Interrupted once: what runs may finish. The next run goes on.
rm -f "$plan" effects "$folder/go" counts/*
phase 1 Waits waits
phase 2 After 'done' 'Phase 1'
set -m
"$handoff" run "$plan" --agent ./teammate --json >"$folder/first" 2>&1 &
first=$!
wait_for test -s counts/1
kill -INT $first
sleep 0.3
expect_that "an interrupt killed the teammate" is_running
touch "$folder/go"
wait $first
expect_that "an interrupted run ends with 1" test $? = 1
expect_json "$folder/first" 'v.state === "waiting" && v.steps[0].state === "done" && v.steps[1].state === "waiting"'
expect 2 run "$id"
expect_err "$id is not the newest run of its plan; run: handoff run R-"
id=$(json "$folder/first" 'v.run' && echo "$json")
expect 0 run "$id" --agent ./teammate --json
expect_json "$folder/out" "v.run === '$id' && v.state === 'done' && v.steps.length === 2"
expect_that "each once" test "$(paste -sd, effects)" = 1,2

# Twice: what runs is stopped, and the next run goes on from a draft.
rm -f "$plan" effects "$folder/go" counts/*
phase 1 Hangs 'hangs done'
"$handoff" run "$plan" --agent ./teammate --json >"$folder/first" 2>&1 &
first=$!
wait_for test -s counts/1
kill -INT $first
sleep 0.3
kill -INT $first
wait $first
expect_that "ends with 1" test $? = 1
set +m
expect_nobody
expect_json "$folder/first" 'v.teammates[0].outcome === "stopped" && v.steps[0].state === "waiting"'
expect_marker 1 PARTIAL
lead 0
expect_step 1 's.state === "done" && m.length === 2'

# With --wait the lead sleeps at a gate and goes on when somebody has decided; what does not depend on it runs on.
rm -rf "$plan" effects counts/* specs/7_relay/progress
phase 1 Blocks 'blocks done'
phase 2 Free 'done'
phase 3 After 'done' 'Phase 1'
"$handoff" run "$plan" --agent ./teammate --wait --json >"$folder/first" 2>&1 &
first=$!
gated() { "$handoff" gate list --json 2>/dev/null | jq -e '[.gates[] | select(.state == "open")] | length == 1' >/dev/null; }
wait_for gated
wait_for grep -qx 2 effects
expect_that "the lead does not wait" kill -0 $first
"$handoff" gate list --json >"$folder/gates"
decide "$(jq -r '.gates[] | select(.state == "open") | .gate // .id' "$folder/gates")" approve
wait $first
expect_that "ends well" test $? = 0
expect_that "the order" test "$(paste -sd, effects)" = 2,1,3

# One that hangs is ended with its children when its time is up, and somebody else goes on.
rm -rf "$plan" effects counts/* specs/7_relay/progress
phase 1 Hangs 'hangs done'
lead 0 --timeout 2
expect_step 1 's.state === "done" && m.length === 2 && m[0].outcome === "timeout" && m[0].why.includes("out of time (2 seconds)")'
expect_nobody

# STOP halts and says why; what runs finishes, nothing new is started.
rm -f "$plan" effects counts/*
phase 1 Stops 'stops done'
phase 2 After 'done' 'Phase 1'
lead 1
expect_json "$folder/last.json" 'v.state === "stopped" && v.steps[0].why.includes("exists already") && v.steps[1].teammates === 0'
expect_json "$folder/last.json" '/teammate said STOP .*: "The feature exists already"; to resume, run: handoff answer HO-.* then run the same command again/.test(v.why)'
# It is halted in the ledger, and the run goes on once somebody has resumed it: with their note, and not from the start.
lead 1
expect_json "$folder/last.json" 'v.state === "stopped" && v.teammates.length === 1'
expect 0 status --json
expect_json "$folder/out" 'v.halted.length === 1 && v.halted[0].task === "7" && v.halted[0].why === "The feature exists already"'
expect 0 answer "$(jq -r '.halted[0].id' "$folder/out")" --note "Replace src/b.c"
lead 0
expect_that "the note was not told" grep -q "Replace src/b.c" "$folder/prompt-1"
expect_json "$folder/last.json" 'v.state === "done" && v.teammates.length === 3'

# A shim that is killed with its agent: its end is unknown, and somebody goes on.
rm -f "$plan" effects counts/*
phase 1 Waits 'waits done'
"$handoff" run "$plan" --agent ./teammate --json >"$folder/first" 2>&1 &
first=$!
wait_for test -s counts/1
kill -9 "$(pgrep -f "handoff-shim $folder")"
wait $first
expect_that "ends well" test $? = 0
expect_json "$folder/first" 'v.teammates[0].state === "lost" && v.teammates[0].outcome === "lost" && v.teammates[1].outcome === "done"'
expect_nobody

# A command that cannot be started, and one that nobody named.
rm -f "$plan" counts/*
phase 1 One 'done'
expect 2 run "$plan"
expect 5 run "$plan" --agent ./no-such-program
expect_err "no-such-program' not found"
expect_marker 1 'NOT STARTED'
printf '#!/no/such/interpreter\n' >broken && chmod +x broken
expect 7 run "$plan" --agent ./broken --json
expect_json "$folder/out" 'v.teammates.length === 1 && v.gates[0].about === "failed" && v.steps[0].why.includes("No such file")'
cp "$folder/out" "$folder/last.json"
decide "$(gate_of 1)" approve
lead 0

# Worktrees: each phase on a branch of its own.
rm -f "$plan" effects counts/*
phase 1 One 'exhaust done'
phase 2 Two 'done' 'Phase 1'
git add -A && git -c user.name=t -c user.email=t@t commit -qm start
sed -i 's/^finish() .*/finish() { echo "$p" >>effects; git add effects; git -c user.name=t -c user.email=t@t commit -qm "phase $p"; done_with effects; }/' teammate
git commit -qam "commit" --author 't <t@t>' 2>/dev/null || git -c user.name=t -c user.email=t@t commit -qam commit
lead 0 --worktrees
expect_json "$folder/last.json" 'v.merge.length === 2 && v.merge.every((m) => m.branch.startsWith("handoff/R-"))'
branch=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).merge[1].branch' "$folder/last.json")
expect_that "the second phase does not go on from the first" test "$(git show "$branch:effects" | paste -sd,)" = 1,2
expect_step 1 'm.length === 2 && m[1].from === m[0].left && m[0].outcome === "handoff"'
expect_that "the successor was not given the handoff" grep -q "Write line 1 of effects.txt" "$folder/prompt-1"
expect 0 list --state 'done' --kind artifact --json
expect_json "$folder/out" 'v.handoffs.length === 1'
expect_that "the main worktree was touched" test ! -e effects
expect_marker 2 COMPLETED

# Teammates that do not commit: the lead does, later phases begin with all that they need, and what the end says merges.
rm -f "$plan" effects counts/*
phase 1 One 'done'
phase 2 Two 'done'
phase 3 Three 'done' 'Phase 1, Phase 2'
cp teammate "$folder/teammate-that-commits"
sed -i 's/^finish() .*/finish() { echo "$p" >"left-$p"; on start --from-plan; on "done" 1; "$handoff" finish --task "$HANDOFF_TASK" --phase "$p" >\/dev\/null; }/' teammate
git add -A && git -c user.name=t -c user.email=t@t commit -qm "nobody commits"
lead 0 --worktrees
expect 0 run "$plan" --agent ./teammate --worktrees
branch=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).merge.at(-1).branch' "$folder/last.json")
for p in 1 2 3; do expect_that "the work of phase $p is not in $branch" git cat-file -e "$branch:left-$p"; done
expect_that "something is not committed" [ -z "$(git -C "$(git worktree list --porcelain | sed -n 's/^worktree //p' | tail -1)" status --porcelain)" ]
# The commands work as they stand, with the plan as the lead has marked it; the boxes are ticked there.
merges=$(sed -n 's/^to merge, run: //p' "$folder/out") head=$(git rev-parse HEAD)
expect_that "three branches were expected: $merges" [ "$(grep -c '^git merge' <<<"$merges")" = 3 ]
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t GIT_MERGE_AUTOEDIT=no
expect_that "it does not merge" bash -e -c "$merges" >/dev/null
unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
expect_that "the merge brought nothing" test -e left-3
for p in 1 2 3; do expect_marker $p COMPLETED; done
expect_that "boxes are not ticked" [ "$(grep -c -- '- \[x\]' "$plan")" = 3 ]
git reset -q --hard "$head"
cp "$folder/teammate-that-commits" teammate
git -c user.name=t -c user.email=t@t commit -qam "commits again"

# A worktree that is gone with its teammate still at work: it is made again from its branch, and the successor goes on
# from the handoff, which the store has; without --worktrees, in the main worktree.
for how in --worktrees ''; do
  rm -rf "$plan" effects counts/* specs/7_relay/progress specs/7_relay/handoffs "$folder/go"
  phase 1 One 'exhaust waits'
  git add -A && git -c user.name=t -c user.email=t@t commit -qm "its worktree goes $how" --allow-empty
  "$handoff" run "$plan" --agent ./teammate --worktrees >"$folder/first" 2>&1 &
  first=$!
  wait_for grep -q '^1.2 *starts' "$folder/first"
  wait_for is_running
  kill -9 $first
  wait $first 2>/dev/null
  for shim in $(pgrep -f "handoff-shim $folder"); do kill -9 "$shim" 2>/dev/null; done
  git worktree list --porcelain | sed -n 's/^worktree //p' | tail -1 >"$folder/tree"
  git worktree remove --force "$(cat "$folder/tree")"
  touch "$folder/go"
  lead 0 $how
  expect_step 1 's.state === "done" && m[1].outcome === "lost" && m.at(-1).outcome === "done"'
  expect_that "the successor was not given the handoff" grep -rq "Write line 1 of effects.txt" "$(dirname "$(dirname "$(cat "$folder/tree")")")/1.3/prompt.md"
  [ -n "$how" ]
  expect_that "it worked elsewhere" test $? = "$([ -e "$(cat "$folder/tree")/.git" ] && echo 0 || echo 1)"
done

# A worktree of which somebody deleted a part, while git still lists it: git's reason is said, and the next run goes on.
half_deleted()
{
  rm -f "$plan" effects counts/*
  phase 1 One 'fails done'
  git add -A && git -c user.name=t -c user.email=t@t commit -qm "again $1" --allow-empty
  expect 7 run "$plan" --agent ./teammate --json --worktrees
  cp "$folder/out" "$folder/last.json"
  tree=$(git worktree list --porcelain | sed -n 's/^worktree //p' | tail -1)
  expect_that "there is no worktree" test -e "$tree/.git"
  echo "not committed" >"$tree/begun"
  decide "$(gate_of 1)" approve
}
half_deleted "without its .git"
rm "$tree/.git"
expect 0 run "$plan" --agent ./teammate --worktrees
expect_that "git's reason is missing" grep -qF "$tree was half deleted (git: gitdir file points to" "$folder/out" "$folder/err"
expect_that "work in it was lost" grep -q "not committed" "$tree/begun"
expect_that "git does not know it" git -C "$tree" rev-parse -q --verify HEAD >/dev/null
half_deleted "without its folder"
rm -r "$tree"
expect 7 run "$plan" --agent ./teammate --worktrees # it begins again, so it fails again
expect_that "git's reason is missing" grep -qF "$tree was half deleted (git: gitdir file points to" "$folder/out" "$folder/err"
expect_that "it was not made again" test -e "$tree/.git" -a -e "$tree/acts/1"
# What is there in its place, and git does not list, is named in git's words and left alone.
half_deleted "by something else"
git worktree remove --force "$tree" && mkdir "$tree" && echo mine >"$tree/mine"
run run "$plan" --agent ./teammate --json --worktrees
expect_that "git's words are missing" grep -q "already exists" "$folder/err" "$folder/out"
expect_that "it was changed" grep -q mine "$tree/mine"
finish
