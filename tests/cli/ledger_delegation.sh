#!/bin/bash
# Delegations and their returns; requests, responses and their decisions; artifacts for whoever takes the task.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script

package ask.yaml lead coder delegation
package back.yaml coder lead return
expect 5 send back.yaml --as coder
expect_err "no open delegation"
send ask.yaml
asked=$id
expect 6 send back.yaml --as coder # nobody has taken it
claim --as coder
expect 0 ack "$asked" --task "Build it" --token "$token"
expect 6 return "$asked" back.yaml --as painter
expect 6 return "$asked" back.yaml --token "$(printf '%032d' 0)"
state_is "$asked" acked
expect 0 return "$asked" back.yaml --token "$token" --json
expect_json "$folder/out" "v.type === 'return' && v.to === 'lead' && v.closed === '$asked'"
back=$(field id)
state_is "$asked" 'done'
claim --as lead
expect_that "the caller does not get the return" [ "$id" = "$back" ]
expect_json "$folder/out" "v.handoff.parent === '$asked'"

# A package to whoever delegated is its return, without being called so.
send ask.yaml --key two
asked=$id
claim --as coder
expect 0 ack "$asked" --task "As asked" --token "$token"
package silent.yaml coder lead
HANDOFF_AGENT=coder send silent.yaml
expect_json "$folder/out" "v.type === 'return' && v.closed === '$asked'"
state_is "$asked" 'done'
package silent.yaml coder lead "" "The rest is written: 2 modules, 14 unit tests and the page that explains them"
HANDOFF_AGENT=coder send silent.yaml
expect_json "$folder/out" 'v.type === "sequential" && v.closed === null'
package wrong.yaml coder somebody
send ask.yaml --key three
claim --as coder
expect 0 ack "$id" --task "As asked" --token "$token"
expect 6 return "$id" wrong.yaml --token "$token"
expect 0 'done' "$id" --token "$token"
expect_err "next time close it with: handoff return ID PATH"

# Requests go to --to; the response goes back, and its decision takes effect.
"$handoff" template request >/dev/null
cat >ask.request.json <<'END'
{"task_id": "auth-001", "phase": "research", "mode": "code",
 "context": {"feature": "jwt", "relevant_files": ["docs/spec.md"], "constraints": ["No breaking changes"]},
 "instructions": "Find the existing login code and its patterns", "expected_output": "structured_findings"}
END
expect 2 send ask.request.json --as lead
expect_err "needs a receiver"
respond()
{
  sed "s/DECISION/$1/" >answer.response.json <<'END'
{"task_id": "auth-001", "phase": "research", "mode": "code", "status": "complete", "decision": "DECISION",
 "findings": {"existing_patterns": [], "files_examined": ["docs/spec.md"]},
 "context_summary": "The login is in docs/spec.md (sessions). No conflicts with the new one. Which region is meant?",
 "issues": ["Which region is meant?"], "tokens_used": 800}
END
}
ask()
{
  HANDOFF_AGENT=lead send ask.request.json --to researcher
  asked=$id
  claim --as researcher
  expect 0 ack "$asked" --task "As asked" --token "$token"
}
respond PROCEED
expect 5 send answer.response.json --as researcher
ask
expect 6 send answer.response.json --as somebody
HANDOFF_AGENT=researcher send answer.response.json
expect_json "$folder/out" "v.to === 'lead' && v.closed === '$asked' && v.state === 'ready'"
state_is "$asked" 'done'
respond CLARIFY
ask
HANDOFF_AGENT=researcher HANDOFF_TOKEN=$token send answer.response.json
expect_json "$folder/out" 'v.state === "gated" && v.gate'
expect_terminal 0 gate decide "$gate" approve --note "Europe"
state_is "$id" ready
expect_json "$folder/out" 'v.handoff.to === "lead" && v.handoff.talk.some(t => t.text === "Europe")'

# An artifact without a receiver is for whoever asks for its task.
mkdir -p specs/259_login/handoffs
cat >specs/259_login/handoffs/phase-3-handoff-20260212T143022Z.md <<'END'
# Phase 3 Handoff - 20260212T143022Z

**Task**: 259

## Immediate Next Action

Write the test for an expired session in docs/spec.md, then make it pass.

## Current State

- **File**: docs/spec.md
- **Location**: line 1
- **Goal state**: every kind of session has a test

## Key Decisions Made

1. Sessions live for 24 hours: the old system did the same

## What NOT to Try

1. A cookie without a date: browsers keep it for ever

## Critical Context

- The clock of the servers is UTC

## References

- Spec: docs/spec.md
END
expect 0 send specs/259_login/handoffs/phase-3-handoff-20260212T143022Z.md --json
expect_json "$folder/out" 'v.kind === "artifact" && v.to === null'
artifact=$(field id)
expect 0 list --json --kind artifact
task=$(field handoffs.0.task) phase=$(field handoffs.0.phase)
expect 1 next --as anybody
expect 1 next --as anybody --task 99999
claim --as anybody --task "00$task" --phase "$phase"
expect_that "the artifact was not delivered" [ "$id" = "$artifact" ]
expect 0 verify
finish
