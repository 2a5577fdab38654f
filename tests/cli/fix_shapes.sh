#!/bin/bash
# fix: values that stand in another shape, or at another place, than the format's, as real agents write them.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir -p .handoff specs/8_small_words/handoffs specs/8_small_words/progress
progress=specs/8_small_words/progress/phase-2-progress.json
meta=specs/8_small_words/.return-meta.json

# A map for a list: keys become ids; an item's own id stays, with the key beside it where they differ.
cat >$progress <<'J'
{"phase": "2b", "phase_name": "Words", "started_at": "2026-02-12T10:30:00Z", "last_updated": "2026-02-12T11:30:00Z",
 "objectives": {"Count the words": "done", "2": {"id": 2, "description": "Cut them", "status": "pending"},
                "third": {"id": 3, "name": "Sort them", "status": "completed"}, "4": [], "5": null},
 "current_objective": 2, "approaches_tried": [], "handoff_count": 0}
J
expect 4 fix $progress
expect_json $progress 'JSON.stringify(v.objectives) === JSON.stringify([
  {description: "Count the words", status: "done"}, {id: 2, description: "Cut them", status: "not_started"},
  {id: 3, description: "Sort them", status: "done", x_key: "third"}, {id: 4}, {id: 5}])'
twice $progress

# A map that no list can be made of stays what it is, beside the list.
mkdir -p state
echo '{"handoffs": {"open": [1], "done": "HO-001"}}' >state/current.json
expect 0 fix state/current.json
expect_json state/current.json 'v.x_handoffs.open[0] === 1 && v.x_handoffs.done === "HO-001"'

# Artifacts by kind; what stands beside metadata; paths from another machine.
cat >$meta <<'J'
{
  "status": "partial",
  "session_id": "sess_1770906622_a1b2c3",
  "agent_type": "planner-agent",
  "artifacts": {
    "report": "/home/someone/words/specs/8_small_words/reports/research-001.md",
    "source": ["/home/someone/words/src/count.c", "src/cut.c"]
  },
  "partial_progress": {"stage": "phase_2_partial", "details": "Counted"},
  "metadata": {"agent_type": "another-agent"}
}
J
expect 0 fix $meta
expect_json $meta 'JSON.stringify(v.artifacts.map(a => a.type + ":" + a.path)) === JSON.stringify(
  ["report:specs/8_small_words/reports/research-001.md", "source:src/count.c", "source:src/cut.c"])'
expect_json $meta 'v.x_root === "/home/someone/words" && v.metadata.session_id === "sess_1770906622_a1b2c3"'
expect_json $meta 'v.metadata.agent_type === "another-agent" && v.agent_type === "planner-agent" && !v.session_id'
twice $meta

# A field that is missing because of another one is what the pointer names; the place is the other's.
printf '{"status": "partial", "artifacts": [],\n "metadata": {"session_id": "sess_1770906622_a1b2c3"}}\n' >$meta
expect 4 check $meta --json
expect_json "$folder/out" 'v.files[0].findings.some(f => f.rule === "meta-partial-progress" &&
  f.pointer === "/partial_progress" && f.line === 1 && f.column === 12)'
printf 'outcome: blocked\nblockers:\n  - blocker: no network\n' >b.handoff.yaml
expect 4 check b.handoff.yaml --json --format task
expect_json "$folder/out" 'v.files[0].findings.some(f => f.pointer === "/blockers/0/blocking_tasks" && f.line === 3)'

# Comments in JSON are kept under a key; findings that are a list too.
cat >a.response.json <<'J'
{
  "task_id": "words-1", "phase": "research", "status": "complete", /* so far */
  "decision": "PROCEED",
  "findings": [{"file": "src/count.c", "issue": "counts twice"}],
  "context_summary": "src/count.c counts twice."
}
J
expect 0 fix a.response.json
expect_json a.response.json 'v.x_comments[0].includes("so far") && v.findings.x_items[0].file === "src/count.c"'
twice a.response.json

# Pairs that were meant as texts, and "none" for an empty list.
cat >p.yaml <<'Y'
handoff:
  id: HO-007
  from: {agent: a, step: 1}
  to: {agent: b, reason: next}
  context:
    summary: Wrote src/count.c: it counts 12 kinds of words
    key_info:
      - Database: localhost:5432 (container: words)
      - loop: "/loop task 10" works now
      - plain: text
    open_questions: none
  expectations: {deliverable: A review}
Y
expect 0 fix p.yaml
expect_that "pairs: $(cat p.yaml)" grep -qxF '      - "Database: localhost:5432 (container: words)"' p.yaml
expect_that "quotes" grep -qF 'loop: \"/loop task 10\" works now' p.yaml
expect_that "none" grep -qxF '    open_questions: []' p.yaml
twice p.yaml
printf 'outcome: completed\ngotchas:\n  - watch out: the limit is 100\nblockers: None\n' >t.handoff.yaml
expect 0 fix t.handoff.yaml --format task
expect_that "gotcha" grep -qF 'issue: "watch out: the limit is 100"' t.handoff.yaml
twice t.handoff.yaml

# A text with too many tokens ends at a sentence; the rest stands beside it.
node -e 'const s = [...Array(120).keys()].map(i => `Word ${i} is in src/w${i}.c.`).join(" ");
  require("fs").writeFileSync("a.request.json", JSON.stringify({task_id: "w", phase: "write", context: {feature: "words",
  previous_findings: s}, instructions: "Count them", expected_output: "files_changed"}))'
cp a.request.json "$folder/request"
expect 4 check a.request.json
expect 0 fix a.request.json
expect_json a.request.json 'v.context.previous_findings.endsWith(".") &&
  v.context.previous_findings + " " + v.context.x_previous_findings_further ===
  JSON.parse(require("fs").readFileSync("../request", "utf8")).context.previous_findings'
twice a.request.json

# One screen is counted in lines of the file, empty ones at its end too; a list that is cut keeps its numbers.
long=specs/8_small_words/handoffs/phase-2-handoff-20260212T143022Z.md
{
  printf '# Phase 2 Handoff - 20260212T143022Z\n\n## Immediate Next Action\n1. Run the tests\n2. Read them\n\n'
  printf '## What Was Done\n'
  for i in $(seq 31); do printf -- '- Word %d\n' "$i"; done
  printf '\n\n'
} >$long
expect_that "the fixture" [ "$(wc -l <$long)" -eq 40 ]
echo >>$long
expect 0 check $long
expect_out "has 41 lines"
expect 0 fix $long
expect_that "more than a screen" [ "$(wc -l <$long)" -le 40 ]
expect_that "the first step lost its number" grep -qx '1. Run the tests' $long ${long%.md}-details.md
twice $long
finish
