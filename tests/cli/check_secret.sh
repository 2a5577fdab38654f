#!/bin/bash
# `check` warns of credentials with their place, before somebody commits them, and never shows them.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
value="gl""pat-$(printf 'aB3dE5gH%.0s' 1 2 3)"
package a.yaml lead coder
expect 0 check a.yaml
expect_not_out secret
sed -i "s/The specification\$/Specification $value/" a.yaml
expect 0 check a.yaml
expect_out "a.yaml:15:36: warning[secret]: a credential (gitlab-token)"
expect_not_out "$value"
expect 0 check a.yaml --json
expect_json "$folder/out" "v.files[0].findings.some(f => f.rule === 'secret' && f.line === 15)"
expect_not_out "$value"

# Findings of other rules quote what they found: not if it is a credential, in no output.
package b.yaml lead coder
sed -i "s/^  timestamp:.*/  timestamp: $value/; s/^handoff:/handoff:\n  x_$value: 1\n  x_$value: 2/" b.yaml
for output in text json sarif github; do
  run check b.yaml -o $output
  expect_out time-form
  expect_out REDACTED-gitlab-token
  expect_not_out "$value"
done
expect 4 send b.yaml
expect_that "the credential is on stderr" [ -z "$(grep -F -- "$value" "$folder/err")" ]
expect 4 send b.yaml --json
expect_that "the credential is on stderr" [ -z "$(grep -F -- "$value" "$folder/err")" ]
printf 'handoff:\n  "%s": [\n  x' "$value" >c.yaml
run check c.yaml
expect_not_out "$value"
expect 3 send c.yaml --format package
expect_that "the credential is on stderr" [ -z "$(grep -F -- "$value" "$folder/err")" ]

# What takes the place of a credential leaves the document as readable as it was.
package d.yaml lead coder
printf '  x_db:\n    password: >-\n      %s\n      %s\n    port: 5432\n' "${value:6:8}" "${value:14:8}" >>d.yaml
expect 0 send d.yaml
printf '{"task_id":"t-1","phase":"validate","context":{"constraints":["None"]},"instructions":"Run the 3 tests of src/a.c","expected_output":"validation_result","x_db":{"password":%s}}' \
  8765430192 >e.json
expect 0 send e.json --format request --to coder
grep -rlaE "${value:14:8}|8765430192" . --exclude-dir=.git >left
expect_that "what was sent is stored: $(tr '\n' ' ' <left)" [ "$(sort left | tr '\n' ' ')" = './a.yaml ./b.yaml ./c.yaml ./d.yaml ./e.json ' ]
finish
