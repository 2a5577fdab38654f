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

# Trust is given to the ledger as git has it: the program's own writes keep it, another ledger that a pull brings does
# not, be it a different one or the same with a file to write.
push()
{
  git -C "$folder/origin" commit -qam "$1"
  git checkout -q -- .handoff && rm -f .handoff/handoff.db-*
  git pull -q
}
victim pulled
expect 0 trust
expect 0 next --as reviewer
expect 0 list
expect 0 trust --show
change() { "$(dirname "$handoff")/tests/sql_tool" "$folder/origin/.handoff/handoff.db" "$1"; }
change "INSERT INTO intents (path, mode, content) VALUES ('.claude/settings.json', 0, 'hostile')"
push "the same ledger, and a file"
for command in list "next --as nobody" "send one.yaml" rebuild; do
  # shellcheck disable=SC2086 # words of a command
  expect 7 $command
  expect_err "git tracks this ledger, and has another version of it than was trusted, so it is not used until a person trusts it again"
done
expect_that "a file was written for an untrusted ledger" [ ! -e .claude ]
expect 1 trust --show
expect_out "ledger (changed):"
expect_out "handoffs: 1"
expect_out "newest: "
expect_out ".claude/settings.json"
expect_that "looking at it wrote a file" [ ! -e .claude ]
expect 1 trust --show --json
expect_json "$folder/out" 'v.items[0].inside.writes[0] === ".claude/settings.json" && v.items[0].value.in_git.map((f) => f.split(" ")[1]).join() === ".handoff/handoff.db,.handoff/handoff.db-sync"'
change "DELETE FROM intents"
push "without it"
expect 7 list
expect 0 trust
expect 0 list
mkdir "$folder/second" && cd "$folder/second" && mkdir docs && echo spec >docs/spec.md || exit
expect 0 init
package one.yaml coder somebody
expect 0 send one.yaml
"$(dirname "$handoff")/tests/sql_tool" .handoff/handoff.db "PRAGMA journal_mode = DELETE" >/dev/null
cp .handoff/handoff.db "$folder/origin/.handoff/handoff.db"
cd "$folder/pulled" && push "another ledger"
expect 7 list
expect 0 trust
expect 0 list
for form in "--index-version 4" --split-index; do
  # shellcheck disable=SC2086 # words of an option
  git update-index $form
  expect 0 list # the same version
  change "INSERT INTO meta (name, value) VALUES ('$form', '')"
  push "$form"
  # shellcheck disable=SC2086
  git update-index $form
  expect 7 list
  expect 0 trust
done

# A repository of its own around the ledger does not hide the one above, and a ledger is judged where it lies.
cd "$folder/project" && mkdir "$folder/nest" && cp -r . "$folder/nest/sub" && cd "$folder/nest" || exit
hostile
victim inner && cd sub || exit
expect 7 list
git init -q .
refused
cd "$folder/project" && hostile
victim lying && mkdir "$folder/user" && cd "$folder/user" && cp "$folder/lying/one.yaml" . || exit
for store in ../lying/.handoff/handoff.db "$folder/lying/.handoff/handoff.db" "sqlite:$folder/lying/.handoff/handoff.db"; do
  expect 7 list --store "$store"
  expect_err "ledger-tracked"
  HANDOFF_STORE=$store expect 7 list
done
ln -s "$folder/lying/.handoff/handoff.db" link.db
expect 7 list --store link.db
ln -s "$folder/lying" way
expect 7 list --root way
expect 0 trust --store ../lying/.handoff/handoff.db
expect 0 list --store ../lying/.handoff/handoff.db
expect_out "$id"

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

# A worktree whose repository is not there any more: nothing says that the ledger did not come with it.
cd "$folder/project" && hostile
victim gone && git worktree add -q "$folder/alone" && mv "$folder/gone" "$folder/gone-elsewhere" && cd "$folder/alone" || exit
expect 7 list

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
  # Only its own: an empty .git above the folder for temporary files, which Codex's sandbox leaves behind, is looked at too.
  expect_that "the index was opened more than once" [ "$(grep -c "\"$PWD/.git/index\"" "$folder/trace")" = 1 ]
  expect_that "the trust of a project that needs none was looked up" [ "$(grep -c '/handoff/trust' "$folder/trace")" = 0 ]
fi
finish
