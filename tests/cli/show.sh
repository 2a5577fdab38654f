#!/bin/bash
# show: every form of a document.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
cat >progress.json <<'END'
{"phase": 1, "phase_name": "Measure \u001b[31m<script>alert(1)</script>", "objectives":
  [{"id": 1, "description": "A long text that does not fit into eighty columns and therefore has to be wrapped somewhere in its middle.", "status": "not_started"}],
 "current_objective": 1, "approaches_tried": [], "handoff_count": 0, "x_note": {"kept": [1, "two"]}}
END
expect 0 show progress.json --format progress
expect_out "Phase progress"
expect_out "Phase: 1"
expect_out "  • A long text"
expect_out 'Measure \x1b[31m'
expect_that "a line is longer than 80 columns" bash -c "! grep -q '.\{81\}' '$folder/out'"
expect 0 show progress.json --format progress --as json
expect_json "$folder/out" 'v.phase === 1 && v.x_note.kept[1] === "two" && Object.keys(v)[0] === "phase"'
cp "$folder/out" canonical.json
expect 0 show canonical.json --format progress --as json
expect_that "the canonical form is not canonical" cmp -s "$folder/out" canonical.json
expect 0 show progress.json --format progress --as yaml
expect_out "x_note:"
cp "$folder/out" p.yaml
expect 0 show - --format progress --as json <p.yaml
expect_that "YAML and JSON differ" cmp -s "$folder/out" canonical.json
expect 0 show progress.json --format progress --as html
expect_out "<!DOCTYPE html>"
expect_not_out "<script>"
expect_out "default-src 'none'"
expect_out 'Measure \x1b[31m'
expect_out "X note"
expect 2 show progress.json --format progress --as md
expect_err "has no Markdown form"
expect 2 show progress.json --as pdf
expect 0 show progress.json --json
expect_json "$folder/out" 'v.format === "progress" && v.as === "text" && v.text.includes("Phase")'
# Wide characters: two cells each, and no blank is needed to break a line.
wide=$(printf '中%.0s' {1..60})
printf 'outcome: completed\nx_note: %s。\n' "$wide" >wide.yaml
expect 0 show wide.yaml --format task
expect_out "中中中。"
expect_that "a line is wider than 80 cells" bash -c "! grep -q '中\{40\}' '$folder/out'"
expect_that "something of it is gone" [ "$(grep -o 中 "$folder/out" | wc -l)" = 60 ]
printf 'outcome: completed\nx_note: all is well: really\n' >mended.yaml
expect 0 show mended.yaml --format task
expect_out "X note: all is well: really"
echo nothing >notes.md
expect 4 show notes.md
expect_err "not recognised as a handoff document; use --format FORMAT; for notes, run: handoff migrate notes.md; for a document of another tool, run: handoff import notes.md; see: handoff formats"
expect 5 show nowhere.md
expect 9 show .
expect_err "a folder, not a file"
finish
