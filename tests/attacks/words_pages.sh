#!/bin/bash
# Pages, gates and limits: nothing is fetched by a page, who raised and decided a gate is said, and a limit is called one.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script

# A page fetches nothing when it is opened, whatever becomes of its policy.
cat >package.yaml <<'END'
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  type: sequential
  from: {agent: importer}
  to: {agent: reviewer, reason: Review}
  context:
    summary: |
      See ![the *plan*](http://evil.example/a.png) and ![](http://evil.example/b.png), [![c](http://evil.example/c.png)](https://example.com/),
      ![d](//evil.example/d.png) ![e](e.png) ![f](javascript:alert(1)) ![g][g] <img src="http://evil.example/h.png">

      [g]: http://evil.example/g.png
  expectations: {deliverable: "Review of the export with a list of faults"}
END
expect 0 show package.yaml --as html
expect_not_out '<img'
expect_not_out 'javascript:'
expect_out '<a href="http://evil.example/a.png">the <em>plan</em></a>'
expect_out '<a href="http://evil.example/b.png">image</a>'
expect_out '<a href="https://example.com/"><em>c</em></a>'
expect_out '<a href="http://evil.example/g.png">g</a>'
expect_out '&lt;img src='

# A person may decide what they raised themselves; it is said.
gate()
{
  cat >"$1.yaml" <<END
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  from: {agent: "$2"}
  to: {agent: human, reason: release}
  gate: {type: blocking, name: "release of $1"}
  context: {summary: "May the page of $1 be published? One reader, 23 tests, a page."}
  validation_request: {items: [Look at the page]}
END
  expect 0 gate raise "$1.yaml"
  id=$(cat "$folder/out")
}
me=user:$(id -un)
gate own "$me"
expect_terminal 0 gate decide "$id" approve
expect 0 gate show "$id"
expect_out "# raised and decided by the same person: $me"
gate other importer
expect_terminal 0 gate decide "$id" approve
expect 0 gate show "$id"
expect_not_out "same person"
expect_out "# raised_by: importer"

# A document that can be read but not fixed within a limit: the limit is said, not a text that cannot be read.
mkdir -p .handoff
printf 'outcome: completed\nfiles_created: [a.py, b.py, c.py, d.py, e.py, f.py, g.py, h.py]\n' >task.yaml
printf 'limits: {document: 90}\n' >.handoff/config.yaml
expect 0 check task.yaml --format task
expect 8 fix - --format task <task.yaml
expect_err "limit document"
finish
