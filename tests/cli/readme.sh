#!/bin/bash
# README.md: what its blocks show is what happens, and its lists are complete.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/pages_common
source "$source_dir/tests/cli/pages_common"
page "$source_dir/README.md"

# Its table of formats: every one, once, with what it is written in. A row has one format or several, and what each is
# written in, or all of them.
expect 0 formats
sort -o "$folder/formats" <(awk '{print $1, $2}' "$folder/out" | sed 's/ md$/ Markdown/; s/ json$/ JSON/; s/ yaml$/ YAML/')
awk -F ' *[|] *' '/^## / {on = $0 == "## Formats"} on && NF == 5 && $2 !~ /^(format|---)$/ {
    count = split($2, names, ", *")
    of = split($3, encodings, ", *")
    for (i = 1; i <= count; i++) print names[i], encodings[of == 1 ? 1 : i]
  }' "$source_dir/README.md" | sort >"$folder/listed"
expect_that "the table of formats in README.md is not what 'handoff formats' says: $(diff "$folder/listed" "$folder/formats" | grep '^[<>]')" \
  cmp -s "$folder/listed" "$folder/formats"

# Every exit status that the help lists, in the same words.
last="README.md: exit statuses"
tr -s ' \n' ' ' <"$source_dir/README.md" >"$folder/readme"
"$handoff" help --all | sed -n '/^Exit status/,/^$/p' | grep -oE ' [0-9]+  ([^ ]+ )*[^ ]+' | tr -s ' ' >statuses
expect_that "the help lists no exit statuses" test -s statuses
while read -r status; do
  expect_that "does not say '$status'" grep -qF " $status" "$folder/readme"
done <statuses

# Every harness that `install` knows, where the README names them.
last="README.md: install"
"$handoff" install --help | sed -n 's/^Register the hooks with \(.*\)\.$/\1/p' | sed 's/, / or /g; s/ or /\n/g' >harnesses
expect_that "the help of install lists no harnesses" test -s harnesses
grep '`install` registers' "$source_dir/README.md" >row
while read -r harness; do
  expect_that "its row does not name $harness" grep -qF "$harness" row
done <harnesses
finish
