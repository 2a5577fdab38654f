#!/bin/bash
# run: real plans as input. Their waves, and their markers afterwards, every other byte as it was.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
PATH=$(dirname "$handoff"):$PATH

# A teammate that does its phase at once.
cat >"$folder/done" <<'END'
#!/bin/bash
cat >"prompt-$HANDOFF_PHASE"
echo "$HANDOFF_PHASE" >>order
printf '{"status":"implemented","summary":"Phase %s is there","artifacts":[]}' "$HANDOFF_PHASE" >"$HANDOFF_META"
END
chmod +x "$folder/done"

# carried PLAN WAVES SED: a dry run prints the waves; a run completes the plan, whose bytes are then those that SED makes.
carried()
{
  local plan=$1 waves=$2 edits=$3
  expect 0 run "$plan" --dry-run --json
  expect_json "$folder/out" "JSON.stringify(v.waves) === '$waves'"
  cp "$plan" "$folder/before"
  expect 0 run "$plan" --dry-run
  expect_out "Wave 1"
  expect_that "the dry run wrote something" cmp -s "$plan" "$folder/before"
  expect 0 run "$plan" --agent "$folder/done"
  expect_out " is done"
  sed -E "$edits" "$folder/before" >"$folder/after"
  if cmp -s "$folder/after" "$plan"; then result ok; else result bad "$(diff "$folder/after" "$plan")"; fi
  expect 0 run "$plan" --dry-run --json
  expect_json "$folder/out" 'v.waves.length === 0'
}

mkdir -p specs/41_fast/plans
cp "$source_dir/tests/data/plans/traits.md" specs/41_fast/plans/implementation-002.md
carried specs/41_fast/plans/implementation-002.md '[["2"],["2a","4"],["B"]]' \
  's/^(- \*\*Status\*\*: )\[NOT STARTED\]/\1[COMPLETED]/; s/^(## Phase 2: No marker)/\1 [COMPLETED]/
   s/^(#### Phase 2a.*)\[NOT STARTED\]/\1[COMPLETED]/; s/\[TODO\]/[COMPLETED]/; s/^(### Phase B: Closed)/\1 [COMPLETED]/'
expect_that "phases ran in another order" [ "$(head -1 order)$(tail -1 order)" = 2B ]
expect_that "a prompt is without its phase" grep -q 'Second' prompt-2
expect_that "the report is missing" grep -q 'No marker' specs/41_fast/summaries/run-R-*.md

# The plan that the format comes from.
seed=seeds/001_ac7ad10b302eac71.txt
if has_shared $seed "the plan that the format comes from"; then
  mkdir -p specs/879_context_limits/plans
  cp "$shared/$seed" specs/879_context_limits/plans/implementation-002.md
  carried specs/879_context_limits/plans/implementation-002.md '[["1","2"],["3"],["4"],["5"]]' \
    's/^(### Phase .*|- \*\*Status\*\*: )\[NOT STARTED\]/\1[COMPLETED]/'
  mkdir elsewhere && cp "$shared/$seed" elsewhere/001.txt
  expect 0 run elsewhere/001.txt --dry-run --json
  expect_json "$folder/out" 'JSON.stringify(v.waves) === `[["1","2"],["3"],["4"],["5"]]`'
fi

# What cannot be put into an order is told with its line.
printf '# Implementation Plan: a\n\n### Phase 1: a [NOT STARTED]\n- **Dependencies**: Phase 2\n\n### Phase 2: b [TODO]\n- **Dependencies**: Phase 1\n' >circle.md
expect 4 run circle.md --dry-run
expect_err "circle.md:7:"
expect_err "plan-cycle"
expect 4 run circle.md --agent "$folder/done" --json
expect_json "$folder/err" 'v.error.rule === "plan-cycle" && v.error.line === 7'
printf '# Implementation Plan: a\n\n### Phase 1: a [NOT STARTED]\n- **Depends on:** 7\n' >unknown.md
expect 4 run unknown.md --dry-run
expect_err "unknown.md:4:"
expect_err "there is no phase 7"
expect 4 run "$source_dir/README.md" --dry-run
expect_err "is neither a plan nor a workflow: it has no headings like '## Phase 1: Name'; see: handoff template plan"
# A plan by any title, with boxes under a heading or under nothing; what run refuses, check reports in the same place.
printf '# Plan: ICS export\n\n## Phase 1: Serializer\n\nIt writes.\n\n- [ ] Events\n\n## Phase 2: Command\n\nDepends on: Phase 1\n\n#### Tasks\n\n* [x] Help\n' >PLAN.md
expect 4 check --format plan PLAN.md
expect_out "PLAN.md:11:1: error[plan-dependency-plain] /phases/1: write dependencies in bold"
expect_not_out "/tasks"
expect 4 run PLAN.md --dry-run
expect_err "PLAN.md:11:1: error[plan-dependency-plain] /phases/1: write dependencies in bold"
sed -i 's/^Depends on:/**Depends on**:/' PLAN.md
expect 0 check --format plan PLAN.md
expect 0 run PLAN.md --dry-run --json
expect_json "$folder/out" 'JSON.stringify(v.waves) === `[["1"],["2"]]`'
expect 0 show --format plan PLAN.md --as json
expect_json "$folder/out" 'v.title === "ICS export" && v.phases[0].tasks[0].text === "Events" && v.phases[0].x_text === "It writes." &&
  v.phases[1].tasks[0].done && !v.phases[1].x_text'
cp PLAN.md before.md
expect 0 show --format plan PLAN.md --as md
cp "$folder/out" shown.md
expect_that "a task is lost" grep -q '^- \[x\] Help' shown.md
expect 5 run PLAN.md --agent ./nope
expect_err "/nope' not found; correct --agent or the settings"
expect 5 run nowhere.md --dry-run
printf '# Implementation Plan: a\n\n### Phase 1: a [NOT STARTED]\n' >one.md
expect 2 run one.md --agent "sh 'unclosed"
expect_err "never closed"
expect 2 run one.md
expect_err "--agent"
finish
