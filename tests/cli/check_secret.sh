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
finish
