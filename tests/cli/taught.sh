#!/bin/bash
# Every command that a prompt teaches works as it is printed, in the situation in which it is taught.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE
git init -q -b main . 2>/dev/null
mkdir "$folder/bin" && ln -s "$handoff" "$folder/bin/handoff"
PATH=$folder/bin:$PATH
mkdir -p src && echo 'int x;' >src/a.c

# taught TEXT: the commands in back-quotes, one per line, with what a reader fills in filled in.
taught()
{
  node -e '
    const text = require("fs").readFileSync(process.argv[1], "utf8");
    const filled = (c) => c.replace(/\bID\b/g, "1").replace(/--file PATH/, "--file src/a.c").replace(/\bP\b/g, "1").replace(/\bN\b/g, "7")
      .replace(/(?:\x27)(?:one concrete step|the one concrete next step)(?:\x27)/, "\x27Open src/a.c and add the field\x27");
    for (const m of text.matchAll(/`(handoff [^`]+)`/g)) console.log(filled(m[1]));' "$1"
}
# try_all FILE WHAT: runs each in a project of its own kind, made by `situation`.
try_all()
{
  local command
  expect_that "$2 teaches no command" [ -n "$(taught "$1")" ]
  while IFS= read -r command; do
    case $command in *'<<'* | 'handoff template'* | 'handoff gate raise'*) continue ;; esac # with a document of their own, below
    situation
    last="$2: $command"
    bash -c "$command" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
    case $status:$command in
    0:*) result ok ;;
    *) result bad "exit status $status: $(head -2 "$folder/err")" ;;
    esac
  done < <(taught "$1")
}

# An agent at work on a phase: what it is told at the start.
mkdir -p specs/7_fast_start
"$handoff" prompt teammate --task 7 --phase 1 >"$folder/teammate"
begin_phase()
{
  rm -rf specs .handoff state .project
  mkdir -p specs/7_fast_start
  case $command in *'progress start'*) ;; *) "$handoff" progress start --task 7 --phase 1 --objective One --objective Two >/dev/null ;; esac
  case $command in *finish*) "$handoff" progress "done" 1 >/dev/null; "$handoff" progress "done" 2 >/dev/null ;; esac
}
# What is there before a command is tried; whoever needs more has it run `more`.
more() { :; }
situation()
{
  begin_phase
  more
}
try_all "$folder/teammate" 'prompt teammate'

# A successor, and a lead, after a handoff.
command=''
situation
"$handoff" pass --task 7 --phase 1 --next 'Open src/a.c and read it' >/dev/null 2>&1
"$handoff" prompt successor --task 7 --phase 1 >"$folder/successor"
"$handoff" prompt recovery --task 7 --phase 1 >"$folder/recovery"
more()
{
  "$handoff" pass --task 7 --phase 1 --next 'Open src/a.c and read it' --context 'A fact' >/dev/null 2>&1
  "$handoff" progress tried 'A way' --why 'slow' >/dev/null 2>&1
}
try_all "$folder/successor" 'prompt successor'
try_all "$folder/recovery" 'prompt recovery'
command=''
situation
last='prompt successor: pass'
expect_that "the handoff that is taught does not work" bash -ec "$(sed -n '/^handoff pass/,/^EOF/p' "$folder/successor")"
expect_that "another document" grep -qx 'one step' specs/7_fast_start/handoffs/*-handoff-*Z.md

# Whoever receives work, by the skill of its own.
expect 0 install claude --plugin plug
package() { printf 'handoff:\n  from: {agent: %s}\n  to: {agent: %s}\n  context: {summary: The start takes 80 ms. Halve it.}\n  expectations: {deliverable: A shorter start, success_criteria: [below 40 ms]}\n' "$1" "$2"; }
package lead bob >work.yaml
package bob lead >result.yaml
export HANDOFF_AGENT=bob
count=0
while IFS= read -r command; do
  rm -rf specs .handoff state .project
  expect 0 send work.yaml --as lead
  id=$(cat "$folder/out")
  case $command in *' next' | *' inbox') ;; *) expect 0 next ;; esac
  command=${command//ID/$id} last="the receiver's skill: $command"
  expect_that "it does not work" bash -c "${command//PATH/result.yaml}"
  count=$((count + 1))
done < <(grep -o '`handoff [^`]*`' plug/skills/handoff-receive/SKILL.md | tr -d '`')
expect_that "$count commands were taught" [ $count = 7 ]
unset HANDOFF_AGENT

# The form for texts with back-quotes and dollars, as it is printed.
if grep -q -- '--from -' "$folder/teammate"; then
  command=''
  situation
  printf '## Immediate Next Action\nRun `make $X` in src\n' | expect 0 pass --from - --task 7 --phase 1
fi
# And the gate that is offered to those who go in circles.
expect 0 template gate
finish
