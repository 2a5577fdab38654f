#!/bin/bash
# Whoever was revoked stays revoked: an older copy of the ledger, and a ledger made anew, give no right back. Whoever is
# enrolled again decides again.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
needs git jq
enrolled "$folder/project"
git init -q . && git config user.email a@example.org && git config user.name a
bob_home=$folder/bob
mkdir "$bob_home"
HOME=$bob_home person 0 "battery staple" "battery staple" -- key new --name bob
HOME=$bob_home run key list
sed -n 2p "$folder/out" >"$folder/bob.key"
person 0 "$passphrase" -- key enrol "$folder/bob.key"
expect 0 key list --json
pin=$(field copy)
# bob STATUS ARGUMENT...: with his own key, and the copy of the deciders that this machine has.
bob()
{
  local wanted=$1
  shift
  XDG_DATA_HOME=${pin%/handoff/deciders/*} HOME=$bob_home person "$wanted" "battery staple" -- "$@"
}
cp -a .handoff "$folder/before"
cp "$pin" "$folder/before.pin"
bob 0 gate decide "$gate" approve
cp -a .handoff "$folder/approved"
rm -rf .handoff && cp -a "$folder/before" .handoff
person 0 "$passphrase" -- key revoke bob
expect 0 verify
git add .handoff/deciders && git commit -qm Deciders
keep
cp "$pin" "$folder/after.pin"

# restore FOLDER WHERE...: the ledger is an older one; only these places know of the revocation.
restore()
{
  rm -rf .handoff && cp -a "$1" .handoff
  cp "$folder/before.pin" "$pin"
  [[ $2 != *file* ]] || cp "$kept/.handoff/deciders" .handoff/deciders
  [[ $2 != *outside* ]] || cp "$folder/after.pin" "$pin"
  [[ $2 = *git* ]] || rm -rf .git
}
for where in file outside git; do
  restore "$folder/before" "$where"
  bob 7 gate decide "$gate" approve
  expect_out "your key is not enrolled"
  holds "known by $where: he decides"
  named "known by $where" "has bob as revoked, this ledger does not; run: handoff key revoke bob"
  expect 0 key list --json
  expect_json "$folder/out" 'v.deciders.find(d => d.name === "bob").state === "revoked"'
  again
  restore "$folder/approved" "$where"
  holds "known by $where: he has decided"
  again
done

# In an older copy elsewhere, where nothing knows of the revocation, he enrols another key of his, decides, has that key
# revoke and enrol him so that his decision is kept, and puts all of it back: neither key counts, nor does the decision.
other_home=$folder/other
mkdir "$other_home"
HOME=$other_home person 0 "battery staple" "battery staple" -- key new --name bob2
HOME=$other_home run key list
sed -n 2p "$folder/out" >"$folder/other.key"
mkdir "$folder/away" && cp -a "$folder/before" "$folder/away/.handoff" && cd "$folder/away" || exit
(
  export XDG_DATA_HOME=$folder/nothing
  HOME=$bob_home person 0 "battery staple" -- key enrol "$folder/other.key"
  cp -a .handoff "$folder/enrolled"
  HOME=$bob_home person 0 "battery staple" -- gate decide "$gate" approve
  HOME=$other_home person 0 "battery staple" -- key revoke bob
  HOME=$other_home person 0 "battery staple" -- key enrol "$folder/bob.key"
)
cp -a .handoff "$folder/kept_by_him"
cd "$folder/project" || exit
for where in file outside git; do
  restore "$folder/enrolled" "$where"
  XDG_DATA_HOME=${pin%/handoff/deciders/*} HOME=$other_home person 7 "battery staple" -- gate decide "$gate" approve
  expect_out "your key is not enrolled"
  holds "known by $where: a key that he enrolled"
  named "known by $where: a key that he enrolled" "that bob2 was added by bob is not known where bob is revoked"
  again
  restore "$folder/kept_by_him" "$where"
  holds "known by $where: a decision that he kept"
  bob 7 gate decide "$gate" approve
  again
done
# Nor do they once alice has revoked him in that ledger, too; she decides as before.
restore "$folder/kept_by_him" outside
person 0 "$passphrase" -- key revoke bob
holds "revoked again"
XDG_DATA_HOME=${pin%/handoff/deciders/*} HOME=$other_home person 7 "battery staple" -- gate decide "$gate" approve
person 0 "$passphrase" -- gate decide "$gate" question --note "Why?"
again

# alice revokes him in that ledger, too; then it has no difference.
restore "$folder/before" file
person 0 "$passphrase" -- key revoke bob
expect 0 verify
bob 7 gate decide "$gate" approve
again
cp "$folder/after.pin" "$pin"

# A revocation that nobody signed takes nothing from alice.
key=$(grep '^alice ' .handoff/deciders | cut -d' ' -f2)
signature=$(grep '^bob .* revoked ' .handoff/deciders | cut -d' ' -f7)
echo "alice $key revoked 2099-01-01T00:00:00Z by alice $signature" >>.handoff/deciders
named "a forged revocation" "has alice as revoked, which no decider signed"
person 0 "$passphrase" -- gate decide "$gate" question --note "Why?"
again

# Enrolled again: he decides, there is no difference, and a clone that accepts the list has him, too.
person 0 "$passphrase" -- key enrol "$folder/bob.key"
expect 0 verify
git add .handoff/deciders && git commit -qm "Bob again"
git clone -q . ../clone
bob 0 gate decide "$gate" reject
expect 0 verify
cd ../clone || exit
person 0 yes -- key enrol .handoff/deciders
expect 0 key list --json
expect_json "$folder/out" 'v.deciders.some(d => d.name === "bob" && d.state === "enrolled")'
expect 0 verify
cd ../project || exit
again

# What he did as a decider stays after he is revoked: carol, whom he enrolled, and the decisions of dave, whom he revoked.
person 0 "$passphrase" -- key enrol "$folder/bob.key"
for name in carol dave; do
  mkdir "$folder/$name"
  HOME=$folder/$name person 0 "battery staple" "battery staple" -- key new --name "$name"
  HOME=$folder/$name run key list
  sed -n 2p "$folder/out" >"$folder/$name.key"
  bob 0 key enrol "$folder/$name.key"
done
HOME=$folder/dave person 0 "battery staple" -- gate decide "$gate" approve
bob 0 key revoke dave
git add .handoff/deciders && git commit -qm "Carol, not dave"
person 0 "$passphrase" -- key revoke bob
git add .handoff/deciders && git commit -qm "Not bob"
expect 0 verify
expect 0 gate wait "$gate" --timeout 1
old=$gate
package more.yaml est human escalation "Something else to decide, with all that belongs to it written down here"
send more.yaml
HOME=$folder/carol person 0 "battery staple" -- gate decide "$gate" approve
expect 0 verify
gate=$old
again

# Everything but git has forgotten who decides: a rebuild opens nothing, and says so.

package work.yaml est coder sequential "The login is specified, with all that belongs to it written down here"
send work.yaml
gate_document gate.yaml est
expect 0 gate raise gate.yaml --for "$id"
rm -rf .handoff/handoff.db* .handoff/deciders "$pin"
jq '.gates_pending = [] | walk(if . == "gated" then "pending" else . end)' state/current.json >"$folder/state" && cp "$folder/state" state/current.json
expect 0 key list
expect_not_out "has no deciders"
expect_err "git checkout -- .handoff/deciders"
expect_terminal 1 rebuild
expect_out "git checkout -- .handoff/deciders"
run next --as est
expect_that "a rebuild: it was delivered" [ "$status" != 0 ]
run next --as coder
expect_that "a rebuild: the work was delivered" [ "$status" != 0 ]
expect 0 gate list
expect_out "may have waited for a person"
finish
