#!/bin/bash
# A repository whose configuration, attributes, hooks and environment name programs: none is started.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/attacks/git_common
source "$source_dir/tests/attacks/git_common"

# hostile NAME: a fresh repository for one attack.
hostile() { repository "$folder/$1"; }

# Filters: of a command, of a process, and required ones; also with an odd name, in an included file, and for a worktree.
for kind in clean smudge process; do
  hostile "filter-$kind"
  echo '* filter=evil' >.gitattributes
  git add .gitattributes && git commit -qm attributes
  git config "filter.evil.$kind" "$evil" && git config filter.evil.required true
  rm -f "$ran"
  everything "filter.evil.$kind"
done

hostile filter-odd
printf '* filter=a b.c\n*.md filter=lfs\n' >.gitattributes
git config 'filter.a b.c.clean' "$evil" && git config 'filter.lfs.clean' "$evil" && git config 'filter.LFS.Clean' "$evil"
everything "filters with odd names"

hostile filter-included
printf '* filter=evil\n' >.gitattributes
printf '[filter "evil"]\n\tclean = %s\n\tsmudge = %s\n' "$evil" "$evil" >"$folder/more.config"
git config include.path "$folder/more.config"
git config "includeIf.gitdir:$PWD/.path" "$folder/more.config" && git config 'includeIf.onbranch:main.path' "$folder/more.config"
everything "included filters" 9
expect_err "the repository's configuration has 'include' or 'includeIf'"

hostile filter-worktree
printf '* filter=evil\n' >.gitattributes
git config extensions.worktreeConfig true && git config --worktree filter.evil.clean "$evil"
everything "filters of a worktree"

# A name that cannot be said on a command line, and more filters than anybody has: git is not asked at all.
hostile filter-equals
printf '* filter=a=b\n' >.gitattributes
git config 'filter.a=b.clean' "$evil"
touched
expect 0 send first.yaml
harmless "a filter with = in its name"
hostile filter-many
printf '* filter=f1\n' >.gitattributes
for i in $(seq 300); do printf '[filter "f%s"]\n\tclean = %s\n' "$i" "$evil"; done >>.git/config
touched
expect 0 send first.yaml
harmless "300 filters"
hostile config-long
printf '* filter=f1\n' >.gitattributes
{ printf '[filter "f1"]\n\tclean = %s\n' "$evil"; for i in $(seq 20000); do printf '[x "%s"]\n\ty = 1234567890\n' "$i"; done; } >>.git/config
touched
expect 0 send first.yaml
harmless "a long configuration"

# Everything else that names a program.
hostile programs
for key in core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.gitProxy core.alternateRefsCommand \
  diff.external diff.evil.command diff.evil.textconv gpg.program gpg.ssh.program pager.status pager.log pager.worktree \
  alias.status alias.log alias.worktree merge.evil.driver credential.helper hook.evil.command sequence.editor; do
  git config "$key" "$evil"
done
git config log.showSignature true && git config hook.evil.event post-checkout && git config status.submoduleSummary true
git config alias.status "!$evil"
echo '* diff=evil merge=evil' >.gitattributes
everything "programs of the configuration"

# Hooks, in their folder and in one that the configuration names.
hostile hooks
mkdir -p .git/hooks "$folder/hooks"
for hook in post-checkout post-index-change reference-transaction pre-commit post-commit fsmonitor-watchman; do
  cp "$evil" ".git/hooks/$hook" && cp "$evil" "$folder/hooks/$hook"
done
everything hooks
hostile hooks-path
git config core.hooksPath "$folder/hooks"
everything core.hooksPath

# A signed commit, whose signature nobody asked for.
hostile signature
git config gpg.program "$evil" && git config log.showSignature true
tree=$(git rev-parse "HEAD^{tree}")
printf 'tree %s\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nm\n' "$tree" >"$folder/commit"
git update-ref HEAD "$(git hash-object -t commit -w "$folder/commit")"
rm -f "$ran"
everything "a signed commit"

# A submodule with a configuration of its own.
repository "$folder/inner"
hostile submodule
git -c protocol.file.allow=always submodule --quiet add "$folder/inner" sub && git commit -qm sub
echo '* filter=evil' >sub/.gitattributes && echo more >>sub/docs/spec.md
git -C sub config filter.evil.clean "$evil" && git -C sub config core.fsmonitor "$evil"
git config submodule.recurse true && git config diff.ignoreSubmodules none && git config submodule.sub.ignore none
rm -f "$ran"
everything "a submodule"

# A missing object of a partial clone is not fetched: that would start what the remote names.
hostile partial
git config core.repositoryFormatVersion 1 && git config extensions.partialClone origin && git config remote.origin.promisor true
git config remote.origin.url "ext::$evil %S" && git config protocol.ext.allow always && git config remote.origin.uploadpack "$evil"
find .git/objects -type f -path "*/$(git rev-parse HEAD:docs/spec.md | cut -c3-)" -delete
touched
expect 0 send first.yaml
harmless "a partial clone with ext::"
git config remote.origin.url "$folder/inner"
run fix --rename --print "$note"
harmless "a partial clone with its own upload-pack"

# What git takes from the environment is not the repository's, but not ours either.
hostile environment
export GIT_EXTERNAL_DIFF=$evil GIT_PAGER=$evil GIT_SSH_COMMAND=$evil GIT_ASKPASS=$evil GIT_EDITOR=$evil \
  GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0="$evil" GIT_CONFIG_KEY_1=filter.evil.clean \
  GIT_CONFIG_VALUE_1="$evil" GIT_CONFIG_PARAMETERS="'core.fsmonitor'='$evil'" GIT_TEMPLATE_DIR=$folder/hooks
printf '* filter=evil\n' >.gitattributes
everything "the environment"
repository "$folder/other" && cp -r .git "$folder/other.git"
cd "$folder/environment" || exit
GIT_DIR=$folder/other.git GIT_WORK_TREE=$folder/other GIT_INDEX_FILE=$folder/nowhere GIT_OBJECT_DIRECTORY=$folder/nowhere \
  run show "$(field id)" --json
harmless "GIT_DIR"

finish
