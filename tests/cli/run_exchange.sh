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
mkdir -p src && touch src/login.c
for step in research write validate; do
  sed -n 's/^`\({"task_id".*}\)`$/\1/p' "$folder/prompt-$step" | jq -c '.status = "complete" | .decision = "PROCEED" | .issues = [] | .tokens_used = 700 |
    .context_summary = "Login lives in src/login.c, tokens in src/token.c" | del(.findings.conflicts, .findings.blocking_issues, .findings.checks[]?.errors) |
    walk(if . == "…" then "src/login.c" elif type == "string" then sub("\\|.*"; "") elif . == 0 then 1 else . end)' >"$folder/form.json"
  expect 0 check --strict --format response "$folder/form.json"
done
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

# What a step says is in its request. The program's own words, and what earlier steps found, keep within the tokens that a
# request may have, and so does the text on managing the context.
cat >said.yaml <<'END'
name: said
steps:
  - name: research
    kind: research
    feature: jwt-authentication
    spec: docs/spec.md
    files: [src/lib/, src/server/routers/]
    constraints: [No breaking changes]
    success_criteria: [Every router is listed]
    instructions: Find existing auth code and patterns for the new JWT feature
  - name: write
    depends_on: [research]
    expected_output: changed_files
    instructions: Implement JWT authentication with login and logout, tests first
  - name: validate
    kind: validate
    depends_on: [write]
    instructions: Check types, lint, tests and security
END
mkdir kept && cp answers/* kept
long=$(for n in $(seq 60); do printf 'Existing auth at src/lib/auth%s.ts (sessions). ' "$n"; done)
for step in research write validate; do
  answer $step $step complete PROCEED "$long"
  jq '.task_id = "said"' answers/$step >answers/other && mv answers/other answers/$step
done
expect 0 run said.yaml --agent ./teammate
expect_json "$folder/request-research.json" 'v.context.feature === "jwt-authentication" && v.context.spec_path === "docs/spec.md" && v.context.relevant_files.join() === "src/lib/,src/server/routers/" &&
  v.context.constraints.join() === "No breaking changes,Done when: Every router is listed" && v.expected_output === "structured_findings"'
expect_json "$folder/request-write.json" 'v.expected_output === "changed_files" && v.context.feature === "said" && v.context.spec_path === "said.yaml"'
for said in jwt-authentication src/server/routers/ "No breaking changes" "Done when: Every router is listed" docs/spec.md; do
  expect_that "the prompt does not say $said" grep -qF "$said" "$folder/prompt-research"
done
tokens() { sed "$2" "$folder/prompt-$1" | "$handoff" tokens - --json | jq .tokens; }
for limit in research:500 write:1000 validate:500; do
  step=${limit%:*}
  request=$(tokens "$step" '/^## Context Management/,$d') management=$(tokens "$step" '/^## Context Management/,$!d')
  expect_that "the request of $step has $request tokens" test "$request" -le "${limit#*:}"
  expect_that "the context management of $step has $management tokens" test "$management" -le 300
  expect_that "$step is not told to respond" grep -qF 'When all objectives are done: write the response (see How to return), and stop.' "$folder/prompt-$step"
  expect_that "$step is told to finish a phase" test "$(grep -c 'handoff finish' "$folder/prompt-$step")" = 0
done
for phase in research write validate parallel; do
  expect 0 template response --phase $phase
  expect_that "the template of $phase is long" test "$("$handoff" tokens "$folder/out" --json | jq .tokens)" -le 250
  expect_json "$folder/out" 'v.phase === "'$phase'" && Object.keys(v.findings).length >= 2'
done
expect 2 template response --phase lunch
expect 2 template request --phase write
cp kept/* answers

# STOP halts; CLARIFY asks; both only from where they are said.
rm effects
sed -i 's/^name: feature/name: feature two/' feature.yaml && mv feature.yaml second.yaml && cp second.yaml feature.yaml
answer research research complete STOP 'The endpoint exists in src/old.c' 'The endpoint exists already'
carry 1
expect_json "$folder/last.json" 'v.state === "stopped" && v.steps[1].teammates === 0 && v.why.includes("The endpoint exists already")'
expect_that "the report does not say why" grep -q "The endpoint exists already" specs/feature_run/summaries/*.md
# resume NOTE: what halts the task is answered.
resume()
{
  expect 0 status --json
  expect 0 answer "$(jq -r '.halted[0].id' "$folder/out")" --note "$1"
}
resume "Move it"
# One question, one gate: the response is recorded, and the run asks.
sed -i 's/^name: .*/name: feature three/' feature.yaml
answer research research complete CLARIFY 'Two logins, src/login.c and src/old.c' 'Which of the logins is meant?'
jq '.issues += ["Who may use it?"]' answers/research >answers/other && mv answers/other answers/research
carry 7
expect 0 list --kind response --limit 1 --json
expect_json "$folder/out" 'v.handoffs[0].state === "done" && v.handoffs[0].gate === null'
expect_json "$folder/last.json" 'v.gates.length === 1 && v.gates[0].about === "clarify"'
expect_that "the note was not told" grep -q "Move it" "$folder/prompt-research"
expect 0 gate show "$(gate_of research)" --json
expect_json "$folder/out" 'v.name === "Which of the logins is meant?"'
# An approval without words would answer nothing.
expect_terminal 2 gate decide "$(gate_of research)" approve
expect_out "asks a question: use --note TEXT to answer it"
expect 0 inbox
expect_out "gate decide $(gate_of research) approve --note TEXT"
# A response to something else is not an answer; who answers wrongly is followed by somebody else.
decide "$(gate_of research)" approve "The new one"
for key in task_id phase; do
  answer research research complete PROCEED 'Login in src/login.c'
  jq --arg k $key '.[$k] = "validate"' answers/research >answers/other && mv answers/other answers/research
  carry 7
  expect_step research 'm.at(-1).outcome === "invalid" && m.at(-1).why.includes("its response has the '$key' '"'validate'"', but the request has")'
  [ "$key" = phase ] || expect_that "a question was not told" grep -q "Which of the logins is meant?; Who may use it?" .handoff/run/*/research.3/prompt.md
  decide "$(gate_of research)" approve "Answer what is asked"
done
# A response that breaks a rule stays a file; the request is done, and the run goes on.
answer research research complete PROCEED 'Login in src/login.c'
jq '.context_summary = ""' answers/research >answers/other && mv answers/other answers/research
carry 7
expect 0 list --json
expect_json "$folder/out" 'v.handoffs.filter(r => r.kind === "request" && !v.handoffs.some(h => h.parent === r.id)).map(r => r.phase + r.state).join() === "researchdone"'
expect_step research 's.state === "done"'
expect 0 verify
decide "$(gate_of validate)" approve
carry 0

# Joined under a rule: two of three are enough; the one that did not pass halts nothing, unless it says STOP.
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
carry 1
expect_json "$folder/last.json" 'v.state === "stopped" && v.why.includes("Names are misleading")'
expect_step together 's.state === "waiting"'
expect_step release 's.state === "waiting" && m.length === 0'
# Whoever said STOP is started again with the answer, and votes now; nobody else is.
resume "They are the names of the standard"
answer style validate complete PROCEED 'Names in src/login.c are misleading' 'Names are misleading' "$failing"
: >effects
carry 0
expect_that "not style alone was started again: $(paste -sd, effects)" test "$(paste -sd, effects)" = style,release
expect_that "the answer was not told" grep -q "They are the names of the standard" "$folder/prompt-style"
expect_step style 'm.length === 2'
expect_that "the results are not written" expect_json specs/feature_run/reports/together.response.json 'v.task_id === "feature" && v.phase === "parallel" && v.decision === "PROCEED" &&
  v.findings.results.length === 3 && v.findings.results[1].type === "validate" && v.findings.results[1].details.blocking_issues[0].includes("hole") &&
  v.findings.results[1].issues[0] === "Names are misleading (answered: They are the names of the standard)" && v.issues[0].startsWith("style: Names are misleading") &&
  v.findings.aggregation.passed === 2 && v.findings.aggregation.overall_passed'
expect 0 check specs/feature_run/reports/together.response.json
expect 0 list --kind response --phase parallel --json
expect_json "$folder/out" 'v.handoffs.length === 1 && v.handoffs[0].state === "done" && v.handoffs[0].path === "specs/feature_run/reports/together.response.json"'
expect_step together 's.state === "done" && m.length === 0 && s.why.includes("2 of 3 passed")'
expect_step style 's.state === "failed"'
expect_step release 's.state === "done"'
expect_json "$folder/request-release.json" 'v.context.previous_findings.includes("2 of 3 passed") && v.context.previous_findings.includes("Names in src/login.c")'

# With the rule `all` a person is asked.
sed -i 's/rule: majority/rule: all/; s/^name: review/name: strict/' feature.yaml
answer style validate complete PROCEED 'Names in src/login.c are misleading' 'Names are misleading' "$failing"
carry 7
expect 0 gate show "$(gate_of together)"
expect_out "style: Names are misleading"
expect_json "$folder/last.json" 'v.gates.length === 1 && v.gates[0].step === "together"'
gate=$(gate_of together)
decide "$gate" reject "Give them the names of the standard"
carry 1
expect_step release 's.state === "waiting" && m.length === 0'
run=$(jq -r .run "$folder/last.json")
# Started again, a run that failed does what failed again, with what was said, and keeps what is done; a person is asked again.
: >effects
carry 7
expect_that "the run is another one" test "$run" = "$(jq -r .run "$folder/last.json")"
expect_that "not style alone was started again: $(paste -sd, effects)" test "$(paste -sd, effects)" = style
expect_that "the gate is the old one" test "$(gate_of together)" != "$gate"
decide "$(gate_of together)" reject "Not yet"
carry 1
answer style validate complete PROCEED 'Names in src/login.c are those of the standard'
: >effects
carry 0
expect_that "not what was left was started: $(paste -sd, effects)" test "$(paste -sd, effects)" = style,release
expect_step together 's.state === "done" && m.length === 0 && s.why.includes("3 of 3 passed")'
expect 0 list --kind response --phase parallel --json
expect_json "$folder/out" 'v.handoffs.length === 4'
expect 0 verify

# What a validator found is not settled by the end of another one, whichever of them ends first; it is by its own, later and
# without it.
found() { "$handoff" know "$1" --json | jq -r --arg t "$1" '[.nodes[] | select(.kind == "blocker" and .text == $t) | .state + " in " + .sources[0].phase] | join(",")'; }
for order in 'late early' 'early late'; do
  hole="A hole, $order"
  {
    printf 'name: %s\nsteps:\n' "$order"
    for step in $order; do printf '  - name: %s\n    kind: validate\n    instructions: Look at it.\n' "$step"; done
    printf '  - name: together\n    kind: parallel\n    rule: any\n    depends_on: [early, late]\n'
  } >feature.yaml
  answer late validate complete PROCEED 'Fine in src/login.c'
  answer early validate complete PROCEED 'A hole in src/login.c' "$hole" "$(jq --arg h "$hole" '.blocking_issues = [$h]' <<<"$failing")"
  carry 0 --jobs 1
  last="run, $order"
  expect_that "the order is another" test "$(tail -2 effects | paste -sd' ')" = "$order"
  expect_that "what was found is $(found "$hole")" test "$(found "$hole")" = 'open in validate'
  answer early validate complete PROCEED 'No hole in src/login.c any more'
  carry 0 --jobs 1 --from-start
  last="run again, $order"
  expect_that "what was found is $(found "$hole")" test "$(found "$hole")" = 'closed in validate'
done

# The same by several agents: a parallel step with instructions is done by three, and joined.
cat >feature.yaml <<'END'
name: vote
steps:
  - name: review
    kind: parallel
    rule: any
    instructions: Look at it.
  - name: release
    depends_on: [review]
    instructions: Write what is new.
END
answer release write complete PROCEED 'What is new is in src/login.c'
answer review.1 parallel blocked CLARIFY 'Unsure about src/login.c' 'Is it right?'
answer review.2 parallel complete PROCEED 'Fine in src/login.c'
answer review.3 parallel blocked STOP 'Wrong in src/login.c' 'It is wrong'
carry 1
expect_json "$folder/last.json" 'v.state === "stopped" && v.gates.length === 0'
# The task is blocked by the STOP although another vote was complete later.
expect 0 journal --json
expect_json "$folder/out" '(b => b.length === 1 && b[0].blocker === "It is wrong" && b[0].blocking_tasks.join() === "feature")(v.journal.active_blockers) &&
  v.journal.tasks.feature.status === "blocked"'
resume "It is right"
answer review.3 parallel complete PROCEED 'Right in src/login.c'
expect 0 journal --json
expect_json "$folder/out" 'v.journal.active_blockers.length === 0 && v.journal.tasks.feature.status !== "blocked"'
# The question of a vote is not outvoted either; what is decided reaches whoever comes later.
carry 7
expect_json "$folder/last.json" 'v.teammates.length === 4 && v.gates.length === 1'
expect_that "the answer was not told" grep -q "It is right" "$folder/prompt-review.3"
expect 0 gate show "$(gate_of review)" --json
expect_json "$folder/out" 'v.name === "Is it right?"'
decide "$(gate_of review)" approve "It is, see src/login.c"
carry 0
expect_step review 's.state === "done" && m.length === 0'
expect_that "the decision was not told" grep -q "It is, see src/login.c" "$folder/prompt-release"
# No teammate was told to do what another one had been asked before, and the task is done.
expect_that "what was done is suggested" bash -c '! grep -q "^- Look at it" "$folder/prompt-release"'
expect 0 journal --json
expect_json "$folder/out" 'v.journal.tasks.feature.status === "completed"'

# A gate of the whole: a person sees what all of them found.
sed -i 's/^name: vote/name: seen/; s/rule: any/rule: all\n    gate: blocking/' feature.yaml
for n in 1 2 3; do answer review.$n parallel complete PROCEED "Fine in src/part$n.c"; done
carry 7
expect_step review 's.state === "gated" && m.length === 0'
decide "$(gate_of review)" approve
carry 0
expect_step review 's.state === "done"'

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
answer security write complete PROCEED 'No hole in src/login.c'
answer style write complete PROCEED 'Names in src/login.c are good'
carry 8 --budget 500
expect_step security 's.state === "done"'
expect_step style 's.state === "waiting" && m.length === 0'
carry 0 --budget 5000

# What a person rejects ends the run; started again, it begins where it ended, with --from-start at the start.
cat >feature.yaml <<'END'
name: rejected
steps:
  - name: security
    instructions: One.
  - name: style
    depends_on: [security]
    instructions: Two.
END
answer style write blocked CLARIFY 'Names in src/login.c are unclear' 'Which names?'
carry 7
decide "$(gate_of style)" reject "Those of the standard"
carry 1
: >effects
carry 7
expect_that "not style alone was started again: $(paste -sd, effects)" test "$(paste -sd, effects)" = style
expect_that "the note was not told" grep -q "Those of the standard" "$folder/prompt-style"
decide "$(gate_of style)" reject "No"
expect 1 run feature.yaml --agent ./teammate
expect_out "to start what is left, run the same command again; to start from the beginning, add --from-start"
answer style write complete PROCEED 'Names in src/login.c are good'
: >effects
carry 0 --from-start
expect_that "not all was started again: $(paste -sd, effects)" test "$(paste -sd, effects)" = security,style

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
