#!/bin/bash
# The first minute: one command sets up project and harness, wrong input gets the nearest right thing, and what is refused
# leaves nothing behind.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
git init -q .
printf '# Notes\n\nWe did things.\n- next: fix it\n' >HANDOFF.md
left() { find . -mindepth 1 -maxdepth 1 ! -name .git ! -name HANDOFF.md -printf '%f\n' | sort | paste -sd' '; }

# Refused to agents, and to settings that cannot be read, before anything is created.
CLAUDECODE=1 expect 7 init --claude
expect_err "only a person may run 'handoff install'"
expect_that "left behind: $(left)" [ -z "$(left)" ]
mkdir .claude
echo '{ bad' >.claude/settings.json
expect 3 init --claude
expect_err '.claude/settings.json'
expect_that "left behind: $(left)" [ "$(left)" = .claude ]
rm -r .claude
expect 0 init --claude --codex
expect_out 'created .handoff/config.yaml'
expect_out 'created .claude/settings.json'
expect_out 'created .codex/hooks.json'
expect_err 'next: start claude in this project'
expect_that "said twice" [ "$(sort "$folder/err" | uniq -d | wc -l)" = 0 ]
cp .claude/settings.json "$folder/settings"
expect 0 install claude
expect_out 'unchanged'
expect_that "other settings than those of install" cmp .claude/settings.json "$folder/settings"
expect 0 init --claude --json
expect_json "$folder/out" 'v.created.length === 0 && v.installed.every((f) => f.what === "unchanged")'
rm -r .handoff .claude .codex
git init -q below
expect 0 init
(cd below && "$handoff" init --gemini) >"$folder/out" 2>"$folder/err"
expect_that "not in the nearer project" [ -f below/.gemini/settings.json ]
rm -r .handoff below

# Words of other programs.
for word in ls cat get rm delete cancel add push create take pull complete close validate lint find grep history tail top watch setup; do
  expect 2 $word
  expect_err "unknown command '$word'; run: handoff "
  read -r first second _ < <(sed -n 's/.*run: handoff //p' "$folder/err")
  run help "$first" || run help "$first" "$second"
  expect_that "'$word' names '$first', which is not a command" [ -s "$folder/out" ]
done
expect 2 ls
expect_err_is "handoff: unknown command 'ls'; run: handoff list"

# A value of the wrong type is repeated.
expect 2 list --limit x
expect_err_is "handoff: --limit: expected a whole number, found 'x'"
expect 2 list --mine=perhaps
expect_err "expected true or false, found 'perhaps'"

# Notes that no format recognises; whatever is refused leaves nothing behind.
while read -r wanted command; do
  # shellcheck disable=SC2086
  expect "$wanted" $command
  expect_that "left behind: $(left)" [ -z "$(left)" ]
done <<'END'
4 send HANDOFF.md
5 send nowhere.md
4 learn HANDOFF.md
5 rebuild
5 done 3
5 claim 3
5 gate show 1
5 archive 3
5 backup copy.db
4 pass --next Continue
2 new nothing
2 init --wrong
END
expect 4 send HANDOFF.md
expect_err 'run: handoff migrate HANDOFF.md'
expect_err 'run: handoff import HANDOFF.md'
expect 5 rebuild
expect_err 'nothing to rebuild'

# Nothing was lost by that: learning makes the store once there is something for it.
expect 0 learn "$source_dir/examples/phase-2-handoff-20260309.md"
expect_that "no store" [ -f .handoff/handoff.db ]
expect 0 know --json
expect_json "$folder/out" 'v.nodes.length > 0'

# A task that is not started, because its handoff is refused, is not announced.
expect 4 pass --next 'Continue working'
expect_that "a task is announced" test -z "$(grep 'started task' "$folder/err")"
expect_that "there is a task" [ ! -e specs ]
finish
