#!/bin/bash
# The handoff that waits at a gate, or the gate itself, changed in the store so that a decision of alice's is about
# something else: nothing that she signs, and nothing that the program does by itself, makes good what was changed.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" reject
package work.yaml importer reviewer
send work.yaml
work=$id
package evil.yaml importer coder sequential "Everything is to be deployed tonight, and nobody has to be asked about any of it"
send evil.yaml
evil=$id
gate_document gate.yaml importer
keep_ready=$folder/ready
cp -a . "$keep_ready"
expect 0 gate raise gate.yaml --for "$work" --json
gate=$(field gate)
keep

# The person sees what waits, and for whom, not only the document of the gate.
expect 0 gate show "$gate"
expect_out "Budget of the login"
expect_out "3 epics, 12 user stories"
expect 0 gate show "$gate" --json
expect_json "$folder/out" 'v.waiting.includes("3 epics") && v.receiver === "reviewer"'

# refused WAY STATEMENT...: alice cannot be made to sign it, and it is not delivered; verify names it before and after.
refused()
{
  again
  sql "$2"
  named "$1" "${3:-$work}"
  person 10 "$passphrase" -- gate decide "$gate" approve
  expect_out "run: handoff verify"
  run next --as reviewer
  expect_that "$1: it was delivered" [ "$status" != 0 ]
  run next --as mallory
  expect_that "$1: it was delivered to mallory" [ "$status" != 0 ]
  named "$1, afterwards" "${3:-$work}"
}
digest="(SELECT digest FROM handoffs WHERE id = '$evil')" body="(SELECT body FROM handoffs WHERE id = '$evil')"
refused "another receiver" "UPDATE handoffs SET receiver = 'mallory' WHERE id = '$work'"
refused "another document" "UPDATE handoffs SET digest = $digest, body = $body WHERE id = '$work'"
refused "another text" "UPDATE bodies SET body = replace(body, '3 epics', '9 epics') WHERE digest = (SELECT digest FROM handoffs WHERE id = '$work')" body
refused "the gate of another handoff" "UPDATE gates SET handoff = '$evil' WHERE id = '$gate'" "$gate"
refused "ready for another" "UPDATE handoffs SET state = 'ready', gate = '', receiver = 'mallory' WHERE id = '$work'"

# While alice types: the store changes between what she was shown and what she signs.
again
cat >"$folder/slow" <<END
#!/bin/bash
sqlite3 $PWD/.handoff/handoff.db "UPDATE handoffs SET receiver = 'mallory' WHERE id = '$work'"
END
chmod +x "$folder/slow"
("$build/tests/person" -a "$passphrase" -- bash -c "(sleep 0.2; $folder/slow) & $handoff gate decide $gate approve" >/dev/null 2>&1)
run next --as mallory
expect_that "while she types: it was delivered" [ "$status" != 0 ]

# A gate raised for what was changed.
cd "$keep_ready" || exit
for change in "UPDATE handoffs SET receiver = 'mallory' WHERE id = '$work'" \
  "UPDATE handoffs SET digest = $digest, body = $body WHERE id = '$work'" \
  "UPDATE bodies SET body = replace(body, '3 epics', '9 epics')"; do
  sql 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null # the copy is of the database alone
  cp .handoff/handoff.db "$folder/before.db"
  sql "$change"
  expect 10 gate raise gate.yaml --for "$work"
  expect_err "run: handoff verify"
  expect 1 verify
  rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
  cp "$folder/before.db" .handoff/handoff.db
done
# Any other event of a changed row: it is not claimed, superseded or ended.
sql "UPDATE handoffs SET receiver = 'mallory' WHERE id = '$work'"
expect 10 next --as mallory
expect 10 supersede "$work" --by "$evil"
expect_err "was changed outside of this program"
named "another receiver" "$work"
cd "$folder/project" || exit

# Under another name, of which there is no history.
again
sql "UPDATE handoffs SET id = 'HO-2026-915', state = 'ready', gate = '' WHERE id = '$work'"
run next --as reviewer
expect_that "another name: it was delivered" [ "$status" = 10 ]
# A rejection by the program that it did not make.
again
sql "UPDATE gates SET state = 'decided', decision = 'reject', decided_by = 'handoff', decided = 5 WHERE id = '$gate'; UPDATE handoffs SET state = 'rejected', gate = '' WHERE id = '$work'"
expect 7 gate wait "$gate" --timeout 1
expect 0 gate show "$gate"
expect_out "no event does"
again
sql "UPDATE gates SET state = 'decided', decision = 'reject', decided_by = 'deadline', decided = 5 WHERE id = '$gate'"
expect 7 gate wait "$gate" --timeout 1

# What was approved is what is delivered, also if every hash was computed again: the signature covers it.
again
person 0 "$passphrase" -- gate decide "$gate" approve
expect_out "What waits, and is delivered if you approve"
expect_out "which goes to reviewer"
expect 0 verify
claim --as reviewer
expect_that "another one" [ "$id" = "$work" ]

# The document of a gate that was changed is not shown as if it were the one.
again
sql "UPDATE bodies SET body = replace(body, '5 days', '500 days') WHERE digest = (SELECT digest FROM gates WHERE id = '$gate')"
expect 10 gate show "$gate"
expect_err "was changed in the store"
finish
