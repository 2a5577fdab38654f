#!/bin/bash
# Which task and phase are meant if nobody says it: options, variables, the session, the branch, the only phase in
# progress; and what begins if there is none.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE CLAUDECODE CODEX_THREAD_ID
git init -q -b main . 2>/dev/null

# In any project, without init, without specs: a task begins, and it is said in one line.
export HANDOFF_SESSION=first
expect 0 pass --next 'Write a test for quoted fields in src/csv.c'
expect_err 'started task 1 in specs/1_write_a_test_for_quoted, phase 1'
expect_that "no .gitignore" [ -e .handoff/.gitignore ]
# The same session goes on with it.
expect 0 progress start --objective Parse --objective Write
expect_that "another task" [ "$(ls specs)" = 1_write_a_test_for_quoted ]
expect 0 progress "done" 1
expect 0 pass --next 'Write the second half of src/csv.c' --json
expect_json "$folder/out" 'v.handoff_count === 2 && /^specs.1_write/.test(v.handoff_path)'
expect 0 prompt successor
expect_out 'task 1'
# A refused handoff leaves nothing behind.
expect 4 pass --task 40 --next 'Continue working'
expect_that "a folder was left" [ "$(ls specs)" = 1_write_a_test_for_quoted ]

# A name is that of a new task: it makes no second folder of the task that is meant otherwise, which every later command would
# refuse, and replaces no handoff of it.
for command in "pass --next 'Write the manual'" 'progress start --objective Write' 'finish' "progress 'done' 1"; do
  eval "expect 2 $command --slug manual"
  expect_err_is 'handoff: the folder of task 1 is specs/1_write_a_test_for_quoted; leave out --slug, or use --task 2 for a new one'
done
expect 2 pass --next 'Write the manual' --task 1 --slug 'no slug'
expect_err 'is not a valid slug'
expect_that "a folder was left" [ "$(ls specs)" = 1_write_a_test_for_quoted ]
expect 0 pass --next 'Write the manual' --slug manual --task 2 --phase 1
expect 2 pass --next 'Write the test' --task 1 --phase 1 --slug manual
expect_err_is 'handoff: the folder of task 1 is specs/1_write_a_test_for_quoted; leave out --slug, or use --task 2 for the task of that name'
expect 0 pass --next 'Write the second half of src/csv.c, then its test' --task 1 --used 90 --slug write_a_test_for_quoted
expect 0 list --state open --json
expect_json "$folder/out" 'v.handoffs.map((h) => h.task).sort().join() === "1,2"'
expect 0 finish --task 2 --phase 1
rm -r specs/2_manual

# Sessions side by side in a project that nobody has initialised: each means its own phase, and hooks speak.
begun=$PWD
mkdir ../fresh && cd ../fresh && git init -q -b main . 2>/dev/null
HANDOFF_SESSION=left expect 0 progress start --objective Sort --objective Test
expect_that "no .gitignore" [ -e .handoff/.gitignore ]
HANDOFF_SESSION=right expect 0 progress start --objective Draw
HANDOFF_SESSION=left expect 0 progress note 'sorted half'
HANDOFF_SESSION=right expect 0 progress note 'drew half'
expect_json specs/1_sort/progress/phase-1-progress.json 'v.objectives[0].note === "sorted half"'
expect_json specs/2_draw/progress/phase-1-progress.json 'v.objectives[0].note === "drew half"'
HANDOFF_SESSION=none expect 5 progress show --task 9 --phase 1
cd "$begun" && rm -r ../fresh || exit

# A branch names the task, for a session that has done nothing yet; what a branch is called is not enough to begin one.
export HANDOFF_SESSION=second
mkdir -p specs/12_fast_start/progress specs/archive/2025/30_old_task
expect 0 progress start --task 12 --phase 2 --objective Measure
export HANDOFF_SESSION=third
expect 2 progress note 'half way'
expect_err 'several phases are in progress (task 1'
git checkout -q -b feature/12-fast-start
expect 0 progress note 'half way'
expect 0 progress show --json
expect_json "$folder/out" 'v.phase === "2" && /12_fast_start/.test(v.path)'
git checkout -q -b fast-start-phase-2
HANDOFF_SESSION=fourth expect 0 progress show
expect_out 'half way'
# A number that belongs to a word or a version is not a task's.
for branch in oauth12-login v12 12fa python12 release-12 hotfix/12.1.4 deps/node-12.x feature/login-12; do
  git checkout -q -b "$branch"
  HANDOFF_SESSION=$branch expect 2 progress show
done
for branch in issue-12 12 fix/task_12 gh12-login; do
  git checkout -q -b "$branch"
  HANDOFF_SESSION=$branch expect 0 progress show
done
# Options before variables, variables before the session; the phase of another task says nothing.
HANDOFF_TASK=1 HANDOFF_PHASE=1 expect 0 progress show --json
expect_json "$folder/out" '/1_write/.test(v.path)'
HANDOFF_TASK=1 HANDOFF_PHASE=1 expect 0 progress show --task 12 --json
expect_json "$folder/out" '/12_fast/.test(v.path)'

# The next number is free in the archive too, and an archived task is found where it is.
git checkout -q -b tidy-up
export HANDOFF_SESSION=fifth
expect 0 progress "done" 2 --task 1 --phase 1
expect 0 progress "done" 1 --task 12 --phase 2
export HANDOFF_SESSION=sixth
expect 0 progress start --objective 'Sort the files'
expect_err 'started task 31 in specs/31_tidy_up, phase 1'
expect 0 pass --task 30 --phase 1 --next 'Look at the archive in specs'
expect_that "an archived task was doubled" [ -d specs/archive/2025/30_old_task/handoffs -a ! -e specs/30_* ]

# Sessions that begin at once get numbers of their own, which no handoff has had.
expect 0 progress "done" 1 --task 31 --phase 1
git symbolic-ref HEAD refs/heads/main
for i in 1 2 3 4; do HANDOFF_SESSION=at-once-$i "$handoff" pass --next "Open src/$i.c and add the field" >/dev/null 2>&1 & done
wait
expect_that "numbers: $(ls specs)" [ "$(find specs -maxdepth 1 -name '3[2-5]_open_src_*' | wc -l)" = 4 ]
git checkout -q -b yet-more
rm -r specs/35_open_src*
HANDOFF_SESSION=later expect 0 pass --next 'Open src/5.c and add the field'
expect_err 'started task 36 in specs/36_yet_more'

# The only phase in progress, unless another session works on it.
git checkout -q -b something
expect 0 progress start --task 12 --phase 3 --objective 'Sort'
HANDOFF_SESSION=seventh expect 2 progress show
expect_err 'task 12 phase 3 is in progress, but in another session'
touch -d '2 hours ago' .handoff/context/*.work.json
HANDOFF_SESSION=seventh expect 0 progress show --json
expect_json "$folder/out" '/12_fast_start/.test(v.path) && v.phase === "3"'
expect 0 pass --task 12 --phase 3 --next 'Open src/sort.c and sort the list'
HANDOFF_SESSION=holder expect 0 next --task 12 --phase 3
HANDOFF_SESSION=eighth expect 2 progress note 'x'
expect_err 'task 12 phase 3 is in progress, but in another session; if you work on it, use --task 12 --phase 3'
# However many phases others work on, whoever has to hand over can: it is a task of its own.
HANDOFF_SESSION=other expect 0 progress start --task 30 --slug others --phase 1 --objective 'Something of theirs'
HANDOFF_SESSION=eighth expect 0 pass --next 'Open src/other.c and read it'
expect_err 'started task 37 in specs/37_something'
git checkout -q -b elsewhere
HANDOFF_SESSION=ninth expect 0 progress start --objective 'Something else'
expect_err 'started task 38 in specs/38_elsewhere'

# An agent without a name is known by its harness.
CLAUDECODE=1 expect 0 pass --task 31 --phase 1 --next 'Sort the files in src by name' --context 'There are twelve'
expect 0 log --json
expect_json "$folder/out" 'v.events.some((e) => e.event === "sent" && e.actor === "claude")'

# A session that has ended works on nothing: what it left is taken over.
mkdir "$folder/left" && cd "$folder/left" && git init -q -b main . 2>/dev/null && mkdir .handoff || exit
HANDOFF_SESSION=tenth expect 0 progress start --task 7 --slug left --phase 2 --objective 'Sort' --objective 'Merge'
HANDOFF_SESSION=heir expect 2 progress note 'x'
unset HANDOFF_SESSION
expect 0 hook claude <<<'{"session_id":"tenth","cwd":"'"$PWD"'","hook_event_name":"SessionEnd","reason":"other"}'
HANDOFF_SESSION=heir expect 0 pass --next 'Open src/left.c and read it'
expect_err 'assuming phase 2 of task 7 (the only phase in progress)'

# Two phases that nobody works on. A session with an id of its own, which is remembered with neither, does something else:
# a task begins for it, and it is told of the others. If its branch or its last work names one, that is meant.
mkdir "$folder/idle" && cd "$folder/idle" && git init -q -b main . 2>/dev/null && mkdir .handoff || exit
for n in 7 8; do HANDOFF_SESSION=gone-$n expect 0 progress start --task $n --slug part$n --phase $n --objective Sort --objective Merge; done
touch -d '2 hours ago' .handoff/context/*.work.json
HANDOFF_SESSION=own expect 0 pass --next 'Open src/own.c and read it'
expect_err 'started task 9 in specs/9_open_src_own_c_and, phase 1; for one of those in progress (task 7 phase 7, task 8 phase 8), use --task N --phase P'
HANDOFF_SESSION=own2 expect 0 progress start --objective 'Something new'
expect_err 'started task 10 in specs/10_something_new, phase 1; for one of those'
expect 0 progress "done" 1 --task 10 --phase 1
HANDOFF_SESSION=gone-7 expect 0 pass --next 'Sort the other half of src/sort.c'
expect_that "the last work was not taken" [ "$(find specs/7_part7/handoffs -name '*Z.md' | wc -l)" = 1 ]
git symbolic-ref HEAD refs/heads/feature/8-part8
HANDOFF_SESSION=own3 expect 0 pass --next 'Merge the other half of src/merge.c'
expect_that "the branch was not taken" [ "$(find specs/8_part8/handoffs -name '*Z.md' | wc -l)" = 1 ]
git symbolic-ref HEAD refs/heads/main

# Whoever has no session of its own may mean either, if no handoff of them waits for somebody: it is refused, with what was
# typed as commands that work as they stand.
for task in 7 8; do
  expect 0 list --state ready --task $task --json
  expect 0 withdraw "$(node -p 'JSON.parse(fs.readFileSync(0)).handoffs[0].id' <"$folder/out")" --note 'not yet'
done
rm -f .handoff/context/local-*
given="It's \$HOME/a.c: open it"
expect 2 pass --next "$given" --context 'A  "fact"'
expect_err 'several phases are in progress (task 7 phase 7, task 8 phase 8); use --task N --phase P, or for new work --task 11'
mapfile -t commands < <(grep '^  handoff ' "$folder/err")
expect_that "not three commands: ${commands[*]}" [ "${#commands[@]}" = 3 ]
expect_that "nothing was left to begin" [ ! -e specs/11_* ]
expect 2 pass --next 'Open src/a.c' --json
expect_json "$folder/err" 'v.error.commands.join() === "handoff pass --next '"'Open src/a.c'"' --json --task 7 --phase 7,handoff pass --next '"'Open src/a.c'"' --json --task 8 --phase 8,handoff pass --next '"'Open src/a.c'"' --json --task 11"'
mkdir "$folder/bin" && ln -s "$(realpath "$handoff")" "$folder/bin/handoff"
for i in 0 1 2; do
  last="${commands[i]}"
  rm -f .handoff/context/local-*
  expect_that "it does not work" env PATH="$folder/bin:$PATH" bash -c "${commands[i]}" >"$folder/out" 2>"$folder/err"
  expect_that "the text is not there" grep -qF "$given" "$(cat "$folder/out")"
  expect_that "it is elsewhere" grep -q "^specs/$((7 + i + 2 * (i / 2)))_" "$folder/out"
done
rm -f .handoff/context/local-*
expect 2 progress note 'half way' --task 12
expect 2 progress note 'half way'
expect_err "  handoff progress note 'half way' --task 8 --phase 8"
# Of a task that is named, the phase alone is missing.
expect 0 progress start --task 8 --phase 9 --objective Late
rm -f .handoff/context/local-*
HANDOFF_SESSION=own4 expect 2 pass --task 8 --next 'Open src/late.c and read it'
expect_err "  handoff pass --task 8 --next 'Open src/late.c and read it' --phase 9"
# Objectives never change, so whoever writes down others begins something else.
expect 0 progress start --objective 'Something else'
expect_err 'started task 12 in specs/12_something_else, phase 1'
finish
