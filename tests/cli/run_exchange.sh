#!/bin/bash
# Workflows: a chain of requests and responses (D6), decisions, results joined under a rule (D7), gates, budgets (D8).
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
  expect 0 check --format request "$folder/request-$step.json"
done
expect_that "the prompt does not tell what was found" grep -q "tokens are kept in src/token.c" "$folder/prompt-write"
expect_step validate 's.state === "gated" && s.tokens === 700'
expect_json "$folder/last.json" 'v.tokens === 2100 && v.gates[0].about === "result"'
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
finish
