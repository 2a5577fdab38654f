#!/bin/bash
# Every page of docs: what its blocks show is what happens, from the repository's own examples.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/pages_common
source "$source_dir/tests/cli/pages_common"

# Blocks are of a kind that is run, or of one that shows a file. (rules.md is written by `explain`, and cli/explain
# looks at it; what releasing.md says is done by maintainers.)
pages=()
: >"$folder/out" && : >"$folder/err"
while IFS= read -r file; do
  pages+=("$file")
  last="(${file#"$source_dir"/})"
  other=$(awk '/^ *```/ { on = !on; if (on && !/^ *```(console|sh|yaml|json|text|markdown)$/) print FNR ": " $0 }' "$file")
  expect_that "blocks that nothing runs: $other" [ -z "$other" ]
done < <(find "$source_dir/docs" -name '*.md' ! -name rules.md ! -name releasing.md | sort)
last="(docs)"
expect_that "no pages" [ ${#pages[@]} -gt 5 ]
for file in "${pages[@]}"; do ! grep -q '^```\(console\|sh\)$' "$file" || page "$file"; done

# Commands in the text, and those that a workflow file shows, exist, and so do their options.
commands()
{
  grep -ohE '`handoff [a-z][^`]*`|(run|entry): handoff [^#]*' "$@" | sed -E 's/^(run|entry): //; s/`//g' | sort -u
}
last="(commands in the text)"
: >"$folder/out"
while read -r _ name second rest; do
  page=$folder/help-$name
  if ! "$handoff" help "$name $second" >"$page" 2>"$folder/err" && ! "$handoff" help "$name" >"$page" 2>"$folder/err"; then
    result bad "'handoff $name' is not a command"
    continue
  fi
  "$handoff" help >>"$page"
  for option in $(grep -oE -- '(^| )--[a-z-]+' <<<" $second $rest"); do
    expect_that "'handoff $name $second $rest': no $option" grep -qE -- "$option( |,|\]|\$)" "$page"
  done
done < <(commands "$source_dir/README.md" "$source_dir/SECURITY.md" "${pages[@]}")
expect_that "no commands in the text" [ "$(commands "$source_dir/README.md" "${pages[@]}" | wc -l)" -gt 50 ]
finish
