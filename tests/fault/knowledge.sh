#!/bin/bash
# Allocations of a command of the knowledge fail, one a run: the usual answer, or exit 11; and what was learned stays whole.
usual_stride=199
# shellcheck source=tests/fault/common
. "$(dirname "$0")/common"
cat <<'Y' >one.handoff.yaml
outcome: blocked
files_created:
  - {path: src/a.c, purpose: Reads, lines: all}
patterns_discovered:
  - {pattern: Use readAll() for files, location: src/a.c, applies_to: [files]}
gotchas:
  - {id: gotcha-1, issue: The limit is 100, mitigation: Wait, severity: high}
open_questions:
  - {question: How long?, blocking: true}
blockers:
  - {blocker: No key, impact: No tests, blocking_tasks: [t2]}
Y
# Whatever failed, it can be learned afterwards, and is there once.
restore() { rm -rf .handoff; }
sound()
{
  "$handoff" learn one.handoff.yaml >"$folder/out" 2>"$folder/err" && "$handoff" know --kind gotcha --json | grep -q '"source_count":1'
}
sweep learn one.handoff.yaml
sound || complain "it cannot be learned"
# What a document takes back is gone, and what another one says too stays.
sed 's/high}/low}/' one.handoff.yaml >two.handoff.yaml
"$handoff" learn two.handoff.yaml >"$folder/out" 2>&1 || complain "the other one cannot be learned"
keep .handoff
restore() { put_back .handoff; }
sound()
{
  "$handoff" learn one.handoff.yaml >"$folder/out" 2>"$folder/err" &&
    "$handoff" know limit --kind gotcha --json | grep -q '"severity":"low".*"source_count":1'
}
printf 'outcome: completed\n' >one.handoff.yaml
sweep learn one.handoff.yaml
sound || complain "it is not taken back"
restore() { :; }
sound() { :; }
sweep know limit
sweep know --task t2 --kind blocker
sweep journal
sweep graph --as dot
sweep prompt inject --task t2
[ "$failed" = 0 ]
