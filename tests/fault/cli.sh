#!/bin/bash
# Every allocation of a command fails once: the program says that memory ran out and exits with 11, or it can do
# without and gives its usual answer. Nothing else happens, least of all a crash.
set -uo pipefail
handoff=${HANDOFF:?the program to test}
source_dir=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit
mkdir -p src/import docs && touch src/import/csv.py docs/import-format.md
cp "$source_dir"/examples/*.* .
failed=0

# sweep ARGUMENT...: until sixteen allocations in a row did not matter, which is beyond the last one.
sweep()
{
  local usual status n quiet=0
  "$handoff" "$@" >usual.out 2>/dev/null
  usual=$?
  for ((n = 1; quiet < 16 && n < 5000; n++)); do
    HANDOFF_FAULT_ALLOC=$n "$handoff" "$@" >out 2>err
    status=$?
    if [ "$status" = "$usual" ] && cmp -s out usual.out; then
      quiet=$((quiet + 1))
    elif [ "$status" = 11 ] && grep -q "out of memory" err; then
      quiet=0
    else
      echo "FAILED: handoff $*: allocation $n: exit status $status"
      head -3 err
      failed=$((failed + 1))
      [ "$failed" -lt 10 ] || exit 1
    fi
  done
  echo "handoff $*: $((n - quiet - 1)) allocations"
}

sweep version
sweep help check
sweep template ack
sweep completion bash
"$handoff" init >out
sweep init --root .
HANDOFF_TOKENS=$folder/none sweep tokens package.yaml
sweep check --no-such-option
sweep check response.json
sweep check package-bad.yaml -o sarif
sweep show response.json --as html
sweep new response --from response.json --print
HANDOFF_TOKENS=$folder/none sweep context transcript.jsonl --next-read package.yaml
sweep context transcript.jsonl --json
[ "$failed" = 0 ]
