#!/bin/bash
# What only a person may do is refused to agents, by every sign there is: variables, the processes above, no_new_privs.
# shellcheck source=tests/attacks/trust_common
source "$(dirname "$0")/trust_common"
expect 0 init
mkdir -p "$folder/bin"

# The commands that say so themselves, with arguments that would do something.
commands=$("$handoff" help --all --man | awk '/^\\fBhandoff /{name = $0; gsub(/^\\fBhandoff |\\fR.*/, "", name)} /^Only for people/{print name}')
for name in install rebuild trust prune 'gate decide' approve 'key new' 'key enrol' 'key revoke' 'token new' 'token revoke'; do
  expect_that "$name is not only for people" grep -qx "$name" <<<"$commands"
done
declare -A arguments=([install]="claude" [rebuild]="" [trust]="" [prune]="--before 2099-01-01" ['gate decide']="G-2026-001 approve" [approve]="G-2026-001 --note x" ['key revoke']="alice" ['token new']="phone --role decide:alice" ['token revoke']="phone")

# refused_by SIGN COMMAND...: run through COMMAND, each of them exits 7 and names the sign; nothing has changed.
refused_by()
{
  local sign=$1 name before
  shift
  before=$(find . -type f -exec cksum {} +)
  while IFS= read -r name; do
    last="$name (through $*)"
    # shellcheck disable=SC2086 # words of a command
    "$@" "$handoff" $name ${arguments[$name]:-} >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
    if [ $status = 7 ]; then result ok; else result bad "exit status $status, not 7"; fi
    expect_err "only a person may run 'handoff $name'"
    expect_err "$sign"
    if [[ $sign = HANDOFF_AGENT* ]]; then expect_err "run: unset HANDOFF_AGENT"; else expect_err "a person runs it in a terminal that no agent has started"; fi
  done <<<"$commands"
  expect_that "something was changed" [ "$(find . -type f -exec cksum {} +)" = "$before" ]
  last="doctor (through $*)"
  "$@" "$handoff" doctor >"$folder/out" 2>&1 </dev/null
  expect_out "$sign"
}

# The signs of every harness, by their rows: "HARNESS KIND WORD".
"$1/tests/harness_tool" signs >"$folder/signs" || exit
signs_of() { awk -v kind="$1" '$2 == kind { print $1, $3 }' "$folder/signs"; }
for kind in variable program folder; do expect_that "no harness has a $kind" [ -n "$(signs_of $kind)" ]; done

refused_by "HANDOFF_AGENT is set" env HANDOFF_AGENT=1
# A sign is one for all commands: of the other signs, one command is enough.
for variable in AI_AGENT $(signs_of variable | cut -d ' ' -f 2); do
  commands=trust refused_by "$variable is set" env "$variable=1"
done

# No variable, but a harness among the processes above: by its name, as an interpreter's script, in a folder of its own.
cat >"$folder/bin/start.mjs" <<'END'
import { spawnSync } from 'node:child_process'
process.exit(spawnSync(process.argv[2], process.argv.slice(3), { stdio: 'inherit', env: {} }).status)
END
while read -r harness name; do
  printf '#!/bin/bash\n"$@"\nexit $?\n' >"$folder/bin/$name" && chmod +x "$folder/bin/$name"
  commands=trust refused_by "($harness)" "$folder/bin/$name" env -i
done < <(signs_of program)
echo '{"type": "module"}' >"$folder/bin/package.json"
while read -r harness name; do
  script=$folder/bin/node_modules/$name/dist/main.js
  mkdir -p "$(dirname "$script")" && cp "$folder/bin/start.mjs" "$script"
  commands=trust refused_by "($harness)" node --no-warnings "$script"
done < <(signs_of folder)
cp "$folder/bin/start.mjs" "$folder/bin/gemini.mjs"
refused_by "it was started by process" node "$folder/bin/gemini.mjs"
# By its file, whatever that is called: clients start themselves by it.
for file in node_modules/@anthropic-ai/claude-code/bin/claude.exe share/claude/versions/2.1.325; do
  mkdir -p "$folder/$(dirname $file)"
  cp "$(command -v bash)" "$folder/$file"
  # shellcheck disable=SC2016 # expanded by the copy
  refused_by "(claude)" "$folder/$file" -c '"$@"; exit $?' x env -i
done
# Through other programs in between.
refused_by "it was started by process" "$folder/bin/claude" env -i sh -c '"$@"; exit $?' sh bash -c '"$@"; exit $?' bash

# Through more of them than are looked at.
cat >"$folder/deep" <<'END'
#!/bin/bash
depth=$1
shift
if [ "$depth" = 0 ]; then "$@"; else "$0" $((depth - 1)) "$@"; fi
exit $?
END
chmod +x "$folder/deep"
refused_by "it was started by process" "$folder/bin/claude" env -i "$folder/deep" 100
commands=trust refused_by "too many processes are above it" "$folder/bin/claude" env -i "$folder/deep" 300

# A teammate of a run, whatever it does to its environment.
cat >"$folder/mate" <<END
#!/bin/bash
env -i "$handoff" trust >"$folder/mate.out" 2>&1
echo "\$?" >>"$folder/mate.out"
END
chmod +x "$folder/mate"
a_plan
run run plan.md --agent "$folder/mate" --max-successors 1
expect_that "a teammate is not known as one: $(cat "$folder/mate.out")" grep -q "started by process .*(handoff-shim)" "$folder/mate.out"
expect_that "a teammate was not refused" [ "$(tail -1 "$folder/mate.out")" = 7 ]

# A sandbox.
if has setpriv "no_new_privs"; then refused_by "no_new_privs is set" setpriv --no-new-privs env -i; fi

# What only shows something is refused to nobody.
CLAUDECODE=1 expect 0 trust --show
CLAUDECODE=1 expect 0 install claude --print
expect_that "it was installed" [ ! -e .claude ]

# People are not refused: not for a folder, an argument or an editor with such a name.
mkdir -p "$folder/claude/codex" && cp "$folder/bin/start.mjs" "$folder/claude/codex/server.mjs"
printf '#!/bin/bash\nshift\n"$@"\nexit $?\n' >"$folder/people"
# accepted COMMAND...: run through COMMAND, a person is not refused.
accepted()
{
  last="trust (through $*)"
  "$@" "$handoff" trust >"$folder/out" 2>"$folder/err"
  expect_that "a person was refused" [ "$(grep -c 'only a person' "$folder/err")" = 0 ]
}
accepted env
accepted sh -c '"$@"; exit $?' sh
accepted node "$folder/claude/codex/server.mjs"
accepted node "$folder/claude/codex/server.mjs" env claude=1
accepted bash "$folder/people" claude
mkdir -p "$folder/claude/bin" && cp "$(command -v bash)" "$folder/claude/bin/shell"
# shellcheck disable=SC2016 # expanded by the copy
accepted "$folder/claude/bin/shell" -c '"$@"; exit $?' x
expect 0 doctor
expect_out "no sign that an agent runs this"
finish
