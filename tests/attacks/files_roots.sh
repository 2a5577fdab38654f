#!/bin/bash
# What makes a folder a project: not an empty .git, and not one that another user put into a folder above.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
needs git runuser

# A folder, or a file, that git did not make.
mkdir -p "$folder/up/mine" && cd "$folder/up/mine" || exit
for kind in folder file; do
  case $kind in
    folder) mkdir ../.git ;;
    file) echo nothing >../.git ;;
  esac
  expect 0 progress start --task 7 --slug relay --phase 2 --objective Measure
  expect_that "a $kind .git made the folder above the project" [ ! -e ../specs ]
  expect_that "the project is not here" [ -d specs ]
  rm -rf ../.git .handoff specs ../specs # the folder .handoff makes this one the project
done
git init -q ..
expect 0 progress start --task 7 --slug relay --phase 2 --objective Measure
expect_that "a repository is not the project" [ -d ../specs ]

# Only root can act as other users.
if [ "$(id -u)" != 0 ] || ! id nobody >/dev/null 2>&1; then
  finish
  exit
fi
chmod 755 "$folder"
as_nobody() { runuser -u nobody -- "$@"; }
mkdir -m 1777 "$folder/shared" && mkdir -p "$folder/shared/plain" "$folder/shared/mine/docs" || exit
cd "$folder/shared/mine" && echo spec >docs/spec.md && package one.yaml coder reviewer || exit
expect 0 init --root .
expect 0 send one.yaml
git init -q "$folder/shared" && git -C "$folder/shared" add -f mine/.handoff/handoff.db || exit
mv "$folder/shared/.git" "$folder/tracking"

# plant KIND: nobody's .git in the folder that everybody may write to.
plant()
{
  rm -rf "$folder/shared/.git"
  cd "$folder/shared" || exit
  case $1 in
    empty) as_nobody mkdir .git ;;
    repository) as_nobody git init -q . ;;
    file) as_nobody sh -c 'echo nothing >.git' ;;
    pointer) as_nobody sh -c 'echo "gitdir: /nowhere" >.git' ;;
    fifo) as_nobody mkfifo .git ;;
    index) as_nobody git init -q . && as_nobody sh -c 'echo junk >.git/index' ;;
    tracking) cp -r "$folder/tracking" .git && chown -R nobody .git ;;
  esac
}
for kind in empty repository file pointer fifo index tracking; do
  plant "$kind"
  cd "$folder/shared/plain" || exit
  within 20 progress start --task 7 --slug relay --phase 2 --objective Measure
  expect_that "$kind: another user's .git made the folder above the project" [ ! -e ../specs ]
  expect_that "$kind: the project is not here" [ -d specs ]
  rm -rf specs ../specs
  cd "$folder/shared/mine" || exit
  within 20 list
  expect_that "$kind: list ended with $status: $(cat "$folder/err")" [ "$status" = 0 ]
  within 20 status
  expect_that "$kind: status ended with $status" [ "$status" = 0 ]
done

# Our own there, or one of the folder's owner, counts as ever.
rm -rf "$folder/shared/.git" && cp -r "$folder/tracking" "$folder/shared/.git"
expect 7 list
expect_err "git tracks this ledger"
chown -R nobody "$folder/shared/.git" && chmod 755 "$folder/shared"
expect 7 list
chmod 1777 "$folder/shared" && chown nobody "$folder/shared"
expect 7 list
finish
