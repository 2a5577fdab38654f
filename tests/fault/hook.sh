#!/bin/bash
# Every allocation of a hook fails once: the agent goes on all the same, with exit status 0 and a JSON object.
set -uo pipefail
handoff=${HANDOFF:?the program to test}
source_dir=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/project/.claude" && cd "$folder/project" || exit
export HANDOFF_TOKENS=$folder/none
failed=0

# sweep EVENT [MEMBERS]: until sixteen allocations in a row did not matter.
sweep()
{
  local n quiet=0
  printf '{"session_id":"s","transcript_path":"%s","cwd":"%s","hook_event_name":"%s"%s}' \
    "$source_dir/tests/data/transcripts/claude-usage.jsonl" "$PWD" "$1" "${2:+,$2}" >"$folder/event"
  rm -rf .handoff/context
  "$handoff" hook claude <"$folder/event" >"$folder/usual" 2>/dev/null
  grep -q hookSpecificOutput "$folder/usual" || grep -q systemMessage "$folder/usual" || { echo "$1 says nothing"; failed=1; }
  for ((n = 1; quiet < 16 && n < 6000; n++)); do
    rm -rf .handoff/context
    HANDOFF_FAULT_ALLOC=$n "$handoff" hook claude <"$folder/event" >"$folder/out" 2>"$folder/err"
    status=$?
    if [ "$status" = 0 ] && [ ! -s "$folder/err" ] && cmp -s "$folder/out" "$folder/usual"; then
      quiet=$((quiet + 1))
    elif [ "$status" = 0 ] && grep -q '^{.*}$' "$folder/out" && ! grep -q Sanitizer "$folder/err"; then
      quiet=0
    else
      echo "FAILED: $1: allocation $n: exit status $status, $(head -c 100 "$folder/out")"
      head -5 "$folder/err"
      failed=$((failed + 1))
      [ "$failed" -lt 5 ] || exit 1
    fi
  done
  echo "$1: $((n - quiet - 1)) allocations"
}

mkdir .handoff && echo 'threshold: 75' >.handoff/config.yaml
sweep PostToolUse
sweep PreToolUse '"tool_name":"Read","tool_input":{"file_path":"x"}'
sweep Stop
[ "$failed" = 0 ]
