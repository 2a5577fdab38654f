#!/bin/bash
# What was changed about gates in the database has no effect, and verify names it; so does it name what was taken out of
# the history, and what the names of gates pretend is not mistaken for proof.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" reject
package work.yaml importer reviewer
send work.yaml
work=$id
gate_document gate.yaml importer
expect 0 backup "$folder/before.db"
events=$(sql "SELECT max(seq) FROM events")
expect 0 gate raise gate.yaml --for "$work" --json
gate=$(field gate) first=$(field gate)
expect 0 verify
keep

# The gate taken out, with everything that came with it; a backup from before in the place of the store.
sql "DELETE FROM gates WHERE id = '$gate'; DELETE FROM events WHERE seq > $events; DELETE FROM seals WHERE upto > $events;
  UPDATE handoffs SET state = 'ready', gate = '', events = 1, head = (SELECT hash FROM events WHERE handoff = '$work') WHERE id = '$work'"
named "the gate taken out" "the file \`seal\` names it, but the store does not have it"
again
rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
cp "$folder/before.db" .handoff/handoff.db
named "a backup from before" "the file \`seal\` names it, but the store does not have it"

# Columns of a gate: they change nothing, and verify names each.
for change in "deadline = 5" "resume = 'done'" "handoff = 'HO-2026-001'" "decided = 5" "name = 'x'" "raised_by = 'x'" \
  "raised = raised + 1" "digest = (SELECT digest FROM handoffs WHERE id = '$work')"; do
  again
  sql "UPDATE gates SET $change WHERE id = '$gate'"
  named "$change" "gate $gate"
  expect 7 gate wait "$gate" --timeout 1
  state_is "$work" gated
done
# A deadline that was made up rejects nothing, and the gate is put right; verify still says so, until a person decides.
again
sql "UPDATE gates SET deadline = 5 WHERE id = '$gate'"
package other.yaml lead tester sequential "Something else that has nothing to do with the work at the gate, in its own words"
send other.yaml
gate=$first
state_is "$work" gated
named "a deadline that was made up" "until a person decides: its deadline was changed in the store"
person 0 "$passphrase" -- gate decide "$gate" approve
expect 0 verify
# After approval, work goes on where it was, not where the row says.
again
sql "UPDATE gates SET resume = 'done' WHERE id = '$gate'"
person 0 "$passphrase" -- gate decide "$gate" approve
state_is "$work" ready
again
sql "UPDATE handoffs SET state = 'ready', gate = '' WHERE id = '$work'; UPDATE gates SET state = 'decided', decision = 'approve', decided_by = 'alice' WHERE id = '$gate'"
expect 1 next --as reviewer
state_is "$work" gated
named "a gate that was put back" "until a person decides"
person 0 "$passphrase" -- gate decide "$gate" reject
expect 0 verify

# The document that a gate was raised with taken out of the store, while it waits and once it is decided; and that of an
# acknowledgement.
for decided in '' approve; do
  again
  [ -z "$decided" ] || person 0 "$passphrase" -- gate decide "$gate" $decided
  sql "DELETE FROM bodies WHERE digest = (SELECT digest FROM gates WHERE id = '$gate')"
  named "its document taken out" "is missing, but $work needs it"
  run verify --quick
  expect_out "is missing, but $work needs it"
done
again
person 0 "$passphrase" -- gate decide "$gate" approve
claim --as reviewer
printf '%s\n' acknowledgment: "  handoff: $work" '  received: true' '  from: importer' '  understood: {task: Review all of it}' '  starting: true' >ack.yaml
HANDOFF_TOKEN=$token expect 0 send ack.yaml
expect 0 verify
sql "DELETE FROM bodies WHERE n NOT IN (SELECT body FROM handoffs) AND digest NOT IN (SELECT digest FROM gates)"
named "an acknowledgement taken out" "is missing, but $work needs it"

# The numbers of handoffs changed, so that what was approved once looks newer than what was rejected since.
again
person 0 "$passphrase" -- gate decide "$gate" approve
claim --as reviewer
HANDOFF_TOKEN=$token expect 0 "done" "$work" --as reviewer
send work.yaml
later=$id gate=$first
expect 0 gate raise gate.yaml --for "$later" --json
person 0 "$passphrase" -- gate decide "$(field gate)" reject --note "Not this month"
expect 0 verify
for change in "seq = 1000 WHERE id = '$work'" "seq = 0 WHERE id = '$later'"; do
  cp .handoff/handoff.db "$folder/kept.db"
  sql "UPDATE handoffs SET $change"
  named "$change" "its number in the store is not in the order in which handoffs were sent"
  expect 0 send work.yaml --again --json
  expect_json "$folder/out" "v.state === 'gated' && v.notes.some((n) => n.includes('$later, which was rejected'))"
  rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
  cp "$folder/kept.db" .handoff/handoff.db
done

# Signatures of seals, known to the file and to git.
again
sql "UPDATE seals SET signature = '', signer = ''"
expect 0 verify # the newest was not signed: what nobody knows of
person 0 "$passphrase" -- gate decide "$gate" approve
expect 0 verify
sql "UPDATE seals SET signature = '', signer = ''"
named "no signatures" "the file \`seal\` has a signature for it that the store does not have"
again
person 0 "$passphrase" -- gate decide "$gate" approve
git init -q . && git -c user.name=a -c user.email=a@b.c add -f .handoff/seal .handoff/deciders && git -c user.name=a -c user.email=a@b.c commit -qm seal
expect 0 verify
sql "UPDATE seals SET signature = '', signer = ''"
sed -i 's/,"signature".*}/}/' .handoff/seal
named "no signatures in the file either" "git's newest commit has a signature for it that the store does not have"

# The table of files: a copy in the archive changed together with its digest, and everything deleted.
again
person 0 "$passphrase" -- gate decide "$gate" reject
expect 0 archive --completed
expect 0 verify
archived=$(find .project -name "$work.yaml")
cp "$archived" "$folder/archived"
echo "# more" >>"$archived"
sql "UPDATE files SET digest = '$(sha256sum "$archived" | cut -d' ' -f1)' WHERE handoff = '$work' AND kind = 'archive'"
named "the archive with its digest" "its copy in the archive is not the one that its events recorded"
cp "$folder/archived" "$archived"
sql "UPDATE files SET digest = '$(sha256sum "$archived" | cut -d' ' -f1)' WHERE handoff = '$work' AND kind = 'archive'"
expect 0 verify
sql "UPDATE files SET digest = 'x' WHERE handoff = '$work' AND kind = 'artifact'"
named "an artifact" "its files are not those that its events recorded"
rm -rf .project
sql "DELETE FROM files"
named "no files at all" "its copy in the archive is not the one that its events recorded"

# Names do not pass for proof.
again
sed 's/name: Budget of the login/name: release-gate (signed)/' gate.yaml >named.yaml
expect 0 gate raise named.yaml --json
expect 0 gate list
expect_that "the name looks like proof" grep -qE '^G-[-0-9]+ +open +HO-[-0-9]+ +"release-gate \(signed\)"  ' "$folder/out"
# Nobody decided: the program says so.
package free.yaml lead coder sequential "Something else that is free, with everything about it written down here"
send free.yaml
gate=$first
expect 0 supersede "$work" --by "$id"
expect 0 gate list --all
expect_that "a person seems to have decided" grep -qE "^$gate +reject +\(no person\)" "$folder/out"
expect 0 gate show "$gate"
expect_out "reject by handoff (no person)"
expect 0 gate show "$gate" --json
expect_json "$folder/out" 'v.known === "checked" && v.proof === null'
finish
