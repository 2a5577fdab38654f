#!/bin/bash
# Who was revoked does not come back by what stands behind the revocation in a copy, by a list with the time of something
# older, by the file of another ledger, as one of two names of a key, or because the question was there already.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
needs git script
enrolled "$folder/project"
git init -q . && git config user.email a@example.org && git config user.name a
words="battery staple"
for name in bob bob2 carol dave; do
  mkdir "$folder/$name"
  HOME=$folder/$name person 0 "$words" "$words" -- key new --name "$name"
  HOME=$folder/$name run key list
  sed -n 2p "$folder/out" >"$folder/$name.key"
done
person 0 "$passphrase" -- key enrol "$folder/bob.key"
HOME=$folder/bob person 0 "$words" -- key enrol "$folder/carol.key"
expect 0 key list --json
pin=$(field copy)
cp -a .handoff "$folder/before" && cp "$pin" "$folder/before.pin"
git add .handoff/deciders && git commit -qm Deciders
git clone -q . ../clone
person 0 "$passphrase" -- key revoke bob
cp "$pin" "$folder/after.pin"
keep

# In a copy of the ledger from before, bob enrols another key of his, and has that key revoke and enrol him; then he adds
# these lines to the file that knows of his revocation, and commits it.
mkdir "$folder/away" && cp -a "$folder/before" "$folder/away/.handoff" && cd "$folder/away" || exit
export XDG_DATA_HOME=$folder/nothing
HOME=$folder/bob person 0 "$words" -- key enrol "$folder/bob2.key"
HOME=$folder/bob2 person 0 "$words" -- key revoke bob
sleep 1
HOME=$folder/bob2 person 0 "$words" -- key enrol "$folder/bob.key"
export XDG_DATA_HOME=$folder/data
cd "$folder/project" || exit
for where in file git; do
  tail -3 "$folder/away/.handoff/deciders" >>.handoff/deciders
  [ $where = file ] || git commit -qam "More deciders"
  cp .handoff/deciders "$folder/more"
  rm -rf .handoff && cp -a "$folder/away/.handoff" .handoff
  cp "$folder/before.pin" "$pin"
  [ $where = git ] || cp "$folder/more" .handoff/deciders
  for name in bob bob2; do
    HOME=$folder/$name person 7 "$words" -- gate decide "$gate" approve
    expect_out "your key is not enrolled"
  done
  holds "behind his revocation, in $where"
  named "behind his revocation, in $where" "that bob2 was added by bob is not known where bob is revoked"
  again
done

# In such a copy, at the time at which he once enrolled carol, he revokes himself, so that a decision of his is kept.
at=$(date -d "$(grep '^carol ' .handoff/deciders | cut -d ' ' -f 4)" +%s)
rm -rf "$folder/away/.handoff" && cp -a "$folder/before" "$folder/away/.handoff" && cd "$folder/away" || exit
export XDG_DATA_HOME=$folder/nothing
rm -rf "$XDG_DATA_HOME"
HOME=$folder/bob person 0 "$words" -- gate decide "$gate" approve
kept_at=
lag=0
for ((try = 0; try < 30; try++)); do # the second at which it signs is not known before: the last try says how late that is
  cp -a .handoff "$folder/try"
  HOME=$folder/bob HANDOFF_TEST_LATER_S=$((at - $(date +%s) - lag)) person 0 "$words" -- key revoke bob
  kept_at=$(sql "SELECT data FROM events WHERE kind = 'decisions_kept' ORDER BY seq DESC LIMIT 1" | sed -n 's/.*"at":"\([^"]*\)".*/\1/p')
  late=$(($(date -d "$kept_at" +%s) - at))
  [ $late != 0 ] || break
  lag=$((lag + late))
  rm -rf .handoff "$XDG_DATA_HOME" && mv "$folder/try" .handoff
done
export XDG_DATA_HOME=$folder/data
cd "$folder/project" || exit
for where in file outside; do
  cp .handoff/deciders "$folder/more"
  rm -rf .handoff && cp -a "$folder/away/.handoff" .handoff
  cp "$folder/before.pin" "$pin"
  if [ $where = file ]; then cp "$folder/more" .handoff/deciders; else cp "$folder/after.pin" "$pin"; fi
  holds "with the time of an older line, known by $where"
  named "with the time of an older line, known by $where" "a list of earlier decisions is not known where its signer is revoked"
  again
done
cp "$folder/after.pin" "$pin"

# In such a copy he revokes alice, and puts that line behind his own revocation: nothing is opened, and it is said what to do.
rm -rf "$folder/away/.handoff" && cp -a "$folder/before" "$folder/away/.handoff" && cd "$folder/away" || exit
XDG_DATA_HOME=$folder/nothing2 HOME=$folder/bob person 0 "$words" -- key revoke alice
cd "$folder/project" || exit
grep '^alice .* revoked ' "$folder/away/.handoff/deciders" >>.handoff/deciders
person 7 "$passphrase" -- gate decide "$gate" approve
holds "alice revoked by whom she has revoked"
named "alice revoked by whom she has revoked" "has alice as revoked by bob, whom this ledger has as revoked"
again
person 0 "$passphrase" -- gate decide "$gate" question --note "Why?"
again

# Another ledger of the project learns of dave by git when he is revoked already: nobody is told to enrol him, and whoever
# enrols those of the file does not.
person 0 "$passphrase" -- key enrol "$folder/dave.key"
person 0 "$passphrase" -- key revoke dave
git commit -qam "Not bob, not dave"
cd "$folder/clone" || exit
export XDG_DATA_HOME=$folder/carols
HOME=$folder/carol person 0 yes -- key enrol .handoff/deciders
git checkout -q . && git pull -q
run verify
expect_out "has bob as revoked, this ledger does not"
expect_not_out "names dave"
HOME=$folder/carol person 6 "$words" -- key enrol .handoff/deciders
expect 0 key list --json
expect_json "$folder/out" 'v.deciders.every(d => d.name !== "dave" || d.state !== "enrolled")'
export XDG_DATA_HOME=$folder/data
cd "$folder/project" || exit
again

# One key under two names could not be revoked.
(cat "$folder/dave.key" && sed 's/^dave/david/' "$folder/dave.key") >"$folder/two.key"
person 4 "$passphrase" -- key enrol "$folder/two.key"
expect_out "dave and david have the same key"
cat "$folder/dave.key" "$folder/dave.key" >"$folder/two.key"
sleep 1 # not in the second in which he was revoked: the file outside of the project remembers that
person 0 "$passphrase" -- key enrol "$folder/two.key"

# dave is revoked while he looks at the gate: he is told that nothing was decided, and nothing differs.
# shellcheck disable=SC2094 # what he reads is waited for
{
  for ((i = 0; i < 150; i++)); do
    grep -q Passphrase "$folder/typed" 2>"$folder/err" && break
    sleep 0.2
  done
  "$build/tests/person" -a "$passphrase" -- "$handoff" key revoke dave >"$folder/revoked"
  echo "$words"
  for ((i = 0; i < 150; i++)); do # the end of his input would end him
    grep -q "was decided\|is decided" "$folder/typed" && break
    sleep 0.2
  done
} | HOME=$folder/dave script -qefc "$(printf '%q ' "$handoff" gate decide "$gate" approve)" /dev/null >"$folder/typed"
status=$?
expect_that "he decided" [ $status = 6 ]
cp "$folder/typed" "$folder/out"
expect_out "nothing was decided: your key was revoked"
expect 0 verify
holds "revoked meanwhile"
finish
