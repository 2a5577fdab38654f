#!/bin/bash
# Several stores in one folder, and the store that --store or HANDOFF_STORE names.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
mkdir "$folder/stores"

# in_project NAME: one of two projects, whose stores are in one folder.
in_project()
{
  mkdir -p "$folder/$1/docs" && cd "$folder/$1" && echo spec >docs/spec.md || exit
  export HANDOFF_STORE=$folder/stores/$1.db
}

# Each has a seal of its own: ending and archiving in one says nothing about the other.
for name in a b; do
  in_project "$name"
  package one.yaml lead coder
  for _ in 1 2; do
    send one.yaml --again
    claim --as coder
    expect 0 ack "$id" --token "$token" --task "Architecture decision record for the login"
    expect 0 'done' "$id" --token "$token"
    expect 0 archive --completed
  done
  expect_that "$name has no seal" [ -s "$folder/stores/$name.db.seal" ]
done
for name in a b; do
  in_project "$name"
  expect 0 verify
  expect_terminal 0 rebuild
  expect 0 verify
done
expect_that "they share a seal" [ ! -e "$folder/stores/seal" ]

# doctor looks at the store in use.
expect 0 doctor
expect_out "$folder/stores/b.db (--store or HANDOFF_STORE), not tracked by git"
HANDOFF_STORE=$folder/stores/none.db run doctor
expect_out "$folder/stores/none.db (--store or HANDOFF_STORE) does not exist yet"
git init -q . && cp "$HANDOFF_STORE" tracked.db && git add -f tracked.db
HANDOFF_STORE=$PWD/tracked.db run doctor
expect_out "git tracks"
unset HANDOFF_STORE
expect 1 doctor # this store is elsewhere, and its files are here
expect_out "the store is lost, or this is a fresh clone"
mkdir "$folder/empty" && cd "$folder/empty" || exit
expect 0 doctor
expect_out "none yet"
finish
