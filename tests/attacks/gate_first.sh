#!/bin/bash
# A key is not a person's because it was the first. An agent of the same user that hides every sign of it can make a key and
# enrol it where nobody is enrolled yet, or write such an enrolment into the ledger: wherever one of its decisions is shown,
# that nobody has confirmed the key is said, until a person has trusted exactly this key outside of the project.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
needs setsid
package ask.yaml est human escalation
send ask.yaml
words="long enough words"
hidden() { setsid "$build/tests/person" -a "$words" -a "$words" -- env -i HOME="$HOME" XDG_DATA_HOME="$XDG_DATA_HOME" "$handoff" "$@" >"$folder/out"; }
hidden key new --name alice
hidden key enrol
expect_out "nobody has confirmed the key of alice, who was the first decider here"
hidden gate decide "$gate" approve
expect_out "approve by alice (signed by a key nobody has confirmed)"
keep

# said: everything that shows the decision says so, and nothing calls it signed.
said()
{
  expect 0 gate show "$gate"
  expect_out "approve by alice (signed by a key nobody has confirmed)"
  expect_out "# decision (alice, signed by a key nobody has confirmed): approve"
  expect_not_out "(signed)"
  expect 0 gate show "$gate" --json
  expect_json "$folder/out" 'v.proof === "unconfirmed" && v.known === "asserted"'
  expect 0 gate list --all
  expect_out "(unconfirmed)"
  expect 0 gate wait "$gate" --timeout 1
  expect_out "nobody has confirmed"
  expect 0 status
  expect_err "nobody has confirmed the key of alice"
  expect 0 key list --json
  expect_json "$folder/out" 'v.confirmed === false && v.notes.some(n => n.includes("run: handoff trust"))'
  expect 0 verify
  expect_err "nobody has confirmed the key of alice"
  expect_out "0 decisions signed, 1 signed by a key nobody has confirmed, 0 unsigned"
  expect 0 log "$id"
  expect_out '(unconfirmed)'
  expect 1 trust --show
  expect_out "deciders (not trusted)"
  expect 0 next --as est
  expect_out "# decision (alice, signed by a key nobody has confirmed): approve"
  again
}
said

# A person who compares the fingerprint trusts it; from then on it is signed.
expect 0 key list --json
print=$(field own.fingerprint)
expect 0 trust # not by the way, without being asked
expect_out "deciders is not trusted"
person 0 no -- trust
expect_out "the first decider's key is not confirmed"
expect 1 trust --show
person 0 yes -- trust
expect_out "Is $print the fingerprint that alice sees"
expect_out "deciders is trusted"
person 0 -- trust # it is not asked again
expect_out "deciders is trusted"
expect 0 trust --show
expect 0 gate show "$gate"
expect_out "approve by alice (signed)"
expect 0 verify
expect_out "1 decision signed, 0 unsigned"
expect_no_err
expect 0 status
expect_no_err
expect 0 next --as est
expect_out "# decision (alice, signed): approve"
again
# Whoever alice enrols has her word; what is trusted is the first key, and nothing changes about that.
mkdir "$folder/bob"
HOME=$folder/bob person 0 "$words" "$words" -- key new --name bob
HOME=$folder/bob run key list
sed -n 2p "$folder/out" >"$folder/bob.key"
person 0 "$words" -- key enrol "$folder/bob.key"
expect_not_out "nobody has confirmed"
expect 0 trust --show
again
# Trust in this key is none in another one: with an enrolment of its own in the place of alice's.
expect 0 key list --json
pin=$(field copy)
mkdir "$folder/other"
cp ask.yaml "$folder/other" && cp -a docs "$folder/other" && cd "$folder/other" || exit
send ask.yaml
HOME=$folder/bob person 0 "$words" -- key enrol
HOME=$folder/bob person 0 "$words" -- gate decide "$gate" approve
cd "$folder/project" || exit
rm -rf .handoff "$pin" && cp -a "$folder/other/.handoff" .handoff
expect 0 gate show "$gate"
expect_out "approve by bob (signed by a key nobody has confirmed)"
expect 1 trust --show
expect_out "deciders (changed)"
again
# It can be taken back.
expect 0 trust --revoke
said

# A run says so, too; and agents that show who they are do not confirm anything.
CLAUDECODE=1 expect 7 trust
HANDOFF_AGENT=est expect 7 trust
expect 1 trust --show

# A person gets rid of a decider whom nobody knows: by a new ledger, without the old one and its copies.
expect 0 key list --json
rm -rf .handoff/handoff.db* .handoff/deciders "$(field copy)"
expect_terminal 1 rebuild
expect 0 key list --json
expect_json "$folder/out" 'v.deciders.length === 0 && v.required === false'
finish
