#!/bin/bash
# What responses decide. STOP halts a task: what is refused meanwhile, where the reason is shown, who resumes it. CLARIFY is
# a gate. A response has the task and the phase of its request.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common"
needs jq

# request FILE TASK PHASE OUTPUT, response FILE TASK PHASE DECISION [ISSUE]
request()
{
  jq -n --arg t "$2" --arg p "$3" --arg o "$4" '{task_id: $t, phase: $p, context: {feature: "login"}, instructions: "Look at the login", expected_output: $o}' >"$1"
}
response()
{
  jq -n --arg t "$2" --arg p "$3" --arg d "$4" --arg i "${5:-}" '{task_id: $t, phase: $p, status: "complete", decision: $d, findings: {},
    context_summary: "Login lives in src/login.c", tokens_used: 700, issues: (if $i == "" then [] else [$i] end)}' >"$1"
}
# ask STATUS WHO: another request of the task is taken in, or refused.
asked=0
ask()
{
  request write.json auth-001 write files_changed
  asked=$((asked + 1))
  jq --arg n $asked '.instructions += ", part " + $n' write.json >part.json
  as "$2" "$1" send part.json --to writer --json
}
as() { HANDOFF_AGENT=$1 expect "${@:2}"; }
# take AGENT: claims and acknowledges what is ready for the agent, which has read its inbox.
take()
{
  as "$1" 0 inbox
  as "$1" 0 next --as "$1" --json
  id=$(field id) token=$(field token)
  as "$1" 0 ack "$id" --task "Look at the login" --token "$token"
}
request research.json auth-001 research structured_findings
request other.json auth-002 write files_changed
response stop.json auth-001 research STOP "The login exists already in src/old.c"

as boss 0 send research.json --to reader --json
request=$(field id)
take reader
as reader 0 send stop.json --json
stop=$(field id)
state_is "$request" 'done'

# The reason is shown, and requests of the task are refused, whoever sends them; other tasks go on.
for who in boss other; do
  ask 7 $who
  expect_err "task auth-001 is halted: reader said STOP ($stop): \\\"The login exists already in src/old.c\\\"; "
done
expect_err "; boss or a person can resume it: handoff answer $stop --note TEXT"
ask 7 boss
expect_err "; to resume, run: handoff answer $stop --note TEXT"
expect 7 send part.json --to writer --as boss
expect_err "; to resume, run: handoff answer $stop --note TEXT --as boss"
as boss 0 send other.json --to writer
expect 0 status
expect_out "Halted by STOP (resume: handoff answer ID --note TEXT)"
expect_out "$stop  task auth-001: The login exists already in src/old.c"
expect 0 status --json
expect_json "$folder/out" "v.halted.length === 1 && v.halted[0].id === '$stop' && v.halted[0].task === 'auth-001' && v.halted[0].by === 'reader' && v.halted[0].to === 'boss' && v.halted[0].why.includes('src/old.c')"
# It stays halted whatever becomes of the response.
as boss 0 inbox
as boss 0 next --json
expect_json "$folder/out" "v.id === '$stop' && v.commands[0].startsWith('handoff answer $stop --note TEXT')"
token=$(field token)
as boss 0 ack "$stop" --task "Look at the login" --token "$token"
as boss 0 "done" "$stop" --token "$token"
ask 7 boss
expect 0 archive "$stop"
ask 7 boss
# Neither who stopped it nor another agent resumes it; who asked does.
for who in reader other; do
  as $who 7 answer "$stop" --note "Never mind"
  expect_err "only boss or a person can resume task auth-001, not $who"
done
CLAUDECODE=1 expect 7 answer "$stop" --note "Never mind"
as boss 0 answer "$stop" --note "Replace the old one"
expect_out "$stop is answered"
as boss 6 answer "$stop" --note "Again"
expect 0 status
expect_not_out "Halted"
expect 0 show "$stop"
expect_out "Replace the old one"
ask 0 boss
expect 0 log "$stop" --json
expect_json "$folder/out" 'v.events.filter(e => e.event === "resumed" && e.actor === "boss" && e.data.note === "Replace the old one").length === 1'
expect 0 verify

# A person resumes it too; two STOPs are two answers.
response stop.json auth-001 write STOP "Tests fail"
take writer
take writer
as writer 0 send stop.json --json
first=$(field id)
response second.json auth-001 validate STOP "A hole in src/login.c"
as auditor 0 send second.json --to boss --json
second=$(field id)
ask 7 boss
expect_err "Tests fail"
expect 0 answer "$first" --note "They are old"
expect_err "is still halted: "
ask 7 boss
expect_err "A hole in src/login.c"
expect 0 answer "$second" --note "It is closed"
expect_err " goes on"
ask 0 boss
expect 0 verify

# A plan of a halted task does not begin.
response third.json 9 validate STOP "No key for the server"
as auditor 0 send third.json --to boss --json
third=$(field id)
mkdir -p specs/9_keys/plans
printf '# Implementation Plan: Keys\n\n- **Task**: 9 - keys\n- **Status**: [NOT STARTED]\n\n### Phase 1: One [NOT STARTED]\n\n**Goal**: It is there.\n\n- [ ] do it\n' >specs/9_keys/plans/implementation-001.md
expect 7 run specs/9_keys/plans/implementation-001.md --agent true
expect_err "task 9 is halted: auditor said STOP ($third): \"No key for the server\""
expect 0 lineage --json
expect_json "$folder/out" 'v.runs.length === 0'
expect 0 answer "$third" --note "It is in the safe"

# CLARIFY is a gate that is named by its question.
response clarify.json auth-003 research CLARIFY "Which of the two logins is meant?"
as reader 0 send clarify.json --to boss --json
gate=$(field gate)
expect 0 gate list
expect_out "Which of the two logins is meant?"
expect 0 gate show "$gate" --json
expect_json "$folder/out" 'v.name === "Which of the two logins is meant?"'
expect 0 inbox --peek --json
expect_json "$folder/out" "v.items.find((i) => i.id === '$gate').commands.includes('handoff gate decide $gate approve --note TEXT')"
expect_terminal 2 gate decide "$gate" approve
expect_out "asks a question: use --note TEXT to answer it"

# A response answers its request: the task and the phase are the same.
request write.json auth-004 write files_changed
as boss 0 send write.json --to maker
take maker
for wrong in 'auth-005 write' 'auth-004 research'; do
  # shellcheck disable=SC2086
  response wrong.json $wrong PROCEED
  as maker 4 return "$id" wrong.json --token "$token"
  expect_err "but the request $id has 'auth-004' and 'write'"
  as maker 5 send wrong.json
done
response right.json auth-004 write PROCEED
as maker 0 return "$id" right.json --token "$token"

# Whoever holds a request and misspells its task is told what it holds.
as boss 0 send write.json --to maker --again
take maker
response wrong.json auth-44 write PROCEED
as maker 5 send wrong.json
expect_err "there is no open request for task auth-44, phase write, but you hold $id (task auth-004, phase write)"
as maker 0 reject "$id" --note "Enough"

# Several review one phase of one task: each answers the request that it holds, by its name, its instance, its session or its
# token, although that of another is newer; sent again, the answer is the same, and nobody else's.
request first.json auth-007 validate validation_result
jq '.instructions = "Look at the rest"' first.json >second.json
# hold AGENT SESSION FILE: the agent takes what is sent to it.
hold()
{
  as boss 0 send "$3" --to "${1%/*}" --again --json
  id=$(field id)
  HANDOFF_SESSION=$2 expect 0 claim "$id" --ack --as "$1" --json
  token=$(field token)
}
while read -r one session other others option; do
  hold "$other" "$others" second.json
  late=$id
  hold "$one" "$session" first.json
  first=$id key=("$token")
  hold "$other" "$others" second.json
  response stop.json auth-007 validate STOP "A hole that $one found"
  for same in false true; do
    HANDOFF_SESSION=$session expect 0 send stop.json --as "$one" ${option:+"$option" "${key[@]}"} --json
    expect_json "$folder/out" "v.to === 'boss' && v.same === $same && ($same || v.closed === '$first')"
  done
  as boss 0 answer "$(field id)" --note "Look again"
  for each in "$late" "$id"; do state_is "$each" acked; done
done <<'END'
rev-a - rev-b -
rev/1 - rev/2 -
rev s-1 rev s-2
rev s-1 rev s-1 --token
END

# The next request continues from the last response: its task, phase, files and findings.
jq -n '{task_id: "auth-006", phase: "research", context: {feature: "jwt", spec_path: "docs/spec.md", relevant_files: ["src/"], constraints: ["Tests first"]},
  instructions: "Find it", expected_output: "structured_findings"}' >research.json
as boss 0 send research.json --to reader
take reader
jq -n '{task_id: "auth-006", phase: "research", status: "complete", decision: "PROCEED", context_summary: "Sessions in src/auth.c", issues: [],
  findings: {existing_implementations: [{file: "src/auth.c"}], patterns_found: [{file: "src/user.c", pattern: "Router"}, {file: "src/auth.c", pattern: "Session"}]}}' >answer.json
as reader 0 send answer.json
as boss 0 new request --set /instructions="Write it" --print
expect_json "$folder/out" 'v.task_id === "auth-006" && v.phase === "write" && v.expected_output === "files_changed" && v.context.previous_findings === "Sessions in src/auth.c" &&
  v.context.relevant_files.join() === "src/auth.c,src/user.c" && v.context.feature === "jwt" && v.context.spec_path === "docs/spec.md" && v.context.constraints.join() === "Tests first"'
as boss 0 new request --task auth-006 --phase validate --set /instructions="Check it" --set /context/feature=other --print
expect_json "$folder/out" 'v.phase === "validate" && v.expected_output === "validation_result" && v.context.feature === "other"'

# Of reviewers who were asked side by side, the last to answer is not the one who found something: what was decided about
# the others' answers is there as well, and not what was decided before they were asked.
for reviewer in security quality; do
  request "$reviewer.json" auth-011 validate validation_result
  jq --arg r $reviewer '.instructions += ", " + $r' "$reviewer.json" >asked.json && mv asked.json "$reviewer.json"
  as boss 0 send "$reviewer.json" --to $reviewer
done
take quality
take security
response stop.json auth-011 validate STOP "The key is in src/key.c"
as security 0 send stop.json --json
stop=$(field id)
response good.json auth-011 validate PROCEED
as quality 0 send good.json
as boss 0 answer "$stop" --note "Take it from the environment"
as boss 0 new request --task auth-011 --phase write --set /instructions="Mend it" --print
expect_json "$folder/out" 'v.context.previous_findings === "Login lives in src/login.c (The key is in src/key.c; decided: Take it from the environment)"'
as boss 0 send security.json --to security --again
take security
as security 0 send good.json --again
as boss 0 new request --task auth-011 --phase write --set /instructions="Go on" --print
expect_json "$folder/out" 'v.context.previous_findings === "Login lives in src/login.c"'

# What was not finished is asked for again.
jq '.phase = "validate" | .expected_output = "validation_result" | .instructions = "Check it"' research.json >check.json
as boss 0 send check.json --to reader
take reader
jq '.phase = "validate" | .status = "partial" | .findings = {overall_passed: true}' answer.json >unfinished.json
as reader 0 send unfinished.json
as boss 0 new request --set /instructions="Check the rest" --print
expect_json "$folder/out" 'v.phase === "validate" && v.expected_output === "validation_result"'

# A request that was sent before the STOP waits as well.
request research.json auth-010 research structured_findings
request validate.json auth-010 validate validation_result
response stop.json auth-010 research STOP "The export exists already in src/old.c"
sed -i 's/"complete"/"blocked"/' stop.json
as boss 0 send research.json --to finder
as boss 0 send validate.json --to checker --json
early=$(field id)
take finder
as finder 0 send stop.json --json
stop=$(field id)
expect 0 next --as checker --json
expect_json "$folder/out" "v.item.kind === 'stop' && v.item.id === '$stop'"
expect 1 next --as checker
expect_err "nothing is ready for 'checker', but 1 item waits for you; run: handoff inbox --as checker"
expect 7 claim "$early" --as checker
expect_err "task auth-010 is halted: finder said STOP ($stop)"
expect 0 inbox --as checker --peek --json
expect_json "$folder/out" "v.items.some(i => i.id === '$early' && i.text.includes('finder said STOP ($stop)') && i.commands.join() === 'handoff show $early')"
expect 0 status --json
expect_json "$folder/out" "v.held_back.some(h => h.id === '$early') && !v.waiting.some(h => h.id === '$early')"
expect 0 status
expect_out "Waits until its task is resumed"
response clarify.json auth-010 write CLARIFY "Which export is meant?"
as writer 0 send clarify.json --to boss --json
gate=$(field gate)
expect 0 gate show "$gate"
expect_out "# halted: finder said STOP ($stop): \"The export exists already in src/old.c\"; to resume, run: handoff answer $stop --note TEXT"
expect 0 journal
expect_out "**The export exists already in src/old.c**"
as boss 0 answer "$stop" --note "Replace the old one"
expect_err "task auth-010 goes on"
# Everybody who was told of the STOP is told how the task goes on; it is known, and nothing blocks the task any more.
for who in finder checker; do
  expect 0 inbox --as $who --peek --json
  expect_json "$folder/out" "v.items.some(i => i.kind === 'answer' && i.id === '$stop' && i.text.includes('Replace the old one'))"
done
expect 0 know 'Replace the old one'
expect_out "answers: The export exists already in src/old.c"
expect 0 journal
expect_not_out "**The export exists already in src/old.c**"
expect 0 gate show "$gate"
expect_not_out "# halted"
take checker
expect 0 list --state acked --json
expect_json "$folder/out" "v.handoffs.some(h => h.id === '$early')"

# A rebuilt store has not forgotten it.
response third.json auth-001 validate STOP "Another hole in src/token.c"
as auditor 0 send third.json --to boss
expect 0 rebuild
ask 7 boss
expect_err "Another hole in src/token.c"
finish
