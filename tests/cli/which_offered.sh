#!/bin/bash
# Being offered a handoff is not taking it: what nobody has taken is neither ended nor replaced by work that nobody said is its.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE CLAUDECODE CODEX_THREAD_ID

# as SESSION STATUS COMMAND...: what an agent in that session runs.
as()
{
  local session=$1
  shift
  CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=$session expect "$@"
}
# starts SESSION: its hook tells it what is open.
starts()
{
  as "$1" 0 hook claude <<<'{"session_id":"'"$1"'","cwd":"'"$PWD"'","hook_event_name":"SessionStart","source":"startup"}'
}
# state ID STATE
state()
{
  "$handoff" list --json >"$folder/list"
  expect_json "$folder/list" "v.handoffs.find((h) => h.id.endsWith('$1')).state === '$2'"
}
# continues: runs the command that the last note names.
mkdir "$folder/bin" && ln -s "$(realpath "$handoff")" "$folder/bin/handoff"
continues()
{
  local command
  command=$(sed -n 's/^.* instead, run this and [a-z]* again: //p' "$folder/err")
  expect_that "no command in: $(cat "$folder/err")" [ -n "$command" ]
  expect_that "it does not work: $command" env "$@" PATH="$folder/bin:$PATH" bash -c "$command" >"$folder/out" 2>&1
}
# project NAME: a new one, in which A has passed on phase 1 of task 1.
project()
{
  mkdir "$folder/$1" && cd "$folder/$1" && git init -q -b main . && git -c user.name=a -c user.email=a@b commit -qm x --allow-empty || exit
  expect 0 init
  as A 0 pass --next 'Write the lexer in src/lex.py' --decision 'lexer is hand written: small'
}

# A session that is asked for something else passes that on: a task of its own, without what the other one decided.
project passes
starts B
expect_out 'HO-2026-001'
as B 0 pass --next 'Translate README.md into French' --json
expect_json "$folder/out" 'v.id.endsWith("-002") && /^specs.2_translate/.test(v.handoff_path) && v.handoff_count === 1'
expect_not_out 'superseded'
as B 0 show HO-2026-002
expect_not_out 'hand written'
state 001 ready
as B 0 pass --next 'Translate README.md into French, and CHANGELOG.md' --used 90
expect_that "its own work was torn apart" [ "$(find specs/2_*/handoffs -name '*.md' | wc -l)" = 2 ]
state 001 ready
state 002 superseded

# It is told so, with a command that takes that back and continues.
project goes_on
starts C
as C 0 pass --next 'Write the parser in src/parse.py'
expect_err 'HO-2026-001 (task 1, phase 1) is still open and not part of this; to continue it instead, run this and pass again: handoff withdraw HO-2026-002'
continues CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=C
as C 0 pass --next 'Write the parser in src/parse.py' --used 90 --json
expect_json "$folder/out" '/^specs.1_write/.test(v.handoff_path) && v.handoff_count === 2'
as C 0 show HO-2026-003
expect_out 'hand written'
state 001 superseded
state 002 rejected

# The same of objectives; and what it was offered cannot be finished by it.
project starts
starts B
as B 2 finish
expect_err 'HO-2026-001 (task 1, phase 1) is open, but you have not claimed it; if you did its work, use --task 1 --phase 1'
as B 0 progress start --objective 'Translate README.md'
expect_err 'started task 2'
as B 0 progress "done" 1
as B 0 finish
expect_out 'Phase 1 of task 2 is finished'
state 001 ready
starts C
as C 0 progress start --objective 'Write the lexer'
expect_err 'to continue it instead, run this and start again: rm -r specs/3_write_the_lexer && handoff claim HO-2026-001'
continues CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=C
as C 0 progress start --objective 'Write the lexer'
expect_that "it is elsewhere" [ -e specs/1_write_the_lexer_in_src/progress/phase-1-progress.json -a ! -e specs/3_write_the_lexer ]
as C 0 progress "done" 1
as C 0 finish
state 001 'done'

# A phase in progress whose handoff waits is no more meant than one without objectives.
project idle
as A 0 progress start --objective Lex --objective Parse
as A 0 pass --next 'Parse what src/lex.py returns' --used 90
starts B
as B 0 pass --next 'Translate README.md into French'
expect_err 'started task 2'
as B 2 finish --task 3
state 002 ready
HANDOFF_SESSION=unaware expect 2 finish
expect_err 'HO-2026-002 (task 1, phase 1) is open'
HANDOFF_SESSION=unaware expect 0 progress start --objective Draw
expect_err 'started task 3'
state 002 ready

# Whoever takes what it was offered continues it: by next, by the successor's prompt, by saying how far it is, by naming it.
for way in 'next --task 1 --phase 1' 'prompt successor --task 1 --phase 1' "progress note 'half way' --task 1 --phase 1"; do
  project "by ${way%% *}"
  as A 0 progress start --objective Lex --objective Parse
  as A 0 pass --next 'Parse what src/lex.py returns' --used 90
  starts B
  eval "as B 0 $way"
  as B 0 pass --next 'Parse the rest' --used 90 --json
  expect_json "$folder/out" '/^specs.1_/.test(v.handoff_path)'
done
project by_name
starts B
as B 0 pass --task 1 --next 'Write the parser in src/parse.py' --used 90 --json
expect_json "$folder/out" '/^specs.1_/.test(v.handoff_path)'
state 001 superseded
# What it gave back it no longer has.
as C 0 claim HO-2026-002
as C 0 release HO-2026-002
as C 0 pass --next 'Translate README.md into French'
expect_err 'started task 2'
state 002 ready

# A draft that was only offered is no more taken.
project draft
as A 0 progress start --task 1 --phase 2 --objective Lex --objective Parse
as A 0 progress "done" 1
as A 0 hook claude <<<'{"session_id":"A","cwd":"'"$PWD"'","hook_event_name":"SessionEnd","reason":"other"}'
as A 0 finish --task 1 --phase 1
starts B
expect_out 'draft'
as B 0 pass --next 'Translate README.md into French'
expect_err 'started task 2'
continues CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=B
as B 0 pass --next 'Parse what src/lex.py returns' --json
expect_json "$folder/out" '/^specs.1_.*phase-2/.test(v.handoff_path)'

# A person who passes on different work on one day replaces nothing, also after printing a successor's prompt of it.
mkdir "$folder/person" && cd "$folder/person" && git init -q -b main . || exit
expect 0 init
expect 0 pass --next 'Write the lexer in src/lex.py'
expect 0 prompt successor
expect 0 pass --next 'Translate README.md into French'
expect_err 'HO-2026-001 (task 1, phase 1) is still open and not part of this'
state 001 ready
expect 0 prompt successor --task 1 --phase 1
expect 0 pass --next 'Draw the logo in logo.svg'
expect_err 'started task 3'
expect 2 finish
expect_err 'is open, but you have not claimed it'
state 001 ready
state 002 ready
# It continues what it names.
expect 0 pass --task 2 --phase 1 --next 'Translate README.md into French, too' --used 90
state 002 superseded
# While an agent holds the phase, what a person passes on is not its.
HANDOFF_SESSION=w1 HANDOFF_AGENT=w1 expect 0 next --task 1 --phase 1
expect 0 prompt successor --task 1 --phase 1
expect 0 pass --next 'Count the words in README.md'
expect_err 'started task 4'
state 001 claimed
finish
