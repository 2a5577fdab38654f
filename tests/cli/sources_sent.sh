#!/bin/bash
# The examples of the package protocol and of the task schema, sent as they are printed.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
mkdir -p .project/02-requirements/user-stories .project/05-quality/security
echo story >.project/02-requirements/user-stories/US-001.md
echo review >.project/05-quality/security/review-2024-01.md
cat >sequential.yaml <<'Y'
handoff:
  from:
    agent: specification
    step: 2
  to:
    agent: architecture
    reason: "Specs validated, moving to design"
  context:
    summary: "User stories defined and validated by client"
    artifacts:
      - path: ".project/02-requirements/user-stories/US-001.md"
Y
cat >delegation.yaml <<'Y'
handoff:
  from:
    agent: architecture
    step: 3
  to:
    agent: security-check
    reason: "Need security validation before finalization"
  expectations:
    deliverable: "Risk report on proposed architecture"
    constraints:
      - "Focus on authentication and sensitive data"
    success_criteria:
      - "No unaddressed critical risks"
  context:
    summary: "API architecture defined, needs security review"
Y
escalation escalation.yaml
cat >return.yaml <<'Y'
handoff:
  from:
    agent: security-check
    step: null  # Not in main workflow
  to:
    agent: architecture
    reason: "Security review completed"
  context:
    summary: "2 risks identified, recommendations provided"
    artifacts:
      - path: ".project/05-quality/security/review-2024-01.md"
    decisions:
      - id: "SEC-001"
        decision: "JWT with refresh token rotation"
        rationale: "Security/UX balance"
Y
cat >ack.yaml <<'Y'
acknowledgment:
  received: true
  from: "architecture"
  understood:
    task: "Report the risks of the proposed architecture"
    constraints: "Authentication and sensitive data"
  questions: []  # or list of clarifications if needed
  starting: true
Y

# Each alone, in a project that knows nothing yet.
for type in sequential delegation escalation return; do
  expect 0 send "$type.yaml" --json
  expect_json "$folder/out" "v.type === '$type'"
  rm -rf .handoff state .project/07-audit
done

# All of them, carried on: the return ends the delegation that the specialist has acknowledged.
send sequential.yaml
send delegation.yaml
delegation=$id
HANDOFF_AGENT=security-check expect 4 send ack.yaml
expect_err "none is claimed from architecture"
HANDOFF_AGENT=security-check claim
HANDOFF_AGENT=security-check HANDOFF_TOKEN=$token expect 0 send ack.yaml
state_is "$delegation" acked
HANDOFF_AGENT=security-check HANDOFF_TOKEN=$token expect 0 send return.yaml --json
expect_json "$folder/out" "v.type === 'return' && v.closed === '$delegation'"
state_is "$delegation" "done"
# An agent with a step of its own is no specialist; nor is one to whom the workflow goes on.
sed 's/agent: architecture/agent: estimation/; s/agent: security-check/agent: architecture/' delegation.yaml >on.yaml
expect 0 send on.yaml --json
expect_json "$folder/out" 'v.type === "sequential"'
package full.yaml specification tester
expect 0 send full.yaml --json
expect_json "$folder/out" 'v.type === "sequential"'

# Two claims of one agent: the sender that the acknowledgement names tells them apart.
for from in designer planner; do
  package "$from.yaml" "$from" builder '' "Written down by the $from: the login with its 12 stories and 3 limits"
  expect 0 send "$from.yaml"
done
HANDOFF_AGENT=builder claim
first=$id
HANDOFF_AGENT=builder claim
sed 's/"architecture"/"planner"/' ack.yaml >planner-ack.yaml
HANDOFF_AGENT=builder HANDOFF_TOKEN=$token expect 0 send planner-ack.yaml
state_is "$id" acked
state_is "$first" claimed

# The YAML of a task file, without the fence that the template has.
cat >task-001.md <<'M'
# Task task-001: Issue tokens

## Metadata
| Depends On | None |

## Objective
Tokens

## Acceptance Criteria
- [x] They expire

## Context Provided
None

## Execution Log
- Written

## Handoff

outcome: completed

files_created:
  - path: docs/spec.md
    purpose: What tokens are
    lines: 1-1

gotchas:
  - issue: Clocks differ by up to a minute
    discovered_in: The login
    mitigation: Allow for it
    severity: high

---

*Task completed: 2026-02-12T14:30:22Z*
M
expect 0 check task-001.md
expect 0 send task-001.md
expect 0 know clocks
expect_out "Allow for it"
cp task-001.md fixed.md
expect 0 fix fixed.md
twice fixed.md
expect 0 check fixed.md
# Notes with a line that looks like a key are notes.
printf '# Task 7: B\n\n## Handoff\noutcome: it works: mostly\n\nWatch out for the cache.\n' >notes.md
expect 4 check notes.md --format task
expect_out "/outcome: is missing"
finish
