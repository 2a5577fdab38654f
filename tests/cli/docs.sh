#!/bin/bash
# Every page of docs: what its blocks show is what happens, from the repository's own examples.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/pages_common
source "$source_dir/tests/cli/pages_common"

# Blocks are of a kind that is run, or of one that shows a file. (rules.md is written by `explain`, and cli/explain
# looks at it; what releasing.md says is done by maintainers.)
pages=()
while IFS= read -r file; do
  pages+=("$file")
  last="(${file#"$source_dir"/})"
  other=$(awk '/^ *```/ { on = !on; if (on && !/^ *```(console|sh|yaml|json|text|markdown)$/) print FNR ": " $0 }' "$file")
  expect_that "blocks that nothing runs: $other" [ -z "$other" ]
done < <(find "$source_dir/docs" -name '*.md' ! -name rules.md ! -name releasing.md | sort)
last="(docs)"
expect_that "no pages" [ ${#pages[@]} -gt 5 ]
for file in "${pages[@]}"; do ! grep -q '^```\(console\|sh\)$' "$file" || page "$file"; done
finish
