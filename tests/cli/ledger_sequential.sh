#!/bin/bash
# A handoff from one agent to the next: sent, claimed, acknowledged, done.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

# Nothing yet.
expect 0 status
expect_err "nothing has been handed off"
expect 0 list
expect_no_out
expect_err "nothing has been handed off"
expect 0 log --json
expect_json "$folder/out" 'v.events.length === 0'
expect 5 log HO-2026-001
expect 1 next --as architecture

sed 's/summary:.*/summary: ""/' <(package /dev/stdout a b) >bad.yaml
expect 4 send bad.yaml
expect_that "a refused document started a ledger" [ ! -e .handoff ]

# Send: the id, the state file, no archive copy while the file is there.
package package.yaml specification architecture sequential
send package.yaml
expect_json "$folder/out" 'v.id && v.state === "ready" && /^[0-9a-f]{64}$/.test(v.digest) && v.type === "sequential"'
first=$id
expect_that "the id is not of this year's form" grep -qE "^HO-[0-9]{4}-[0-9]{3,}$" <<<"$first"
expect_that "there is an archive copy already" [ ! -e .project ]
expect_json state/current.json "v.handoffs.length === 1 && v.handoffs[0].id === '$first' && v.handoffs[0].status === 'pending' && v.handoffs[0].path === 'package.yaml'"
expect 0 list --json
expect_json "$folder/out" 'v.handoffs.length === 1 && v.handoffs[0].from === "specification" && v.handoffs[0].to === "architecture" && v.handoffs[0].task === "feature" && v.handoffs[0].phase === "3" && v.handoffs[0].kind === "package"'
for filter in "--to architecture" "--from specification" "--state ready" "--kind package" "--task feature" "--phase 3" "--since 1h"; do
  # shellcheck disable=SC2086
  expect 0 list $filter
  expect_out "$first"
done
for filter in "--to nobody" "--state done" "--kind gate" "--task 7" "--since 2099-01-01"; do
  # shellcheck disable=SC2086
  expect 0 list $filter
  expect_no_out
done
expect 2 list --since yesterday-ish
expect 2 list --state nonsense
expect_err "use open, or one of: draft, ready"
expect 2 search personas --kind nonsense
expect 0 log "HO-${first##*-}"
expect_out "$first"
expect_no_err
expect 2 key
expect_err "new, list, enrol"
expect 2 supersede "$first"
expect_err "needs --by ID"

# Every artifact has its digest, or the handoff is not taken.
mkfifo docs/pipe
package pipe.yaml specification architecture
sed -i 's,docs/spec.md,docs/pipe,' pipe.yaml
expect 9 send pipe.yaml
expect_err "is not a regular file"
package many.yaml specification painter
for ((i = 0; i < 1200; i++)); do echo "      - path: docs/many/$i"; done >"$folder/paths"
mkdir docs/many && (cd docs/many && for ((i = 0; i < 1200; i++)); do : >"$i"; done)
sed -i "/    artifacts:/r $folder/paths" many.yaml
send many.yaml
expect 0 show "$id" --json
expect_json "$folder/out" 'v.handoff.claims.filter(c => c.claim === "artifact").length === 1201'
expect 0 supersede "$id" --by "$first"
expect 0 search personas
expect_out "[personas]"
expect_nothing search unicorns
expect 0 search '"user stories"' --to architecture

# Only the receiver gets it, once.
expect 1 next --as nobody
expect 2 next
claim --as architecture/1
expect_json "$folder/out" "v.id === '$first' && v.token.length >= 32 && v.lease_until && v.handoff.document.handoff.to.agent === 'architecture' && v.handoff.drift.length === 0"
expect_json "$folder/out" 'v.handoff.claims.some(c => c.claim === "artifact" && c.known === "verified" && c.now === "same") && v.handoff.claims.some(c => c.known === "asserted")'
expect 1 next --as architecture/2
expect 6 ack "$first" --task "Write the record" --token "$(printf '%032d' 0)"
expect_err "stale or wrong"
expect 6 ack "$first" --task "Write the record"
expect 6 ack "$first" --task "Write the record" --token "$token" --as another
expect_err "claimed by architecture/1, not by another"

# Ack records the four checks.
expect 0 ack "$first" --task "Write the record" --constraint "200 ms" --question "Which region?" --token "$token" --json
expect_json "$folder/out" 'v.state === "acked" && v.checks.map(c => c.check).join() === "summary,artifacts,deliverable,constraints" && v.checks.every(c => c.ok)'
expect_json state/current.json 'v.handoffs[0].status === "in_progress"'
expect 0 renew "$first" --token "$token" --lease 3600
expect 0 answer "$first" --note "The one of the customer"
state_is "$first" acked
expect_json "$folder/out" 'v.handoff.talk.some(t => t.kind === "question" && t.text === "Which region?") && v.handoff.talk.some(t => t.kind === "answer")'
HANDOFF_TOKEN=$token expect 0 'done' "$first"
state_is "$first" 'done'
expect 6 'done' "$first" --token "$token"
copy=$(echo .project/07-audit/sessions/local-*/handoffs/"$first".yaml)
expect_that "there is no archive copy" [ -f "$copy" ]
expect_json state/current.json 'v.handoffs[0].status === "completed"'
expect 0 log "$first" --json
expect_json "$folder/out" 'v.events.map(e => e.event).join() === "sent,claimed,acked,answer,done" && v.events[1].actor === "architecture/1"'
expect 0 verify
expect_out "no differences"

# Keys: the same key and content is the same handoff; other content is refused.
send package.yaml --key once
second=$id
send package.yaml --key once
expect_json "$folder/out" "v.id === '$second' && v.same === true"
package other.yaml specification architecture sequential "Another summary: 4 epics, 15 user stories and their personas are written down"
expect 6 send other.yaml --key once
expect_err "different content"

# A changed file is drift; sent again it takes the place of what was sent.
package package.yaml specification architecture sequential "Specifications completed: 5 epics, 20 user stories and their personas are written down"
echo more >>docs/spec.md
expect 0 show "$second"
expect_out "# drift: artifact docs/spec.md has changed"
expect_out "# drift: copy package.yaml has changed"
expect 1 verify
expect_out "difference: file package.yaml"
send package.yaml
expect_json "$folder/out" "v.superseded === '$second'"
state_is "$second" superseded
expect_json "$folder/out" "v.handoff.superseded_by === '$id'"
third=$id

# Reject and supersede by hand.
claim --as architecture
expect 0 ack "$third" --task "As asked" --token "$token"
expect 2 reject "$third" --token "$token"
expect 0 reject "$third" --note "Out of scope" --token "$token"
state_is "$third" rejected
send other.yaml
fourth=$id
send other.yaml --again
expect 0 supersede "$fourth" --by "$id"
state_is "$fourth" superseded
expect 6 supersede "$fourth" --by "$id"
expect 5 supersede "$fourth" --by HO-1999-001
expect 2 supersede "$id" --by "$id"

# An author's own id is kept where it is free.
sed -i 's/^handoff:/handoff:\n  id: HO-1999-007/' other.yaml
send other.yaml
expect_json "$folder/out" 'v.id === "HO-1999-007"'
send other.yaml --to architecture --again
expect_json "$folder/out" 'v.id !== "HO-1999-007"'
expect 2 send other.yaml --to somebody

# Refused: broken rules, missing artifacts, formats that live in files, unreadable texts.
sed 's|docs/spec.md|docs/nowhere.md|' other.yaml >missing.yaml
expect 4 send missing.yaml --json
expect_json "$folder/out" 'v.errors > 0 && v.findings.some(f => f.rule === "package-artifact-missing") && !v.id'
sed 's|docs/spec.md|../../etc/passwd|' other.yaml >outside.yaml
expect 4 send outside.yaml
expect 0 template progress
cp "$folder/out" plain.json
expect 4 send plain.json --format progress
expect_err "stays in its file"
printf '{"a": ' >broken.json
expect 3 send broken.json
expect 5 send nowhere.yaml

# Without a file the archive copy is written at once.
send - --again <other.yaml
expect_that "there is no copy of what came from standard input" [ -f .project/07-audit/sessions/local-*/handoffs/"$id".yaml ]

# The state file keeps what others wrote.
node -e '
const fs = require("fs"), v = JSON.parse(fs.readFileSync("state/current.json"));
v.project = {name: "Shop"}; v.handoffs.push({id: "theirs", status: "pending"}); v.handoffs[0].note = "mine";
fs.writeFileSync("state/current.json", "// kept\n" + JSON.stringify(v, null, 1));'
send package.yaml
expect_that "the comment is gone" grep -q "^// kept" state/current.json
tail -n +2 state/current.json >"$folder/state"
expect_json "$folder/state" "v.project.name === 'Shop' && v.handoffs.some(h => h.id === 'theirs') && v.handoffs.some(h => h.note === 'mine') && v.handoffs.some(h => h.id === '$id')"
printf 'no json' >state/current.json
send package.yaml
expect_err_is "" || true
expect_that "a file that cannot be read was changed" [ "$(cat state/current.json)" = "no json" ]
# Who took what is still told once it is done, and once it is archived.
expect 0 lineage --json
expect_json "$folder/out" "v.handoffs.some(h => h.id === '$first' && h.claimed_by)"
expect 0 archive --completed
expect 0 lineage --as mermaid
expect_out "$first"
# Every open state at once, and none of the ended ones; also with the other filters, in the log and in a search.
expect 0 list --json
expect_json "$folder/out" 'v.handoffs.some(h => h.state === "archived")'
open='(h => ["draft", "ready", "claimed", "acked", "clarify", "gated"].includes(h.state))'
count=$(node -p "JSON.parse(require('fs').readFileSync('$folder/out')).handoffs.filter$open.length")
expect 0 list --state open --json
expect_json "$folder/out" "v.handoffs.length === $count && $count > 0 && v.handoffs.every$open"
expect 0 list --state open --to architecture --json
expect_json "$folder/out" "v.handoffs.length > 0 && v.handoffs.every$open && v.handoffs.every(h => h.to === 'architecture')"
expect 0 search personas --state open --json
expect_json "$folder/out" "v.hits.length > 0 && v.hits.every$open"
expect 0 log --state open --json
expect_json "$folder/out" "v.events.length > 0 && !v.events.some(e => e.event === 'archived')"

rm state/current.json
expect 0 state
expect_out "handoffs"
expect 0 status --as architecture --json
expect_json "$folder/out" 'v.waiting.length > 0 && v.states.some(s => s.state === "ready")'
finish
