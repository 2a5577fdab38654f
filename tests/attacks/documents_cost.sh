#!/bin/bash
# Documents that are within the limits, but made to cost time.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
needs node

# A response with 100,000 keys that its format does not know (1.3 MB).
node -e 'const o = {task_id: "7", phase: "research", status: "success", decision: "PROCEED", findings: {}, context_summary: "Two ways in src/a.c", tokens_used: 10, issues: []};
  for (let i = 0; i < 100000; i++) o["k" + i] = 1; process.stdout.write(JSON.stringify(o))' >many.json
for format in task meta artifact package; do
  within 30 convert --format response many.json --to $format
done

finish
