#!/bin/bash
# A phase from its plan to its end by hand, as an author of phase handoffs works: three handoffs, an agent that dies, the
# end. At each step status, metadata, progress file, plan and ledger say the same, and nothing that was said is lost.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE
git init -q -b main . 2>/dev/null
task=specs/259_prove_completeness
plan=$task/plans/implementation-001.md
meta=$task/.return-meta.json
progress=$task/progress/phase-3-progress.json
mkdir -p $task/plans $task/reports src
seq 1 4000 >src/Completeness.lean
cat >$plan <<'P'
# Implementation Plan: Prove completeness

- **Task**: 259 - Prove completeness
- **Status**: [IN PROGRESS]

### Phase 3: The canonical model [IN PROGRESS]
**Goal**: The truth lemma holds

**Tasks**:
- [ ] Prove the base cases
- [ ] Prove the modal case

### Phase 4: Completeness [NOT STARTED]
**Dependencies**: Phase 3

**Tasks**:
- [ ] Put it together
P
newest() { find $task/handoffs -name 'phase-3-handoff-*Z.md' | sort | tail -1; }
# agree STATUS READY: the metadata have that status, and the ledger that many handoffs that are ready.
agree()
{
  expect_json $meta "v.status === '$1'"
  expect 0 list --task 259 --state ready --json
  expect_json "$folder/out" "v.handoffs.length === $2"
  expect 0 check specs
  expect 0 verify
}
# stands LINE...: status says exactly this, with T for times.
stands()
{
  expect 0 status
  cat "$folder/out" "$folder/err" | sed -E 's/[0-9]{4}(-[0-9]{2}){2}T[0-9:]{8}Z/T/g' >"$folder/status"
  printf '%s\n' "$@" >"$folder/wanted"
  expect_that "status is not so: $(diff "$folder/wanted" "$folder/status")" cmp -s "$folder/wanted" "$folder/status"
}
year=$(date -u +%Y)
ready='Ready (handoff claim ID --as AGENT)'
# row ID STATE SUBJECT [MORE]: the line of a handoff.
row() { printf '  %s  %s  artifact  user:root → anyone  259/3  %s%s  T' "$1" "$2" "$3" "${4:+  $4}"; }

# The first agent begins the phase by its plan, and hands it on.
export HANDOFF_SESSION=agent-one
expect 0 progress start --task 259 --phase 3 --from-plan
expect_json $progress 'v.phase_name === "The canonical model" && v.objectives.length === 2 && v.objectives[0].description === "Prove the base cases"'
stands 'nothing has been handed off in this project yet; run: handoff pass --next TEXT, or handoff send PATH'
expect 0 progress tried 'simp alone' --why 'It unfolds the box too early'
expect 0 pass --next 'Apply `simp [Truth.box]` in the atom case' --file src/Completeness.lean --location 'Line 142, after `cases φ`' \
  --goal '⊢ φ ∈ Γ ↔ M, Γ ⊨ φ' --decision 'Induction on φ: the size is not needed' --context 'Γ is maximal by Lindenbaum'
agree partial 1
stands '1 ready' "$ready" "$(row HO-$year-001 ready 'Apply `simp [Truth.box]` in the atom case')"
expect_json $meta "v.partial_progress.handoff_path === '$(newest)' && v.partial_progress.phases_total === 2"
# The second is given just enough, works, and hands on without a word about what came before.
export HANDOFF_SESSION=agent-two
expect 0 prompt successor --task 259 --phase 3
expect_out 'Apply `simp [Truth.box]` in the atom case'
expect_out '⊢ φ ∈ Γ ↔ M, Γ ⊨ φ'
expect_out 'simp alone: It unfolds the box too early'
expect 0 next --task 259 --phase 3 --json
stands '1 claimed' 'In progress' "$(row HO-$year-001 claimed 'Apply `simp [Truth.box]` in the atom case' 'claimed by user:root until T')"
expect 0 progress "done" 1
expect 0 pass --next 'Intro the world in the box case' --file src/Completeness.lean --location 'Line 190'
agree partial 1
stands '1 ready, 1 superseded' "$ready" "$(row HO-$year-002 ready 'Intro the world in the box case')"
for text in 'Induction on φ: the size is not needed (hop 1)' 'simp alone' 'Γ is maximal by Lindenbaum (hop 1)' 'Previous handoff:'; do
  expect_that "'$text' is lost" grep -qF "$text" "$(newest)"
done
# The third finds out that a decision was wrong.
export HANDOFF_SESSION=agent-three
expect 0 next --task 259 --phase 3 --json
expect 0 pass --next 'Start the box case again by the size of φ' --revoke 'Induction on φ' --decision 'Induction on the size: the box case needs it' --not 'Induction on φ: the box case is stuck'
expect_that "what was taken back binds the successor" [ -z "$(grep 'size is not needed' "$(newest)")" ]
expect_json $progress 'v.handoff_count === 3 && v.approaches_tried.length === 2'
agree partial 1
stands '1 ready, 2 superseded' "$ready" "$(row HO-$year-003 ready 'Start the box case again by the size of φ')"
# The fourth takes it and dies; the fifth gets the last good handoff again.
export HANDOFF_SESSION=agent-four
expect 0 next --task 259 --phase 3 --lease 1 --json
expect 0 progress note 'the world is introduced'
sleep 1.3
stands '1 ready, 2 superseded' "$ready" "$(row HO-$year-003 ready 'Start the box case again by the size of φ')"
# Somebody changes an objective by hand, and puts it back.
cp $progress "$folder/kept"
sed -i 's/Prove the modal case/Prove a case/' $progress
stands '1 ready, 2 superseded' "$ready" "$(row HO-$year-003 ready 'Start the box case again by the size of φ')" \
  "$progress: objective 2 is not described as it was when the phase began; objectives never change: put it back"
cp "$folder/kept" $progress
# It is for whoever takes the task, not for an agent by name.
expect 1 next --as bob
expect_err_is "nothing is ready for 'bob' by name, but HO-$year-003 is for whoever takes task 259; run: handoff claim HO-$year-003 --as bob"
expect 6 ack HO-$year-003 --task 'Go on' --as bob
expect_err "run: handoff claim HO-$year-003 --as bob"
expect 0 claim HO-$year-003 --as bob
expect 0 release HO-$year-003 --as bob
export HANDOFF_SESSION=agent-five
expect 0 next --task 259 --phase 3 --json
expect_json "$folder/out" 'v.handoff.text.includes("Start the box case again by the size")'
expect 6 finish
expect_err 'objective 2 is not done'
expect 0 progress "done" 2
expect 0 finish --summary 'The truth lemma holds; see src/Completeness.lean'
agree implemented 0
stands '1 done, 2 superseded'
expect_that "the phase is not marked" grep -q 'Phase 3: The canonical model \[COMPLETED\]' $plan
expect_that "boxes are not ticked" [ "$(grep -c -- '- \[x\]' $plan)" = 2 ]
expect_json $meta 'v.completion_data.completion_summary.startsWith("The truth lemma") && v.partial_progress.phases_completed === 1'
expect 0 prompt successor --task 259 --phase 3
expect_out 'Phase 3 of task 259 is finished'
expect 0 archive --completed
agree implemented 0
stands '3 archived'
expect_that "a handoff of the finished phase was not put away" [ -z "$(find $task/handoffs -maxdepth 1 -name '*.md')" ]
expect_that "a handoff is lost" [ "$(find $task/handoffs/archive -name 'phase-3-handoff-*Z.md' | wc -l)" = 3 ]
expect_json $meta "v.artifacts.length === 3 && v.artifacts.every((a) => require('fs').existsSync(a.path))"
expect 0 prompt successor --task 259 --phase 3
expect_out 'Phase 3 of task 259 is finished'
expect 0 log --json
expect_json "$folder/out" 'v.events.length > 10'
finish
