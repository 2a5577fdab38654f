#!/bin/bash
# The hash chain has no secret: whoever may write to the store can add events to it that fit. None of them takes the place
# of a decision at a gate, and none puts words into the mouth of the person who decided.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
# append HANDOFF KIND DATA [ASSIGNMENTS]: adds an event with the right hashes, after changing the row.
append()
{
  [ -z "${4:-}" ] || sql "UPDATE handoffs SET $4 WHERE id = '$1'"
  sql -json "SELECT * FROM handoffs WHERE id = '$1'" >"$folder/row.json"
  sql -json "SELECT at, row, (SELECT max(seq) + 1 FROM events) AS seq FROM events WHERE handoff = '$1' ORDER BY n DESC LIMIT 1" >"$folder/last.json"
  # shellcheck disable=SC2016 # JavaScript
  sql "$(node -e '
    const [folder, id, kind, data] = process.argv.slice(1), fs = require("fs"), s = JSON.stringify;
    const read = (name) => JSON.parse(fs.readFileSync(`${folder}/${name}.json`))[0], row = read("row"), last = read("last");
    const sha = (text) => require("crypto").createHash("sha256").update(text).digest("hex");
    const hashed = "id kind type sender task phase session created digest idem_key parent state receiver path attempt deadline token claimed_by claim_session gate superseded_by marks";
    const print = sha("[" + hashed.split(" ").map((c) => s(row[c])).join() + "]").slice(0, last.row.length);
    const n = row.events + 1, at = last.at + 1, q = (text) => "\x27" + String(text).replaceAll("\x27", "\x27\x27") + "\x27";
    const hash = sha(`{"actor":"lead","at":${at},"data":${data},"handoff":${s(id)},"kind":${s(kind)},"n":${n},"prev":${s(row.head)},"row":${s(print)}}`);
    console.log(`INSERT INTO events (seq, handoff, n, at, actor, kind, data, row, prev, hash) VALUES (${last.seq}, ${[id, n, at, "lead", kind, data, print, row.head, hash].map(q)}); UPDATE handoffs SET head = ${q(hash)}, events = ${n} WHERE id = ${q(id)}`);
  ' "$folder" "$1" "$2" "$3")"
}
# said KIND GATE: what the newest event of this kind says about the gate.
said() { sql "SELECT data FROM events WHERE kind = '$1' AND data LIKE '%\"$2\"%' ORDER BY seq DESC LIMIT 1"; }

enrolled "$folder/project"
person 0 "$passphrase" -- gate decide "$gate" reject
package work.yaml lead reviewer
send work.yaml
work=$id
gate_document gate.yaml lead
expect 0 gate raise gate.yaml --for "$work" --json
first=$(field gate)
person 0 "$passphrase" -- gate decide "$first" approve --note "Only on the test server"
sed 's/Budget of the login/Production/' gate.yaml >gate2.yaml
expect 0 gate raise gate2.yaml --for "$work" --json
gate=$(field gate)
append "$work" progress '{}'
expect 0 verify # so the events that follow do fit
keep

# The first gate, which was approved, becomes the newest again.
append "$work" lapsed '{}' "state = 'ready', gate = ''"
append "$work" gated "$(said gated "$first")" "state = 'gated', gate = '$first'"
append "$work" approved "$(said approved "$first")" "state = 'ready', gate = ''"
named "an older approval" "gate $gate: it is not decided, but $work does not wait for it"
run next --as reviewer
expect_that "an older approval: it was delivered" [ "$status" = 1 ]
state_is "$work" gated
expect 0 gate show "$gate"
expect_out "$gate is open; $work is gated"
named "an older approval" "until a person decides: it was not decided"
person 0 "$passphrase" -- gate decide "$gate" approve
claim --as reviewer
expect_that "another one" [ "$id" = "$work" ]

# A note that alice did not write, with her signature of another one.
again
person 0 "$passphrase" -- gate decide "$gate" approve --note "Only at night"
data=$(said approved "$gate")
append "$work" gate_decided "${data/Only at night/Whenever you like}"
named "another note" "gate $gate: its decision does not match its event"
claim --as reviewer
expect 0 show "$work"
expect_out "# decision (alice, signed): approve"
expect_out "# note (alice): Only at night"
expect_out "# decision (alice, unsigned): approve"
expect 0 show "$work" --json
expect_json "$folder/out" 'v.handoff.talk.filter((t) => t.proof === "signed").length === 2 && v.handoff.talk.at(-2).proof === "unsigned"'
finish
