#!/bin/bash
# Allocations of a lead fail, one a run: exit 11, and started again it carries the plan to its end; nothing is done twice.
usual_stride=1501
# shellcheck source=tests/fault/common
. "$(dirname "$0")/common"
plan=specs/7_small/plans/implementation-001.md
cat >teammate <<'END'
#!/bin/sh
unset HANDOFF_FAULT_ALLOC
echo "$HANDOFF_PHASE" >>effects
printf '{"status": "implemented", "summary": "Phase %s is written", "completion_data": {"completion_summary": "Written"}}' "$HANDOFF_PHASE" >"$HANDOFF_META"
END
chmod +x teammate

restore()
{
  rm -rf .handoff specs effects
  mkdir -p specs/7_small/plans
  printf '# Implementation Plan: Small\n\n- **Task**: 7 - small\n- **Status**: [NOT STARTED]\n' >"$plan"
  printf '\n### Phase %s: Part %s [NOT STARTED]\n\n**Dependencies**: %s\n\n**Goal**: It is there.\n' 1 1 None 2 2 'Phase 1' >>"$plan"
}

# What it tells has durations in it.
alike() { :; }

# shellcheck disable=SC2154
sound()
{
  [ "$status" = 0 ] || timeout 60 "$handoff" run "$plan" --agent ./teammate >"$folder/out" 2>"$folder/err" || return
  [ "$(sort effects | paste -sd,)" = 1,2 ]
}

sweep run "$plan" --agent ./teammate

# A workflow: the request, the response and the advisory gate are in the ledger, once a run (a run that was done when
# memory ran out is followed by another).
cat >answer <<'END'
#!/bin/sh
unset HANDOFF_FAULT_ALLOC
printf '{"task_id": "small", "phase": "write", "status": "complete", "decision": "PROCEED", "findings": {}, "context_summary": "Written in src/small.c", "tokens_used": 7, "issues": []}' >"$HANDOFF_META"
END
chmod +x answer
restore()
{
  rm -rf .handoff specs state .project
  printf 'name: small\nsteps:\n  - name: part\n    gate: advisory\n    instructions: Write src/small.c.\n' >small.yaml
}
sound()
{
  [ "$status" = 0 ] || timeout 60 "$handoff" run small.yaml --agent ./answer >"$folder/out" 2>"$folder/err" || return
  "$handoff" list >"$folder/list"
  [ "$(grep -c ' done  *request ' "$folder/list")" = "$(find .handoff/run -name request.json | wc -l)" ] &&
    [ "$(grep -c ' done  *response ' "$folder/list")" = "$(grep -c ' request ' "$folder/list")" ] &&
    [ "$("$handoff" gate list | wc -l)" = "$(grep -c ' request ' "$folder/list")" ]
}
sweep run small.yaml --agent ./answer
[ "$failed" = 0 ]
