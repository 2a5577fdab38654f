#!/bin/bash
# The audit folder and the state file alone tell what happened: how a handoff ended, who it went from and to, what was
# acknowledged, asked, answered and decided. Copies of before and after are verified, repaired and rebuilt from.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script
copy_of() { find .project -name "$1.yaml"; }
# told ID TEXT...: its copy has these lines, in this order.
told()
{
  local copy lines=() n=0
  copy=$(copy_of "$1")
  shift
  for text; do
    lines+=("$(tail -n +$((n + 1)) "$copy" | grep -nF -m1 -- "$text" | cut -d: -f1)")
    [ -n "${lines[-1]}" ] || { expect_that "$copy does not tell '$text' next" false; return; }
    n=$((n + lines[-1]))
  done
  result ok
}
status_in() { expect_json state/current.json "v.handoffs.find(h => h.id === '$1' && h.type).status === '$2'"; }

# ---- Entries of another tool stay, also if they have the id of a new handoff.
year=$(date -u +%Y)
mkdir -p state
printf '{"handoffs":[{"id":"HO-%s-001","timestamp":"2020-01-01T00:00:00Z","from":"specification","to":"architecture","status":"completed","mine":1}]}' "$year" >state/current.json

# ---- An escalation: from and to as sent, the decision with who and why.
package question.yaml estimation human
send question.yaml
escalation=$id
expect_terminal 0 gate decide "$gate" approve --note "Approach B"
claim --as estimation
expect 0 ack "$id" --as estimation --token "$token" --task "Go with B" --question "From when on?"
expect 0 answer "$id" --note "From May on"
expect 0 "done" "$id" --as estimation --token "$token" --note "Planned"
for when in ended archived; do
  told "$escalation" "x_outcome: done" "x_from: estimation" "x_to: human" "event: sent" "event: gated" "event: approved" \
    "actor: user:" "note: Approach B" "event: acked" "actor: estimation" "task: Go with B" "From when on?" "actor: user:" \
    "note: From May on" "event: done" "note: Planned"
  status_in "$escalation" completed
  expect_json state/current.json "v.handoffs.find(h => h.id === '$escalation' && h.type).to === 'human'"
  expect 0 verify
  [ $when = archived ] || expect 0 archive "$escalation"
done
expect_json state/current.json "v.handoffs.length === 2 && v.handoffs[0].mine === 1 && v.handoffs[0].status === 'completed' &&
  v.handoffs[0].timestamp === '2020-01-01T00:00:00Z'"

# ---- A gate that was rejected, after a question and its answer.
gate_document gate.yaml estimation
send gate.yaml
rejected=$id
expect_terminal 0 gate decide "$gate" question --note "What does it cost?"
expect 0 answer "$gate" --as estimation --note "5 days"
expect_terminal 0 gate decide "$gate" reject --note "Too dear"
expect 0 archive "$rejected"
told "$rejected" "x_outcome: rejected" "note: What does it cost?" "note: 5 days" "decision: reject" "note: Too dear"
status_in "$rejected" rejected
expect 0 list --state archived
expect_out "(rejected)"
expect 0 show "$rejected" --json
expect_json "$folder/out" 'v.handoff.state === "archived" && v.handoff.outcome === "rejected"'
# The copy of a gate is a gate, and keeps its rules.
expect 0 check "$(copy_of "$rejected")" --json
expect_json "$folder/out" 'v.files[0].format === "gate" && v.errors === 0 && v.files[0].findings.every(f => f.pointer === "/handoff/id")'
cp gate.yaml HO-7.yaml
expect 0 check HO-7.yaml --json
expect_json "$folder/out" 'v.files[0].format === "gate"'

# ---- Superseded, and a document that is JSON, and one without a line break at its end.
package old.yaml a b
package new.yaml a b '' "Specifications completed again: 4 epics, 13 user stories and 2 limits are written down"
send old.yaml
old=$id
send new.yaml
expect 0 supersede "$old" --by "$id"
expect 0 archive "$old"
told "$old" "x_outcome: superseded" "event: superseded"
status_in "$old" superseded
printf '{"task_id": "t", "phase": "research", "context": {"feature": "f"}, "instructions": "Find how sessions end in docs/spec.md.", "expected_output": "structured_findings"}' >request.json
send request.json --to finder
json=$id
claim --as finder
expect 0 ack "$json" --as finder --token "$token" --task "Find it"
expect 0 "done" "$json" --as finder --token "$token"
expect 0 archive "$json"
told "$json" '{"task_id"' "# handoff history" "---" "x_outcome: done" "task: Find it"
# Further keys do not fit after the end of a document, or a map in braces, and none is there twice.
for odd in 'printf "...\n" >>odd.yaml' 'printf "x_to: me\n" >>odd.yaml' 'sed -i "1s/^/---\n/" odd.yaml' 'cp request.json odd.yaml; echo >>odd.yaml' true; do
  package odd.yaml a odd '' "Specifications completed: 5 epics and 14 user stories are written down for $RANDOM"
  eval "$odd"
  send odd.yaml --to odd
  claim --as odd
  expect 0 "done" "$id" --as odd --token "$token"
  told "$id" "# handoff history" "x_outcome: done"
  told=$(sed -n '/^# handoff history$/{n;p}' "$(copy_of "$id")")
  case $odd in *'...\n'* | *x_to* | cp*) expect_that "'$odd' is followed by $told" [ "$told" = --- ] ;;
  *) expect_that "'$odd' is followed by $told" [ "$told" = "x_outcome: done" ] ;; esac
done
expect 0 verify

# ---- Copies that are gone are written again as they were; a store is rebuilt from them.
cp -r .project "$folder/before"
find .project -name 'HO-*.yaml' -delete
expect 0 repair
expect_that "not the same copies" diff -r .project "$folder/before"
expect 0 verify
bodies() { for id in "$escalation" "$rejected" "$old" "$json"; do "$handoff" show "$id" --json; done | grep -o '"digest":"[0-9a-f]*"'; }
bodies >"$folder/bodies"
rm .handoff/handoff.db*
run rebuild
bodies >"$folder/rebuilt"
expect_that "other documents after rebuild" cmp -s "$folder/bodies" "$folder/rebuilt"
expect 0 show "$rejected" --json
expect_json "$folder/out" 'v.handoff.outcome === "rejected"'
expect 0 verify
# A copy of an earlier version has no history.
sed '/^# handoff history$/,$d' "$(copy_of "$old")" >"$folder/earlier" && cp "$folder/earlier" "$(copy_of "$old")"
rm .handoff/handoff.db*
run rebuild
expect 0 show "$old" --as yaml
expect_out "3 epics"
finish
