#!/bin/bash
# pass: handoff, progress, metadata and ledger in one step; the guard; many at once, and killed.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TOKEN
export HANDOFF_SESSION=sess_1770906622_a1b2c3
where=(--task 7 --phase 3)
task=specs/7_fast_start
progress=$task/progress/phase-3-progress.json
meta=$task/.return-meta.json
git init -q . 2>/dev/null

expect 2 pass "${where[@]}" --slug fast_start
expect 2 pass --task 7 --phase '../x' --slug fast_start --next 'Run the tests'
expect 0 progress start "${where[@]}" --slug fast_start --objective Measure --objective Halve
expect 0 progress tried 'Static linking' --why 'Plugins need a shared library' "${where[@]}"
expect 4 pass "${where[@]}" --next 'Continue working'
expect_err "next-action-vague"
expect_err "nothing was written"
expect_that "something was written" [ ! -e $meta -a ! -e $task/handoffs ]
expect 0 pass "${where[@]}" --next 'Run `make bench` and read its first line' --file src/main.c --location 'Line 12, in main' \
  --goal 'The start takes 1 ms' --decision 'Measure first: guesses were wrong' --context 'The cache has to be warm' --ref 'Plan: docs/plan.md, Phase 3' --json
expect_json "$folder/out" 'v.id && v.state === "ready" && v.handoff_count === 1 && v.status === "partial" && !v.marked && v.errors === 0'
path=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).handoff_path' "$folder/out")
expect 0 check --strict $task
expect_that "the file's full path is not there" grep -qF "**File**: $PWD/src/main.c" "$path"
expect_that "what was tried is not there" grep -qF "1. Static linking: Plugins need a shared library" "$path"
expect_json $progress 'v.handoff_count === 1 && v.x_passed.digest.length === 64'
expect_json $meta "v.status === 'partial' && v.artifacts[0].type === 'handoff' && v.artifacts[0].path === '$path'"
expect_json $meta "v.partial_progress.stage === 'context_exhaustion_handoff' && v.partial_progress.handoff_path === '$path' && v.partial_progress.details"
expect_json $meta 'v.metadata.session_id === "sess_1770906622_a1b2c3"'
expect 0 list --task 7 --phase 3 --json
expect_json "$folder/out" 'v.handoffs.length === 1 && v.handoffs[0].kind === "artifact"'
expect 0 verify

# The guard: nothing done, tried or learned since. Above the threshold the handoff is taken and marked.
again=(--next 'Run `make bench` and read its second line' --decision 'Measure first: guesses were wrong')
expect 8 pass "${where[@]}" "${again[@]}"
expect_err "nothing was done, tried or learned"
expect 8 pass "${where[@]}" "${again[@]}" --used 79
expect_json $progress 'v.handoff_count === 1'
expect 0 pass "${where[@]}" "${again[@]}" --used 80 --json
expect_json "$folder/out" 'v.marked && v.handoff_count === 2'
expect_json $meta 'v.artifacts.length === 2 && /nothing was done/.test(v.partial_progress.details)'
expect 0 list --task 7 --phase 3 --json
expect_json "$folder/out" 'v.handoffs.map(h => h.state).join() === "ready,superseded"'
waiting=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).handoffs[0].id' "$folder/out")
expect 0 pass "${where[@]}" "${again[@]}" --context 'The disk is slow' --json
expect_json "$folder/out" '!v.marked && v.handoff_count === 3'
expect_json "$folder/out" "v.notes.filter((n) => n.includes('superseded by this')).join() === '$waiting was waiting for the same phase and is superseded by this handoff; for other work, use --task'"
expect 8 pass "${where[@]}" "${again[@]}"
expect 0 progress note 'half way' "${where[@]}"
expect 8 pass "${where[@]}" "${again[@]}"
expect 0 progress tried 'Two threads' --why 'They wait for each other' "${where[@]}"
expect 0 pass "${where[@]}" "${again[@]}"
mkdir -p .handoff/context
echo 'threshold: 40' >.handoff/config.yaml
expect 8 pass "${where[@]}" "${again[@]}" --used 39
expect 0 pass "${where[@]}" "${again[@]}" --used 41
rm .handoff/config.yaml

# Never refused for length: the rest goes to the details file. A list becomes its first step.
long=$(seq 1 200)
expect 0 pass "${where[@]}" --next "$(printf 'Fix the build of the loader\n\n- then run it\n- then measure it')" --goal "$long" \
  --not 'a: b' --not 'c: d' --not 'e: f' --not 'g: h' --not 'i: j' --context 1 --context 2 --context 3 --context 4 --context 5 --context 6 --json
expect_json "$folder/out" 'v.details && v.errors === 0'
details=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).details' "$folder/out")
expect_that "something is lost" grep -qx '  200' "$details"
expect 0 check $task/handoffs/phase-3-*Z.md

# Metadata that is there is brought up to date in place; that of others is kept beside it; HANDOFF_META says where.
printf '{"status": "in_progress",\n "started_at": "2026-02-12T10:30:00Z", "artifacts": [], "x_own": [1, 2],\n "partial_progress": {"stage": "initializing", "details": "d"}, "metadata": {"session_id": "sess_1770906622_aaaaaa"}}\n' >$meta
expect 0 progress "done" 1 "${where[@]}"
expect 0 pass "${where[@]}" "${again[@]}"
expect_json $meta 'v.status === "partial" && v.started_at && v.x_own.length === 2 && v.artifacts.length === 1 && v.metadata.session_id.endsWith("aaaaaa") && v.partial_progress.handoff_path'
expect_that "the layout was changed" grep -qF '"x_own": [1, 2],' $meta
echo '{"status": "implemented", "artifacts": []}' >$meta
expect 0 progress "done" 2 "${where[@]}"
expect 0 pass "${where[@]}" "${again[@]}"
expect_err "an older result lay in $meta; it is kept in $task/.return-meta-before-phase-3-handoff-"
expect_that "another result is lost" grep -q implemented $task/.return-meta-before-phase-3-handoff-*.json
expect_json $meta 'v.status === "partial"'
rm $meta
export HANDOFF_META=$folder/meta.json
expect 0 pass "${where[@]}" "${again[@]}" --context 'Another fact'
expect_json "$folder/meta.json" 'v.status === "partial"'
unset HANDOFF_META
expect_that "metadata in two places" [ ! -e $meta ]

# The plan is referred to, and its phases are counted.
mkdir -p specs/8_plan/plans
cp "$source_dir/tests/cases/plan/plan-cycle.good.md" specs/8_plan/plans/implementation-001.md
expect 0 pass --task 8 --phase 1 --next 'Open `src/plan.c` and add the field'
expect_err "has no progress file"
expect_json specs/8_plan/.return-meta.json 'v.partial_progress.phases_total >= 1'
expect_that "the plan is not referred to" grep -q '^- Plan: specs/8_plan/plans/implementation-001.md, Phase 1' specs/8_plan/handoffs/*

# Four phases of one task at once: each keeps its own metadata.
for p in 1 2 3 4; do "$handoff" progress start --task 10 --phase $p --slug four --objective A >/dev/null; done
for p in 1 2 3 4; do "$handoff" pass --task 10 --phase $p --next "Open \`src/$p.c\` and add the field" >/dev/null & done
wait
cat specs/10_four/.return-meta*.json >"$folder/metas"
for p in 1 2 3 4; do
  expect_that "phase $p lost its metadata" grep -q "\"handoff_path\": \"specs/10_four/handoffs/phase-$p-handoff-" "$folder/metas"
  expect_json specs/10_four/progress/phase-$p-progress.json 'v.handoff_count === 1'
done

# What was done and left no trace in the files counts as well, also once it is archived.
expect 0 pass --task 13 --slug told --phase 1 --next 'Ask the owner of the feed'
expect 8 pass --task 13 --phase 1 --next 'Write to the owner of the feed'
expect 0 list --task 13 --json
asked=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).handoffs[0].id' "$folder/out")
expect 0 claim "$asked"
expect 8 pass --task 13 --phase 1 --next 'Write to the owner of the feed'
expect 0 "done" "$asked" --note 'She answers on Monday'
expect 0 pass --task 13 --phase 1 --next 'Write down what the owner answered'
expect 0 list --task 13 --state ready --json
asked=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).handoffs[0].id' "$folder/out")
expect 0 claim "$asked"
expect 0 "done" "$asked"
expect 0 archive --completed
expect 0 pass --task 13 --phase 1 --next 'Send it to the others'

# A blank line separates the document from the lines above it.
expect 0 progress start --task 12 --phase 1 --slug shown --objective A
expect 0 pass --task 12 --phase 1 --next "Do the step" --context "A fact"
expect 0 next --as somebody --task 12 --phase 1
expect_that "the title follows at once" awk '/^## / { exit } /^# / && !/^# [a-z_]+: / { good = last == "" } { last = $0 } END { exit !good }' "$folder/out"

# Killed at any time: all or nothing. Whoever comes next finds the files that the ledger has.
expect 0 progress start --task 11 --phase 1 --slug killed --objective A
for i in $(seq 1 30); do
  timeout -s KILL "0.$(printf %03d $((i * 4)))" "$handoff" pass --task 11 --phase 1 --next "Do step $i" --context "Fact $i" >/dev/null 2>&1
done 2>/dev/null
expect 0 progress note end --task 11 --phase 1
expect 0 verify
expect 0 list --task 11 --limit 1000 --json
count=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).handoffs.length' "$folder/out")
expect_that "files and ledger differ" [ "$(find specs/11_killed/handoffs -name '*Z.md' 2>/dev/null | wc -l)" = "$count" ]
expect_json specs/11_killed/progress/phase-1-progress.json "v.handoff_count === $count"
# Without a plan it names the task's folder, which its own files change: that is no drift.
expect 0 pass --task 14 --slug folder --phase 1 --next 'Read src/main.c from line 12 on'
expect 0 next --task 14 --json
expect_json "$folder/out" 'v.handoff.drift.length === 0 && v.handoff.text.includes("Task folder: specs/14_folder")'
finish
