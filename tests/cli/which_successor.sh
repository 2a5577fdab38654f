#!/bin/bash
# Which phase a successor is meant for if nobody says it: one whose handoff waits, and never one that is over while another
# waits.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE CLAUDECODE CODEX_THREAD_ID
git init -q -b main . 2>/dev/null
expect 0 init

# as SESSION STATUS COMMAND...: what an agent in that session runs.
as()
{
  local session=$1
  shift
  CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=$session expect "$@"
}
# asks SESSION PHASE: it gets the prompt for the successor of that phase.
asks()
{
  as "$1" 0 prompt successor
  expect_out "# Successor for phase $2 of task 7"
}

# One handoff waits, of a phase without a progress file: anybody means that one.
as A 0 pass --task 7 --slug fast_start --phase 1 --next 'Write the lexer in src/lex.py'
asks B 1
asks A 1
rm .handoff/context/*.work.json
asks A 1

# Agents that share a session have handed on two phases: it is asked which one, with commands that work.
as A 0 pass --task 7 --phase 2 --next 'Write the parser in src/parse.py'
for session in A B A; do
  rm -f .handoff/context/B.work.json
  as $session 2 prompt successor
  expect_err_is "handoff: several phases are in progress (task 7 phase 2, task 7 phase 1); use --task N --phase P
  handoff prompt successor --task 7 --phase 2
  handoff prompt successor --task 7 --phase 1"
done
as A 0 prompt successor specs/7_fast_start/handoffs/phase-1-*.md
expect_out '# Successor for phase 1 of task 7'
as A 2 prompt successor
as A 2 prompt successor --task 7

# Somebody continues the newer one: the other waits.
as C 0 next --task 7 --phase 2
asks A 1
rm .handoff/context/C.work.json
as D 0 prompt successor
expect_out '# Successor for phase 1 of task 7'

# What a session has finished is not meant while another phase waits; when nothing does, it is told that it is finished.
as C 0 progress start --task 7 --phase 2 --objective Parse
as C 0 progress "done" 1 --task 7 --phase 2
as C 0 finish --task 7 --phase 2
asks C 1
as C 0 next --task 7 --phase 1
as C 0 progress start --task 7 --phase 1 --objective Lex
as C 0 progress "done" 1 --task 7 --phase 1
as C 0 finish --task 7 --phase 1
as C 0 prompt successor
expect_out '# Phase 1 of task 7 is finished'
finish
