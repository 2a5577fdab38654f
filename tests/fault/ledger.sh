#!/bin/bash
# Every allocation of a command of the ledger fails once: the usual answer, or exit 11; and the ledger stays sound.
set -uo pipefail
handoff=${HANDOFF:?the program to test}
source_dir=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/project" && cd "$folder/project" || exit
mkdir -p src/import docs && touch src/import/csv.py docs/import-format.md
cp "$source_dir/examples/package.yaml" .
unset HANDOFF_AGENT HANDOFF_TOKEN
failed=0

# sweep SAME ARGUMENT...: until sixteen allocations in a row did not matter. SAME: the output is always the same.
sweep()
{
  local same=$1 usual status n quiet=0
  shift
  "$handoff" "$@" >"$folder/usual" 2>/dev/null
  usual=$?
  for ((n = 1; quiet < 16 && n < 1500; n++)); do
    HANDOFF_FAULT_ALLOC=$n "$handoff" "$@" >"$folder/out" 2>"$folder/err"
    status=$?
    if [ "$status" = "$usual" ] && { [ "$same" = no ] || cmp -s "$folder/out" "$folder/usual"; }; then
      quiet=$((quiet + 1))
    elif [ "$status" = 11 ] && grep -q "out of memory" "$folder/err"; then
      quiet=0
    else
      echo "FAILED: handoff $*: allocation $n: exit status $status"
      head -3 "$folder/err"
      failed=$((failed + 1))
      [ "$failed" -lt 10 ] || exit 1
    fi
  done
  echo "handoff $*: $((n - quiet - 1)) allocations"
}

sweep yes send package.yaml --key once
sweep yes list
sweep yes log
sweep yes search stream
sweep yes verify
"$handoff" next --as reviewer >/dev/null # so that the answer is the same each time: nothing more is ready
sweep no next --as reviewer
"$handoff" verify >"$folder/out" || { cat "$folder/out"; failed=1; }
exit $((failed > 0))
