#!/bin/bash
# The settings state_folder and archive_folder: what handoff writes for others is where they say, also after a change.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

# ended SUMMARY: a handoff that has ended; sets $id.
ended()
{
  package work.yaml lead coder '' "$1"
  send work.yaml
  claim --as coder
  expect 0 ack "$id" --task "As asked" --token "$token"
  expect 0 'done' "$id" --token "$token"
}
names=state/current.json
first="The first piece of work, with 3 epics and 12 user stories that are written down"
second="A second piece of work, with 2 epics and 5 user stories that are written down"
third="A third piece of work: sessions of the login are measured and their lifetime is known"

# ---- Only folders in the project, which no other program looks for.
git init -q && git config user.name me && git config user.email me@example.org
package work.yaml lead coder '' "$first"
mkdir .handoff
for folder_name in /tmp/x ../x a/../b .git .git/hooks .handoff .claude .github/workflows a/.vscode specs specs/1_x -x a//b a/ \
  'a b' 'a*' ':(glob)a' '' "$(printf 'a%.0s' {1..201})"; do
  for name in state_folder archive_folder; do
    printf '%s: "%s"\n' "$name" "$folder_name" >.handoff/config.yaml
    expect 4 config
    expect_err "/$name"
    expect 4 send work.yaml
  done
done
expect_that "something was written" [ ! -e state ]

# ---- In use: everything is there, and nothing elsewhere.
printf 'state_folder: docs/handoff\narchive_folder: .project/audit\n' >.handoff/config.yaml
expect 0 init
expect_err "will also write docs/handoff/ (setting state_folder) and .project/audit/ (archive_folder)"
expect 0 config state_folder
expect_out_is docs/handoff
ended "$first"
one=$id
expect_that "nothing is where the settings say" [ -f docs/handoff/current.json -a -n "$(find .project/audit/sessions -name "$one.yaml")" ]
expect_that "something is in the usual place" [ ! -e state -a ! -e .project/07-audit ]
expect 0 state --json
expect_that "state tells another path" [ "$(field path)" = docs/handoff/current.json ]
expect 0 verify
expect 0 check .
expect_not_out "$one.yaml"
git add -A && git commit -qm all || exit
ended "$second"
two=$id
expect_that "its own files change the tree" [ -z "$(git status --porcelain -- . ':(exclude)docs/handoff' ':(exclude).project' ':(exclude).handoff' ':(exclude)work.yaml')" ]

# ---- A worktree whose settings say something else writes where the main one does.
git worktree add -q ../other && mkdir -p ../other/.handoff && printf 'state_folder: elsewhere\n' >../other/.handoff/config.yaml
package ../other/work.yaml lead coder '' "$third"
mkdir -p ../other/docs && echo spec >../other/docs/spec.md
(cd ../other && "$handoff" send work.yaml) >"$folder/out" 2>"$folder/err"
three=$(cat "$folder/out")
expect_that "it is not in the state file" grep -q "$three" docs/handoff/current.json
expect_that "the worktree has one of its own" [ ! -e ../other/elsewhere -a ! -e elsewhere ]
git worktree remove --force ../other

# ---- They are moved: repair writes them anew; doctor says what is left.
rm .handoff/config.yaml
expect 0 repair
expect_out "written: $names"
expect_out "written: .project/07-audit/sessions/"
expect_that "copies are left" [ -z "$(find .project/audit -name '*.yaml')" ]
expect_that "a copy is missing" [ "$(find .project/07-audit -name "$one.yaml" -o -name "$two.yaml" | wc -l)" = 2 ]
expect 0 verify
expect 0 repair
expect_out_is "no file is missing"
printf 'state_folder: docs/handoff\narchive_folder: docs/audit\n' >.handoff/config.yaml
"$handoff" doctor >"$folder/out"
expect_out "state/current.json is no longer written; the state file is docs/handoff/current.json"
expect_out ".project/07-audit/sessions has copies of handoffs; the archive is docs/audit/sessions"
expect 0 verify

# Moved by hand, or gone: what is recorded follows.
mkdir docs/audit
mv .project/07-audit/sessions docs/audit/sessions
rm "$(find docs/audit -name "$two.yaml")"
expect 1 verify
expect_out "the archive of $one is gone; run: handoff repair"
expect 0 repair
expect_out "written: docs/audit/sessions/"
expect_that "a copy is missing" [ "$(find docs/audit -name "$one.yaml" -o -name "$two.yaml" | wc -l)" = 2 ]
expect_that "one is in the usual place" [ -z "$(find .project -name '*.yaml')" ]
expect 0 verify
rm -r state
"$handoff" doctor >"$folder/out"
expect_not_out "no longer written"
expect_not_out "has copies"

# ---- The store is lost: what is in the new place is found, and what repair has not moved yet.
ended "$third, and written down"
four=$id
mkdir -p .project/07-audit && mv docs/audit/sessions .project/07-audit/sessions
rm -f .handoff/handoff.db* .handoff/seal
expect 10 list
expect_err "the store is lost"
"$handoff" rebuild >"$folder/out" 2>"$folder/err"
expect 0 list --state 'done' --json
for each in "$one" "$two" "$four"; do expect_out "$each"; done
expect 0 repair
expect_that "a copy was not moved" [ "$(find docs/audit -name "$one.yaml" -o -name "$two.yaml" -o -name "$four.yaml" | wc -l)" = 3 ]
expect 0 verify
finish
