#!/bin/bash
# check: files, folders and standard input; exit statuses; text.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir -p specs/7_x/progress
cat >good.json <<'END'
{"phase": 1, "phase_name": "Measure", "started_at": "2026-02-12T10:30:00Z", "last_updated": "2026-02-12T10:30:00Z",
 "objectives": [{"id": 1, "description": "Measure the start", "status": "not_started"}], "current_objective": 1,
 "approaches_tried": [], "handoff_count": 0}
END
cp good.json specs/7_x/progress/phase-1-progress.json
sed 's/"status": "not_started"/"status": "unheard"/' good.json >specs/7_x/progress/phase-2-progress.json
echo 'phase: [' >broken.yaml
printf '# Notes\n\nNothing to see.\n' >notes.md

expect 0 check specs/7_x/progress/phase-1-progress.json
expect_no_out
expect_err_is "1 file: 0 errors, 0 warnings"
expect 4 check specs
expect_out "specs/7_x/progress/phase-2-progress.json:2:73: error[choice] /objectives/0/status: expected "
expect_not_out "phase-1"
expect_err "2 files: 1 error, 1 warning"
expect 4 check specs/
expect_out "specs/7_x/progress/phase-2-progress.json:2:73: error[choice]"
cd specs || exit
expect 4 check .
expect_out "7_x/progress/phase-2-progress.json:2:73:"
expect 4 check ../specs
expect_out "../specs/7_x/progress/phase-2-progress.json:2:73:"
expect 4 check "$PWD"
expect_out "$PWD/7_x/progress/phase-2-progress.json:2:73:"
cd .. || exit

# Warnings count only with --strict.
sed 's/"last_updated"/"updated"/' good.json >loose.json
expect 0 check loose.json
expect_out "loose.json:1:77: warning[key-alias] /last_updated: "
expect 4 check loose.json --strict
expect 4 check --strict -o json loose.json
expect_json "$folder/out" 'v.errors === 0 && v.warnings > 0'

# Standard input has no name and so breaks no rule about names.
expect 0 check - <good.json
expect_no_out
expect 0 check --format progress --strict - <good.json
expect 4 check -
expect_err "-: is empty"

# A file that was named is told apart from one that was met in a folder.
expect 4 check notes.md
expect_err "notes.md: not recognised as a handoff document; use --format FORMAT; for notes, run: handoff migrate notes.md; for a document of another tool, run: handoff import notes.md; see: handoff formats"
expect 4 check notes.md --json
expect_json "$folder/out" 'v.files[0].path === "notes.md" && v.files[0].format === null && v.files[0].findings.length === 0'
mkdir -p folder/node_modules folder/.git && cp notes.md folder/ && cp broken.yaml folder/node_modules/
cp broken.yaml folder/.git/ && ln -s ../specs folder/link && ln -s ../broken.yaml folder/link.yaml
expect 0 check folder --json
expect_json "$folder/out" 'v.files.length === 1 && v.files[0].format === null && v.skipped === 1'
cp broken.yaml folder/ # of no telling name, so it need not be a document of ours
expect 0 check folder
expect_out "folder/broken.yaml:1:8: warning[syntax]: "
expect_err "2 files are not recognised as handoff documents"
cp broken.yaml folder/HO-2026-001.yaml
expect 3 check folder
expect_out "folder/HO-2026-001.yaml:1:8: error[syntax]: "

# Text that cannot be read.
expect 3 check broken.yaml
expect_out "broken.yaml:1:8: error[syntax]: "
expect 3 check broken.yaml --json
expect_no_err
expect_json "$folder/out" 'v.errors === 1 && v.files[0].findings[0].rule === "syntax" && v.files[0].findings[0].column === 8'
expect 4 check broken.yaml specs
printf 'a\0b' >nul.yaml
expect 3 check nul.yaml
printf '\377\376' >bytes.md
expect 3 check bytes.md
: >empty.yaml
expect 4 check --format package empty.yaml
head -c 17000000 /dev/zero | tr '\0' 'x' >large.yaml
expect 3 check large.yaml
expect_out "error[limit]"
cp good.json secret.json && chmod 0 secret.json
forbidden 3 check secret.json
expect_out "error[unreadable]"
{ printf '{"objectives": '; head -c 200000 /dev/zero | tr '\0' '['; } >deep.json
expect 3 check deep.json
expect_out "error[limit]"

# Nothing from a document steers a terminal.
printf '{"phase": 1, "objectives": [], "\\u001b[31m\\u202ex": 1}' >hostile-progress.json
expect 4 check --format progress hostile-progress.json
expect_out '\x1b[31m\u202ex'
expect_that "an escape character came through" bash -c "! grep -q $'\x1b' '$folder/out'"
touch $'specs/a\nb.md' $'specs/\xff.md'
cp specs/7_x/progress/phase-2-progress.json $'specs/phase-3\xff-progress.json'
expect 4 check specs --json
expect_json "$folder/out" 'v.files.some(f => f.path.includes("\uFFFD"))'

# Many files: the order is that of the paths, whoever was faster.
mkdir many
for ((i = 1000; i < 1400; i++)); do cp specs/7_x/progress/phase-2-progress.json "many/phase-$i-progress.json"; done
expect 4 check many -o json
expect_json "$folder/out" 'v.files.length === 400 && v.errors >= 400 && v.files.every((f, i) => f.path === `many/phase-${1000 + i}-progress.json`)'
finish
