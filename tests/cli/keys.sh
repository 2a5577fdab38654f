#!/bin/bash
# A person's key: made and enrolled at a terminal, signs decisions, is revoked; what was signed is checked everywhere.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/key_common
source "$source_dir/tests/cli/key_common"
needs git

# A key needs a terminal and a passphrase; nobody else can read it.
expect 7 key new --name alice
expect_err "at a terminal"
person 2 short 12345678 '        ' -- key new --name alice
expect_out "at least 8 characters"
expect_out "one of the first that are guessed"
expect_out "no key was made: it consists of blanks"
person 2 aaaabbbb 'Password1!' qwertyuiop -- key new --name alice
expect_out "too few different characters"
for name in handoff deadline human Human user:alice; do
  person 2 -- key new --name "$name"
  expect_out "handoff, deadline and human are reserved"
done
person 2 "correct horse" "correct hors" -- key new --name alice
expect_out "the two passphrases differ"
person 2 -- key new --name 'a b'
HANDOFF_AGENT=coder person 7 -- key new
expect_out "HANDOFF_AGENT is set"
person 7 -- key new --name alice
expect_that "a key was written" [ ! -e "$HOME/.config/handoff/key" ]
person 0 short "correct horse" "correct horse" -- key new --name alice
expect_out "alice ed25519:"
print=$(sed -n 's/^# fingerprint: //p' "$folder/out")
expect 0 key list
expect_out "# fingerprint: $print"
expect_not_out "correct horse"
expect_that "its rights" [ "$(stat -c %a "$HOME/.config/handoff/key" "$HOME/.config/handoff" | paste -sd,)" = 600,700 ]
expect_that "what it says" grep -qE '^kdf argon2id [0-9]+ [0-9]+ ' "$HOME/.config/handoff/key"
person 6 -- key new
expect_out "you have a key already"
expect 0 key list --json
expect_json "$folder/out" 'v.own.name === "alice" && /^ed25519:/.test(v.own.key) && v.own.fingerprint.length === 32 && v.required === false && v.deciders.length === 0'

# Without deciders, decisions are unsigned and called so.
package ask.yaml estimation human escalation
package ask2.yaml estimation human escalation "Another thing to decide, with all that belongs to it written down"
send ask.yaml
old=$gate
expect_terminal 0 gate decide "$old" approve
expect_out "approve by user:$(id -un) (unsigned)"
expect 0 gate show "$old" --json
expect_json "$folder/out" 'v.proof === "unsigned" && v.known === "asserted" && v.signer === null'
expect 0 gate list --all
expect_out "(unsigned)"
expect 0 log "$id"
expect_out '(unsigned)'
claim --as estimation
expect_json "$folder/out" 'v.handoff.talk.some(t => t.kind === "decision" && t.proof === "unsigned")'
expect 0 verify
expect_out "tamper-evident: 1 seal (0 signed), none in git; 0 decisions signed, 1 unsigned"

# The first decider enrols itself, at a terminal; earlier decisions keep counting.
expect 7 key enrol
HANDOFF_AGENT=coder person 7 -- key enrol
person 7 "wrong horse" -- key enrol
expect_out "the passphrase is wrong"
person 0 "correct horse" -- key enrol
expect_out "Enrol alice, key $print"
expect_out "alice is enrolled"
expect_out "1 earlier decision keeps counting"
expect_out "nobody has confirmed the key of alice"
person 0 yes -- trust
expect_out "deciders is trusted"
person 6 -- key enrol
expect_out "enrolled already"
expect_that "the file" grep -qE '^alice ed25519:[^ ]+ added [^ ]+ by alice [^ ]+ keeps [0-9a-f]{64}$' .handoff/deciders
expect 0 key list --json
expect_json "$folder/out" 'v.required && v.deciders.length === 1 && v.deciders[0].state === "enrolled" && v.deciders[0].by === "alice" && v.project.length === 32 && !v.notes.length'
copy=$(field copy)
expect_that "the copy outside" cmp -s .handoff/deciders "$copy"
expect_that "its rights" [ "$(stat -c %a "$copy")" = 600 ]
expect 0 gate show "$old" --json
expect_json "$folder/out" 'v.state === "decided" && v.proof === "unsigned"'
expect 0 verify

# Now a decision is signed; the person sees what is decided before the passphrase is asked for.
send ask2.yaml
expect 7 gate decide "$gate" approve
person 7 -- gate decide "$gate" approve
person 7 "wrong horse" -- gate decide "$gate" approve
person 0 "correct horse" -- gate decide "$gate" question --note "What does it cost?"
expect_out "(signed)"
expect 0 answer "$gate" --note "5 days" --as estimation
person 0 "correct horse" -- gate decide "$gate" approve --note Go
expect_out "Document, SHA-256 $(sha256sum ask2.yaml | cut -d' ' -f1):"
expect_out "Architecture decision record"
expect_out "Your decision: approve, with the note:"
expect_out "| Go"
expect_out "is decided: approve by alice (signed)"
expect 0 gate wait "$gate" --timeout 1 --json
expect_json "$folder/out" 'v.proof === "signed" && v.known === "verified" && v.decided_by === "alice" && v.signer.length === 32 && v.doubt === null'
expect 0 log "$id"
expect_out '(signed)'
expect_that "the seal is signed" grep -q '"signature":"' .handoff/seal
expect 0 verify --json
expect_json "$folder/out" 'v.ok && v.decisions_signed === 1 && v.decisions_unsigned === 1 && v.seals_signed === 3 && v.seals === 5 && v.seal_committed === 0'

# Another decider: enrolled by the first one, not by itself; revoked, what it signed keeps counting.
expect 0 key list
bob_home=$folder/bob
mkdir "$bob_home"
HOME=$bob_home person 0 "battery staple" "battery staple" -- key new --name bob
HOME=$bob_home run key list
sed -n 2,3p "$folder/out" >"$folder/bob.key"
HOME=$bob_home person 7 "battery staple" -- key enrol
expect_out "only a decider can enrol you (alice)"
HOME=$bob_home person 7 "battery staple" -- key enrol "$folder/bob.key"
person 0 "correct horse" -- key enrol "$folder/bob.key"
expect_out "bob is enrolled"
send ask2.yaml --key bobs
HOME=$bob_home person 0 "battery staple" -- gate decide "$gate" reject --note "Too dear"
bobs=$gate
person 5 -- key revoke carol
person 0 "correct horse" -- key revoke bob
expect_out "1 earlier decision keeps counting"
expect 0 gate show "$bobs" --json
expect_json "$folder/out" 'v.state === "decided" && v.decision === "reject" && v.proof === "signed"'
send ask2.yaml --key after
HOME=$bob_home person 7 "battery staple" -- gate decide "$gate" approve
expect_out "your key is not enrolled"
person 6 "correct horse" -- key revoke alice
expect_out "is the only decider"
expect 0 verify
expect_that "the file" grep -qE '^bob ed25519:[^ ]+ revoked [^ ]+ by alice [^ ]+ keeps [0-9a-f]{64}$' .handoff/deciders

# The seal in git is compared; a clone's deciders count once a person has accepted them.
git init -q . && git config user.email a@example.org && git config user.name a
git add .handoff/deciders && git commit -qm "Deciders"
git clone -q . ../clone
git add .handoff/seal && git commit -qm "Seal"
expect 0 verify
expect_out "is in git"
sed 's/"hash":"..../"hash":"0000/' .handoff/seal >seal && mv seal .handoff/seal && git commit -qam "Another seal"
expect 1 verify
expect_out "git's newest commit has it, but the store does not"
cd ../clone || exit
mkdir -p docs && echo spec >docs/spec.md
package ask.yaml estimation human escalation
expect 0 key list --json
expect_json "$folder/out" 'v.required && v.deciders.every(d => d.state === "unknown") && v.notes.some(n => n.includes("does not know"))'
send ask.yaml
expect_terminal 7 gate decide "$gate" approve
expect_out "its deciders are not enrolled in this ledger"
person 7 -- key enrol
person 7 no -- key enrol .handoff/deciders
person 0 yes -- key enrol .handoff/deciders
expect_out "alice is enrolled"
person 0 "correct horse" -- gate decide "$gate" approve
expect 0 gate wait "$gate" --timeout 1
finish
