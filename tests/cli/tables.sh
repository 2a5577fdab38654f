#!/bin/bash
# formats, schema, template, limits, version, tokens: what comes straight from tables.
schemas=(schemas/*.json) # one for each format
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
expect 0 version
expect_out "handoff "
expect_out "libyaml"
expect 0 --version
expect 0 -V
expect 0 limits --json
expect_json "$folder/out" 'v.limits.some(l => l.name === "document" && l.value === 16777216 && l.unit === "bytes")'
expect 0 limits
expect_out "document"

expect 0 formats
for schema in "${schemas[@]##*/}"; do expect_out "${schema%%.*} "; done
expect 0 formats --json
expect_json "$folder/out" "v.formats.length === ${#schemas[@]} && v.formats.every(f => f.name && f.title && f.encoding && f.doc)"
for format in $("$handoff" formats | cut -d' ' -f1); do
  expect 0 schema "$format"
  expect_json "$folder/out" 'v.$schema === "https://json-schema.org/draft/2020-12/schema" && v.type === "object"'
  cp "$folder/out" "$folder/schema"
  expect 0 schema "$format" --json
  expect_json "$folder/out" "JSON.stringify(v) === JSON.stringify(JSON.parse(require('fs').readFileSync('$folder/schema', 'utf8')))"
  expect 0 template "$format"
  cp "$folder/out" "$folder/template"
  # A template is recognised as its format, and only its placeholders are in the way.
  expect 4 check --format "$format" "$folder/template"
  expect_out "error[placeholder]"
  expect 0 template "$format" --as json
  expect_json "$folder/out" 'typeof v === "object"'
  expect 0 template "$format" --json
  expect_json "$folder/out" "v.format === '$format' && v.text.length > 0"
done
# The same as pages: a section per format with every field, which is Markdown that reads as such.
"$handoff" formats | cut -d ' ' -f 1 >"$folder/names"
expect 0 formats --as md
expect_that "not a section per format" diff "$folder/names" <(sed -nE 's/^## ([a-z]+): .*/\1/p' "$folder/out")
expect_out '| `objectives[].files_touched[]` | list of text | optional |'
expect_out '- `progress-id-unique`: Objective ids must be unique.'
expect_that "a row of a table has more than four cells" bash -c '! sed "s/\\\\|//g" "$1" | grep "^| \`" | grep -qvE "^(\|[^|]*){4}\|$"' - "$folder/out"
expect 2 formats --as xml
expect 2 schema
expect 2 schema packages
expect_err "did you mean 'package'?"
expect 2 template package --as md
expect_err "has no Markdown form"
expect 2 template package --as xml

printf 'hello world' >text
HANDOFF_TOKENS=$folder/nowhere expect 0 tokens text
expect_out_is "3 bytes/4"
expect_err "an estimate"
HANDOFF_TOKENS=$folder/nowhere expect 0 tokens - --json <text
expect_json "$folder/out" 'v.tokens === 3 && v.tokenizer === "bytes/4"'
if [ -e "$(dirname "$handoff")/share/handoff/o200k_base.image" ] || skip "counts of o200k_base" "its ranks are not there"; then
  expect 0 tokens text
  expect_out_is "2 o200k_base"
  expect_no_err
fi
: >nothing
HANDOFF_TOKENS=$folder/nowhere expect 0 tokens nothing
expect_out_is "0 bytes/4"
expect 5 tokens nowhere
expect 9 tokens .
finish
