#!/bin/bash
# Every shell script of the project passes shellcheck.
set -uo pipefail
command -v shellcheck >/dev/null || { echo "skipped: shellcheck is not installed"; exit 77; }
mapfile -t scripts < <(git grep -lI '^#!/bin/bash')
shellcheck -x --severity=warning "${scripts[@]}"
