#!/bin/bash
# Every shell script of the project passes shellcheck.
# shellcheck source=tests/common
source tests/common
set -uo pipefail
needs shellcheck git
mapfile -t scripts < <(git grep -lI '^#!/bin/bash')
shellcheck -x --severity=warning "${scripts[@]}"
