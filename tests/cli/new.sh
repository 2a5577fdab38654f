#!/bin/bash
# new: values, places, refusals; nothing is ever overwritten.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
objective=(--set /objectives/-/id=1 --set "/objectives/0/description=Measure the start"
  --set /objectives/0/status=not_started --set /current_objective=1 --set /phase_name=Measure)

expect 0 new progress --task 007 --slug fast_start --phase 1 "${objective[@]}"
expect_out_is "specs/7_fast_start/progress/phase-1-progress.json"
expect_no_err
cp specs/7_fast_start/progress/phase-1-progress.json "$folder/first"
expect_json "$folder/first" 'v.phase === 1 && v.objectives[0].id === 1 && v.handoff_count === 0 && v.approaches_tried.length === 0'
expect_json "$folder/first" 'Math.abs(Date.parse(v.started_at) - Date.now()) < 60000'
expect 0 check --strict specs
expect 6 new progress --task 7 --phase 1 "${objective[@]}"
expect_err "already exists; not overwriting it"
expect_that "the file was changed" cmp -s "$folder/first" specs/7_fast_start/progress/phase-1-progress.json
expect_that "a temporary file is left" [ "$(find specs -type f | wc -l)" = 1 ]
expect 0 new progress --task 7 --phase 2 "${objective[@]}" --json
expect_json "$folder/out" 'v.path === "specs/7_fast_start/progress/phase-2-progress.json" && v.errors === 0'

# The folder where one stands changes only how the path is shown.
mkdir -p .handoff sub && cd sub || exit
expect 0 new progress --task 7 --phase 3 "${objective[@]}"
expect_out_is "$(cd .. && pwd)/specs/7_fast_start/progress/phase-3-progress.json"
cd .. || exit

ln -s "$folder/project" "$folder/linked"
expect 0 new progress --root ../linked --task 7 --phase 5 "${objective[@]}"
cd "$folder" || exit
expect 0 new progress --root linked --task 7 --phase 6 "${objective[@]}"
expect_out_is "project/specs/7_fast_start/progress/phase-6-progress.json"
expect 0 check --root linked --strict project/specs
cd project || exit

# Refused: findings on stderr, nothing on stdout, nothing written.
expect 4 new progress --task 8 --slug x --phase 1
expect_no_out
expect_err "error[required] /objectives: is missing"
expect_err "nothing was written"
expect_that "something was written" [ ! -e specs/8_x ]
expect 4 new progress --task 8 --slug x --phase 1 --json
expect_json "$folder/out" 'v.errors > 0 && v.findings[0].rule && v.path === undefined'
expect 4 new package --print
expect_no_out
expect 4 new progress --task 8 --slug x --phase 1 "${objective[@]}" --set /objectives/0/status=never
expect_err "error[choice] /objectives/0/status"
expect 2 new progress --phase 1 "${objective[@]}"
expect_err "use --task, --slug or --phase"
expect 2 new nonsense
expect_err "unknown format"
expect 2 new

# Values.
expect 0 new progress --print --phase 1 "${objective[@]}"
expect_json "$folder/out" 'v.phase === 1'
expect 0 new progress --print --phase 6a --set phase_name=M \
  --set '/objectives=[{"id": 1, "description": "a", "status": "done"}, {"id": 2, "description": "b", "status": "blocked", "note": "c"}]' \
  --set /current_objective=2 --set /handoff_count=12 --set '/x_own/a~1b=[1, 2]' --set '/phase_name=[not] JSON'
expect_json "$folder/out" 'v.phase === "6a" && v.objectives[1].id === 2 && v.handoff_count === 12 && v.phase_name === "[not] JSON"'
expect_json "$folder/out" 'v.x_own["a/b"][1] === 2'
expect 2 new progress --print --set /objectives
expect_err "--set needs POINTER=VALUE"
expect 2 new progress --print --set '/objectives=[1,'
expect_err "--set /objectives: "
expect 2 new progress --print --set /phase_name/deeper/still=x --set /phase_name=x --set /phase_name/deeper=x
expect_err "is inside a text, which has no parts"
expect 2 new progress --print --set /objectives/5/id=1
expect_err "use '-' to append"

# Another document as a start, in any encoding, from a file or standard input.
expect 0 show "$folder/first" --format progress --as yaml
cp "$folder/out" first.yaml
expect 0 new progress --from first.yaml --print
expect_that "a document copied through YAML differs" cmp -s "$folder/out" "$folder/first"
expect 0 new progress --from - --print --set /phase=4 <first.yaml
expect_json "$folder/out" 'v.phase === 4 && v.phase_name === "Measure"'
expect 5 new progress --from nowhere.yaml
expect 3 new progress --from - <<<'a: ['
expect 4 new progress --from - --print <<<'{"phase": 1, "phase": 2}'
expect_err "duplicate-key"

# Wrapped formats: with or without the wrapper's key; ids count up.
touch spec.md
package=(--set /from/agent=writer --set /from/step=specification --set /to/agent=architect
  --set "/to/reason=Specs validated, moving to design" --set "/handoff/context/summary=$(printf '%s' \
    'Wrote 12 user stories with acceptance criteria for the login. ' 'All of them were validated by the product owner on Monday.')"
  --set '/context/artifacts=["spec.md"]' --set '/context/decisions=[{"decision": "Use OAuth", "rationale": "No passwords to keep"}]'
  --set "/expectations/deliverable=An architecture document with a component diagram"
  --set "/expectations/success_criteria/-=All 12 stories are covered by a component")
expect 0 new package "${package[@]}"
expect_out_is ".project/handoffs/HO-$(date -u +%Y)-001.yaml"
expect 0 new package "${package[@]}"
expect_out_is ".project/handoffs/HO-$(date -u +%Y)-002.yaml"
expect 0 check .project
# An id that the ledger has given to something else is not offered again.
year=$(date -u +%Y)
for n in 1 2 3; do
  expect 0 send - <<<"{\"handoff\": {\"from\": {\"agent\": \"a\"}, \"to\": {\"agent\": \"b\"}, \"context\": {\"summary\": \"The login was split into $n parts, each with its own tests\"}, \"expectations\": {\"deliverable\": \"A review of part $n\"}}}"
done
expect_out_is "HO-$year-003"
expect 0 new package "${package[@]}"
expect_out_is ".project/handoffs/HO-$year-004.yaml"
expect 0 send ".project/handoffs/HO-$year-004.yaml"
expect_out_is "HO-$year-004"
expect 4 new package "${package[@]}" --set /context/artifacts/-=missing.md
expect_err "package-artifact-missing"
expect 4 new package "${package[@]}" --set /context/artifacts/-=../outside.md

# A value cannot leave the folder, and a link does not lead out of the root.
expect 0 new progress --task 9 --slug ../../x --phase ../y "${objective[@]}"
expect_out "specs/9_"
expect_that "a value left its folder" [ -z "$(find .. -maxdepth 1 -name 'x*')" ]
ln -s "$folder" specs/10_out
expect 9 new progress --task 10 --phase 1 "${objective[@]}"
expect_err "outside the project"
expect_that "a link led out" [ ! -e "$folder/progress" ]
finish
