#!/bin/bash
# Allocations of a command fail, one a run: the program says that memory ran out and exits with 11, or it can do
# without and gives its usual answer. Nothing else happens, least of all a crash.
usual_stride=11
# shellcheck source=tests/fault/common
. "$(dirname "$0")/common"
export HANDOFF_TOKENS=$folder/none
mkdir -p src/import docs && touch src/import/csv.py docs/import-format.md
cp "$source_dir"/examples/*.* .

sweep version
sweep help check
sweep template ack
sweep completion bash
restore() { rm -rf .handoff; }
sweep init --root .
restore() { :; }
sweep tokens package.yaml
sweep check --no-such-option
sweep check response.json
sweep check package-bad.yaml -o sarif
sweep show response.json --as html
sweep convert response.json --to task
sweep new response --from response.json --print
sweep context transcript.jsonl --next-read package.yaml
sweep context transcript.jsonl --json
sweep aggregate --rule all response.json
printf 'name: a\nsteps:\n  - name: look\n    kind: parallel\n    agent: a, b\n    instructions: Look\n  - name: tell\n    depends_on: [look]\n' >two.workflow.yaml
sweep run two.workflow.yaml --dry-run

printf 'Status: done\n\n- Watch out! See docs/import-format.md\n' >notes.txt
sweep migrate notes.txt --print
printf 'goal: a\nsession: b\nnow: x: y\noutcome: FAILED\n' >foreign.yaml
sweep import foreign.yaml --print

# What is written is whole, or not there; then it can be done again.
handoff_file=phase-2-handoff-20260309.md
restore() { put_back ./*.md; }
sound() { "$handoff" fix "$handoff_file" >"$folder/out" 2>"$folder/err" && no_litter; }
keep ./*.md
sweep fix "$handoff_file"
printf '{"partial_progress": {"handoff_path": "%s"}}' "$handoff_file" >meta.json
restore() { put_back ./*.md ./meta.json; }
sound() { "$handoff" fix --rename . >"$folder/out" 2>"$folder/err"; no_litter; }
keep ./*.md ./meta.json
stride=$((stride == 1 ? 1 : stride * 5)) # most of the steps are those of fix
sweep fix --rename "$handoff_file"
sweep fix --rename --print "$handoff_file"
[ "$failed" = 0 ]
