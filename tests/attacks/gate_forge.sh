#!/bin/bash
# Ways to decide a gate without alice's passphrase: none counts.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
enrolled "$folder/project"
keep

# At the command line: no terminal, no variable, a terminal of its own, in a session of its own, with a guess.
expect 7 gate decide "$gate" approve
env -i PATH="$PATH" HOME="$HOME" "$handoff" gate decide "$gate" approve </dev/null >/dev/null 2>&1
holds "without variables"
person 7 -- gate decide "$gate" approve
setsid "$build/tests/person" -- env -i PATH="$PATH" HOME="$HOME" "$handoff" gate decide "$gate" approve >/dev/null
holds "a terminal of its own"
person 7 "correct hors" -- gate decide "$gate" approve
expect_out "the passphrase is wrong"
SHELL=/bin/bash timeout 5 script -qec "yes | $handoff gate decide $gate approve" /dev/null </dev/null >/dev/null
holds "answers from a pipe"

# With a key of its own, under alice's name as well; it cannot be enrolled.
evil=$folder/evil
mkdir "$evil"
HOME=$evil person 0 "evil passphrase" "evil passphrase" -- key new --name alice
HOME=$evil person 7 "evil passphrase" -- gate decide "$gate" approve
XDG_CONFIG_HOME=$evil/.config person 7 "evil passphrase" -- gate decide "$gate" approve
HOME=$evil person 7 "evil passphrase" -- key enrol
HOME=$evil run key list
sed -n 2p "$folder/out" | sed 's/alice/mallory/' >"$folder/mallory.key"
HOME=$evil person 7 "evil passphrase" -- key enrol "$folder/mallory.key"
HOME=$evil person 7 "evil passphrase" -- key revoke alice
holds "another key"

# By the file of deciders: a line more, another list, none. Another list is that of a project of its own.
mkdir "$folder/other" && cd "$folder/other" || exit
HOME=$evil person 0 "evil passphrase" -- key enrol
cd "$folder/project" || exit
grep ed25519 "$folder/other/.handoff/deciders" >>.handoff/deciders
HOME=$evil person 7 "evil passphrase" -- gate decide "$gate" approve
named "a line more" "whom this ledger does not know"
cp "$folder/other/.handoff/deciders" .handoff/deciders
HOME=$evil person 7 "evil passphrase" -- gate decide "$gate" approve
holds "another list"
rm .handoff/deciders
HOME=$evil person 7 -- gate decide "$gate" approve
XDG_DATA_HOME=/nowhere person 7 -- gate decide "$gate" approve
holds "no list"
named "no list" ".handoff/deciders lacks alice"
again

# By the enrolments in the ledger: another one, or none.
sql "ATTACH '$folder/other/.handoff/handoff.db' AS o; DELETE FROM events WHERE handoff = '(project)';
  INSERT INTO events SELECT (SELECT max(seq) + 1 FROM main.events), handoff, n, at, actor, kind, data, row, prev, hash FROM o.events WHERE kind = 'decider_enrolled'"
cp "$folder/other/.handoff/deciders" .handoff/deciders
XDG_CONFIG_HOME=$evil/.config person 7 "evil passphrase" -- gate decide "$gate" approve
holds "another decider in the ledger"
named "another decider in the ledger" "decider"
again
sql "DELETE FROM events WHERE handoff = '(project)'; DELETE FROM seals"
rm -f .handoff/deciders .handoff/seal
expect_terminal 7 gate decide "$gate" approve
holds "no decider in the ledger"
named "no decider in the ledger" "decider"
again

# By the row of the gate, that of the handoff, and a decision with all its events, made in a copy without deciders.
decided="state = 'decided', decision = 'approve', decided_by = 'alice', verified = 'verified', decided = raised + 1"
sql "UPDATE gates SET $decided"
holds "the gate's row"
again
sql "UPDATE gates SET $decided"
named "the gate's row" "which does not count: it is not signed"
sql "UPDATE handoffs SET state = 'ready', gate = '', receiver = 'est'"
holds "both rows"
expect 0 gate list
expect_out "$gate"
again
sql "UPDATE handoffs SET state = 'ready', gate = '', receiver = 'est'; DELETE FROM gates"
holds "no row of the gate"
again
sql "UPDATE handoffs SET state = 'ready', gate = '', receiver = 'est'; DELETE FROM gates; DELETE FROM events WHERE kind = 'gated'; DELETE FROM seals"
rm -f .handoff/seal
run inbox --as est
run next --as est
expect_that "no history: it was delivered" [ "$status" != 0 ]
named "no history" "event"
again
cp -a . "$folder/copy" && cd "$folder/copy" || exit
rm .handoff/deciders
sql "DELETE FROM events WHERE handoff = '(project)'"
HOME=$folder/copy expect_terminal 0 gate decide "$gate" approve
expect_out "(unsigned)"
cd "$folder/project" || exit
sql "ATTACH '$folder/copy/.handoff/handoff.db' AS c; DELETE FROM gates; INSERT INTO gates SELECT * FROM c.gates;
  DELETE FROM handoffs; INSERT INTO handoffs SELECT * FROM c.handoffs;
  INSERT INTO events SELECT (SELECT max(seq) FROM main.events) + 1, handoff, n, at, actor, kind, data, row, prev, hash FROM c.events
    WHERE kind = 'approved'"
holds "a decision with its events"
again
cp "$folder/copy/.handoff/handoff.db" .handoff/handoff.db
rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
holds "the whole store of a copy"
again

# By a signature of alice's: of another gate, of another decision, of another project with the same ids, of a changed note.
package ask2.yaml est human escalation "Another thing to decide, with all that belongs to it written down"
package ask3.yaml est human escalation "A third thing to decide, with all that belongs to it written down"
first=$gate
send ask2.yaml
person 0 "$passphrase" -- gate decide "$gate" approve
approved=$gate
claim --as est # so that nothing else is ready
send ask3.yaml
person 0 "$passphrase" -- gate decide "$gate" reject --note No
rejected=$gate
gate=$first
keep
sql "UPDATE gates SET (state, decision, decided_by, note, verified, decided, signature, signer) =
  (SELECT state, decision, decided_by, note, verified, decided, signature, signer FROM gates WHERE id = '$approved') WHERE id = '$first'"
holds "the signature of another gate"
again
sql "UPDATE gates SET (state, decision, decided_by, note, verified, decided, signature, signer, digest, name, raised) =
  (SELECT state, decision, decided_by, note, verified, decided, signature, signer, digest, name, raised FROM gates WHERE id = '$approved') WHERE id = '$first'"
holds "another gate in its place"
again
sql "UPDATE gates SET decision = 'approve' WHERE id = '$rejected'"
gate=$rejected holds "a rejection turned round"
again
sql "UPDATE gates SET note = 'And deploy' WHERE id = '$approved'"
run gate wait "$approved" --timeout 1
expect_that "a changed note counts" [ "$status" = 7 ]
again
sql "UPDATE gates SET digest = (SELECT digest FROM gates WHERE id = '$first') WHERE id = '$approved'"
run gate wait "$approved" --timeout 1
expect_that "another document counts" [ "$status" = 7 ]
again
enrolled "$folder/twin"
twin=$gate
person 0 "$passphrase" -- gate decide "$twin" approve
cd "$folder/project" || exit
gate=$first
expect_that "the ids differ" [ "$twin" = "$first" ]
sql "ATTACH '$folder/twin/.handoff/handoff.db' AS t; DELETE FROM gates WHERE id = '$first'; INSERT INTO gates SELECT * FROM t.gates WHERE id = '$first'"
holds "the signature of another project"
sql "ATTACH '$folder/twin/.handoff/handoff.db' AS t; DELETE FROM events WHERE handoff = '(project)';
  INSERT INTO events SELECT (SELECT max(seq) FROM main.events) + 1, handoff, n, at, actor, kind, data, row, prev, hash FROM t.events WHERE kind = 'decider_enrolled'"
cp "$folder/twin/.handoff/deciders" .handoff/deciders
holds "the signature and deciders of another project"
again

# What alice is shown is what alice signs.
sql "UPDATE bodies SET body = replace(body, 'login', 'harmless page') WHERE digest = (SELECT digest FROM gates WHERE id = '$first')"
person 10 "$passphrase" -- gate decide "$first" approve
expect_out "was changed in the store"
again

# And alice herself: it works, after all of this.
person 0 "$passphrase" -- gate decide "$first" approve
expect 0 gate wait "$first" --timeout 1
claim --as est
expect 0 verify
finish
