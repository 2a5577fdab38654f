#!/bin/bash
# init, config, doctor: setting up and looking around.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
expect 0 doctor
expect_out "Run 'handoff init'."
expect 0 config threshold
expect_out_is 80
expect 0 config --json
expect_json "$folder/out" 'v.settings.every(s => s.source === "default" && s.doc)'

expect 0 init
expect_out "created .handoff/config.yaml"
expect_out "created .handoff/.gitignore"
expect 0 check --strict .handoff/config.yaml
cp .handoff/config.yaml "$folder/before"
expect 0 init --json
expect_json "$folder/out" 'v.created.length === 0 && v.kept.length === 2'
expect_that "init changed a file" cmp -s .handoff/config.yaml "$folder/before"
# What stands there as a comment is valid once it is none.
for key in notify windows agents limits; do sed -n "/^# $key:/,/^$/s/^# //p" "$folder/before"; done >"$folder/all.yaml"
expect 0 check --format config "$folder/all.yaml" --json
expect_json "$folder/out" 'v.files[0].findings.length === 0'

mkdir -p deep/er && cd deep/er || exit
expect 0 init
expect_out "already exists: $folder/project/.handoff/config.yaml"
expect 0 init --root .
expect_out "created .handoff/config.yaml"
cd ../.. || exit

printf 'threshold: 70\nlimits:\n  findings: 5\nnotify: [a, b]\n' >.handoff/config.yaml
expect 0 config
expect_out "threshold: 70 (.handoff/config.yaml)"
expect_out "lease: 900 (default)"
expect 0 config limits.findings
expect_out_is 5
expect 0 config notify
expect_out_is '["a","b"]'

# Limits that a project lowers hold for its documents, and not for its settings.
expect 0 limits
expect_out "findings                5 findings"
printf 'outcome: completed\nx_note: %0300d\n' 0 >long.yaml
printf 'outcome: completed\nx_a: {b: {c: {d: [1, 2, 3]}}}\n' >deep.yaml
for limit in document:200:long.yaml depth:3:deep.yaml nodes:4:deep.yaml; do
  IFS=: read -r name value file <<<"$limit"
  printf '# A comment, so that the settings themselves are longer than a document may be: %0200d\nlimits: {%s: %s}\n' 0 "$name" "$value" >.handoff/config.yaml
  expect 3 check "$file" --format task
  expect_out "(limit $name)"
  expect 3 check "$file" "$file" --format task
  expect 0 check --format task - <<<'outcome: completed'
  expect 0 config "limits.$name"
  expect_out_is "$value"
done
printf '# limits: {document: 1}\nthreshold: 70\n' >.handoff/config.yaml
expect 0 check long.yaml deep.yaml --format task
rm long.yaml deep.yaml
printf 'threshold: 70\nlimits:\n  findings: 5\nnotify: [a, b]\n' >.handoff/config.yaml
expect 1 config agents
expect_no_out
expect 5 config thresold
expect_err "did you mean 'threshold'?"
expect 0 config threshold --json
expect_json "$folder/out" 'v.settings.length === 1 && v.settings[0].value === 70'
printf '# nothing\n' >.handoff/config.yaml
expect 0 config threshold
expect_out_is 80
printf 'threshold: 700\n' >.handoff/config.yaml
expect 4 config
expect_err ".handoff/config.yaml:1:12: error[range] /threshold: "
expect 1 doctor
expect_out "error   config"
expect 1 doctor --json
expect_json "$folder/out" 'v.healthy === false && v.checks.some(c => c.name === "config" && c.status === "error" && c.advice)'
printf 'a: [' >.handoff/config.yaml
expect 3 config
rm -r .handoff && ln -s "$folder" .handoff
expect 9 init
expect_that "init wrote through a link" [ ! -e "$folder/config.yaml" ]
rm .handoff

HANDOFF_TOKENS=$folder/nowhere expect 0 doctor
expect_out "counts are estimates"
LC_ALL=C expect 0 doctor
expect_out "is not UTF-8"
PATH=/nonexistent expect 0 doctor
expect_out "git         not found"
finish
