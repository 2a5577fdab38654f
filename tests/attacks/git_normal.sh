#!/bin/bash
# An ordinary project notices nothing of all this: the user's own filters run, and git's answers are what they were.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/attacks/git_common
source "$source_dir/tests/attacks/git_common"

# tree WORD FILE: FILE is sent here, and git calls the tree so; in the same way when it is shown.
tree()
{
  expect 0 send "$2" --json
  expect 0 show "$(field id)" --json
  expect_json "$folder/out" "v.handoff.claims.some(c => c.claim === 'git tree' && c.about === '$1' && c.now === 'same')"
}
# another FILE: a further document, not tracked.
another() { package "$1" lead coder '' "Specifications completed: $1 says what 3 epics and their 12 stories are about"; }

repository "$folder/plain"
expect 0 init
tree clean first.yaml
echo more >>docs/spec.md
another second.yaml
tree changed second.yaml

# A filter of the user, like git-lfs: what is stored is not what is in the files.
printf '#!/bin/sh\nsed s/secret/pointer/\n' >"$folder/lfs-clean"
printf '#!/bin/sh\nsed s/pointer/secret/\n' >"$folder/lfs-smudge"
chmod +x "$folder"/lfs-*
git config --global filter.lfs.clean "$folder/lfs-clean" && git config --global filter.lfs.smudge "$folder/lfs-smudge"
git config --global filter.lfs.required true
repository "$folder/lfs"
echo '*.big filter=lfs' >.gitattributes && echo secret >one.big
git add . && git commit -qm big
expect_that "the filter was not used" [ "$(git cat-file -p HEAD:one.big)" = pointer ]
touch -d 2001-02-03 one.big
expect 0 init
tree clean first.yaml
worktree_run "the user's filter"
expect_that "the worktree was not filtered" [ "$(cat .handoff/run/*/trees/*/one.big)" = secret ]
# The same filter with the repository's own commands: the user's hold. (If the user has commands and the repository a
# process, git lets nobody take the process back, and gives no answer.)
git config filter.lfs.clean "$evil" && git config filter.lfs.smudge "$evil"
touch -d 2002-02-03 one.big
another second.yaml
tree clean second.yaml
harmless "the repository's own commands for the user's filter"
git config filter.lfs.process "$evil"
touch -d 2003-02-03 one.big
another third.yaml
expect 0 send third.yaml
harmless "the repository's own process for the user's filter"

# A linked worktree; a sparse one; a file below the root; a folder of a larger repository; a separate git folder,
# once it says whose it is (before, any folder could use it).
repository "$folder/main"
expect 0 init
git worktree add -q "$folder/linked" && cd "$folder/linked" || exit
tree clean first.yaml
expect_that "the store is the main worktree's" test -e "$folder/main/.handoff/handoff.db"
expect_that "the linked worktree has a store" test ! -e .handoff/handoff.db
repository "$folder/sparse"
mkdir kept left && echo 1 >kept/a && echo 2 >left/b && git add . && git commit -qm more
git sparse-checkout set --cone docs specs kept 2>/dev/null
expect_that "it is not sparse" test ! -e left
expect 0 init
tree clean first.yaml
worktree_run "a sparse checkout"
git init -q --separate-git-dir="$folder/apart.git" "$folder/apart" && cd "$folder/apart" || exit
git config core.worktree "$PWD"
mkdir docs && echo spec >docs/spec.md && echo '/.handoff/' >.gitignore && package first.yaml lead coder
git add . && git commit -qm first
expect 0 init
tree clean first.yaml
worktree_run "a separate git folder"
expect_that "no branch was made" test -n "$(git branch --list 'handoff/*')"

# The time of the first commit: in a sub-folder, a folder of a larger repository, and through odd names.
repository "$folder/large"
mkdir part && cd part && expect 0 init
odd="specs/7_[a]*/handoffs/$(basename "$note")" # git would take it for a pattern
mkdir -p "$(dirname "$odd")" && printf '# Phase 5 Handoff\n\n## Summary\nAll is well in part, which another file says nothing about.\n' >"$odd"
git add . && GIT_COMMITTER_DATE='2026-02-14T03:04:05Z' git commit -qm note
expect 0 fix --rename --print "$odd"
expect_out 20260214T030405Z

finish
