#!/bin/bash
# An agent that may run `handoff` may not run anything with it: `run` starts known clients for it, and agents of the
# settings that a person has trusted, never a command line.
# shellcheck source=tests/attacks/trust_common
source "$(dirname "$0")/trust_common"
mkdir .handoff "$folder/bin"
printf 'agents:\n  - name: writer\n    command: [touch, %s/writer]\n' "$folder" >.handoff/config.yaml
a_plan
for name in claude codex; do
  printf '#!/bin/bash\n"$@"\nexit $?\n' >"$folder/bin/$name" && chmod +x "$folder/bin/$name"
done
mkdir "$folder/path" && printf '#!/bin/sh\ntouch %s/client\n' "$folder" >"$folder/path/claude" && chmod +x "$folder/path/claude"
mkdir -p "$folder/node_modules/@google/gemini-cli" && cat >"$folder/node_modules/@google/gemini-cli/cli.cjs" <<'END'
process.exit(require('child_process').spawnSync(process.argv[2], process.argv.slice(3), { stdio: 'inherit' }).status)
END

# again: the plan is started anew.
again() { cp -r . "$folder/again$((++turn))" && cd "$folder/again$turn" && rm -rf .handoff/*.db* .handoff/seal .handoff/run specs state .project && a_plan; }
turn=0

# by_agent STATUS SIGN ARGUMENT...: `run plan.md ARGUMENT...` in the way of $through.
by_agent()
{
  local wanted=$1 sign=$2
  shift 2
  last="run plan.md $* (through ${through[*]})"
  "${through[@]}" "$handoff" run plan.md --max-successors 1 "$@" >"$folder/out" 2>"$folder/err"
  status=$?
  if [ -z "$wanted" ] || [ $status = "$wanted" ]; then result ok; else result bad "exit status $status, not $wanted"; fi
  [ -z "$sign" ] || expect_err "$sign"
}

attempt()
{
  local sign=$1 worker
  shift
  through=("$@")
  for command in "sh -c 'touch $folder/owned'" "touch $folder/owned" "/usr/bin/env touch $folder/owned" "./plan.md" "bash"; do
    by_agent 7 "only a person may start a command of their choice, but $sign" --agent "$command"
    by_agent 0 "only a person may start a command of their choice, but $sign" --agent "$command" --dry-run
    expect_err "so an agent is running this; without --dry-run it is refused"
  done
  last="run --worker (through $*)"
  "${through[@]}" "$handoff" run --worker --agent "touch $folder/owned" --as coder >"$folder/out" 2>"$folder/err"
  worker=$?
  expect_that "a worker started it: exit status $worker" [ $worker = 7 ]
  by_agent 7 "agent 'writer' in .handoff/config.yaml is not started until a person trusts it" --agent writer
  untouched
}
for variable in HANDOFF_AGENT CLAUDECODE CODEX_THREAD_ID GEMINI_CLI OPENCODE; do
  attempt "$variable is set" env "$variable=1"
done
attempt "it was started by process" "$folder/bin/claude" env -i "HOME=$HOME" "PATH=$PATH" "XDG_DATA_HOME=$XDG_DATA_HOME"
attempt "it was started by process" "$folder/bin/codex"
attempt "it was started by process" node "$folder/node_modules/@google/gemini-cli/cli.cjs"
if has setpriv "no_new_privs"; then attempt "no_new_privs is set" setpriv --no-new-privs; fi
expect 0 lineage

# A project that the agent has made itself is trusted no more.
mkdir -p "$folder/theirs/.handoff" && printf 'agents:\n  - name: x\n    command: [touch, %s/owned]\n' "$folder" >"$folder/theirs/.handoff/config.yaml"
through=(env CLAUDECODE=1)
by_agent 7 "is not started until a person trusts it" --agent x --root "$folder/theirs"
untouched

# A program of the project is not a known client, wherever PATH looks.
printf '#!/bin/sh\ntouch %s/owned\n' "$folder" >claude && chmod +x claude
clean=$(tr ':' '\n' <<<"$PATH" | while read -r one; do [ -x "$one/claude" ] || printf '%s:' "$one"; done)
for path in . '' ./ ../"$(basename "$PWD")"; do
  PATH=$path:$clean by_agent 5 "program 'claude' not found" --agent claude
done
rm claude
untouched

# A known client is started for it, and what a person has trusted, until the agent changes it.
PATH=$folder/path:$PATH by_agent '' '' --agent claude
expect_that "a known client was not started" [ -e "$folder/client" ]
again
expect 0 trust
by_agent '' '' --agent writer
expect_that "a trusted agent was not started" [ -e "$folder/writer" ]
again
sed -i "s/writer\]/owned]/" .handoff/config.yaml
by_agent 7 "is not started until a person trusts it" --agent writer
untouched

# A person starts what they like.
again
through=(env)
by_agent '' '' --agent "touch $folder/mine"
expect_that "a person's command was not started" [ -e "$folder/mine" ]
finish
