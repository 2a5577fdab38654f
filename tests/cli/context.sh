#!/bin/bash
# context and statusline: figures, evidence and triggers of recorded transcripts; whatever a file is, an answer.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
data=$source_dir/tests/data/transcripts
export HANDOFF_TOKENS=$folder/none
unset CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_CONFIG_DIR CODEX_HOME
export HOME=$folder/home

# fires NAME: that trigger and no other does.
fires()
{
  expect_json "$folder/out" "v.triggers.filter(t => t.fires).map(t => t.name).join() === '$1' && v.triggers.every(t => t.why)"
}

expect 0 context "$data/claude-usage.jsonl" --json
expect_json "$folder/out" 'Object.keys(v).slice(0, 5).join() === "used,window,percent,evidence,model"'
expect_json "$folder/out" 'v.used === 151264 && v.window === 200000 && v.percent === 75.6 && v.evidence === "usage"'
expect_json "$folder/out" 'v.triggers.map(t => t.name).join() === "threshold,overflow,objective,reread"'
fires ""
cp "$folder/out" "$folder/first"
expect 0 context "$data/claude-usage.jsonl" --json
expect_that "two looks differ" cmp -s "$folder/first" "$folder/out"
expect 0 context "$data/claude-usage.jsonl"
expect_out "claude-opus-4-1-20250805 ███████░░░ 75.6 % of 200k"
expect_out "151264 tokens; evidence: usage"
expect 0 context "$data/codex-usage.jsonl" --harness codex --json
expect_json "$folder/out" 'v.used === 206720 && v.window === 258400 && v.percent === 80 && v.harness === "codex"'
fires threshold
expect 0 context "$data/gemini-chat.json" --json
expect_json "$folder/out" 'v.used === 838860 && v.window === 1048576 && v.percent === 79.9'
fires ""
expect 0 context "$data/claude-compacted.jsonl" --json
expect_json "$folder/out" 'v.used === 12003 && v.evidence === "compaction"'

# The threshold, to the token: by --window, by the settings, by the harness's own variables.
expect 0 context "$data/claude-usage.jsonl" --json --window 189081
fires ""
expect 0 context "$data/claude-usage.jsonl" --json --window 189080
fires threshold
CLAUDE_CODE_AUTO_COMPACT_WINDOW=180000 expect 0 context "$data/claude-usage.jsonl" --json
expect_json "$folder/out" 'v.window === 180000 && v.full_window === 200000'
fires threshold
CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=90 expect 0 context "$data/claude-usage.jsonl" --json
fires threshold
# The harness's own settings: the project's, else the user's.
mkdir -p "$HOME/.claude" "$HOME/.codex" .claude .codex
echo '{ /* early */ "autoCompactWindow": 180000 }' >"$HOME/.claude/settings.json"
expect 0 context "$data/claude-usage.jsonl" --json
expect_json "$folder/out" 'v.window === 180000 && v.full_window === 200000'
fires threshold
echo '{"autoCompactWindow": 190000}' >.claude/settings.json
expect 0 context "$data/claude-usage.jsonl" --json
expect_json "$folder/out" 'v.window === 190000'
echo '{"autoCompactWindow": "soon"' >.claude/settings.json
expect 0 context "$data/claude-usage.jsonl" --json
expect_json "$folder/out" 'v.window === 180000'
printf '# ours\nmodel = "x"\nmodel_auto_compact_token_limit = 250_000 # early\n[profiles.x]\nmodel_auto_compact_token_limit = 9\n' >"$HOME/.codex/config.toml"
expect 0 context "$data/codex-usage.jsonl" --json
expect_json "$folder/out" 'v.window === 250000 && v.full_window === 258400'
rm -r .claude .codex "$HOME/.claude" "$HOME/.codex"
mkdir .handoff
printf 'threshold: 75\nwindows:\n  - model: house-model\n    tokens: 1000\n' >.handoff/config.yaml
expect 0 context "$data/claude-usage.jsonl" --json
fires threshold
expect 0 context "$data/claude-zero.jsonl" --json
expect_json "$folder/out" 'v.used === 7 && v.window === 1000 && v.evidence === "tokenizer" && v.window_source === "config"'
rm .handoff/config.yaml
expect 0 context "$data/claude-zero.jsonl" --json
expect_json "$folder/out" 'v.used === 7 && v.window === null && v.percent === null && v.model === "house-model-1"'
fires ""
expect 0 context "$data/claude-zero.jsonl"
expect_out "house-model-1: 7 tokens; window size unknown"

# The next read, priced by its real size; 200000 - 151264 = 48736 tokens are left.
head -c $((48736 * 4)) /dev/zero | tr '\0' 'x' >fits.txt
head -c $((48736 * 4 + 1)) /dev/zero | tr '\0' 'x' >large.txt
expect 0 context "$data/claude-usage.jsonl" --json --next-read fits.txt
fires ""
expect 0 context "$data/claude-usage.jsonl" --json --next-read large.txt
fires overflow
expect 5 context "$data/claude-usage.jsonl" --next-read nowhere

# The same content a third time; an edit starts it again, other ranges are other content.
cp "$data/claude-reread.jsonl" reread.jsonl
expect 0 context reread.jsonl --json
fires ""
printf '%s\n' '{"type":"assistant","message":{"id":"m8","content":[{"type":"tool_use","id":"a8","name":"Read","input":{"file_path":"/p/src/one.c"}}],"usage":{"input_tokens":9}}}' >>reread.jsonl
expect 0 context reread.jsonl --json
fires reread
expect_json "$folder/out" 'v.triggers[3].why.includes("/p/src/one.c was read 3 times")'

# An objective that was completed.
cat >phase-1-progress.json <<'END'
{"phase": 1, "phase_name": "M", "started_at": "2026-02-12T10:30:00Z", "last_updated": "2026-02-12T10:30:00Z",
 "objectives": [{"id": 1, "description": "Measure it", "status": "in_progress"}], "current_objective": 1,
 "approaches_tried": [], "handoff_count": 0}
END
expect 0 context "$data/claude-usage.jsonl" --json --progress phase-1-progress.json
fires ""
sed -i 's/in_progress/done/' phase-1-progress.json
expect 0 context "$data/claude-usage.jsonl" --json --progress phase-1-progress.json
fires objective

# Whatever a transcript is, there is an answer.
expect 5 context nowhere.jsonl --json
expect_json "$folder/out" 'v.evidence === "unknown" && v.used === null && v.percent === null && v.why.includes("No such file")'
mkfifo pipe
expect 9 context pipe --json
expect_json "$folder/out" 'v.evidence === "unknown" && v.why.includes("a pipe")'
expect 9 context . --json
expect_json "$folder/out" 'v.evidence === "unknown" && v.why.includes("a folder")'
: >empty.jsonl
expect 1 context empty.jsonl --json
expect_json "$folder/out" 'v.evidence === "unknown" && v.why.includes("empty")'
head -c 100000 /dev/urandom >random.jsonl
expect 1 context random.jsonl
head -c -20 "$data/claude-usage.jsonl" >cut.jsonl
expect 0 context cut.jsonl --json
expect_json "$folder/out" 'v.used === 151264'
printf '%s\n' '{"type":"assistant","message":{"model":"\u001b[31mx","usage":{"input_tokens":5}}}' >hostile.jsonl
expect 0 context hostile.jsonl
expect_out '\x1b[31mx: 5 tokens'
expect 2 context
expect 2 context cut.jsonl --harness emacs
expect 2 context cut.jsonl --window 0

# The status line: one line, and the harness's own figure for those who look later.
given='{"session_id":"claude-usage","transcript_path":"'$data/claude-usage.jsonl'","model":{"id":"claude-opus-4-1","display_name":"Opus"},
  "context_window":{"context_window_size":200000,"used_percentage":81,"current_usage":{"input_tokens":2000,"cache_creation_input_tokens":10000,"cache_read_input_tokens":150000,"output_tokens":500}}}'
NO_COLOR=1 expect 0 statusline <<<"$given"
expect_out_is "Opus ████████░░ 81 % of 200k"
expect_no_err
expect_json .handoff/context/claude-usage.json 'v.used === 162500 && v.window === 200000 && v.percent === 81'
expect 0 context "$data/claude-usage.jsonl" --json
expect_json "$folder/out" 'v.used === 162500 && v.evidence === "statusline" && v.model === "claude-opus-4-1"'
fires threshold
CLAUDE_CODE_AUTO_COMPACT_WINDOW=170000 expect 0 statusline --json <<<"$given"
expect_json "$folder/out" 'v.percent === 95.5 && v.window === 170000 && v.kept'
# What the transcript says later is newer than the figure.
cp "$data/claude-usage.jsonl" late.jsonl
expect 0 statusline <<<"${given//claude-usage/late}"
NO_COLOR=1 expect 0 statusline <<<"$(sed "s|$data|$PWD|; s|claude-usage|late|g" <<<"$given")"
printf '%s\n' '{"type":"assistant","message":{"id":"m9","content":[],"usage":{"input_tokens":9}}}' >>late.jsonl
expect 0 context late.jsonl --json
expect_json "$folder/out" 'v.used === 9 && v.evidence === "usage"'
# After a compaction there is no figure, but the transcript knows.
NO_COLOR=1 expect 0 statusline <<<'{"session_id":"x","transcript_path":"'"$data/claude-compacted.jsonl"'","model":{"id":"claude-opus-4-1"},"context_window":{"context_window_size":200000,"current_usage":null}}'
expect_out "claude-opus-4-1-20250805 ░░░░░░░░░░ 6 % of 200k"
for input in '' '{' '[]' 'null' '{"model":3,"context_window":"x"}' '{"session_id":"../../x"}' '{"transcript_path":"/"}'; do
  expect 0 statusline <<<"$input"
  expect_that "not one line" [ "$(wc -l <"$folder/out")" = 1 ]
done
expect_that "something was written elsewhere" [ ! -e ../x.json ]
rm -r .handoff
expect 0 statusline <<<"$given"
expect_that "a project without .handoff got one" [ ! -e .handoff ]

# Transcripts that others recorded.
if has_shared corpus "recorded transcripts"; then
  corpus=$shared/corpus/daaain+claude-code-log/test/test_data
  expect 0 context "$corpus/representative_messages.jsonl" --json
  expect_json "$folder/out" 'v.used === 155 && v.evidence === "usage" && v.model === "claude-3-sonnet-20240229"'
  expect 0 context "$corpus/todowrite_examples.jsonl" --json
  expect_json "$folder/out" 'v.used === 365 && v.model === "claude-sonnet-4"'
  expect 0 context "$corpus/session_b.jsonl" --json
  expect_json "$folder/out" 'v.used === 55'
  expect 0 context "$corpus/../../../simonw+claude-code-transcripts/tests/sample_session.jsonl" --json
  expect_json "$folder/out" 'v.evidence === "tokenizer" && v.model === null && v.used > 0'
fi
finish
