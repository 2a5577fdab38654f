#!/bin/bash
# A ledger that came with the repository is not used until a person trusts it, however git keeps its index. A ledger that
# git does not track costs a project nothing, wherever it is copied.
# shellcheck source=tests/attacks/trust_common
source "$(dirname "$0")/trust_common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs git
expect 0 init
package one.yaml coder reviewer
expect 0 send one.yaml
id=$(cat "$folder/out")
rm -f .handoff/.gitignore

# refused: every way to the ledger is closed, and it says what to do.
refused()
{
  local before
  before=$(cat .handoff/* 2>/dev/null | cksum)
  for command in "send one.yaml" list status "next --as reviewer" verify "show $id" "search epics" know; do
    # shellcheck disable=SC2086 # words of a command
    expect 7 $command
    expect_err ".handoff/handoff.db: error[ledger-tracked]: git tracks this ledger"
    expect_err "git rm --cached '.handoff/handoff.db*'"
    expect_err "run: handoff trust"
  done
  expect_that "the ledger was changed" [ "$(cat .handoff/* 2>/dev/null | cksum)" = "$before" ]
}
hostile
victim clone
refused
run doctor
expect_out "not used until a person trusts it: ledger"
expect 1 trust --show
expect_out "ledger (not trusted):"

# The advice helps: the file is no longer tracked, and the ledger is the user's own.
git rm -q --cached '.handoff/handoff.db*'
expect 0 list
expect_out "$id"
# Or a person trusts it, here and not in another clone.
victim trusted
expect 0 trust
expect_out "ledger is trusted"
expect 0 list
expect_out "$id"
expect 0 send one.yaml
expect 0 trust --revoke
expect 7 list
victim again
refused
# A store of one's own elsewhere is not affected.
expect 0 send one.yaml --store "$folder/own.db"

# Every form of the index: version 4, split in two, with SHA-256, without git's own help, in a worktree, below a folder.
victim four && git update-index --index-version 4 && refused
victim split && git update-index --split-index && refused
git rm -q --cached '.handoff/handoff.db*'
expect 0 list
git update-index --no-split-index
git worktree add -q "$folder/linked" && cd "$folder/linked" && expect 0 list && expect_out "$id"
victim main && git worktree add -q "$folder/linked2" && cd "$folder/linked2" || exit
expect 7 list
cd "$folder/project" && hostile --object-format=sha256
victim long && refused
victim long4 && git update-index --index-version 4 && refused
cd "$folder/project" && mkdir "$folder/tree" && cp -r . "$folder/tree/sub" && cd "$folder/tree" || exit
mkdir -p "a b" .github && touch "a b/c" .github/x .a .z z
for ((i = 0; i < 3000; i++)); do echo >"a b/a name that is long enough for the index to be read in pieces $i"; done
hostile
victim below && cd sub && refused
git rm -q --cached '.handoff/handoff.db*'
expect 0 list
victim below4 && git update-index --index-version 4 && cd sub && refused

# What would be taken for a part of the store counts too.
cd "$folder/project" && mv .handoff/handoff.db "$folder/kept.db" && echo x >.handoff/handoff.db-journal && hostile
victim journal
expect 7 send one.yaml
expect_err ".handoff/handoff.db-journal: error[ledger-tracked]"
rm "$folder/project/.handoff/handoff.db-journal"

# A normal project notices nothing: no git is started, one small file is read, and it may be moved, copied or restored.
mkdir "$folder/normal" && cd "$folder/normal" || exit
git init -q . && mkdir docs && echo spec >docs/spec.md
expect 0 init
package one.yaml coder reviewer
expect 0 send one.yaml
git add -A && git commit -qm first
expect 0 list
expect_no_err
cp -r . "$folder/copied" && mv "$folder/normal" "$folder/moved"
for place in copied moved; do
  cd "$folder/$place" || exit
  expect 0 list
  expect_no_err
done
expect_that "a file outside the project was made" [ -z "$(find "$XDG_DATA_HOME" -type f -newer "$folder/moved/one.yaml")" ]
if has strace "what is started" && strace -o /dev/null true 2>/dev/null; then
  ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=execve,openat,open -e signal=none -o "$folder/trace" "$handoff" list >/dev/null
  expect_that "git was started" [ "$(grep -c 'execve(' "$folder/trace")" = 1 ]
  expect_that "the index was opened more than once" [ "$(grep -c 'git/index"' "$folder/trace")" = 1 ]
  expect_that "the trust of a project that needs none was looked up" [ "$(grep -c '/handoff/trust' "$folder/trace")" = 0 ]
fi
finish
