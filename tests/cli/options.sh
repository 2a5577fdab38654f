#!/bin/bash
# An option means the same in every command that has it. What older versions called it works as before, and only a person is
# told the new name.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"

touch "$folder/out" "$folder/err"
# All options, by the manual: COMMAND<tab>OPTION<tab>VALUE<tab>what it says.
"$handoff" help --all --man | awk -v OFS='\t' '
  /^\\fBhandoff / { name = $0; gsub(/^\\fBhandoff |\\fR.*/, "", name) }
  /^\.SH / { on = /OPTIONS$/ }
  on && /^\.B \\-/ { gsub(/\\/, ""); option = $2; sub(/^\.B [^ ]+ ?/, ""); value = $0; getline; gsub(/\\/, ""); print name, option, value, $0 }
' >options
# values OPTION: the values that it takes anywhere, once each.
values() { awk -F '\t' -v o="$1" '$2 == o { print $3 }' options | sort -u; }
commands() { awk -F '\t' -v o="$1" -v v="$2" '$2 == o && $3 == v { print $1 }' options | sort | paste -sd ' '; }

last='--as: who acts'
expect_that "it takes $(values --as | paste -sd ' ')" [ "$(values --as)" = AGENT ]
expect_that "it says several things" [ "$(awk -F '\t' '$2 == "--as" { print $4 }' options | sort -u | wc -l)" = 1 ]
last='-o: the file that is written'
expect_that "it takes $(values -o | paste -sd ' ')" [ "$(values -o)" = FILE ]
last='--form: what the output looks like'
expect_that "other commands have it" [ "$(awk -F '\t' '$2 == "--form" { print $1 }' options | sort | paste -sd ' ')" = \
  'check convert explain formats graph lineage show template' ]
last='--note: what whoever acts says'
expect_that "it takes $(values --note | paste -sd ' ')" [ "$(values --note)" = TEXT ]
last='--task: the number of a task'
expect_that "it takes $(values --task | paste -sd ' ')" [ "$(values --task | paste -sd ' ')" = 'N TEXT' ]
expect_that "others take a text" [ "$(commands --task TEXT)" = ack ] # the first of its four checks, which agents know by this name
last='--phase: a phase'
expect_that "it takes $(values --phase | paste -sd ' ')" [ "$(values --phase)" = P ]

# Old names.
cp "$source_dir/examples/package.yaml" .
# the_same OLD NEW: two command lines have the same result, and nothing more is said where no person reads it.
the_same()
{
  # shellcheck disable=SC2086
  run $1
  local old=$status
  cp "$folder/out" "$folder/old" && cp "$folder/err" "$folder/said"
  # shellcheck disable=SC2086
  run $2
  expect_that "'$1' ends otherwise" [ "$old" = "$status" ]
  expect_that "'$1' prints something else" cmp -s "$folder/old" "$folder/out"
  expect_that "'$1' says something else" cmp -s "$folder/said" "$folder/err"
}
the_same 'check -o json package.yaml' 'check --form json package.yaml'
the_same 'check -ogithub package.yaml' 'check package.yaml --form=github'
the_same 'check package.yaml --output sarif' 'check package.yaml --form sarif'
the_same 'show package.yaml --as json' 'show package.yaml --form json'
the_same 'convert package.yaml --to task --as json' 'convert package.yaml --to task --form json'
the_same 'template package --as json' 'template package --form json'
the_same 'formats --as md' 'formats --form md'
the_same 'explain choice --as md' 'explain choice --form md'
the_same 'graph --as dot' 'graph --form dot'
the_same 'lineage --as mermaid' 'lineage --form mermaid'
expect 2 show package.yaml --as nonsense
last='show --as, at a terminal'
script -qec "'$handoff' show package.yaml --as json" /dev/null >"$folder/out" 2>"$folder/err" </dev/null
expect_out "--as still works, but in 'show' it is now called --form"
script -qec "'$handoff' show package.yaml --form json" /dev/null >"$folder/out" 2>"$folder/err" </dev/null
expect_not_out "still works"
# --as of who acts is no old name.
expect 0 init
script -qec "'$handoff' inbox --as lead" /dev/null >"$folder/out" 2>"$folder/err" </dev/null
expect_not_out "still works"
# The reason of reject is a note, as everywhere.
for option in note why; do
  expect 0 ask "Is it $option?" --as writer
  last="reject --$option, at a terminal"
  script -qec "'$handoff' reject $(cat "$folder/out") --$option no" /dev/null >"$folder/out" 2>"$folder/err" </dev/null
  expect_out 'reject by user:'
  hint=$(grep -c "^handoff: --why still works, but in 'reject' it is now called --note" "$folder/out")
  expect_that "hints: $hint" [ "$hint" = "$([ $option = why ] && echo 1 || echo 0)" ]
done
finish
