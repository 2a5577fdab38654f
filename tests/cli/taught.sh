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
# A lead that knows only what its agents return, and whose session has passed on another phase since.
"$handoff" prompt recovery >"$folder/recovery"
command=''
situation
"$handoff" progress start --task 7 --phase 2 --objective Three >/dev/null
"$handoff" pass --task 7 --phase 2 --next 'Open src/b.c and read it' >/dev/null 2>&1
count=0
while IFS= read -r command; do
  last="prompt recovery: $command"
  command=${command//PATH/$(find specs -name 'phase-1-handoff-*Z.md')}
  command=${command/--task N --phase P/--task 7 --phase 1}
  expect_that "it does not work" bash -c "$command" >"$folder/out" 2>&1
  expect_that "it is about another phase" grep -qE 'phase 1 of task 7$|^Phase 1$|--task 7 --phase 1`$' "$folder/out"
  count=$((count + 1))
done < <(grep -o '`handoff [^`]*`' "$folder/recovery" | tr -d '`')
expect_that "$count commands were taught" [ $count = 4 ]
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

# What a message tells to run works as it is printed, and helps.
# told: the commands of the last message, one per line, with what a reader fills in filled in.
told()
{
  cat "$folder/err" "$folder/out" | grep -ohE "run: handoff [^;]*|run 'handoff [^']*'|: handoff release [^ ;]*|\`handoff [^\`]*\`" |
    sed -E "s/^[^h]*//; /'.*'/!s/'\$//; s/\`//g; s/, or .*//; s/\bTEXT\b/'in words'/g; s/\bPATH\b/work.yaml/; s/\bAGENT\b/bob/"
}
# works [PATTERN]: the first of them (that matches) does.
works()
{
  local command
  command=$(told | grep -m 1 -e "${1:-}")
  last="$last, told: $command"
  expect_that "no command is told" [ -n "$command" ]
  bash -c "$command" >"$folder/out" 2>"$folder/err" </dev/null
  status=$?
  expect_that "it ends with $status: $(head -2 "$folder/err")" [ $status = 0 ]
}
# helps STATUS ARGUMENT...: the command is refused, what it tells to run is run, and then it is not refused.
helps()
{
  expect "$@"
  works
  expect 0 "${@:2}"
}
anew()
{
  rm -rf specs .handoff state .project
  mkdir -p specs/7_fast_start
}
# Usage: help that exists.
for wrong in zzzzzz 'list --foo' 'key' 'template' 'check --format nonsense .' 'version surplus' '--strict check' 'run --foo'; do
  # shellcheck disable=SC2086
  expect 2 $wrong
  works
done
printf '# Handoff\n\nStatus: completed\n\n## Next steps\n- Keep the table\n\n## Decisions\n- Keep it: clients read it\n' >notes.md
expect 4 check notes.md
works migrate
rm notes*
# Nothing was handed off yet.
anew
package lead bob >work.yaml
expect 0 status
works pass
# A phase: not started, not done, done, in another session, broken.
anew
helps 5 progress "done" 1 --task 7 --phase 1
helps 6 finish --task 7 --phase 1
anew
"$handoff" progress start --task 7 --phase 1 --objective One >/dev/null
HANDOFF_SESSION=other expect 0 progress "done" 1 --task 7 --phase 1
expect_err 'all objectives are done'
works finish
anew
expect 0 progress start --task 7 --phase 1 --objective One --objective Two
expect 0 pass --task 7 --phase 1 --next 'Open src/a.c and read it'
HANDOFF_AGENT=bob HANDOFF_SESSION=one expect 0 next --task 7 --phase 1
export HANDOFF_AGENT=bob HANDOFF_SESSION=two
expect 6 pass --task 7 --phase 1 --next 'Open src/b.c and read it'
HANDOFF_AGENT='' HANDOFF_SESSION='' works release
expect 0 next --task 7 --phase 1
# What a lead reads in the metadata.
node -p 'JSON.parse(require("fs").readFileSync("specs/7_fast_start/.return-meta.json")).next_steps' >"$folder/out"
: >"$folder/err"
works 'show HO'
# A progress file that cannot be read, once it is renamed.
progress=specs/7_fast_start/progress/phase-1-progress.json
echo '{"phase": 1,' >$progress
expect 3 progress "done" 1 --task 7 --phase 1
mv $progress $progress.broken
works 'progress start'
expect 0 progress "done" 1 --task 7 --phase 1
# Work for whoever takes the task, which this agent is not given by its name.
anew
unset HANDOFF_AGENT HANDOFF_SESSION
expect 0 pass --task 7 --phase 1 --next 'Open src/a.c and read it'
expect 1 next --as bob
works claim
# Claimed, but not begun.
anew
id=$("$handoff" send work.yaml --as lead)
expect 6 "done" "$id" --as bob
works claim
expect 0 "done" "$id" --as bob
# A gate is no handoff.
anew
"$handoff" template gate >/dev/null
cp "$(find "$source_dir/tests/cases/gate" -name '*.good.yaml' | sort | head -1)" gate.yaml
mkdir -p docs && echo Release >docs/release.md
expect 0 gate raise gate.yaml
gate=$("$handoff" gate list --json | jq -r '.gates[0].id')
expect 5 show "$gate"
works 'gate show'
# A file of the ledger is gone.
anew
id=$("$handoff" send work.yaml --as lead)
expect 0 claim "$id" --as bob
expect 0 "done" "$id" --as bob
expect 0 archive "$id"
rm -r .project
expect 1 verify
works repair
expect 0 verify
finish
