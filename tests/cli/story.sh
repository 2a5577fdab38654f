#!/bin/bash
# Three agents and a person work on one feature, and on what follows from it. At every point what waits is in the inbox of
# the one who can go on, and in nobody else's; what was decided on the way reaches the task that comes after.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/inbox_common
source "$source_dir/tests/cli/inbox_common"
needs script
agents=(lead coder reviewer)

# In sequence: the lead hands the specification to the coder.
package spec.yaml lead coder
as lead send spec.yaml
spec=$id
item coder handoff "$spec"
as coder expect 0 next --ack
item coder held "$spec"

# The coder delegates a review, and gets it back.
package review.yaml coder reviewer delegation "The login is written in 4 files with 31 unit tests, and waits for a review"
as coder send review.yaml
review=$id
item reviewer handoff "$review"
as reviewer expect 0 claim "$review"
as reviewer expect 0 ack "$review" --blocker 'There is no test for expired tokens'
item coder question "$review" 'expired tokens'
as coder expect 0 answer "$review" --note 'It is in tests/expiry.c'
item reviewer answer "$review" 'tests/expiry.c'
as reviewer expect 0 next --ack
package verdict.yaml reviewer coder return "Reviewed 4 files: two defects in the refresh of tokens are described with their lines"
as reviewer expect 0 return "$review" verdict.yaml --json
verdict=$(field id)
nobody "$review"
item coder returned "$verdict"
as coder expect 0 claim "$verdict"
as coder expect 0 "done" "$verdict"

# What only a person can decide: asked, asked back, answered, approved.
package choice.yaml coder human escalation "Two ways to store sessions were measured: 4 ms in memory, 19 ms in the database"
as coder send choice.yaml
choice=$id
item person gate "$gate"
expect_terminal 0 gate decide "$gate" question --note 'How long do sessions live?'
item coder question "$gate" 'How long'
as coder expect 0 answer "$gate" --note 'Eight hours'
item person gate "$gate"
expect_terminal 0 gate decide "$gate" approve --note 'Keep sessions in the database'
item coder decision "$gate" 'Keep sessions in the database'
as coder expect 0 next --ack --another
as coder expect 0 "done" "$choice" --note 'Sessions are in the database'
nobody "$choice"
as coder expect 0 "done" "$spec" --note 'The login works'
nobody "$spec"

# A rejection reaches the one who sent it.
package more.yaml lead reviewer "" "The export is wanted as well: 3 user stories with their personas are written down"
as lead send more.yaml
as reviewer expect 0 claim "$id"
as reviewer expect 0 reject "$id" --note 'The export is not part of this release'
item lead rejected "$id" 'not part of this release'
expect 0 know --kind decision 'not part of this release'
expect_out 'Refused: '
as lead expect 0 inbox
nobody "$id"

# A parallel review: one of two says STOP, and the task halts until the lead resumes it.
for n in 1 2; do
  cat >ask$n.request.json <<END
{"task_id": "login-review", "phase": "validate", "mode": "code",
 "context": {"feature": "login $n", "relevant_files": ["docs/spec.md"], "constraints": ["No breaking changes"]},
 "instructions": "Validate part $n of the login against its specification", "expected_output": "validation_result"}
END
  as lead send ask$n.request.json --to "$([ $n = 1 ] && echo coder || echo reviewer)"
  requests[n]=$id
done
as coder expect 0 claim "${requests[1]}" --ack
as reviewer expect 0 claim "${requests[2]}" --ack
cat >stop.response.json <<'END'
{"task_id": "login-review", "phase": "validate", "status": "blocked", "decision": "STOP",
 "findings": {"overall_passed": false},
 "context_summary": "Tokens of the login never expire", "tokens_used": 800, "issues": ["Tokens never expire"]}
END
as reviewer expect 0 return "${requests[2]}" stop.response.json --json
stop=$(field id)
as lead expect 0 inbox --peek --json
expect_json "$folder/out" "v.items[0].kind === 'stop' && v.items[0].id === '$stop' && v.items[0].text.includes('Tokens never expire')"
as coder expect 0 inbox --peek --json
expect_json "$folder/out" "v.items.some((i) => i.kind === 'stop' && i.id === '$stop')" # it works on the task
as reviewer expect 0 inbox --peek --json
expect_json "$folder/out" "!v.items.some((i) => i.kind === 'stop')"
sed -i 's/Validate part 1/Validate part 3/' ask1.request.json
as lead expect 7 send ask1.request.json --to coder
expect_err "Tokens never expire"
as coder expect 7 answer "$stop" --note 'Go on'
as lead expect 0 answer "$stop" --note 'Tokens expire after eight hours now'
as lead expect 0 inbox --peek --json
expect_json "$folder/out" "!v.items.some((i) => i.kind === 'stop')"
as lead send ask1.request.json --to coder

# What a task handoff asks is answered by its own id. Its author, whoever takes it, and the tasks that it blocked are told.
touch pay.ts
cat >task-004.md <<'END'
# Task task-004: Payments

## Handoff

```yaml
outcome: blocked
files_modified:
  - path: pay.ts
    lines: all
    change_type: modify
    description: Payments are prepared
blockers:
  - blocker: There are no credentials for the payment service
    impact: Payments cannot be tested
    suggested_resolution: Ask the user for them
    blocking_tasks: [task-005]
```
END
as coder send task-004.md --to reviewer
blocked=$id
expect 0 know --state open --kind blocker --json
blocker=$(field nodes.0.id)
item person question "$blocker" "task-004 ($blocked) is blocked by it; suggested: Ask the user for them"
expect 0 answer "$blocker" --note 'They are in the vault'
expect 0 inbox --json
expect_json "$folder/out" "!v.items.some((i) => i.id === '$blocker')"
item coder answer "$blocked" 'There are no credentials for the payment service: They are in the vault'
sed 's/login-review/005/' ask2.request.json >pay.request.json # in which the lead now has to do with task-005
as lead send pay.request.json --to reviewer
as lead expect 0 inbox --peek --json
expect_json "$folder/out" "v.items.some((i) => i.kind === 'answer' && i.id === '$blocked')"
expect 0 show "$blocked" --json
expect_json "$folder/out" "v.handoff.talk.some((t) => t.kind === 'answer' && t.text.endsWith(': They are in the vault'))"
as reviewer expect 0 claim "$blocked"
expect_out 'There are no credentials for the payment service: They are in the vault'
for task in task-004 task-005; do
  expect 0 prompt inject --task $task
  expect_out 'There are no credentials for the payment service: They are in the vault'
done
expect 0 journal
expect_out '- There are no credentials for the payment service: They are in the vault ('

# So is what a task asks that goes on, or has failed: what it says others need does not wait in the journal alone.
while read -r outcome said; do
  cat >"task-$outcome.md" <<END
# Task $outcome-1: The $outcome thing

## Handoff

\`\`\`yaml
outcome: $outcome
suggested_next_steps:
  - {step: Finish the $outcome thing, priority: high}
open_questions:
  - {question: Which currency does the $outcome thing use?, context: There are two, blocking: true}
blockers:
  - {blocker: No key for the $outcome thing, impact: It cannot be tested, suggested_resolution: Ask the user, blocking_tasks: [$outcome-2]}
\`\`\`
END
  as coder send "task-$outcome.md"
  for kind in blocker question; do
    expect 0 know "$outcome thing" --kind $kind --json
    asking=$(field nodes.0.id)
    item person question "$asking" "$outcome-1 ($id) $said because of it"
    expect 0 answer "$asking" --note "Said about the $outcome thing"
    expect 0 inbox --peek --json
    expect_json "$folder/out" "!v.items.some((i) => i.id === '$asking')"
  done
done <<'END'
partial is partial
failed failed
END

# What another task asks in the same words is asked again, and what was answered then is shown with it.
sed 's/Task partial-1/Task other-1/; s/partial-2/other-2/' task-partial.md >task-other.md
as coder send task-other.md
expect 0 know 'partial thing' --kind question --json
item person question "$(field nodes.0.id)" 'other-1 ('"$id"') is partial because of it; answered before: Said about the partial thing'

# A later task of the feature is told what was decided, asked and answered.
expect 0 know --kind decision
expect_out 'Keep sessions in the database'
expect 0 prompt inject --task feature
expect_out 'Keep sessions in the database'
expect 0 verify
finish
