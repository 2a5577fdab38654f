#!/bin/bash
# prune takes what was learned from a handoff alone; what others have said too stays as they say it, and what the handoff
# has settled stays settled. A store that is built anew afterwards knows the same.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
export HANDOFF_AGENT=coder
mkdir -p src && touch src/a.c src/b.c
"$handoff" init >/dev/null

# task FILE ID NAME DEPENDS: a task file around the YAML on stdin, sent; $id is its handoff.
task()
{
  {
    printf '# Task %s: %s\n\n## Metadata\n| Key | Value |\n|---|---|\n| Depends On | %s |\n\n## Objective\nx\n' "$2" "$3" "$4"
    printf '\n## Acceptance Criteria\n- [x] y\n\n## Context Provided\nz\n\n## Execution Log\n- w\n\n## Handoff\n\n```yaml\n'
    cat
    printf '```\n\n*Task completed: 2026-02-12T14:30:22Z*\n'
  } >"$1"
  expect 0 send "$1" --to worker
  id=$(cat "$folder/out")
}
# finish_off ID: somebody takes the oldest handoff that waits, and is done with it.
finish_off()
{
  local token
  token=$("$handoff" next --as worker --json | node -p 'JSON.parse(require("fs").readFileSync(0)).token')
  expect 0 ack "$1" --as worker --token "$token" --task x --question "What does $1 mean?"
  expect 0 'done' "$1" --as worker --token "$token"
}
# What is known from documents, without the times.
dump()
{
  "$handoff" know --limit 1000 --json | node -e 'const v = JSON.parse(require("fs").readFileSync(0));
    v.nodes.forEach(n => n.sources = n.sources.filter(s => !s.origin.includes("#")));
    v.nodes.filter(n => n.sources.length).sort((a, b) => a.id < b.id ? -1 : 1).forEach(n => console.log(n.id, n.kind, n.text,
      n.severity, n.state, n.tags.join(), JSON.stringify(n.detail),
      n.sources.map(s => [s.origin, s.line, s.role, s.closed_by].join(":")).sort().join(" ")))'
  "$handoff" graph --limit 1000 --depth 9 --json | node -e 'const v = JSON.parse(require("fs").readFileSync(0));
    const asked = v.nodes.filter(n => n.text.startsWith("What does") || n.text === "worker").map(n => n.id);
    v.edges.filter(e => !asked.includes(e.from)).map(e => [e.from, e.type, e.to].join(" ")).sort().forEach(e => console.log(e))'
  "$handoff" journal --json | node -e 'const v = JSON.parse(require("fs").readFileSync(0));
    console.log(Object.keys(v.journal.context_map).sort().join(), v.journal.active_blockers.map(b => b.blocker).join(),
      JSON.stringify(Object.entries(v.journal.tasks).map(([k, t]) => [k, t.status, t.blocked_by]).sort()),
      v.orchestrator_memory.learned_context.gotchas.map(g => g.issue).join())'
}

task one.md 1 First None <<'Y'
outcome: completed
files_created:
  - {path: src/a.c, purpose: Reads, lines: 1-9}
patterns_discovered:
  - {pattern: Ask readAll() for whole files, location: src/a.c, applies_to: [files]}
gotchas:
  - {id: gotcha-rate, issue: Rate limit is 100/min, mitigation: Retry, severity: high, tags: [api]}
suggested_next_steps:
  - {step: Read the next one, priority: high}
Y
first=$id
task two.md 2 Second 1 <<'Y'
outcome: blocked
files_created:
  - {path: src/b.c, purpose: Writes, lines: 1-9}
gotchas:
  - {issue: "The rate limit is 100/min.", mitigation: Wait, severity: medium, tags: [limits]}
open_questions:
  - {question: Which port?, blocking: true}
blockers:
  - {blocker: No key, impact: No tests, blocking_tasks: [1]}
Y
finish_off "$first"
finish_off "$id" # stays in the store: it is not archived
task three.md 2 Second 1 <<'Y'
outcome: completed
files_modified:
  - {path: src/b.c, lines: 1-9, change_type: modify, description: Writes more}
Y
third=$id
finish_off "$third"

# Before: both have said it.
expect 0 know rate limit --json
expect_json "$folder/out" '(n => v.nodes.length === 1 && n.id === "gotcha-rate" && n.text === "Rate limit is 100/min" && n.severity === "high" &&
  n.detail.mitigation === "Wait" && n.tags.join() === "api,limits" && n.source_count === 2)(v.nodes[0])'
expect 0 journal --json
expect_json "$folder/out" 'v.orchestrator_memory.learned_context.gotchas.length === 1 && "src/a.c" in v.journal.context_map'
expect 0 archive "$first" "$third"
HANDOFF_AGENT='' expect 0 prune --before 2000-01-01
expect_no_out
expect 0 know whole files
HANDOFF_AGENT='' expect 0 prune --before 2099-01-01
expect_out_is "$first
$third"

# Afterwards: what only they have said is gone, everywhere.
expect_nothing know whole files
expect_nothing know --tag files
expect_nothing know --file src/a.c
expect_nothing know --kind step
expect_nothing know "What does $first mean"
expect 0 know "What does HO"
expect 0 know rate limit --json
expect_json "$folder/out" '(n => v.nodes.length === 1 && n.id === "gotcha-rate" && n.text === "The rate limit is 100/min." && n.severity === "medium" &&
  n.detail.mitigation === "Wait" && n.tags.join() === "limits" && n.source_count === 1 && n.sources[0].origin.endsWith("-002"))(v.nodes[0])'
expect_nothing know --tag api
expect 0 know --tag limits
expect 0 journal --json
expect_json "$folder/out" 'v.orchestrator_memory.learned_context.gotchas.length === 0 &&
  Object.keys(v.journal.context_map).join() === "src/b.c" && v.journal.context_map["src/b.c"].purpose === "Writes"'
expect 0 graph --limit 1000 --depth 9 --json
expect_json "$folder/out" "!JSON.stringify(v).includes('readAll') && v.edges.some(e => e.from === 'task:2' && e.type === 'depends_on' && e.to === 'task:1')"
expect 0 prompt inject --task 2 --json
expect_json "$folder/out" '!v.text.includes("readAll") && v.text.includes("The rate limit is 100/min.")'
# What they have settled stays settled: the task's question by its completion; its blocker blocks a task that is completed.
expect 0 know which port --json
expect_json "$folder/out" "v.nodes[0].state === 'closed' && v.nodes[0].sources[0].closed_by === '$third'"
expect 0 know --kind task --json
expect_json "$folder/out" 'v.nodes.map(n => n.id + n.state).sort().join() === "task:1closed,task:2closed"'
expect 0 verify

# Learning again brings nothing back, and a store that is built anew knows the same, twice over.
dump >"$folder/before"
expect 0 learn --all
expect_out 'learned 0 items from 0 documents'
for _ in 1 2; do
  HANDOFF_AGENT='' expect 0 rebuild
  expect_not_out "lost"
  expect 5 show "$first"
  dump >"$folder/after"
  expect_that "the rebuilt store knows other things: $(diff "$folder/before" "$folder/after")" cmp -s "$folder/before" "$folder/after"
  expect 0 verify
done

# A document that says something else than before takes it back likewise.
cat >note.handoff.yaml <<'Y'
outcome: completed
gotchas:
  - {issue: The rate limit is 100/min, mitigation: Never ask, severity: high, tags: [api]}
Y
expect 0 learn note.handoff.yaml
expect 0 know rate limit --severity high
sed -i 's/severity: high, tags: .api./severity: low/' note.handoff.yaml
expect 0 learn note.handoff.yaml
expect 0 know rate limit --json
expect_json "$folder/out" '(n => n.severity === "medium" && n.tags.join() === "limits" && n.source_count === 2)(v.nodes[0])'
# Two documents from standard input are two documents.
expect 0 learn - <<<'{"outcome": "completed", "gotchas": [{"issue": "Piped first", "severity": "low"}]}'
expect 0 learn - <<<'{"outcome": "completed", "gotchas": [{"issue": "Piped second", "severity": "low"}]}'
expect 0 know piped --json
expect_json "$folder/out" 'v.nodes.length === 2 && v.nodes.every(n => /^stdin:[0-9a-f]{12}$/.test(n.sources[0].origin))'
# A rebuild knows what was learned from files.
HANDOFF_AGENT='' expect 0 rebuild
expect_not_out "lost"
expect 0 learn note.handoff.yaml
expect_out 'learned 0 items from 0 documents'
finish
