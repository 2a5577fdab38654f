#!/bin/bash
# What a person was asked, and what a person said, is not lost: not because a handoff takes the place of another one, not
# by pruning, not by an answer, and not because a key has another name by now.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
needs git
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" approve
claim --as est # so that nothing else is ready
package work.yaml lead est
send work.yaml
work=$id
gate_document gate.yaml lead
expect 0 gate raise gate.yaml --for "$work" --json
gate=$(field gate)
first=$gate
cat >other.yaml <<'END'
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  from:
    agent: lead
  to:
    agent: coder
    reason: Renaming comes first
  context:
    summary: The variable count becomes total wherever it stands, in all seven modules
  expectations:
    deliverable: Renamed variable
    success_criteria:
      - 0 places are left
END
sed 's/Budget of the login/Rename a variable/; s/Approve the budget of 5 days/Rename it/; s/Two approaches.*/It is renamed everywhere/' gate.yaml >rename.yaml
send other.yaml
other=$id
keep

# A handoff with a question of its own does not take the place of one that waits: of the two questions, one would be lost.
expect 0 gate raise rename.yaml --for "$other" --json
rename=$(field gate)
expect 7 supersede "$work" --by "$other"
expect_err "$work waits for a person at $first, and $other at $rename, which is another question"
person 0 "$passphrase" -- gate decide "$rename" approve
expect 0 supersede "$work" --by "$other" # now it waits for the first question
state_is "$other" gated
expect 1 next --as coder
expect 0 gate list
expect_out "(inherited from $first)"
again
# With one that inherited its own question, it does, however often it was handed on.
send work.yaml --key again
copy=$id
expect 0 supersede "$work" --by "$copy"
expect 0 supersede "$copy" --by "$other"
send work.yaml --key third
expect 0 supersede "$other" --by "$id"
gate=$first
holds "handed on"
expect 0 gate list
expect_that "there is not one question" [ "$(wc -l <"$folder/out")" = 1 ]
again
# A new version of a file is held up by what it is most like; what the old one waits for stays.
sed 's/agent: lead/agent: other/' other.yaml | sed 's/agent: coder/agent: est/' >like.yaml
send like.yaml
expect 0 gate raise rename.yaml --for "$id"
sed 's/^handoff:/handoff:\n  id: '"$work"'/' like.yaml >work.yaml
send work.yaml
expect_json "$folder/out" 'v.state === "gated" && v.superseded === null'
gate=$first
state_is "$work" gated
again

# Pruning does not make anybody forget: what nobody approved stays, and so does what took no other's place.
for way in "gate decide $gate reject" "supersede $work --by $other"; do
  if [[ $way = gate* ]]; then
    # shellcheck disable=SC2086 # words
    person 0 "$passphrase" -- $way
  else
    # shellcheck disable=SC2086
    expect 0 $way
  fi
  expect 0 archive "$work"
  expect_terminal 0 prune --before 2099-01-01 --json
  expect_out '"kept": 1'
  expect_out "to remove it, too, use --unapproved"
  send work.yaml --key "$way"
  expect_json "$folder/out" 'v.state === "gated"'
  gate=$first
  again
done
person 0 "$passphrase" -- gate decide "$gate" reject
expect 0 archive "$work"
expect_terminal 0 prune --before 2099-01-01 --unapproved
expect_out "$work"
again
# What was approved, or never asked, is pruned.
person 0 "$passphrase" -- gate decide "$gate" approve
claim --as est
expect 0 ack "$id" --token "$token" --task x
expect 0 'done' "$id" --token "$token"
expect 0 archive "$work"
expect_terminal 0 prune --before 2099-01-01
expect_out "$work"
again

# A question decides nothing, whatever the row says; that it was signed is still said after it was answered.
person 0 "$passphrase" -- gate decide "$gate" question --note "Which login?"
sql "UPDATE gates SET state = 'decided' WHERE id = '$gate'"
expect 7 gate wait "$gate" --timeout 1
again
person 0 "$passphrase" -- gate decide "$gate" question --note "Which login?"
expect 0 answer "$gate" --note "The only one"
expect 0 gate show "$gate"
expect_out "# decision (alice, signed): question"
sql "UPDATE events SET data = replace(data, 'Which login?', 'Do it today!') WHERE kind = 'gate_question'"
expect 0 gate show "$gate"
expect_out "# decision (alice, unsigned): question"
again

# No handoff at all does not wait either.
expect 2 gate raise gate.yaml --for ""
expect_err "--for is empty"
expect 2 gate raise gate.yaml --for " "

# A key that is enrolled again under another name: what it signed before was signed.
git init -q . && git config user.email a@example.org && git config user.name a
mkdir "$folder/bob"
HOME=$folder/bob person 0 "$passphrase" "$passphrase" -- key new --name bob
HOME=$folder/bob run key list
sed -n 2p "$folder/out" >"$folder/bob.key"
person 0 "$passphrase" -- key enrol "$folder/bob.key"
HOME=$folder/bob person 0 "$passphrase" -- gate decide "$gate" approve
cp -a .handoff "$folder/before"
person 0 "$passphrase" -- key revoke bob
sleep 1
sed 's/^bob/robert/' "$folder/bob.key" >"$folder/robert.key"
person 0 "$passphrase" -- key enrol "$folder/robert.key"
expect 0 gate show "$gate"
expect_out "approve by bob (signed)"
expect 0 verify
expect_out "2 decisions signed, 0 unsigned"
claim --as est
# A list in which he was never revoked would give him back to new clones: verify names it.
cp "$folder/before/deciders" .handoff/deciders
person 0 "$passphrase" -- key revoke robert
expect 0 verify
cp "$folder/before/deciders" .handoff/deciders
named "a list without the revocation" ".handoff/deciders lacks that bob is revoked"
sed -i 's/^project .*/project 00000000000000000000000000000000/' .handoff/deciders
named "a list of another project" "is that of another project"
finish
