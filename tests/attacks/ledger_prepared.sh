#!/bin/bash
# A ledger that a stranger prepared and git does not track, as in an archive that was unpacked: it breaks no command, and
# `rebuild` makes a sound one of the files.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
change() { "$(dirname "$handoff")/tests/sql_tool" .handoff/handoff.db "$1"; }

# fresh: a project with one handoff.
fresh()
{
  cd "$folder" && rm -rf "$folder/project" && mkdir -p "$folder/project/docs" && cd "$folder/project" || exit
  echo spec >docs/spec.md
  package one.yaml coder reviewer
  expect 0 init
  expect 0 send one.yaml
  id=$(cat "$folder/out")
}
# everything STATUS TEXT: commands that read and that write end with STATUS and say so; a hook answers as ever.
everything()
{
  local command
  for command in list status "show $id" verify "next --as reviewer" "send one.yaml" know "backup copy.db"; do
    # shellcheck disable=SC2086 # words of a command
    run $command
    expect_that "exit status $status, not $1" [ "$status" = "$1" ]
    expect_err "$2"
  done
  expect 0 hook claude <<<"{\"session_id\":\"s1\",\"hook_event_name\":\"SessionStart\",\"source\":\"startup\",\"cwd\":\"$PWD\"}"
  expect_that "the hook says $(cat "$folder/out")" [ "$(cat "$folder/out")" = '{}' ]
}

# A version that counts nothing.
for version in -1 -10 -2147483648; do
  fresh
  change "PRAGMA user_version = $version"
  everything 10 "has the schema version $version, which no handoff writes"
  expect 0 rebuild
  expect 0 list
  expect_out "$id"
done

# Names that nobody could read are cut where they are shown.
fresh
change "UPDATE handoffs SET task = hex(zeroblob(10000000)), sender = hex(zeroblob(10000000))"
for command in list status log "show $id"; do
  SECONDS=0
  # shellcheck disable=SC2086 # words of a command
  run $command
  expect_that "exit status $status" [ "$status" = 0 ]
  expect_that "$(wc -c <"$folder/out") bytes" [ "$(wc -c <"$folder/out")" -lt 10000 ]
  expect_that "held up for $SECONDS s" test "$SECONDS" -lt 15
done

# The log and its index are the user's files under a second name: nothing is put into them.
for tails in "-wal" "-shm" "-journal" "-wal -shm"; do
  fresh
  change "SELECT 1" >/dev/null
  rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm "$folder"/own-*
  for tail in $tails; do echo "my only copy" >"$folder/own$tail" && ln "$folder/own$tail" ".handoff/handoff.db$tail"; done
  run list
  run "next" --as reviewer
  expect_that "exit status $status, not 10" [ "$status" = 10 ]
  expect_err "second name"
  expect_that "a user's file was changed" [ "$(sort -u "$folder"/own-*)" = "my only copy" ]
done

# A view in a table's place that never ends, a trigger that acts on what is recorded, the same disguised as a table.
endless="ALTER TABLE gates RENAME TO g2; CREATE VIEW gates AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT g2.* FROM g2, c"
trigger="CREATE TRIGGER t AFTER INSERT ON events BEGIN INSERT INTO intents (path, mode, content) VALUES ('.claude/settings.json', 0, 'hostile'); END"
for change in "$endless" "$trigger" "$trigger; PRAGMA writable_schema = 1; UPDATE sqlite_master SET type = 'table' WHERE name = 't'"; do
  fresh
  change "$change"
  SECONDS=0
  everything 10 "handoff rebuild"
  expect_that "held up for $SECONDS s" test "$SECONDS" -lt 60
  expect_that "a file was written" [ ! -e .claude ]
  expect 1 rebuild
  expect 0 list
  expect_out "$id"
  expect_that "a file was written" [ ! -e .claude ]
done
finish
