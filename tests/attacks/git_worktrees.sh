#!/bin/bash
# Worktrees of a run in a repository prepared by a stranger: what only holds there starts nothing, and git writes nowhere
# else.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/attacks/git_common
source "$source_dir/tests/attacks/git_common"

plan=specs/31_describe_formats/plans/implementation-001.md
# relay NAME: a repository with a plan.
relay()
{
  repository "$folder/$1"
  cp -r "$source_dir/examples/relay/specs/." specs
  echo '*.md filter=evil' >.gitattributes
  git add . && git commit -qm plan
  expect 0 init
}
# refused: the run makes no worktree and says so.
refused()
{
  "$handoff" run $plan --agent /bin/true --worktrees --max-successors 1 </dev/null >"$folder/out" 2>"$folder/err"
  last="run --worktrees with $1"
  expect_err "git cannot create a worktree"
  harmless "$1"
}

# Configuration that holds on the branch or in the folder of a worktree only.
for condition in 'onbranch:handoff/**' 'gitdir:**/worktrees/**'; do
  relay "include-${condition%%:*}"
  printf '[filter "evil"]\n\tsmudge = %s\n' "$evil" >.git/evil.config
  printf '[includeIf "%s"]\n\tpath = evil.config\n' "$condition" >>.git/config
  refused "includeIf $condition"
done

# A file that is there only once git has made its folder for the worktree, or that looks different from there.
relay include-late
printf '[filter "evil"]\n\tsmudge = %s\n' "$evil" >.git/evil.config
printf '[include]\n\tpath = worktrees/1/../../evil.config\n' >>.git/config
refused "an include that leads through the worktree's folder"
expect_err "the repository's configuration has 'include'"
relay include-cwd
printf '[filter "evil"]\n\tsmudge = %s\n' "$evil" >evil.config
git add evil.config && git commit -qm evil && echo >evil.config
printf '[include]\n\tpath = /proc/self/cwd/evil.config\n' >>.git/config
refused "an include that leads through /proc"
relay config-link
git config extensions.worktreeConfig true
printf '[filter "evil"]\n\tsmudge = %s\n' "$evil" >.git/evil.config
ln -s worktrees/1/../../evil.config .git/config.worktree
refused "a link config.worktree"

# Links where git keeps what it knows of branches.
echo mine >"$folder/bashrc"
mkdir "$folder/elsewhere"
for place in logs/refs/heads/handoff/R-2026-001/1 logs/refs/heads/handoff refs/heads/handoff/R-2026-001; do
  relay "link-${place//\//-}"
  mkdir -p ".git/$(dirname $place)"
  case $place in */1) ln -s "$folder/bashrc" ".git/$place" ;; *) ln -s "$folder/elsewhere" ".git/$place" ;; esac
  refused "a link $place"
  expect_that "$place: a file elsewhere has changed" test "$(cat "$folder/bashrc")" = mine
  expect_that "$place: something was made elsewhere" test -z "$(ls "$folder/elsewhere")"
done

# A repository without any of it gets its worktrees.
relay normal
"$handoff" run $plan --agent /bin/true --worktrees --max-successors 1 </dev/null >"$folder/out" 2>"$folder/err"
last="run --worktrees"
expect_that "no worktree was made" test -d .handoff/trees -o -n "$(git worktree list | sed 1d)"
tree=$(echo .handoff/run/*/trees/1)
expect_that "its files are not there" test -s "$tree/$plan"
expect_that "git calls it changed" test -z "$(git -C "$tree" status --porcelain -uno)"

# A ledger that came as a submodule: the folder itself, or a folder around it.
unset HANDOFF_STORE
git config --global protocol.file.allow always
repository "$folder/ledger"
expect 0 init
expect 0 send first.yaml
mkdir "$folder/sub" && cp .handoff/handoff.db "$folder/sub"
(cd "$folder/sub" && git init -q . && git add -A && git commit -qm ledger)
repository "$folder/top"
sed -i '/handoff/d' .gitignore
git submodule --quiet add "$folder/sub" .handoff && git commit -qam sub
git clone -q --recurse-submodules "$folder/top" "$folder/victim" && cd "$folder/victim" || exit
expect 7 status
expect_err "ledger-tracked"
rm .handoff/.git
expect 7 status
expect_err "ledger-tracked"

repository "$folder/psub"
rm .gitignore
mkdir .handoff && cp "$folder/sub/handoff.db" .handoff
git add -fA && git commit -qm ledger
repository "$folder/top2"
git submodule --quiet add --name x/.git "$folder/psub" app && git commit -qam sub
git clone -q --recurse-submodules "$folder/top2" "$folder/victim2" && cd "$folder/victim2/app" || exit
expect 7 status
expect_err "ledger-tracked"
finish
