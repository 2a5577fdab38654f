#!/bin/bash
# progress: begun once, changed in place by any number of writers, never half written.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
where=(--task 7 --phase 1)
file=specs/7_fast_start/progress/phase-1-progress.json

expect 5 progress show "${where[@]}"
expect_err "use --slug"
expect 5 progress "done" 1 "${where[@]}" --slug fast_start
expect_that "a folder was made" [ ! -e specs ]
expect 0 progress start --task 007 --phase 1 --slug fast_start --name Measure --objective 'Measure the start' \
  --objective 'Halve "it"' --objective Third
expect_out "[........................] 0 of 3 done"
expect 0 check --strict specs
expect_json $file 'v.phase === 1 && v.phase_name === "Measure" && v.current_objective === 1 && v.objectives[1].description === "Halve \"it\""'
cp $file "$folder/first"
expect 0 progress start "${where[@]}" --objective 'Measure the start' --objective 'Halve "it"' --objective Third
expect_out "already started with the same objectives"
expect 6 progress start "${where[@]}" --objective Other
expect_err "objectives never change"
expect_that "the file was changed" cmp -s $file "$folder/first"
expect 2 progress start --task 7 --phase 2
expect 2 progress start --task 7 --phase 2 --objective ' '
expect 2 progress start --task 7 --phase ../x --objective a
expect 2 progress start --task 8 --slug 'a/../..' --phase 1 --objective a

expect 0 progress note '3 of 5 cases' "${where[@]}"
expect_json $file 'v.objectives[0].status === "in_progress" && v.objectives[0].note === "3 of 5 cases"'
expect 0 progress "done" 1 "${where[@]}" --json
expect_json "$folder/out" 'v.changed && v.done === 1 && v.total === 3 && v.current === "2" && v.percent === 33'
expect_json $file 'v.current_objective === 2 && v.objectives[0].status === "done" && v.objectives[0].note === "3 of 5 cases"'
cp $file "$folder/before"
expect 0 progress "done" 1 "${where[@]}"
expect_out "objective 1 was done already"
expect_that "a change that was none wrote the file" cmp -s $file "$folder/before"
expect 5 progress "done" 9 "${where[@]}"
expect_err "there is no objective '9'; there are 1 (Measure the start), 2 (Halve \"it\"), 3 (Third)"
expect 2 progress block 2 "${where[@]}"
expect 0 progress block 2 --note 'No such option' "${where[@]}"
expect_json $file 'v.objectives[1].status === "blocked" && v.current_objective === 3'
expect 2 progress tried x "${where[@]}"
expect 0 progress tried 'Static linking' --why 'Plugins' --objective 2 "${where[@]}"
expect 0 progress tried 'Static linking' --why 'Again' "${where[@]}"
expect_out "already logged"
expect_json $file 'v.approaches_tried.length === 1 && v.approaches_tried[0].objective_id === 2'
expect 0 progress tried 'Fewer pages' --why 'No gain' --result partial "${where[@]}"
expect_json $file 'v.approaches_tried.length === 2 && v.approaches_tried[1].result === "partial"'
expect 0 check --strict specs
expect 0 progress show "${where[@]}"
expect_out "[########................] 1 of 3 done"
expect_out "[!] 2"
expect_out "- Static linking: Plugins"
expect 0 progress show "${where[@]}" --json
expect_json "$folder/out" 'v.objectives.length === 3 && v.approaches_tried.length === 2 && v.handoff_count === 0'
expect 0 progress "done" 2 "${where[@]}"
expect 0 progress "done" 3 "${where[@]}"
expect_json $file 'v.current_objective === null && v.objectives.every((o, i) => o.id === i + 1)'
expect_json $file 'Math.abs(Date.parse(v.last_updated) - Date.now()) < 60000'
expect 5 progress note x "${where[@]}"
expect_err "all objectives are done"

# A real file: other keys, another layout, other spellings; only what changes is touched.
mkdir -p specs/012_old/progress
printf '{ "phase":"6a",\r\n\t"name": "X", "x_own": {"b":[1, 2.50]},\n "objectives": {"one": {"name":"A","status":"pending"},\n  "two": {"name":"B", "status" : "completed"}},"handoff_path":null}' >specs/012_old/progress/phase-6a-progress.json
expect 0 progress "done" one --task 12 --phase 6a
expect_that "more was changed than the status" grep -qF '"one": {"name":"A","status":"done"},' specs/012_old/progress/phase-6a-progress.json
expect_that "another layout" grep -qF '"x_own": {"b":[1, 2.50]},' specs/012_old/progress/phase-6a-progress.json
expect_json specs/012_old/progress/phase-6a-progress.json 'v.handoff_path === null && v.last_updated && v.current_objective === null'
expect 0 progress tried a --why b --task 12 --phase 6a
expect_json specs/012_old/progress/phase-6a-progress.json 'v.approaches_tried[0].reason === "b"'
mkdir -p specs/12_other && expect 2 progress show --task 12 --phase 6a
expect_err "use --slug"
rmdir specs/12_other
echo '{"phase": 1' >specs/012_old/progress/phase-2-progress.json
expect 3 progress "done" 1 --task 12 --phase 2
echo '[]' >specs/012_old/progress/phase-2-progress.json
expect 4 progress "done" 1 --task 12 --phase 2
ln -s "$folder" specs/10_out
expect 9 progress start --task 10 --phase 1 --objective a
expect_that "a link led out" [ ! -e "$folder/progress" ]

# 16 writers, half of which are killed: what answered is there, and the file is valid whenever it is read.
many=()
for i in $(seq 1 160); do many+=(--objective "Step $i"); done
expect 0 progress start --task 7 --phase 2 "${many[@]}"
file=specs/7_fast_start/progress/phase-2-progress.json
writer()
{
  for i in $(seq "$1" 16 160); do
    if [ $((i % 3)) = 0 ]; then
      timeout -s KILL "0.0$((RANDOM % 9))" "$handoff" progress "done" "$i" --task 7 --phase 2 >"$folder/answer.$1" 2>/dev/null &&
        grep -q "done" "$folder/answer.$1" && echo "$i" >>"$folder/answered.$1"
    else
      "$handoff" progress "done" "$i" --task 7 --phase 2 >/dev/null && echo "$i" >>"$folder/answered.$1"
    fi
  done
}
for w in $(seq 1 16); do writer "$w" 2>/dev/null & done
while [ -n "$(jobs -rp)" ]; do
  node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' $file || touch "$folder/torn"
done
wait
cat "$folder"/answered.* >"$folder/answered"
expect_that "the file was torn" [ ! -e "$folder/torn" ]
expect_that "too few answered" [ "$(wc -l <"$folder/answered")" -ge 100 ]
while read -r i; do echo "v.objectives[$((i - 1))].status === 'done' &&"; done <"$folder/answered" >"$folder/all"
expect_json $file "$(cat "$folder/all") true"
expect 0 progress note last --task 7 --phase 2 --id 160
expect 0 check --strict $file
expect_that "something was left beside the file" [ "$(find specs/7_fast_start/progress -type f | wc -l)" = 2 ]

# Objectives never change: what somebody edits by hand is told, by check and by every command about the phase.
expect 0 progress start --task 76 --slug fixed --phase 1 --objective One --objective 'Two, with password=hunter2hunter2X9' --objective Three
fixed=specs/76_fixed/progress/phase-1-progress.json
expect 0 progress "done" 1 --task 76 --phase 1 --note 'it works'
expect 0 check --strict $fixed
node -e '
  const fs = require("fs"), v = JSON.parse(fs.readFileSync(process.argv[1]));
  v.objectives[0].description = "Another one";
  v.objectives.splice(2, 1, { id: 4, description: "Four", status: "not_started" });
  fs.writeFileSync(process.argv[1], JSON.stringify(v, null, 2) + "\n");' $fixed
expect 0 check $fixed
expect_out 'warning[progress-objectives-fixed] /objectives/0: objective 1 is not described as it was when the phase began'
expect_out 'objective 4 was added after the phase began'
expect_out 'objective 3 was removed after the phase began'
for command in 'show' 'note half'; do
  # shellcheck disable=SC2086
  expect 0 progress $command --task 76 --phase 1
  expect_err 'objective 1 is not described as it was when the phase began'
  expect_err 'objective 3 was removed after the phase began'
done

# The hint names the task and the phase.
expect 0 progress start --task 77 --slug hint --phase 1 --objective One
expect 5 progress note half --task 77 --phase 2
expect_err "run: handoff progress start --task 77 --phase 2 --objective 'First' --objective 'Second'"

# If all that is left is blocked, nobody can continue: a person is asked, with commands that work as they stand.
stuck=(--task 91 --phase 1)
ask='`handoff template gate >gate.yaml`, fill it in, `handoff gate raise gate.yaml`'
expect 0 progress start "${stuck[@]}" --slug stuck --objective One --objective Two --objective Three
expect 0 progress block 2 --note 'No key for the server' "${stuck[@]}"
expect_no_err
expect 0 prompt successor "${stuck[@]}"
expect_not_out 'ask a person'
expect 0 progress "done" 1 "${stuck[@]}"
expect 0 progress block 3 --note 'No account' "${stuck[@]}"
expect_err "every objective that is left is blocked; ask a person: $ask"
expect_err '`handoff progress unblock 2 --task 91 --phase 1`'
expect 0 prompt successor "${stuck[@]}"
expect_out '## First: ask a person'
expect_out "say what is in the way: $ask"
expect_out '`handoff progress unblock 2 --task 91 --phase 1`'
expect_out 'Blocked: objective 2: Two - No key for the server'
expect_out 'Blocked: objective 3: Three - No account'
expect_not_out 'going in circles'
expect 6 finish "${stuck[@]}"
expect_err "objective 2 is blocked; ask a person: $ask"
expect 0 progress unblock 2 "${stuck[@]}"
expect_no_err
expect 0 prompt successor "${stuck[@]}"
expect_not_out 'ask a person'
expect_out 'Objective 2 (1 of 3 done): Two'
finish
