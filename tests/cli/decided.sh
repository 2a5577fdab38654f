#!/bin/bash
# What was decided is not forgotten: decisions at gates, answers and settled blockers become knowledge with their source, and
# later tasks are told.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script
mkdir -p journal src && touch src/a.ts

# What is known, as JSON.
node_of() { expect 0 know "$@" --json; }

# ---- An escalation: the person's note answers what it asks.
escalation escalation.yaml
echo '  workflow_state: {name: task-005, current_step: 2}' >>escalation.yaml
send escalation.yaml
node_of --kind question
expect_json "$folder/out" 'v.nodes.length === 2 && v.nodes.every(n => n.state === "open")'
expect_terminal 0 gate decide "$gate" approve --note "Maintainability: approach B"
node_of --kind question
expect_json "$folder/out" 'v.nodes.length === 2 && v.nodes.every(n => n.state === "closed" &&
  n.answer === "Maintainability: approach B" && /^user:/.test(n.answered_by) && n.sources[0].closed_by.includes("#G-"))'
node_of --kind decision
expect_json "$folder/out" "v.nodes.length === 1 && v.nodes[0].id === 'decision-$gate' &&
  v.nodes[0].text.startsWith('Approved: ') && v.nodes[0].detail.rationale === 'Maintainability: approach B' &&
  v.nodes[0].sources[0].origin === '$id#$gate' && /^user:/.test(v.nodes[0].sources[0].agent)"
expect 0 know priority
expect_out "answered"
expect_out "answer: Maintainability: approach B (user:"
expect 0 journal --json
expect_json "$folder/out" 'v.journal.decisions[0].rationale === "Maintainability: approach B" && /^user:/.test(v.journal.decisions[0].by)'
expect 0 prompt inject --task task-005
expect_out "trade-offs: Maintainability: approach B"
expect_not_out "### Open Questions"

# ---- What an earlier document of the task asked before is answered with it; what another task asks is not.
for name in spec:task-020 other:task-021 arch:task-020; do
  escalation "ask-${name%:*}.yaml"
  sed -i "s/What is the priority: [^\"]*/Which provider?/; s/trade-offs/trade-offs in ${name%:*}/" "ask-${name%:*}.yaml"
  printf '  workflow_state: {name: %s, current_step: 2}\n' "${name#*:}" >>"ask-${name%:*}.yaml"
done
sed -i 's/agent: human/agent: architect/' ask-spec.yaml ask-other.yaml
expect 0 send ask-spec.yaml
expect 0 send ask-other.yaml
send ask-arch.yaml
expect_terminal 0 gate decide "$gate" approve --note "The second"
expect 0 prompt inject --task task-020
expect_not_out "Which provider?"
expect 0 prompt inject --task task-021
expect_out "- Which provider?"
node_of which provider --kind question
expect_json "$folder/out" 'v.nodes.length === 1 && v.nodes[0].state === "open" &&
  v.nodes[0].sources.every(s => (s.closed_by === null) === (s.task === "task-021"))'

# ---- A response that says CLARIFY: the decision, whichever it is, answers what it asks.
for decision in approve reject; do
  cat >clarify.request.json <<E
{"task_id": "login-$decision", "phase": "research", "context": {"feature": "login"},
 "instructions": "Find the login code", "expected_output": "structured_findings"}
E
  cat >clarify.response.json <<E
{"task_id": "login-$decision", "phase": "research", "status": "partial", "decision": "CLARIFY",
 "findings": {"existing_implementations": [], "conflicts": [], "patterns_found": [], "recommendations": []},
 "context_summary": "No login code in src/", "issues": ["Which login, to $decision?"]}
E
  HANDOFF_AGENT=lead send clarify.request.json --to coder
  HANDOFF_AGENT=coder HANDOFF_SESSION=s expect 0 claim "$id" --ack
  HANDOFF_AGENT=coder HANDOFF_SESSION=s send clarify.response.json
  node_of which login "$decision" --kind question
  expect_json "$folder/out" 'v.nodes.length === 1 && v.nodes[0].state === "open"'
  expect_terminal 0 gate decide "$gate" "$decision" --note "The first"
  node_of which login "$decision" --kind question
  expect_json "$folder/out" 'v.nodes.length === 1 && v.nodes[0].state === "closed" && v.nodes[0].answer === "The first"'
done

# ---- At a gate of a document for somebody else, a note answers nothing that the document asks its receiver.
package other.yaml spec builder
sed -i 's/name: feature/name: other/; s/live?/live, in hours?/' other.yaml
send other.yaml
other=$id
gate_document for.yaml spec
expect 0 gate raise for.yaml --for "$other" --json
gate=$(field gate)
expect_terminal 0 gate decide "$gate" question --note "Why so long?"
node_of so long --kind question
expect_json "$folder/out" 'v.nodes[0].state === "open" && /^user:/.test(v.nodes[0].sources[0].agent)'
expect 0 answer "$gate" --as spec --note "Two reviews"
node_of so long --kind question
expect_json "$folder/out" 'v.nodes[0].state === "closed" && v.nodes[0].answer === "Two reviews" && v.nodes[0].answered_by === "spec"'
expect_terminal 0 gate decide "$gate" reject --note "Too dear"
node_of live --kind question
expect_json "$folder/out" 'v.nodes[0].state === "open"'
node_of dear --kind decision
expect_json "$folder/out" 'v.nodes[0].text === "Rejected: Budget of the login"'

# ---- The same word answers different questions.
for name in one two; do
  package "$name.yaml" spec "builder-$name" '' "Written down for builder $name: 12 stories and their $name limits"
  send "$name.yaml"
  claim --as "builder-$name"
  expect 0 ack "$id" --as "builder-$name" --token "$token" --task x --question "Is $name right?"
  expect 0 answer "$id" --as spec --note "Yes"
done
node_of right --kind question
expect_json "$folder/out" 'v.nodes.length === 2 && v.nodes.every(n => n.answer === "Yes" && n.answered_by === "spec")'
expect 0 know --kind decision right
expect_out "answers: Is one right?"
expect_out "answers: Is two right?"

# ---- Tasks: what blocks one, and what it depends on before it has handed anything on.
cat >journal/task-001.md <<'M'
# Task task-001: Issue tokens

## Metadata
| Depends On | None |

## Objective
Tokens

## Acceptance Criteria
- [ ] They expire

## Context Provided
None

## Execution Log
- Written

## Handoff

```yaml
outcome: blocked
files_created:
  - path: src/a.ts
    purpose: JWT token generation
    lines: 1-150
files_modified:
  - path: src/a.ts
    lines: 45-67
    change_type: refactor
    description: Added a pool
gotchas:
  - issue: Clocks differ
    discovered_in: The login
    mitigation: Allow for it
    severity: high
dependencies_for_next:
  - file: src/a.ts
    reason: Contains token validation
  - file: src/b.ts
suggested_next_steps:
  - step: Add token refresh
    priority: medium
    depends_on: []
blockers:
  - blocker: Missing API credentials
    impact: Cannot complete
    suggested_resolution: Ask the user
    blocking_tasks: [task-009]
```

*Task completed: 2026-02-12T14:30:22Z*
M
printf '# Task task-009: Pay\n\n## Metadata\n| Depends On | task-001 |\n\n## Objective\nPayments\n' >journal/task-009.md
HANDOFF_AGENT=coder expect 0 send journal/task-001.md
expect 0 prompt inject --task task-009
for text in "## From Task task-001: Issue tokens" "| src/a.ts | Contains token validation |" "Clocks differ: Allow for it" \
  "- Missing API credentials: Cannot complete (to resolve: Ask the user)" "- Add token refresh"; do
  expect_out "$text"
done
expect_not_out src/b.ts
expect 0 journal --json
expect_json "$folder/out" 'v.journal.tasks["task-001"].status === "blocked" && v.journal.tasks["task-009"].status === "blocked" &&
  v.journal.tasks["task-001"].blocked_by.length === 1 &&
  v.orchestrator_memory.learned_context.gotchas[0].discovered_in === "The login"'
expect_json "$folder/out" '(f => f.purpose === "JWT token generation" && f.created_by.agent === "coder" && f.created_by.task === "task-001" &&
  f.lines === "45-67" && f.change_type === "refactor" && f.modified_by.length === 1 && f.modified_by[0].agent === "coder" &&
  f.modified_by[0].lines === "45-67" && f.modified_by[0].description === "Added a pool")(v.journal.context_map["src/a.ts"])'
node_of credentials --kind blocker
blocker=$(field nodes.0.id)
expect 0 answer "$blocker" --as lead --note "They are in the vault"
expect 0 journal --json
expect_json "$folder/out" 'v.journal.tasks["task-001"].status === "open" && v.journal.tasks["task-009"].status === "open" &&
  !v.journal.active_blockers.some(b => b.blocker === "Missing API credentials")'
expect 0 prompt inject --task task-009
expect_out "- Missing API credentials: They are in the vault"
expect_not_out "### Open Blockers"
# ---- A decision that is taken back.
mkdir -p specs/7_x
HANDOFF_AGENT=coder expect 0 pass --task 7 --phase 1 --next "Write src/a.ts" --decision "Keep sessions in Redis: one store" --decision "Log in UTC"
HANDOFF_AGENT=coder expect 0 pass --task 7 --phase 1 --next "Test src/a.ts" --not "Redis: too slow" --revoke "sessions in Redis"
node_of sessions in redis --kind decision
expect_json "$folder/out" 'v.nodes.length === 2 && v.nodes.find(n => n.text === "Revoked: Keep sessions in Redis").state === "open" &&
  v.nodes.find(n => n.text === "Keep sessions in Redis").state === "closed"'
expect 0 prompt inject --task 7
expect_out "- Revoked: Keep sessions in Redis"
expect_not_out "- Keep sessions in Redis"
expect_out "- Log in UTC"
node_of log in utc --kind decision
expect_json "$folder/out" 'v.nodes.length === 1'
expect 0 log --json
expect_out '"revoked"'
# Said again, it holds again, until it is revoked again.
HANDOFF_AGENT=coder expect 0 pass --task 7 --phase 1 --next "Write src/b.ts" --decision "Keep sessions in Redis: it is quick enough now"
expect 0 prompt inject --task 7
expect_out "- Keep sessions in Redis: it is quick enough now"
expect_not_out "Revoked"
HANDOFF_AGENT=coder expect 0 pass --task 7 --phase 1 --next "Write src/c.ts" --revoke "sessions in Redis"
expect 0 prompt inject --task 7
expect_out "- Revoked: Keep sessions in Redis"
expect_not_out "- Keep sessions in Redis"
# So does what is said anew by the very handoff that takes it back: a decision for another reason, a fact, a failed approach.
mkdir -p specs/8_y
anew=(--task 8 --phase 1)
HANDOFF_AGENT=coder expect 0 pass "${anew[@]}" --next "Write src/a.ts" --decision "Use a table: fast" --context "The cache is cold" --not "Tries: too large" --not "Lists: slow"
HANDOFF_AGENT=coder expect 0 pass "${anew[@]}" --next "Test src/a.ts" --revoke "Use a table" --decision "Use a table: small" \
  --revoke "The cache is cold" --context "The cache is cold" --revoke "Tries" --not "Tries: still too large" --revoke "Lists" --context "Lists"
expect 0 prompt inject --task 8
expect_out "- Use a table: small"
expect_out "- Revoked: Lists"
for text in "Revoked: Use" "Revoked: The" "Revoked: Tries"; do
  expect_not_out "$text"
done
expect 0 journal --json
expect_json "$folder/out" '(d => d.some(i => i.decision === "Use a table" && i.rationale === "small") &&
  d.every(i => !/^Revoked: (Use|The|Tries)/.test(i.decision)))(v.journal.decisions)'
node_of --limit 1000
expect_json "$folder/out" '(s => s["decision Use a table"] === "open" && s["decision Revoked: Use a table"] === "closed" &&
  s["fact The cache is cold"] === "open" && s["dead_end Tries"] === "open" && s["dead_end Lists"] === "closed" && s["fact Lists"] === "open")(
  Object.fromEntries(v.nodes.map(n => [n.kind + " " + n.text, n.state])))'
# Artifacts and decisions of packages, by the task that they are for.
package design.yaml architect builder
sed -i 's/name: feature/name: task-009/; s/^    open_questions:/    decisions: [{decision: Pay by card, rationale: Everybody has one}]\n    open_questions:/' design.yaml
expect 0 send design.yaml
expect 0 prompt inject --task task-009
expect_out "| docs/spec.md | The specification |"
expect_out "- Pay by card: Everybody has one"
# What a package asks for is no step for others once it was delivered.
package paint.yaml architect painter
sed -i 's/name: feature/name: task-010/; s/deliverable: .*/deliverable: A logo in two colours/' paint.yaml
expect 0 send paint.yaml
paint=$(cat "$folder/out")
expect 0 prompt inject --task task-010
expect_out "A logo in two colours"
expect 0 claim "$paint" --as painter
expect 0 "done" "$paint" --as painter
expect 0 prompt inject --task task-010
expect_not_out "A logo in two colours"
# ---- What a person decides for a step of a run belongs to its task: later steps are told, and so is whoever starts on it later.
cat >login.yaml <<'Y'
name: login
steps:
  - name: find
    kind: research
    instructions: Find the login code
  - name: write
    kind: write
    depends_on: [find]
    instructions: Write the login
Y
cat >mate <<'M'
#!/bin/sh
cat >"prompt-$HANDOFF_PHASE"
if [ -e asked ]; then says='"decision": "PROCEED", "issues": []'; else says='"decision": "CLARIFY", "issues": ["Which login is it?"]'; fi
case $HANDOFF_PHASE in
find) phase=research findings='"existing_implementations": [], "conflicts": [], "patterns_found": [], "recommendations": []' ;;
*) phase=write findings='"files_modified": []' ;;
esac
: >asked
echo '{"task_id": "login", "phase": "'$phase'", "status": "complete", '"$says"', "findings": {'"$findings"'}, "context_summary": "Read src/a.ts"}' >"$HANDOFF_META"
M
chmod +x mate
expect 7 run login.yaml --agent ./mate
gate=$(sed -n 's/.* waits for a person; run: handoff gate show //p' "$folder/out")
expect_terminal 0 gate decide "$gate" approve --note "The one in src/a.ts"
expect 0 run login.yaml --agent ./mate
expect_that "what was decided was not told" grep -q "Which login is it?: The one in src/a.ts" prompt-write
expect 0 prompt inject --task login
expect_out "- Approved: Which login is it?: The one in src/a.ts"

# ---- What is asked during the work on a task is decided for that task, although the question does not say so: by what the
# session holds, if all of it has one task, or by HANDOFF_TASK. What a person was asked is no next step.
as() { HANDOFF_AGENT=$1 HANDOFF_SESSION=s-$1 "${@:2}"; }
package first.yaml spec arch
sed -i 's/name: feature/name: payments/' first.yaml
as spec send first.yaml
as arch expect 0 claim "$id" --ack
as arch expect 0 ask 'Which provider?' --option Stripe --option Adyen --json
gate=$(field gate)
expect_terminal 0 gate decide "$gate" approve --note Adyen
as arch expect 0 ask 'Retry failed payments?' --json
expect_terminal 0 gate decide "$(field gate)" reject --note 'Never: double charges'
expect 0 prompt inject --task payments
expect_out '- Approved: Which provider?: Adyen'
expect_out '- Rejected: Retry failed payments?: Never: double charges'
expect_not_out Stripe
expect 0 prompt inject --task 77 --after payments
expect_out '- Rejected: Retry failed payments?: Never: double charges'
HANDOFF_TASK=refunds as arch expect 0 ask 'Within 5 days?' --json
asked=$(field id)
expect 0 show "$asked" --json
expect_json "$folder/out" "v.handoff.task === 'refunds'"
sed 's/name: payments/name: refunds/; s/Specifications completed/Refunds specified/' first.yaml >second.yaml
as spec send second.yaml
as arch expect 0 claim "$id" --ack
as arch expect 0 ask 'In euros only?' --json
asked=$(field id)
expect 0 show "$asked" --json
expect_json "$folder/out" "!v.handoff.task"

# ---- What several tasks ask in the same words is answered in each of them, and stays so if another one asks again.
form()
{
  : >"src/$1.c"
  cat >"task-$1.md" <<END
# Task $1: Form $1

## Handoff

\`\`\`yaml
outcome: blocked
files_created:
  - path: src/$1.c
    purpose: Form $1
    lines: all
blockers:
  - blocker: No staging host
    impact: Form $1 cannot be tested
    suggested_resolution: Rent one
    blocking_tasks: [task-9$1]
\`\`\`
END
  expect 0 send "task-$1.md"
}
form 041
form 043
node_of 'staging host' --kind blocker
blocker=$(field nodes.0.id)
expect 0 answer "$blocker" --note 'Rented: stage.example'
form 045
expect 0 answer "$blocker" --note 'Another: next.example'
for told in '41 Rented: stage' '43 Rented: stage' '45 Another: next'; do
  expect 0 prompt inject --task "${told%% *}"
  expect_out "- No staging host: ${told#* }.example"
done
expect 0 journal
for said in 'Rented: stage' 'Another: next'; do expect_out "- No staging host: $said.example"; done
finish
