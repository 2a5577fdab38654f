#!/bin/bash
# pass by an agent that holds a package or a request: it goes back to its receiver, who continues from what was passed on,
# and its sender has a result in the end. What the agent holds besides stays.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
git init -q -b main . 2>/dev/null
export CLAUDECODE=1
# as SESSION AGENT ARGUMENT...: in a session of its own.
as() { HANDOFF_SESSION=$1 HANDOFF_AGENT=$2 expect 0 "${@:3}"; }
# waiting: the handoffs that are open, as "ID STATE", in the order in which they were sent.
waiting() { run list --state open --json && json "$folder/out" 'v.handoffs.map((h) => h.id + " " + h.state).reverse().join()' && echo "$json"; }

# The package is ready again at once, with what was passed on; that is not handed out besides.
package work.yaml lead coder "" "The login of the shop is designed: 3 epics, 12 stories and their personas"
send work.yaml
work=$id
as s1 coder next --ack
as s1 coder pass --next 'Check the memory of the login; the tests are reviewed' --decision 'Use massif: it is installed' --json
expect_json "$folder/out" "v.continues === '$work' && v.state === 'superseded' && /^specs.feature_.*phase-3-handoff-/.test(v.handoff_path)"
expect_json "$folder/out" "v.notes.includes('$work is ready again for coder, and whoever claims it continues from this handoff')"
first=$(field handoff_path)
expect_that "the handoff does not name what it continues" grep -qx -- "- Continues: work.yaml, $work" "$first"
expect_that "open: $(waiting)" [ "$(waiting)" = "$work ready" ]
as s2 coder next --json
expect_json "$folder/out" "v.id === '$work' && v.handoff.continue_from === '$first' && !v.handoff.drafts.length && v.handoff.document.handoff.expectations.success_criteria.length === 1"
as s2 coder show "$work"
expect_out "# continue from: $first"
# The successor passes on as well: what was decided goes along, and the next one starts from the newer handoff.
as s2 coder pass --next 'Write the report about the login' --context 'It needs 9 MB' --json
second=$(field handoff_path)
expect_that "the decision is lost" grep -qF 'Use massif: it is installed (hop 1)' "$second"
as s3 coder next --ack --json
expect_json "$folder/out" "v.id === '$work' && v.handoff.continue_from === '$second'"
as s3 coder "done" "$work" --note 'Approved'
expect_that "open: $(waiting)" [ -z "$(waiting)" ]
as s3 coder lineage feature
expect_out "$work"
as s3 coder verify

# Known by its name alone, without a session; and by its session alone.
package shell.yaml lead tester "" "The pages of the shop are drawn: 4 pages, 9 forms and what they check"
send shell.yaml
HANDOFF_AGENT=tester expect 0 next
HANDOFF_AGENT=tester expect 0 pass --next 'Try the form of the address' --json
expect_json "$folder/out" "v.continues === '$id'"
HANDOFF_AGENT=tester expect 0 next --json
expect_json "$folder/out" "v.id === '$id' && v.handoff.continue_from"
HANDOFF_SESSION=s4 HANDOFF_AGENT=tester expect 6 "done" "$id"
expect 0 release "$id" --as tester
HANDOFF_SESSION=s5 expect 0 next --as tester
HANDOFF_SESSION=s5 expect 0 pass --next 'Try the form of the payment' --context 'The address works' --json
expect_json "$folder/out" "v.continues === '$id'"

# One that belongs to no task begins its own: neither the phase that happens to be in progress nor the session's earlier work
# is meant. Its successor goes on in the same task, and finish ends both.
as s6 writer progress start --task 7 --phase 2 --slug other --objective Measure
package loose.yaml lead writer "" "The manual of the shop is outlined: 7 chapters with their readers and examples"
sed -i '/workflow_state/,$d' loose.yaml
send loose.yaml
loose=$id
as s6 writer next --json
as s6 writer pass --next 'Write chapter three of the manual' --json
expect_json "$folder/out" "v.continues === '$loose' && /^specs.8_/.test(v.handoff_path)"
as s7 writer next
as s7 writer pass --next 'Write chapter four of the manual' --context 'Chapter three is written' --json
expect_json "$folder/out" "v.continues === '$loose' && /^specs.8_/.test(v.handoff_path) && v.handoff_count === 2"
as s8 writer next
as s8 writer finish --summary 'The manual is written'
state_is "$loose" "done"

# A request is answered by whoever continues it.
echo '{"task_id": "auth-001", "phase": "research", "context": {"feature": "Login", "spec_path": "docs/spec.md", "relevant_files": ["docs/spec.md"], "constraints": []},
  "instructions": "Find out how long a session of the login may live, in docs/spec.md", "expected_output": "structured_findings"}' >a.request.json
send a.request.json --to finder --as lead
request=$id
as s9 finder next --ack
as s9 finder pass --next 'Read section two of docs/spec.md' --json
expect_json "$folder/out" "v.continues === '$request' && /^specs.auth-001_.*phase-1-handoff-/.test(v.handoff_path)"
# Another request of the task is not the same phase.
sed 's/research/validate/; s/live, in/end, by/' a.request.json >b.request.json
send b.request.json --to checker --as lead
as s9b checker next
as s9b checker pass --next 'Read section three of docs/spec.md' --json
expect_json "$folder/out" "v.continues === '$id' && /^specs.auth-001_.*phase-2-handoff-/.test(v.handoff_path)"
as s10 finder next --json
expect_json "$folder/out" "v.id === '$request' && v.handoff.continue_from"
echo '{"task_id": "auth-001", "phase": "research", "status": "completed", "decision": "PROCEED", "findings": {"patterns_identified": ["A session lives for a day"]},
  "context_summary": "A session of the login lives for a day, by section two of the specification", "issues": [], "recommendations": []}' >a.response.json
as s10 finder return "$request" a.response.json
state_is "$request" "done"
expect 0 inbox --as lead
expect_out 'returned '

# What the handoff is not about stays claimed, and is named: of two, the one taken last is continued.
package one.yaml lead builder "" "The build of the shop is slow: 3 causes were measured, each with its seconds"
package two.yaml lead builder "" "The tests of the shop are flaky: 5 cases were seen, each with its log"
sed -i 's/name: feature/name: build/' one.yaml
sed -i 's/name: feature/name: tests/' two.yaml
send one.yaml && one=$id
send two.yaml && two=$id
as s11 builder next
as s11 builder next --another
as s11 builder pass --next 'Run the second flaky case alone' --json
expect_json "$folder/out" "v.continues === '$two' && v.notes.some((n) => n.startsWith('$one is still claimed, and is not part of this handoff; to give it back: handoff release $one'))"
state_is "$one" claimed
as s11 builder pass --task 7 --phase 2 --next 'Measure the other phase' --json
expect_json "$folder/out" "!v.continues && v.state === 'ready'"
state_is "$one" claimed
as s12 builder pass --task build --phase 3 --next 'Measure the linker' --json
expect_json "$folder/out" "!v.continues"
state_is "$one" claimed

# A draft that was confirmed and taken tells how far the work is, as the new handoff does: it is superseded.
as s13 keeper progress start --task 9 --phase 1 --slug kept --objective Keep
printf '{"session_id":"s13","transcript_path":"%s","cwd":"%s","hook_event_name":"PreCompact","trigger":"manual"}' "$folder/none" "$PWD" >"$folder/event"
HANDOFF_AGENT=keeper expect 0 hook claude <"$folder/event"
expect 0 list --state draft --json
draft=$(field handoffs.0.id)
expect 0 answer "$draft" --note 'I continue it' --as keeper
as s14 keeper claim "$draft"
as s14 keeper pass --next 'Keep the second half' --json
expect_json "$folder/out" "!v.continues && v.state === 'ready'"
state_is "$draft" superseded

# What a person has rejected does not travel with a package.
publish=(pass --next 'Publish the list of all customers of the shop on its front page' --goal 'Everybody can read the list of customers'
  --context 'It is in data/customers.csv, with addresses and telephone numbers' --decision 'Show all of them: nobody has to ask for one' --json)
as s15 sly "${publish[@]}" --task 20 --phase 1 --slug sly
rejected=$(field id)
gate_document ask.yaml sly
expect 0 gate raise ask.yaml --for "$rejected"
gate=$(grep -oE 'G-[0-9]{4}-[0-9]+' "$folder/out" | head -1)
unset CLAUDECODE
expect_terminal 0 gate decide "$gate" reject --note 'Never'
export CLAUDECODE=1
package sly.yaml lead sly "" "The front page of the shop is drawn: 2 columns, 5 boxes and their texts"
sed -i 's/name: feature/name: front/' sly.yaml
send sly.yaml
HANDOFF_SESSION=s16 HANDOFF_AGENT=sly claim
as s16 sly "${publish[@]}"
expect_json "$folder/out" "v.state === 'gated'"
as s17 sly next --json
expect_json "$folder/out" "v.id === '$id' && !v.handoff.continue_from"
finish
