#!/bin/bash
# Characters that nobody sees, in everything that is shown at a terminal: they are made visible.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script python3

hidden=$'\u200b\u00ad\u2060\ufeff\u2028\u3164\U000e0061\U000e0062'
# unseen FILE: it holds one of them.
unseen()
{
  python3 - "$1" <<'END'
import re, sys
text = re.sub(r'\x1b\[[0-9;]*m', '', open(sys.argv[1], encoding='utf-8', errors='replace', newline='').read())
sys.exit(not re.search('[\u200b\u00ad\u2060\ufeff\u2028\u3164\U000e0000-\U000e0fff]', text))
END
}
shown()
{
  expect_terminal 0 "$@"
  if unseen "$folder/out"; then result bad "hidden characters"; else result ok; fi
}

cat >gate.yaml <<END
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  from: {agent: importer}
  to: {agent: human, reason: release}
  gate: {type: blocking, name: "release$hidden"}
  context: {summary: "May the page be published?$hidden One reader, 23 tests, a page."}
  validation_request: {items: ["Look at the page$hidden"]}
END
cat >package.yaml <<END
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  type: sequential
  from: {agent: importer}
  to: {agent: reviewer, reason: release}
  workflow_state: {name: "export$hidden", current_step: "3$hidden"}
  context: {summary: "Order export written: 2 endpoints, 14 tests$hidden"}
  expectations: {deliverable: "Review of the export with a list of faults"}
END
cat >task.yaml <<END
outcome: partial
patterns_discovered:
  - {pattern: "Rows are read one by one$hidden", location: "src/export.ts$hidden", applies_to: ["export$hidden"]}
END
expect 0 gate raise gate.yaml --as importer
gate=$(cat "$folder/out")
expect 0 send package.yaml --as importer
sent=$(cat "$folder/out")
expect 0 learn task.yaml
shown gate list
shown gate show "$gate"
expect_out '\u200b\xad\u2060\ufeff\u2028\u3164\U000e0061\U000e0062'
shown status
shown list
shown log
shown show "$sent"
shown show package.yaml
shown search export
shown know
shown next --as reviewer
shown show "$sent" --json
expect_out '14 tests\u200b\u00ad\u2060\ufeff\u2028\u3164\udb40\udc61\udb40\udc62'
expect_that "not JSON" jq -e . "$folder/out" >/dev/null
# What scripts and emoji need stays as it is.
sed -i "s/14 tests.*\"/14 tests 👩‍💻 می‌خواهم\"/" package.yaml
expect_terminal 0 show package.yaml
expect_out $'👩\u200d💻 می\u200cخواهم'
finish
