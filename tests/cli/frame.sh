#!/bin/bash
# What holds for every command: usage, options before and after the name, JSON errors, outputs that fail.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"

expect 0
expect_out "handoff COMMAND"
expect 0 --help
expect_out "Options of every command"
expect 0 -h
expect 0 help check
expect_out "handoff check PATH"
cp "$folder/out" "$folder/help"
expect 0 check --help
expect_that "the two spellings of help differ" cmp -s "$folder/out" "$folder/help"
expect 0 --help check
expect_that "the three spellings of help differ" cmp -s "$folder/out" "$folder/help"

expect 2 chek
expect_err_is "handoff: unknown command 'chek'; did you mean 'check'?"
expect_no_out
expect 2 zzzzzz
expect_err "run: handoff help"
expect 2 help chek
expect_err "did you mean 'check'?"
expect 2 check
expect_err "check needs PATH"
expect 2 check --fromat x .
expect_err "did you mean --format?"
expect 2 list --foo
expect_err_is "handoff: unknown option --foo; run: handoff list --help"
expect 2 list --stat ready
expect_err "did you mean --state?"
expect 2 check -x .
expect_err "unknown option -x; run: handoff check --help"
expect 2 check . --format
expect_err "needs a value"
expect 2 check . -o xml
expect_err "expected text, json, sarif or github"
expect 2 version surplus
expect_err "unexpected argument 'surplus'; run: handoff version --help"
expect 2 check --format nonsense .
expect_err "unknown format 'nonsense'; run: handoff formats"
expect 2 check --format packge .
expect_err "did you mean 'package'?"
expect 2 --strict check .
expect_err "unknown option --strict; run: handoff --help"
expect 2 show $'bad\xffname'
expect_err "is not UTF-8"

expect 0 --json version
expect_json "$folder/out" 'v.version && v.libraries.libyaml && v.libraries.sqlite'
cp "$folder/out" "$folder/version"
expect 0 version --json
expect_that "--json before and after the name differ" cmp -s "$folder/out" "$folder/version"
expect 0 version --json=false
expect_out "handoff "

expect 2 --json chek
expect_no_out
expect_json "$folder/err" 'v.error.code === "usage" && v.error.file === null && v.error.line === null'
expect 5 check missing.yaml --json
expect_json "$folder/err" 'v.error.code === "not_found" && v.error.file === "missing.yaml"'
expect 5 check missing.yaml
expect_err_is "handoff: missing.yaml: no such file or folder"
expect 5 check . --root nowhere
expect_err "--root"
expect 0 version --store sqlite:somewhere

printf '{"a": 1,\n "b": }' >broken.json
expect 3 show broken.json --json
expect_json "$folder/err" 'v.error.code === "syntax" && v.error.rule === "syntax" && v.error.line === 2 && v.error.column === 7'
expect 3 show broken.json
expect_err "handoff: broken.json:2:7: "

# A file whose name starts with '-' comes after '--'.
printf 'no document\n' >-odd.md
expect 4 check -- -odd.md
expect_err "-odd.md: not recognised"

# A reader that goes ends the program quietly; a full disk does not.
for trap in DEFAULT IGNORE; do
  last="limits, reader gone, SIGPIPE $trap"
  [ "$trap" = DEFAULT ] || trap '' PIPE
  { "$handoff" schema package 2>"$folder/err"; echo $? >"$folder/status"; } | true
  trap - PIPE
  expect_no_err
done
last="limits >/dev/full"
"$handoff" limits >/dev/full 2>"$folder/err"
status=$?
expect_that "exit status $status, not 9" [ "$status" = 9 ]
expect_err "cannot write the output"
finish
