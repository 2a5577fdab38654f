#!/bin/bash
# Somebody who knows nothing but README.md: the commands of its first block, as they stand, in a fresh project, lead to a handoff that
# is offered to a second session, and to an agent that carries it on; with `--codex` or `--gemini` just as well. The program is
# installed from a fresh clone; what `make install` would build takes minutes, so the build at hand is installed in its place. The
# harnesses are played by tests/cli/stand_in, which runs the hooks that were registered.
build=$(realpath "$1")
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/pages_common
source "$source_dir/tests/cli/pages_common"
needs git make
rm "$folder/bin/handoff"
git clone -q --depth 1 "file://$source_dir" "$folder/clone" 2>"$folder/err" || cp -r "$source_dir" "$folder/clone"
cp "$source_dir/README.md" "$folder/clone"
awk '/^```bash$/ { on = 1; next } /^```$/ && on { exit } on' "$folder/clone/README.md" | sed 's/ *# .*//' >"$folder/commands"
expect_that "the first block of README.md has no commands" test -s "$folder/commands"

# make TARGET...: of the clone; its targets are there, and what would be installed is.
make()
{
  command make -n -C "$folder/clone" "$@" >"$folder/out" 2>"$folder/err" || return
  DESTDIR='' cmake --install "$build" --prefix "$folder/installed" >>"$folder/out" 2>&1 || return
  PATH=$folder/installed/bin:$PATH handoff=$folder/installed/bin/handoff
}

step='Read quoted fields in the reader of CSV files'
# second HARNESS FILE: another session begins, as the harness's settings say; it is offered what the first has left.
second()
{
  last="(a second session of $1)"
  printf '{"session_id":"second","transcript_path":"%s/none.jsonl","cwd":"%s","hook_event_name":"SessionStart","source":"startup"}' "$HOME" "$PWD" >"$folder/event"
  bash -c "$(jq -r '.hooks.SessionStart[0].hooks[0].command' "$2")" <"$folder/event" >"$folder/out" 2>"$folder/err"
  expect_json "$folder/out" "v.hookSpecificOutput.additionalContext.includes('Next action: $step')"
  expect_json "$folder/out" 'v.hookSpecificOutput.additionalContext.includes("claim it with \u0060handoff next --task 1 --phase 1\u0060")'
}

# stranger HARNESS FILE: types the commands, in a project of its own; FILE has the hooks.
stranger()
{
  local harness=$1 file=$2 command typed=0 after='' begun offered=0
  rm -rf "$HOME/told" && mkdir "$folder/of-$harness" && cd "$folder/of-$harness" && git init -q . || return
  begun=$(date +%s%N)
  while IFS= read -r command <&3; do
    command=${command//claude/$harness}
    typed=$((typed + 1)) last="($command)"
    eval "$command" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
    expect_that "exit status $status" [ "$status" = 0 ]
    case $command in
      "$harness") expect_that "the agent was not asked to hand over" grep -qE 'Your context is 8[0-9.]+ % full' "$HOME/told/1" ;;
      handoff)
        expect_out "$step"
        second "$harness" "$file"
        offered=$(date +%s%N) after=$typed
        ;;
      'handoff run')
        expect_out "$harness: HO-"
        expect_that "the agent was not given the handoff" grep -q "$step" "$HOME/told/2"
        expect 0 list --state 'done' --json
        expect_json "$folder/out" 'v.handoffs.length === 1'
        ;;
    esac
  done 3<"$folder/commands"
  last="($harness)"
  expect_that "nothing was offered" [ -n "$after" ]
  expect_that "not all five lines" [ "$typed" = 5 ]
  echo "$harness: from a clone to a handoff that a second session is offered: $after commands, $(((offered - begun) / 1000000)) ms (without the build)"
}
stranger claude .claude/settings.json
stranger codex .codex/hooks.json
stranger gemini .gemini/settings.json
finish
