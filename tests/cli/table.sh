#!/bin/bash
# Tables: whole in a pipe, as wide as the terminal there; chosen and sorted columns, paths into the result, short ids,
# sentences of the log, and what is shown again.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
needs script
# on COLUMNS ROWS COMMAND...: on a terminal of that size, into $folder/out.
on()
{
  local size="cols $1 rows $2"
  shift 2
  script -qec "stty $size; $(printf '%q ' "$@")" /dev/null </dev/null | tr -d '\r' >"$folder/out"
}
# widest FILE: the cells of its longest line, without colours.
widest() { sed 's/\x1b\[[0-9;]*m//g' "$1" | wc -L; }
export TERM=xterm

expect 0 init
for task in 1 2 3; do
  expect 0 pass --task $task --phase 1 --slug "task_$task" --next "Open src/part_$task.c and add the field that the reader of part $task needs before the release"
done
expect 0 claim 2 --as codex
expect 0 ack 2 --as codex --task 'Add the field of part 2'

expect 0 list
expect_not_out 'STATE'
expect_out 'before the release'
expect_out 'claimed by codex until'
expect_that "an age is shown in a pipe" grep -qE '[0-9]{4}-[0-9]{2}-[0-9]{2}T' "$folder/out"

for width in 120 80 60; do
  on $width 24 "$handoff" list
  expect_that "wider than $width" [ "$(widest "$folder/out")" -le $width ]
  expect_that "nothing shows that it was cut: $(cat "$folder/out")" grep -q '…' "$folder/out"
  expect_that "no colour of the state" grep -q $'\x1b\[36macked\x1b\[0m' "$folder/out"
done
on 60 24 "$handoff" list
expect_not_out 'KIND'
# What it is about comes before who holds it and of which kind it is.
on 80 24 "$handoff" list
expect_not_out 'HOLDER'
expect_that "no room for the subject: $(cat "$folder/out")" grep -q 'Open src/part_1.c and' "$folder/out"
on 120 24 "$handoff" list
expect_out 'KIND'
NO_COLOR=1 on 80 24 "$handoff" list
expect_that "coloured" [ "$(grep -c $'\x1b' "$folder/out")" = 0 ]

# Columns, order, paths.
expect 0 list --fields id,state --sort -id
expect_that "not in this order: $(cat "$folder/out")" [ "$(awk '{ print $1 $2 }' "$folder/out" | tr '\n' ' ')" = "$(printf '%s ' "HO-$(date -u +%Y)-003ready" "HO-$(date -u +%Y)-002acked" "HO-$(date -u +%Y)-001ready")" ]
expect 0 list --fields id,state --json
expect_json "$folder/out" 'v.handoffs.every((h) => Object.keys(h).join() === "id,state")'
expect 0 list --jq '.handoffs[1].state'
expect_that "another text" [ "$(cat "$folder/out")" = acked ]
expect 0 list --jq '.handoffs[].task'
expect_that "not three lines" [ "$(wc -l <"$folder/out")" = 3 ]
expect 2 list --fields id,colour
expect_err "--fields: there is no 'colour'; use: id, kind"
expect 2 list --sort colour
expect 2 list --jq 'handoffs'
expect_err 'is not a path'
expect 2 init --fields id
expect_err 'has no table'

# Several states, one's own, since yesterday, short ids.
expect 0 list --state ready,acked --jq '.handoffs[].id'
expect_that "not three" [ "$(wc -l <"$folder/out")" = 3 ]
expect 2 list --state ready,asleep
expect_err "unknown state 'asleep'"
expect 0 list --mine --as codex --jq '.handoffs[].task'
expect_that "not that of codex" [ "$(cat "$folder/out")" = 2 ]
expect 0 list --since yesterday --jq '.handoffs[].id'
expect_that "not three" [ "$(wc -l <"$folder/out")" = 3 ]
expect 0 show 1
expect_out 'part_1.c'
expect 5 show 77

# The log speaks; it goes on when there is more.
expect 0 log
expect_out 'codex acknowledged it: "Add the field of part 2"'
expect_out 'codex claimed it until'
timeout 20 "$handoff" log --follow --jq . >"$folder/followed" 2>"$folder/err" &
follower=$!
for ((i = 0; i < 100; i++)); do grep -q 'claimed it' "$folder/followed" && break; sleep 0.1; done
expect 0 "done" 2 --as codex
for ((i = 0; i < 100; i++)); do grep -q 'finished the work' "$folder/followed" && break; sleep 0.1; done
kill $follower 2>/dev/null
expect_that "what came was not shown: $(cat "$folder/followed" "$folder/err")" grep -q 'codex finished the work' "$folder/followed"
expect 2 log --follow --json
# Lines that stay say when it was, not how long ago.
on 80 24 timeout 3 "$handoff" log --follow
expect_out 'WHEN (UTC)'
expect_that "an age stays: $(cat "$folder/out")" grep -qE '^[0-9]{2}:[0-9]{2}:[0-9]{2}  .*codex finished' <(sed 's/\x1b\[[0-9;]*m//g' "$folder/out")

# The inbox is a table on a terminal, with what may follow below each row, and blocks in a pipe.
expect 0 send --to tester 'Look at the reader of quoted fields' --as codex
on 60 20 "$handoff" inbox --as tester
expect_out 'SUBJECT'
expect_that "a row breaks" grep -qE '^handoff +HO-[0-9-]+ +codex +Look at the reader.* (now|[0-9]+s)' <(sed 's/\x1b\[[0-9;]*m//g' "$folder/out")
expect_out '    handoff claim HO-'
expect_that "wider than the terminal" [ "$(widest "$folder/out")" -le 60 ]
expect 0 inbox --as tester
expect_out '    | Look at the reader of quoted fields'
HANDOFF_PAGER='sed s/^/paged:/' on 80 4 "$handoff" inbox --as tester
expect_out 'paged:'

# A pager for people, none for agents; again and again only on a terminal.
HANDOFF_PAGER='sed s/^/paged:/' on 80 4 "$handoff" log
HANDOFF_PAGER='sed s/^/paged:/' CLAUDECODE=1 on 80 4 "$handoff" log
expect_not_out 'paged:'
expect 2 list --watch
expect_err '--watch needs a terminal'
on 80 24 timeout 3 "$handoff" list --watch
expect_that "not shown again" [ "$(grep -c 'HANDOFF\|STATE' "$folder/out")" -ge 2 ]

# What does not understand escape sequences is sent none: no colours, no line that is cleared, nothing shown again.
for ((i = 0; i < 600; i++)); do cp "$source_dir/examples/package.yaml" "$folder/many-$i.yaml"; done
TERM=xterm on 80 24 "$handoff" check "$folder"
expect_that "no progress to see" grep -q $'\x1b\[K' "$folder/out"
for term in dumb ''; do
  TERM=$term on 80 24 "$handoff" check "$folder"
  expect_that "an escape sequence, TERM=$term" [ "$(grep -c $'\x1b' "$folder/out")" = 0 ]
  TERM=$term on 80 24 "$handoff" list --watch
  expect_out '--watch needs a terminal'
done
rm "$folder"/many-*.yaml

# Empty lists are an answer, and all lists are there.
cd "$(mktemp -d -p "$folder")" && git init -q . 2>/dev/null
for command in 'list' 'log' 'search x' 'know x' 'gate list' 'ps' 'inbox' 'status'; do
  # shellcheck disable=SC2086
  expect 0 $command --json
done
expect_json "$folder/out" 'Array.isArray(v.waiting) && Array.isArray(v.gates) && v.waiting.length === 0'
# What stands below a row, and what was learned: whole words on lines of the terminal's width, whole lines in a pipe.
expect 0 pass --task 4 --phase 1 --slug quotes --next 'Open src/csv.c and read quoted fields one by one' \
  --not 'Splitting the quoted text at every line: a field may hold line breaks, so that the row ends too early and what follows is lost'
for width in 120 80 60; do
  for command in 'know quoted' 'search quoted'; do
    # shellcheck disable=SC2086
    on $width 24 "$handoff" $command
    expect_that "$command is wider than $width: $(cat "$folder/out")" [ "$(widest "$folder/out")" -le $width ]
    expect_that "$command says nothing" [ "$(wc -l <"$folder/out")" -ge 3 ]
  done
done
on 60 24 "$handoff" know quoted
# A line ends where a word does: joined again, they are the lines of a pipe.
sed 's/\x1b\[[0-9;]*m//g' "$folder/out" | tr -s ' \n' ' ' >"$folder/joined"
expect 0 know quoted
expect_that "words are torn: $(cat "$folder/joined")" [ "$(tr -s ' \n' ' ' <"$folder/out")" = "$(cat "$folder/joined")" ]
expect_that "the text is broken in a pipe" grep -q 'Splitting the quoted text at every line' "$folder/out"

finish
