#!/bin/bash
# Repositories inside a clone, and git folders that lead elsewhere: git is asked about the project's own, or not at all.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/attacks/git_common
source "$source_dir/tests/attacks/git_common"

# A bare repository in a folder of a clone, as git stores any files: its configuration names programs.
repository "$folder/bare"
git init -q --bare specs/inner && mkdir -p "specs/inner/$(dirname "$note")" && mv "$note" "specs/inner/$note"
blob=$(GIT_DIR=specs/inner git hash-object -w "specs/inner/$note")
tree=$(printf '100644 blob %s\t%s\n' "$blob" "$(basename "$note")" | GIT_DIR=specs/inner git mktree)
printf 'tree %s\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nm\n' "$tree" >"$folder/commit"
GIT_DIR=specs/inner git update-ref refs/heads/main "$(GIT_DIR=specs/inner git hash-object -t commit -w "$folder/commit")"
cat >>specs/inner/config <<END
[core]
	fsmonitor = $evil
	pager = $evil
[log]
	showSignature = true
[gpg]
	program = $evil
END
touch specs/inner/refs/keep specs/inner/objects/keep
git add -A . && git commit -qm inner
git clone -q . "$folder/clone" && cd "$folder/clone" || exit
expect_that "the clone holds no repository" [ -f specs/inner/HEAD ]
rm -f "$ran"
run fix --rename --print "specs/inner/$note"
harmless "fix --rename in a committed repository"
(cd specs/inner && "$handoff" fix --rename --print "$note" >/dev/null 2>&1)
harmless "fix --rename inside it"
package specs/inner/second.yaml lead coder
(cd specs/inner && "$handoff" send second.yaml >/dev/null 2>&1 && "$handoff" status >/dev/null 2>&1)
harmless "send inside it"

# core.worktree leads to the home: the project is what is looked at, and nothing is checked out from there.
repository "$folder/worktree"
echo private >"$folder/private.txt"
git config core.worktree "$folder"
expect 0 init
expect 0 send first.yaml --json
id=$(field id)
expect 0 show "$id" --json
expect_json "$folder/out" 'v.handoff.claims.some(c => c.claim === "git tree" && c.about === "clean" && c.now === "same")'
worktree_run "core.worktree" 9
expect_that "a worktree was made for a foreign folder" test -z "$(ls .git/worktrees 2>/dev/null)"

# A `.git` that leads to another repository: as a file, as a link, as a worktree that is not one, to a bare repository, to
# one with its git folder elsewhere, to a submodule's; and a link to the `.git` file of somebody's worktree.
repository "$folder/victim"
git worktree add -q "$folder/linked" -b linked
expect 0 init
git clone -q --bare . "$folder/victim.git"
git clone -q --separate-git-dir "$folder/apart.git" . "$folder/apart"
repository "$folder/super"
git -c protocol.file.allow=always submodule --quiet add "$folder/victim" sub
# state_of_others: every ref and every file of the victim's repositories, apart from objects.
state_of_others()
{
  find "$folder"/victim/.git "$folder/victim.git" "$folder/apart.git" "$folder/super/.git" -type f -not -path '*/objects/*' \
    -exec sha256sum {} + | sort | sha256sum
}
before=$(state_of_others)
for kind in file link worktree common bare apart apart-link submodule file-link; do
  mkdir -p "$folder/stray-$kind" && cd "$folder/stray-$kind" || exit
  cp -r "$folder/victim/docs" "$folder/victim/first.yaml" "$folder/victim/specs" .
  case $kind in
    file) echo "gitdir: $folder/victim/.git" >.git ;;
    link) ln -s "$folder/victim/.git" .git ;;
    worktree) echo "gitdir: $folder/victim/.git/worktrees/linked" >.git ;;
    common) mkdir fake && echo "$folder/victim/.git" >fake/commondir && cp "$folder/victim/.git/HEAD" fake && echo "$PWD/.git" >fake/gitdir && echo 'gitdir: fake' >.git ;;
    bare) echo "gitdir: $folder/victim.git" >.git ;;
    apart) echo "gitdir: $folder/apart.git" >.git ;;
    apart-link) ln -s "$folder/apart.git" .git ;;
    submodule) echo "gitdir: $folder/super/.git/modules/sub" >.git ;;
    file-link) ln -s "$folder/linked/.git" .git ;;
  esac
  expect 0 init
  expect 0 send first.yaml --json
  id=$(field id)
  expect_that "$kind: the other project's ledger was used" test -e .handoff/handoff.db
  expect_that "$kind: the other project has a ledger" test ! -e "$folder/victim/.handoff/handoff.db"
  expect 0 show "$id" --json
  expect_json "$folder/out" '!(v.handoff.claims || []).some(c => c.claim === "git tree")'
  worktree_run "$kind" 2
  expect_err "--worktrees needs a git repository"
done
cd "$folder/victim" || exit
expect_that "the other repository was changed" [ "$before" = "$(state_of_others)" ]

# A git folder elsewhere that says it belongs here is used: a submodule's, and one that was told so.
cd "$folder/super/sub" || exit
expect 0 init
expect 0 send first.yaml # the repository around it tracks the submodule, not its ledger
worktree_run "a submodule"
cd "$folder/apart" || exit
worktree_run "a git folder elsewhere" 2
expect_err "run: git config core.worktree '$folder/apart'"
git config core.worktree "$folder/apart"
worktree_run "a git folder elsewhere that names this one"
expect_that "no worktree was made" [ -n "$(git worktree list | sed 1d)" ]
before=$(git -C "$folder/victim" for-each-ref | sha256sum)

# A git folder that says others share theirs with it, or whose parts are links: nothing is written through them.
repository "$folder/commondir"
echo "$folder/victim/.git" >.git/commondir
expect 0 init
worktree_run "commondir" 2
expect_that "a branch in the other repository" [ "$before" = "$(git -C "$folder/victim" for-each-ref | sha256sum)" ]
repository "$folder/links"
mkdir "$folder/target" && ln -s "$folder/target" .git/worktrees
expect 0 init
worktree_run "a linked folder in .git" 9
expect_that "something was written through a link" [ -z "$(ls "$folder/target")" ]

# A repository of somebody else is not asked, unless the user's settings trust it, as git has it.
if [ "$(id -u)" = 0 ] || skip "another user's repository" "not root"; then
  repository "$folder/foreign"
  expect 0 init
  chown -R nobody .git
  expect 0 send first.yaml --json
  id=$(field id)
  expect 0 show "$id" --json
  expect_json "$folder/out" '!(v.handoff.claims || []).some(c => c.claim === "git tree")'
  git config --global safe.directory "$PWD"
  package second.yaml lead coder
  expect 0 send second.yaml --again --json
  id=$(field id)
  expect 0 show "$id" --json
  expect_json "$folder/out" 'v.handoff.claims.some(c => c.claim === "git tree")'
  git config --global --unset safe.directory
fi

# Files of a git folder that are pipes hold nobody up.
for part in HEAD config packed-refs index commondir info/exclude; do
  repository "$folder/pipe-${part%/*}"
  expect 0 init
  mkdir -p ".git/$(dirname "$part")" && rm -f ".git/$part" && mkfifo ".git/$part"
  SECONDS=0
  run send first.yaml
  expect_that "$part: held up for $SECONDS s" test "$SECONDS" -lt 20
done

finish
