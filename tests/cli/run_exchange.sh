#!/bin/bash
# Workflows: a chain of requests and responses, decisions, results joined under a rule, gates, budgets.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common" && . "$source_dir/tests/cli/run_common"

# The teammate answers the request of its step with answers/STEP, and keeps request and prompt.
mkdir answers
cat >teammate <<'END'
#!/bin/bash
cat >"$folder/prompt-$HANDOFF_PHASE"
grep -o '/[^`]*request.json' "$folder/prompt-$HANDOFF_PHASE" | head -1 | xargs -I{} cp {} "$folder/request-$HANDOFF_PHASE.json"
echo "$HANDOFF_PHASE" >>effects
cp "answers/$HANDOFF_PHASE" "$HANDOFF_META"
END
# answer STEP PHASE STATUS DECISION SUMMARY [ISSUE] [FINDINGS]
answer()
{
  jq -n --arg p "$2" --arg s "$3" --arg d "$4" --arg c "$5" --arg i "${6:-}" --argjson f "${7:-{\}}" \
    '{task_id: "feature", phase: $p, status: $s, decision: $d, findings: $f, context_summary: $c, tokens_used: 700, issues: (if $i == "" then [] else [$i] end)}' >"answers/$1"
}
carry()
{
  local wanted=$1
  shift
  expect "$wanted" run feature.yaml --agent ./teammate --json "$@"
  cp "$folder/out" "$folder/last.json"
}

cat >feature.yaml <<'END'
name: feature
steps:
  - name: research
    kind: research
    gate: advisory
    instructions: Find out how the login works.
  - name: write
    depends_on: [research]
    instructions: Write the endpoint.
  - name: validate
    kind: validate
    depends_on: [write]
    gate: blocking
    instructions: Check it.
END
answer research research complete PROCEED 'Login lives in src/login.c; tokens are kept in src/token.c'
answer write write complete PROCEED 'Endpoint POST /login in src/login.c, checked by tests/login.sh'
answer validate validate complete PROCEED 'All of tests/login.sh passes'
carry 7
expect_that "the order" test "$(paste -sd, effects)" = research,write,validate
expect_json "$folder/request-research.json" 'v.phase === "research" && v.context.previous_findings === null && v.expected_output === "structured_findings" && v.instructions.includes("login works")'
expect_json "$folder/request-write.json" 'v.context.previous_findings.includes("tokens are kept in src/token.c") && v.expected_output === "files_changed"'
expect_json "$folder/request-validate.json" 'v.phase === "validate" && v.context.previous_findings.startsWith("Endpoint POST /login")'
for step in research write validate; do
  expect 0 check --strict --format request "$folder/request-$step.json"
done
# Who follows the form in the prompt writes a response without a warning.
sed -n 's/^`\({"task_id".*}\)`$/\1/p' "$folder/prompt-research" | sed 's/{…}/{"recommendations": ["Keep it"]}/; s/: "what the next[^"]*"/: "Login lives in src\/login.c, tokens in src\/token.c"/' >"$folder/form.json"
expect 0 check --strict --format response "$folder/form.json"
expect_that "the prompt does not tell what was found" grep -q "tokens are kept in src/token.c" "$folder/prompt-write"
expect_step validate 's.state === "gated" && s.tokens === 700'
expect_json "$folder/last.json" 'v.tokens === 2100 && v.gates[0].about === "result"'
# The ledger has each request, as a delegation of the lead, and the response that returns it.
expect 0 list --json
expect_json "$folder/out" 'v.handoffs.filter(h => h.kind === "request" && h.state === "done" && h.type === "delegation" && h.from === "lead" && h.to === "teammate").length === 3'
expect_json "$folder/out" 'v.handoffs.filter(h => h.kind === "response" && h.state === "done" && h.to === "lead" && v.handoffs.some(r => r.id === h.parent && r.phase === h.phase)).length === 3'
# An advisory gate is there for people, and nothing waits for it.
expect 0 status --json
expect_json "$folder/out" 'v.gates.length === 2 && v.gates.filter(g => g.name === "Advice on phase research").length === 1'
expect_step research 's.state === "done"'
advice=$(jq -r '.gates[] | select(.name | startswith("Advice")).id' "$folder/out") about=$(jq -r '.gates[] | select(.name | startswith("Advice")).handoff' "$folder/out")
decide "$advice" reject "Look at src/session.c as well"
expect 0 log "$about" --json
expect_json "$folder/out" '["gate_raised", "gate_decided"].every(k => v.events.filter(e => e.event === k).length === 1)'
state_is "$about" 'done'
# A result that is rejected is done again, with what the person said.
decide "$(gate_of validate)" reject "Check the time-outs too"
carry 7
expect_that "the note was not told" grep -q "Check the time-outs too" "$folder/prompt-validate"
expect_step validate 'm.length === 2 && s.state === "gated"'
decide "$(gate_of validate)" approve
carry 0

# STOP halts; CLARIFY asks; both only from where they are said.
rm effects
sed -i 's/^name: feature/name: feature two/' feature.yaml && mv feature.yaml second.yaml && cp second.yaml feature.yaml
answer research research complete STOP 'The endpoint exists in src/old.c' 'The endpoint exists already'
carry 1
expect_json "$folder/last.json" 'v.state === "stopped" && v.steps[1].teammates === 0'
# One question, one gate: the response is recorded, and the run asks.
sed -i 's/^name: .*/name: feature three/' feature.yaml
answer research research complete CLARIFY 'Two logins, src/login.c and src/old.c' 'Which of the logins is meant?'
carry 7
expect 0 list --kind response --limit 1 --json
expect_json "$folder/out" 'v.handoffs[0].state === "done" && v.handoffs[0].gate === null'
expect_json "$folder/last.json" 'v.gates.length === 1 && v.gates[0].about === "clarify"'
# A response that breaks a rule stays a file; the request is done, and the run goes on.
decide "$(gate_of research)" approve "The new one"
answer research research complete PROCEED 'Login in src/login.c'
jq '.context_summary = ""' answers/research >answers/other && mv answers/other answers/research
carry 7
expect 0 list --json
expect_json "$folder/out" 'v.handoffs.filter(r => r.kind === "request" && !v.handoffs.some(h => h.parent === r.id)).map(r => r.phase + r.state).join() === "researchdone"'
expect_step research 's.state === "done" && m.length === 2'
expect 0 verify
decide "$(gate_of validate)" approve
carry 0

# Joined under a rule: two of three are enough; the one that did not pass halts nothing.
cat >feature.yaml <<'END'
name: review
steps:
  - name: security
    kind: validate
    instructions: Look for holes.
  - name: style
    kind: validate
    instructions: Look at names.
  - name: speed
    kind: validate
    instructions: Measure it.
  - name: together
    kind: parallel
    depends_on: [security, style, speed]
    rule: majority
  - name: release
    depends_on: [together]
    instructions: Release it.
END
failing='{"checks":{"tests":{"passed":false,"total":4,"passed_count":3,"failed_count":1}},"overall_passed":false,"blocking_issues":["A hole in src/login.c"]}'
answer security validate complete PROCEED 'No hole in src/login.c'
answer style validate complete STOP 'Names in src/login.c are misleading' 'Names are misleading' "$failing"
answer speed validate complete PROCEED 'Within 2 ms in bench/login.sh'
answer release write complete PROCEED 'Released as 1.2'
carry 0
expect_step together 's.state === "done" && m.length === 0 && s.why.includes("2 of 3 passed")'
expect_step style 's.state === "failed"'
expect_step release 's.state === "done"'
expect_json "$folder/request-release.json" 'v.context.previous_findings.includes("2 of 3 passed") && v.context.previous_findings.includes("Names in src/login.c")'

# With the rule `all` a person is asked.
sed -i 's/rule: majority/rule: all/; s/^name: review/name: strict/' feature.yaml
carry 7
expect_json "$folder/last.json" 'v.gates.length === 1 && v.gates[0].step === "together"'
decide "$(gate_of together)" reject
carry 1
expect_step release 's.state === "waiting" && m.length === 0'

# The same by several agents: a parallel step with instructions is done by three, and joined.
cat >feature.yaml <<'END'
name: vote
steps:
  - name: review
    kind: parallel
    rule: any
    instructions: Look at it.
END
answer review.1 parallel blocked CLARIFY 'Unsure about src/login.c' 'Is it right?'
answer review.2 parallel complete PROCEED 'Fine in src/login.c'
answer review.3 parallel blocked STOP 'Wrong in src/login.c' 'It is wrong'
carry 0
expect_step review 's.state === "done" && m.length === 0 && s.why.includes("1 of 3 passed")'
expect_json "$folder/last.json" 'v.teammates.length === 3 && v.gates.length === 0'

# A budget stops new starts, and never what runs.
cat >feature.yaml <<'END'
name: dear
steps:
  - name: security
    instructions: One.
  - name: style
    depends_on: [security]
    instructions: Two.
END
answer style validate complete PROCEED 'Names in src/login.c are good'
carry 8 --budget 500
expect_step security 's.state === "done"'
expect_step style 's.state === "waiting" && m.length === 0'
carry 0 --budget 5000

# A lead that is killed, RUN_KILLS times (4), and goes on records each exchange and each gate once. A lead that was killed after
# it had recorded the end of its run has nothing left to go on with: another one would be a new run.
{
  printf 'name: killed\nsteps:\n'
  for n in 1 2 3 4; do printf '  - name: part%s\n    gate: advisory\n    instructions: Write part %s.\n' $n $n; done
} >feature.yaml
for n in 1 2 3 4; do answer part$n write complete PROCEED "Part $n in src/part$n.c"; done
count() { "$handoff" list --limit 100000 --json | jq '[.handoffs[] | select(.kind == "request" or .kind == "response") | .state]'; }
before=$(count | jq length)
open=$("$handoff" gate list --json | jq '.gates | length')
status=137
ended() { "$handoff" lineage --json | jq -e '[.runs[] | select(.title == "killed")] | max_by(.run).state == "done"' >/dev/null; }
for ((i = 0; i < ${RUN_KILLS:-4} && status == 137; i++)); do
  "$handoff" run feature.yaml --agent ./teammate --jobs 1 >"$folder/out" 2>&1 &
  pid=$!
  sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  status=$?
  ended && status=0
done
[ "$status" = 0 ] || carry 0
after=$(count)
last="the ledger after $i kills"
expect_that "not eight documents more: $before, $(jq length <<<"$after")" test "$(jq length <<<"$after")" = $((before + 8))
expect_that "one is open: $after" test "$(jq 'all(. == "done")' <<<"$after")" = true
expect_that "not four gates more" test "$("$handoff" gate list --json | jq '.gates | length')" = $((open + 4))
finish
