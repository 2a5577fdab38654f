#!/bin/bash
# Allocations of a hook fail, one a run: the agent goes on all the same, with exit status 0 and a JSON object; and the
# ledger stays sound.
usual_stride=61
# shellcheck source=tests/fault/common
. "$(dirname "$0")/common"
export HANDOFF_TOKENS=$folder/none
mkdir .claude .handoff && echo 'threshold: 75' >.handoff/config.yaml
data=$source_dir/tests/data/transcripts

restore() { put_back .handoff; }

bearable() { [ "$1" = 0 ] && grep -q '^{.*}$' "$folder/out" && ! grep -q Sanitizer "$folder/err"; }

# sweep_event HARNESS TRANSCRIPT EVENT [MEMBERS]
sweep_event()
{
  input=$folder/event
  printf '{"session_id":"s","transcript_path":"%s","cwd":"%s","hook_event_name":"%s"%s}' \
    "$data/$2" "$PWD" "$3" "${4:+,$4}" >"$input"
  keep .handoff
  echo "$3:"
  sweep hook "$1"
  grep -qE 'hookSpecificOutput|systemMessage' "$folder/usual" || complain "$3 says nothing"
  restore
}

sweep_event claude claude-usage.jsonl PostToolUse
sweep_event claude claude-usage.jsonl PreToolUse '"tool_name":"Read","tool_input":{"file_path":"x"}'
sweep_event claude claude-usage.jsonl Stop

# These write to the ledger: a claim, and a draft.
sound() { "$handoff" verify >"$folder/out" 2>"$folder/err" && no_litter; }
mkdir -p src/import docs && touch src/import/csv.py docs/import-format.md
"$handoff" send "$source_dir/examples/package.yaml" >"$folder/out" || complain "nothing can be sent"
HANDOFF_AGENT=reviewer HANDOFF_TASK=feature sweep_event claude claude-usage.jsonl SessionStart '"source":"startup"'
"$handoff" progress start --task 7 --slug fast_start --phase 2 --objective Measure >"$folder/out"
HANDOFF_TASK=7 HANDOFF_PHASE=2 sweep_event codex codex-usage.jsonl PreCompact '"trigger":"auto"'
[ "$failed" = 0 ]
