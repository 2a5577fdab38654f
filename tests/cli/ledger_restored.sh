#!/bin/bash
# A store that is older than what was recorded in it, because a backup is in its place or its log is gone: every command that
# looks says so, no id is given again, and rebuild takes in what files have.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$(dirname "$0")/ledger_common"
export HANDOFF_SESSION=today
store=.handoff/handoff.db

# one TEXT: sends a line of text from alice to bob; the id is in $id.
one()
{
  send --to bob --as alice "$1"
}
# restored FILE: a backup in the place of the store.
restored()
{
  rm -f "$store" "$store"-*
  cp "$1" "$store"
}
is_behind()
{
  expect 1 verify
  expect_out "database $store: is older than what was recorded in it"
  expect 1 verify --quick
  expect_out "handoff rebuild"
  expect 0 status
  expect_err "$store: is older than what was recorded in it"
  run doctor
  expect_out "is older than what was recorded in it"
}

one "Write the export page for the site"
first=$id
one "Measure how long the export takes"
done_since=$id
expect 0 backup "$folder/old.db"
claim --as bob
expect 0 'done' "$id" --token "$token" --note "It is written"
[ "$id" = "$first" ] || result bad "$first was not the first"
package work.yaml lead bob sequential "The login crash has to be fixed before the release, as the tests show"
send work.yaml --as lead
listed=$id
one "Paint the logo of the site blue"
unknown=$id
expect 0 verify
cp -a . "$folder/log"

# ---- A backup
restored "$folder/old.db"
is_behind
expect 1 verify
expect_out "$unknown (ready) is not in the store"
expect_out "state/current.json: $listed (pending) is not in the store"
expect_out "$first is newer here (done) than in the store"
one "Look for another hosting company"
expect_that "$id was given twice" [ "$id" \> "$unknown" ]
after=$id
is_behind

expect 1 rebuild
expect_out "restored $unknown"
expect_out "restored $listed"
expect_out "lost history: what happened since"
state_is "$first" 'done'
state_is "$done_since" ready
state_is "$unknown" ready
state_is "$listed" ready
state_is "$after" ready
expect 0 verify
expect 0 show "$listed"
expect_out "The login crash has to be fixed"
expect 0 rebuild
expect 0 verify
expect 0 status
expect_no_err
one "Invite the first users of the site"
expect_that "$id was given twice" [ "$id" \> "$after" ]

# ---- A backup put over the database, whose companions stay or go; and the log alone is removed.
for damage in "rm $store-wal $store-shm; cp $folder/old.db $store" "rm $store-*; cat $folder/old.db >$store"; do
  rm -rf "$folder/again"
  cp -a "$folder/log" "$folder/again"
  cd "$folder/again" || exit
  eval "$damage"
  is_behind
  one "Look for another hosting company"
  expect_that "$id was given twice" [ "$id" \> "$unknown" ]
done
rm -rf "$folder/again"
cp -a "$folder/log" "$folder/again"
cd "$folder/again" || exit
expect 0 backup copy.db
restored copy.db # everything is in the database, and what follows only in its log
expect 0 verify
one "Look for another hosting company"
lost=$id
rm "$store"-wal
is_behind
one "Invite the first users of the site"
expect_that "$lost was given twice" [ "$id" \> "$lost" ]
expect 1 rebuild
expect_out "restored $lost"
expect 0 verify

# ---- A backup over a store that was made again from files: that has fewer events than the backup.
mkdir "$folder/shorter" && cd "$folder/shorter" && mkdir .git docs .handoff && echo spec >docs/spec.md || exit
for part in import export search; do
  one "Write the $part page for the site"
  claim --as bob
  expect 0 'done' "$id" --token "$token" --note "It is written"
done
package work.yaml lead bob sequential "The login crash has to be fixed before the release, as the tests show"
send work.yaml --as lead
listed=$id
one "Paint the logo of the site blue"
painted=$id
expect 0 backup "$folder/longer.db"
claim --as bob
[ "$id" = "$listed" ] || result bad "$listed was not the next"
rm "$store"*
expect 1 rebuild # one event for each
expect 0 withdraw "$listed" --note "It was fixed already" --as lead
expect 0 withdraw "$painted" --note "The old one is better" --as alice
one "Invite the first users of the site"
invited=$id
restored "$folder/longer.db"
is_behind
expect_that "the backup has more events" [ "$("$HANDOFF" log --limit 1000 | grep -c .)" -gt 8 ]
expect 1 rebuild
expect_not_out "another handoff has its id"
state_is "$listed" rejected
state_is "$painted" rejected
state_is "$invited" ready
expect 0 verify

# ---- All of .handoff is gone but for the backup: nothing tells how old it is, so the first who writes looks at the files.
cd "$folder/log" || exit
rm -rf .handoff
mkdir .handoff
restored "$folder/old.db"
expect 1 verify
expect_out "$unknown (ready) is not in the store"
one "Look for another hosting company"
expect_that "$id was given twice" [ "$id" \> "$unknown" ]
is_behind
expect 1 rebuild
expect 0 verify

# ---- A whole store whose lock file was removed is as it was, whatever a pull has brought before.
expect 0 backup copy.db
rm .handoff/*.lock
expect 0 verify
one "Ask the lawyers about the imprint"
expect 0 verify
finish
