#!/bin/bash
# doctor about the harnesses: are hooks registered, trusted and run, does a login shell find the program, is the window known?
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
export HOME=$folder/home SHELL=/bin/bash
unset CLAUDE_CONFIG_DIR CODEX_HOME
mkdir "$HOME" "$folder/bin" "$folder/agents"
ln -s "$handoff" "$folder/bin/handoff"
PATH=$folder/bin:/usr/bin:/bin
expect 0 init

# Nothing of the kind: one line.
expect 0 doctor
expect_out "none of Claude Code, Codex, Gemini or opencode is installed here"
expect_not_out "hooks registered"
expect_not_out "login shell"

# Installed, not registered; registered, and nothing happened yet; the first event.
printf '#!/bin/sh\n' >"$folder/agents/claude" && chmod +x "$folder/agents/claude"
PATH=$PATH:$folder/agents
expect 0 doctor
expect_out "warning claude      0 of 8 hooks registered, no event yet"
expect_out "Run 'handoff install claude'."
expect_not_out "codex"
expect 0 install claude
expect_err "next: start claude in this project; then 'handoff doctor' says whether its hooks run"
expect 0 doctor
expect_out "ok      claude      8 of 8 hooks registered, no event yet"
expect_out "Start claude in this project"
transcript=$data/claude-usage.jsonl
event claude PostToolUse '"tool_name":"Bash","tool_input":{"command":"ls"}'
expect 0 doctor
expect_that "no time and window: $(grep claude "$folder/out")" grep -qE '^ok      claude      8 of 8 hooks registered, last event 20[0-9-]+T[0-9:]+Z \((now|[0-9]+s ago)\), window [0-9]+ \(claude-' "$folder/out"
# One that calls a harness that does not exist: its hook keeps silent, so doctor says it.
cp .claude/settings.json "$folder/right" && sed -i '0,/handoff hook claude/s//handoff hook cluade/' .claude/settings.json
expect 0 hook cluade </dev/null
expect_out_is '{}'
expect 0 doctor
expect_out "7 of 8 hooks registered"
expect_out "warning claude      .claude/settings.json calls 'handoff hook cluade', which is not a harness, so that hook does nothing"
expect_out "Write 'handoff hook claude' there."
cp "$folder/right" .claude/settings.json
expect 0 doctor
expect_not_out "which is not a harness"
# Somebody has taken one out; what is in the user's own settings counts too.
node -e 'const fs = require("fs"), f = ".claude/settings.json", v = JSON.parse(fs.readFileSync(f)); delete v.hooks.Stop; fs.writeFileSync(f, JSON.stringify(v))'
expect 0 doctor
expect_out "7 of 8 hooks registered"
expect 0 install claude --global
expect 0 doctor
expect_out "8 of 8 hooks registered"
touch -d '3 minutes ago' .handoff/context/*.scan.json
expect 0 doctor
expect_out "Z (3m ago), window"
# An unknown model.
printf '%s\n' '{"type":"assistant","message":{"id":"m1","role":"assistant","model":"nobody-1","content":[],"usage":{"input_tokens":9,"output_tokens":1}}}' >"$folder/odd.jsonl"
session=s2 transcript=$folder/odd.jsonl
touch -d '1 hour ago' .handoff/context/*.scan.json
event claude PostToolUse '"tool_name":"Bash","tool_input":{"command":"ls"}'
expect 0 doctor
expect_out "window of the model 'nobody-1' unknown"
expect_out "'windows' in"

# Codex runs what a person has trusted.
expect 0 install codex
expect 0 doctor
expect_out "warning codex       6 of 6 hooks registered, 0 of 6 trusted, no event yet"
expect_out "Codex runs hooks only once you trust them"
mkdir "$HOME/.codex"
for event in session_start post_tool_use pre_compact stop subagent_stop session_end; do
  printf '[hooks.state."%s/.codex/hooks.json:%s:0:0"]\ntrusted_hash = "sha256:0"\n' "$PWD" $event
done >"$HOME/.codex/config.toml"
expect 0 doctor
expect_out "ok      codex       6 of 6 hooks registered, 6 of 6 trusted, no event yet"

# A login shell has a PATH of its own.
printf 'PATH=%s\n' "$folder/bin:/usr/bin:/bin" >"$HOME/.bash_profile"
expect 0 doctor
expect_out "ok      login shell finds $folder/bin/handoff"
mkdir "$folder/old" && printf '#!/bin/sh\necho handoff 0.0.1\n' >"$folder/old/handoff" && chmod +x "$folder/old/handoff"
printf 'PATH=%s\n' "$folder/old:/usr/bin:/bin" >"$HOME/.bash_profile"
expect 0 doctor
expect_out "warning login shell finds $folder/old/handoff, which is not version $("$handoff" version | sed -n '1s/handoff //p')"
printf 'PATH=/nonexistent\n' >"$HOME/.bash_profile"
expect 0 doctor
expect_out "warning login shell /bin/bash -l does not find handoff"
expect 0 doctor --json
expect_json "$folder/out" 'v.healthy && v.checks.filter((c) => ["claude", "codex", "login shell"].includes(c.name)).length === 3'

# Settings that cannot be read are not registered, and hold up nothing.
echo '{' >.claude/settings.json
rm -r "$HOME/.claude"
expect 0 doctor
expect_out "claude      0 of 8 hooks registered"

# A clone of a project that keeps its seal and its archive in git has no database. It could as well have been deleted, so
# no command starts over: all of them say what a person does, and so does the session.
if has git "a clone"; then
  mkdir docs && echo spec >docs/spec.md
  git init -q . && git config user.email a@example.com && git config user.name a
  package a.yaml lead coder
  send a.yaml
  claim --as coder
  expect 0 ack "$id" --token "$token" --task "Write it"
  expect 0 'done' "$id" --token "$token"
  git add -A . >/dev/null 2>&1 && git commit -qm "What there is" && git clone -q . "$folder/clone" && cd "$folder/clone" || exit
  expect_that "the archive is not in the clone" [ -d .project ]
  lost="the store is lost, or this is a fresh clone"
  for command in status list verify 'pass --next Measure'; do
    # shellcheck disable=SC2086 # words
    expect 10 $command
    expect_err "$lost"
    expect_err "runs 'handoff rebuild' once"
  done
  expect 1 doctor
  expect_out "error   store       $lost"
  session=clone
  event claude SessionStart '"source":"startup"'
  says SessionStart "Tell the person: $lost"
  expect_that "a store was begun" [ ! -e .handoff/handoff.db ]
  expect_terminal 1 rebuild
  expect 0 show "$id"
  expect 0 doctor
  event claude SessionStart '"source":"startup"'
  silent
fi
finish
