#!/bin/bash
# pass and progress without --task: what the hooks tell an agent to run works as it stands, in every session.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
unset HANDOFF_META
git init -q . 2>/dev/null
mkdir .handoff
echo 'threshold: 75' >.handoff/config.yaml

# A session without a task: the command that it is told, word for word, makes a task of its own.
transcript=$data/claude-usage.jsonl
event claude PostToolUse '"tool_name":"Bash"'
advice=$(grep -o 'handoff pass[^`]*' "$folder/out")
expect_that "no command in the advice" [ -n "$advice" ]
PATH=$folder/bin:$PATH
mkdir "$folder/bin" && ln -s "$handoff" "$folder/bin/handoff"
bash -c "${advice/the one concrete next step/Read src\/main.c from line 12 on}" >"$folder/out" 2>"$folder/err"
expect_that "the advice does not work: $advice: $(cat "$folder/err")" grep -q '^specs/1_read_src_main_c/handoffs/phase-1-handoff-' "$folder/out"
expect_err "no task was named: this is phase 1 of the new task 1, in specs/1_read_src_main_c"
expect 0 check specs
expect 0 list --task 1 --phase 1 --json
expect_json "$folder/out" 'v.handoffs.length === 1 && v.handoffs[0].state === "ready"'

# Whoever claims it continues that task, by the session.
export HANDOFF_SESSION=sess_1770906622_a1b2c3
expect 0 next --task 1 --phase 1 --json
expect 0 pass --next 'Open src/parse.c and add the field' --context 'The parser has two tables' --json
expect_json "$folder/out" 'v.handoff_path.startsWith("specs/1_read_src_main_c/handoffs/phase-1-") && v.handoff_count === 2'
unset HANDOFF_SESSION

# Others begin another one, each with a number of its own. What is refused leaves no task behind.
expect 4 pass --next 'Continue working'
expect_that "something was written" [ "$(ls specs)" = 1_read_src_main_c ]
for i in 1 2 3 4; do "$handoff" pass --next "Step $i: open src/$i.c and add the field" >/dev/null 2>&1 & done
wait
expect_that "numbers were given twice: $(ls specs)" [ "$(ls specs | cut -d_ -f1 | sort -n | tr '\n' ' ')" = "1 2 3 4 5 " ]
expect 0 list --state ready --json
expect_json "$folder/out" 'new Set(v.handoffs.map(h => h.task)).size === 5'
expect 0 pass --next 'Ä' --slug short --json
expect_that "the slug does not count" [ -d specs/6_short ]
rm -r specs/6_short
expect 0 pass --next 'Öffne: 你好' --json
expect_that "the number of a handoff was given again" [ -d specs/7_ffne ]

# While a phase is in progress, the work may be its: which, an agent must say.
expect 0 progress start --task 8 --phase 2 --slug slow --objective Measure --objective Halve
expect 2 pass --next 'Run the tests of src/a.c'
expect_err "which task? in progress: --task 8 --phase 2; for other work, use --task N --phase 1 --slug NAME"
expect 2 pass --phase 2 --next 'Run the tests of src/a.c'
expect_err "which task? use --task N (or HANDOFF_TASK)"
expect 0 pass --task 8 --next 'Run the tests of src/a.c' --json
expect_json "$folder/out" 'v.handoff_path.startsWith("specs/8_slow/handoffs/phase-2-")'
expect 0 progress start --task 8 --phase 3 --objective Measure
expect 2 pass --task 8 --next 'Run the tests of src/a.c'
expect_err "--task 8 --phase 3"

# The environment names both, and the phase only of its own task.
export HANDOFF_TASK=8 HANDOFF_PHASE=2
expect 0 progress "done" 1
expect 0 progress show
expect_out "1 of 2 done"
expect_that "the name of the phase is its number twice" grep -qx "Phase 2" "$folder/out"
expect 0 pass --next 'Run the tests of src/b.c' --json
expect_json "$folder/out" 'v.handoff_path.startsWith("specs/8_slow/handoffs/phase-2-")'
expect 2 progress show --task 1
expect_err "which phase of task 1? use --phase P (or HANDOFF_PHASE)"
unset HANDOFF_TASK HANDOFF_PHASE
expect 2 progress show
expect_err "which task? use --task N (or HANDOFF_TASK)"
finish
