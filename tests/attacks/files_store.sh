#!/bin/bash
# A store outside .handoff, as --store names it: what stands in the place of its companions is neither followed nor waited
# for, and another user's is not used.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
fresh
companions="x.db-sync x.db-wal x.db-shm x.db-journal x.lock state.lock seal"
umask 022

# prepare OLD: a folder for the store, with one in it or not.
prepare()
{
  rm -rf st
  if [ "$1" = new ]; then mkdir st; else cp -r kept st; fi
}
mkdir kept
expect 0 --store kept/x.db send one.yaml
expect_that "others may read $(find kept -type f -perm /077 ! -name seal | head -3)" [ -z "$(find kept -type f -perm /077 ! -name seal)" ]
for age in new old; do
  for name in $companions; do
    for kind in link dangling fifo folder; do
      prepare "$age"
      rm -f "st/$name"
      case $kind in
        link) ln -s "$victim/letter.txt" "st/$name" ;;
        dangling) ln -s "$victim/made" "st/$name" ;;
        fifo) mkfifo "st/$name" ;;
        folder) mkdir "st/$name" ;;
      esac
      within 20 --store st/x.db send one.yaml
      within 20 --store st/x.db list
      untouched "$age $name as a $kind"
    done
    prepare "$age"
    rm -f "st/$name"
    ln "$victim/letter.txt" "st/$name"
    within 20 --store st/x.db send one.yaml
    rm -f "st/$name"
    untouched "$age $name as a second name"
  done
done
prepare old
rm -f st/x.db-wal && ln -s "$victim/letter.txt" st/x.db-wal
expect 10 --store st/x.db list
expect_err "it is a symbolic link"

# The store itself: a pipe is none; a link to one's own store is one's own.
prepare new
mkfifo st/x.db
within 20 --store st/x.db list
expect_that "a pipe was used as a store" [ "$status" = 10 ]
prepare old
ln -s x.db st/y.db
expect 0 --store st/y.db list
expect_out "reviewer"

# Only root can act as other users.
if [ "$(id -u)" != 0 ] || ! id nobody >/dev/null 2>&1; then
  finish
  exit
fi
prepare old
chown nobody st/x.db
expect 10 --store st/x.db list
expect_err "belongs to another user"
expect 10 --store st/x.db send one.yaml
ln -s x.db st/y.db
expect 10 --store st/y.db list
prepare old
chown nobody st/x.db-wal
expect 10 --store st/x.db list
expect_err "belongs to another user"
prepare old
chown nobody st/x.lock
expect 10 --store st/x.db send one.yaml
finish
