#!/bin/bash
# import: handoffs of other tools become task handoffs beside them; nothing is lost.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir -p .handoff thoughts/shared/handoffs/sign-in specs/1_x
cc=thoughts/shared/handoffs/sign-in/2026-01-11_07-36_tokens
cat >"$cc.yaml" <<'END'
---
session: sign-in
date: 2026-01-11
outcome: SUCCEEDED
---

goal: Tokens that expire
now: Write the middleware: routes first
# an unquoted value with ": " in it
done_this_session:
  - task: Tokens
    files: [src/auth/jwt.ts]
questions:
  - Cookies or storage?
files:
  created: [src/auth/jwt.ts]
own_key: {kept: true}
END
hl=thoughts/shared/handoffs/sign-in/2026-01-12_08-00_ENG-1_routes
cat >"$hl.md" <<'END'
---
date: 2026-01-12T08:00:00+01:00
researcher: ann
git_commit: abc123
branch: main
topic: "Routes"
status: blocked
---

# Handoff: ENG-1 routes

## Learnings
- The limit is 100 a minute

## Action Items & Next Steps
1. Ask for the keys
END
cat >specs/1_x/.orchestrator-handoff.json <<'END'
{
  "status": "implemented",
  "summary": "All of it",
  "artifacts": [{"type": "summary", "path": "specs/1_x/summaries/01.md"}],
  "blockers": [],
  "next_action_hint": "complete",
  "phases_total": 2
}
END
printf '# Readme\n\nNext: nothing of a handoff\n' >thoughts/README.md
# Keys of a handoff do not make one: a package, a post, a report of research.
mkdir -p thoughts/shared/research
printf '{"name": "x", "type": "module", "repository": "y", "topic": "z"}\n' >thoughts/package.json
printf -- '---\ntopic: life\ntags: [a]\n---\n\n# Post\n' >thoughts/post.md
printf -- '---\nresearcher: ann\ngit_commit: abc\nstatus: complete\n---\n\n# Research: x\n\n## Summary\n\nText\n' \
  >thoughts/shared/research/x.md
"$handoff" template package >specs/HO-2026-001.yaml

# A folder: what is recognised is imported, with a summary.
expect 4 import thoughts specs
expect_out "$cc.yaml: continuous-claude → $cc.handoff.yaml"
expect_out "$hl.md: humanlayer → $hl.handoff.yaml"
expect_out "specs/1_x/.orchestrator-handoff.json: orchestrator-handoff → specs/1_x/.orchestrator-handoff.handoff.yaml"
expect_out "$cc.yaml:8:"
expect_out "yaml-recovered"
expect_err "3 imported, 1 already a handoff document, 4 not recognised, 0 unreadable"
expect_that "a readme was imported" [ ! -e thoughts/README.handoff.yaml ]
expect 0 check "$cc.handoff.yaml"
expect 0 show "$cc.handoff.yaml" --as json
expect_json "$folder/out" 'v.outcome === "completed" && v.files_created[0].path === "src/auth/jwt.ts" &&
  v.suggested_next_steps[0].step === "Write the middleware: routes first" && v.x_kept.from === "continuous-claude" &&
  v.x_kept.fields.own_key.kept === true && v.x_kept.text.includes("# an unquoted value")'
# What is missing is a finding, and not invented: blocked without blockers.
expect 4 check "$hl.handoff.yaml"
expect_out "task-blocked"

# Sections are read below their subheadings, too, with the line of each item.
cat >parts.md <<'END'
---
researcher: ann
git_commit: abc123
branch: main
status: complete
---

# Handoff: ENG-2 icons

## Recent changes

### Headers
- `next.config.js:15-45` - Added headers

## Learnings

### Security
1. **Hosts**: compare them, not addresses

## Action Items & Next Steps

### Immediate (High Priority)
1. Add icons
END
expect 0 import parts.md
expect 0 show parts.handoff.yaml --as json
expect_json "$folder/out" 'v.files_modified[0].lines === "15-45" && v.files_modified[0].x_line === 13 &&
  v.patterns_discovered[0].pattern === "Hosts: compare them, not addresses" && v.x_kept.from === "humanlayer" &&
  v.suggested_next_steps[0].step === "Add icons" && v.suggested_next_steps[0].priority === "high"'

# Every line of the originals is in the results.
lost=
for original in "$cc.yaml" "$hl.md" parts.md specs/1_x/.orchestrator-handoff.json; do
  while IFS= read -r line; do
    [ -z "$line" ] || grep -qF -- "$line" "${original%.*}.handoff.yaml" || lost+="$line;"
  done <"$original"
done
expect_that "lost: $lost" [ -z "$lost" ]

# Again changes nothing; what is there and differs is not written over.
cp "$cc.handoff.yaml" "$folder/once"
expect 4 import thoughts specs --json
expect_json "$folder/out" 'v.imported === 3 && v.files.filter(f => f.written).every(f => f.changed === false)'
expect_that "importing twice changes it" cmp -s "$cc.handoff.yaml" "$folder/once"
echo 'outcome: failed' >"$cc.handoff.yaml"
expect 6 import "$cc.yaml"
expect_err "already exists"
expect_that "it was written over" [ "$(cat "$cc.handoff.yaml")" = 'outcome: failed' ]

# -o, --print and standard input.
expect 0 import "$cc.yaml" -o tokens.handoff.yaml
expect_that "-o wrote something else" cmp -s tokens.handoff.yaml "$folder/once"
expect 2 import "$cc.yaml" "$hl.md" -o both.yaml
expect 0 import - <"$cc.yaml"
expect_that "standard input gives something else" cmp -s "$folder/out" "$folder/once"
expect 4 import "$cc.yaml" "$hl.md" --print
expect_that "two documents are not told apart" [ "$(grep -cx -- --- "$folder/out")" = 1 ]

# A named file is taken for what it is worth: keys, words, or its text alone.
printf '{"task_id": "B-1", "status": "done", "future_work": ["tests"]}\n' >report.json
expect 0 import report.json --print
expect_out "step: tests"
printf '{"broken": \n' >broken.json
expect 4 import broken.json --print
expect_out '    {"broken":'
printf 'Watch out for the cache.\n' >notes.txt
expect 4 import notes.txt --print
expect_out "issue: Watch out for the cache."
expect_that "one fact is not facts" grep -q "; 1 missing fact$" "$folder/err"
expect 1 import specs/HO-2026-001.yaml
expect_out "already a handoff document: package"
printf 'caf\351: 1\n' >latin.yaml
expect 3 import latin.yaml
expect_out "latin.yaml:1:4: error[syntax]"
expect 5 import absent.yaml

# What came of it goes the way of every task handoff.
expect 0 send "$folder/once" --to ann

# Notes: what was learned becomes patterns, decisions are listed and kept.
printf '# Notes\n\n## Status\n\nHalf done\n\n## Learned\n\n- Cookies are dropped on redirects\n\n## Decisions\n\n- Use SQLite instead of files\n' >learned.md
expect 4 import learned.md --json # what is missing from the work is not known
expect_json "$folder/out" 'JSON.stringify(v).includes("/decisions")'
expect 4 convert learned.handoff.yaml --to task --json
expect_json "$folder/out" 'JSON.stringify(v).includes("Use SQLite instead of files")'
grep -q '^outcome: partial$' learned.handoff.yaml && grep -q 'pattern: Cookies are dropped on redirects' learned.handoff.yaml
expect_that "the notes were not understood" [ $? = 0 ]
expect_that "the decisions are not named" grep -q '^    decisions:' learned.handoff.yaml
finish
