#!/bin/bash
# Gates: raised, decided once by a person, questioned and answered, ended by their deadline.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script
printf 'notify:\n  - /bin/sh\n  - -c\n  - echo "$HANDOFF_GATE $HANDOFF_ID $0" >>notified\n' >"$folder/config"

# An escalation opens a gate, and people are told; what a project's settings name runs only after a person trusts it.
mkdir .handoff && cp "$folder/config" .handoff/config.yaml
cp -r . ../quiet && cd ../quiet || exit
package ask.yaml estimation human escalation
send ask.yaml
sleep 0.5
expect_that "a stranger's command ran" [ ! -e notified ]
cd ../project || exit
expect 0 trust
package ask.yaml estimation human escalation
send ask.yaml
expect_json "$folder/out" 'v.state === "gated" && v.type === "escalation" && v.gate'
asked=$id first=$gate
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s notified ] || sleep 0.2; done
expect_that "nobody was told" grep -q "^$first $asked .*waits for your decision" notified
expect 0 gate list
expect_out "$first"
expect 0 gate show "$first"
expect_out "estimation"
expect_out "Architecture decision record"
expect_out "# next: handoff gate decide $first approve|reject|question"
expect 7 gate wait "$first" --timeout 1
expect_json state/current.json 'v.handoffs[0].status === "gated"'
pending() { expect_json state/current.json "(p => $1)(v.gates_pending)"; }
pending "p.length === 1 && p[0].gate === '$first' && p[0].handoff === '$asked' && p[0].type === 'blocking' && p[0].step === '3' && p[0].waiting_for === 'validation' && p[0].deliverable === 'ask.yaml' && p[0].since"

# Only a person decides.
expect 7 gate decide "$first" approve
expect_err "a person must decide, at a terminal; run the same command in one"
for variable in HANDOFF_AGENT CLAUDECODE GEMINI_CLI CODEX_SANDBOX; do
  export "$variable=1"
  expect_terminal 7 gate decide "$first" approve
  expect_out "$variable"
  unset "$variable"
done
expect_terminal 5 gate decide G-1999-001 approve
expect_terminal 2 gate decide "$first" maybe

# A question keeps it open and is answered.
expect_terminal 2 gate decide "$first" question
expect_terminal 0 gate decide "$first" question --note "What does it cost?"
expect 0 gate show "$first" --json
expect_json "$folder/out" 'v.state === "open" && v.decision === "question" && v.note === "What does it cost?"'
expect 0 gate show "$first"
expect_that "the question is not shown once" [ "$(grep -c "What does it cost?" "$folder/out")" = 1 ]
state_is "$asked" gated
pending 'p.length === 1 && p[0].waiting_for === "input"'
expect 0 answer "$first" --note "5 days" --as estimation
pending 'p[0].waiting_for === "validation"'
expect 6 answer "$first" --note "5 days"
expect 0 gate show "$first" --json
expect_json "$folder/out" 'v.state === "open" && v.decision === null && v.talk.some(t => t.text === "5 days")'

# Approval makes it ready for whoever asked; the second person sees who was first.
(sleep 1; SHELL=/bin/bash script -qec "$handoff gate decide $first approve --note Go" /dev/null </dev/null >/dev/null) &
expect 0 gate wait "$first" --timeout 20 --json
wait
expect_json "$folder/out" 'v.decision === "approve" && v.known === "asserted" && v.proof === "unsigned" && /^user:/.test(v.decided_by)'
expect_terminal 6 gate decide "$first" reject
expect_out "is already decided: approve by user:"
expect_out "; to take that back, run: handoff withdraw $asked --note TEXT"
pending 'p.length === 0'
state_is "$asked" ready
expect_json "$folder/out" 'v.handoff.to === "estimation" && v.handoff.gate === null'
claim --as estimation
expect_json "$folder/out" 'v.handoff.talk.some(t => t.kind === "decision" && t.text === "approve")'

# Rejection ends it. Gates that others wait at stay in the state file as they are, and the file need not have a list.
echo '{}' >state/current.json
package ask2.yaml estimation human
send ask2.yaml
pending "p.length === 1 && p[0].gate === '$gate'"
node -e 'const fs = require("fs"), v = JSON.parse(fs.readFileSync("state/current.json"));
v.gates_pending.unshift({ step: "design", type: "advisory", gate: "of another" });
fs.writeFileSync("state/current.json", JSON.stringify(v))'
expect_terminal 0 gate decide "$gate" reject --note "Too dear"
expect 1 gate wait "$gate" --timeout 1
state_is "$id" rejected
pending 'p.length === 1 && p[0].step === "design" && p[0].gate === "of another"'
expect 0 check state/current.json
expect_not_out "warning[expected]"

# A gate about a handoff that is under way; its work goes on with the same claim.
package work.yaml lead coder
send work.yaml
work=$id
claim --as coder
expect 0 ack "$work" --task "As asked" --token "$token"
gate_document gate.yaml coder
expect 0 gate raise gate.yaml --for "$work" --json
gate=$(field gate)
state_is "$work" gated
expect 6 'done' "$work" --token "$token"
expect_terminal 0 gate decide "$gate" approve
state_is "$work" acked
expect 0 'done' "$work" --token "$token"
expect 6 gate raise gate.yaml --for "$work"

# A gate of its own, by send as well; one that is not blocking stops nothing.
expect 0 gate raise gate.yaml
expect_out "G-"
send gate.yaml
expect_json "$folder/out" 'v.kind === "gate" && v.state === "gated"'
expect 4 gate raise work.yaml
send work.yaml --key again
sed 's/type: blocking/type: informative/' gate.yaml >told.yaml
expect 0 gate raise told.yaml --for "$id" --json
pending "p.some(g => g.gate === '$(field gate)' && g.type === 'advisory')"
state_is "$id" ready

# Whatever takes the place of a gated handoff waits instead; what has ended cannot.
send ask2.yaml --key key3
asked=$id first=$gate
expect 7 supersede "$asked" --by "$work"
expect_err "cannot wait instead; run: handoff gate show $first"
send work.yaml --key instead
expect 0 supersede "$asked" --by "$id"
expect_terminal 6 gate decide "$first" approve
state_is "$id" gated
gate=$(field handoff.gate)
pending "!p.some(g => g.gate === '$first') && p.some(g => g.gate === '$gate' && g.name.endsWith('(inherited from $first)'))"
# So does the same document under another key or name, or once its gate was rejected.
cp work.yaml other.yaml
send other.yaml
expect_json "$folder/out" "v.state === 'gated' && v.gate"
expect_terminal 0 gate decide "$gate" reject
expect_out "no reason was given"
state_is "$id" rejected
send work.yaml --key rejected
expect_json "$folder/out" "v.state === 'gated'"
expect_terminal 0 gate decide "$gate" approve
state_is "$id" ready
send work.yaml --key approved
expect_json "$folder/out" "v.state === 'ready' && !v.gate"
expect 0 verify

# The deadline rejects.
needs_clock
gate_document late.yaml coder "$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)"
expect 0 gate raise late.yaml --json
gate=$(field gate) id=$(field id)
expect 7 gate wait "$gate" --timeout 1
later 7200 expect 1 gate wait "$gate" --timeout 1 --json
expect_json "$folder/out" 'v.decision === "reject" && v.decided_by === "deadline" && v.handoff_state === "rejected"'
state_is "$id" rejected
expect 0 verify

# So does that of a gate that stops nothing.
send work.yaml --key once-more
sed 's/type: blocking/type: informative/' late.yaml >told.yaml
expect 0 gate raise told.yaml --for "$id" --json
gate=$(field gate)
later 7200 expect 1 gate wait "$gate" --timeout 1
state_is "$id" ready

# A handoff's own deadline rests while it is gated, and holds again afterwards.
sed "s/^handoff:/handoff:\n  x_deadline: \"$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)\"/" work.yaml >timed.yaml
send timed.yaml
expect 0 gate raise gate.yaml --for "$id" --json
gate=$(field gate)
later 7200 expect 7 gate wait "$gate" --timeout 1
state_is "$id" gated
expect_json "$folder/out" 'v.handoff.deadline'
expect_terminal 0 gate decide "$gate" approve
state_is "$id" ready
expect_json "$folder/out" 'v.handoff.deadline'
later 7200 expect 1 next --as nobody
state_is "$id" expired
expect 0 verify
finish
