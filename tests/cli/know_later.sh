#!/bin/bash
# What follows from a handoff (search text, knowledge) is derived when somebody asks: answers are as if it had been there
# at once, whoever is killed on the way, however many ask at the same time, and if the store cannot be written.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
export HANDOFF_AGENT=coder
"$handoff" init >/dev/null

# teach WORD [OUTCOME]: sends a handoff whose gotcha has the word; $id is its handoff.
teach()
{
  printf 'outcome: %s\ngotchas:\n  - {issue: The %s leaks, mitigation: Close it, severity: high}\n' "${2:-completed}" "$1" >"$1.handoff.yaml"
  expect 0 send "$1.handoff.yaml" --to worker
  id=$(cat "$folder/out")
}
# left: how many handoffs are still to be derived, for the search and for the knowledge.
left()
{
  sqlite3 .handoff/handoff.db "SELECT (SELECT max(seq) FROM handoffs) - value FROM meta WHERE name IN ('store.searched', 'store.learned') ORDER BY name DESC" |
    paste -sd' '
}
expect_left() { ! has sqlite3 "what is left to derive" || expect_that "left is '$(left)', not '$1'" test "$(left)" = "$1"; }

# ---- Whoever asks derives first: each for itself.
teach boiler
teach kettle
expect_left '2 2'
expect 0 search kettle
expect_left '0 2'
expect 0 know boiler
expect_left '0 0'
teach funnel
expect 0 learn --all
expect_out 'learned 0 items from 0 documents' # it counts as learned when it is sent
expect_left '1 0'
expect 0 verify # needs none of it, and writes nothing
expect_left '1 0'
teach bucket
expect 0 journal --json
expect_out 'The bucket leaks'
teach basin
expect 0 graph --kind gotcha --json
expect_out 'The basin leaks'
teach ladle
expect 0 prompt inject --task any
expect_left '4 0'

# ---- A killed process leaves all of it or nothing.
for step in begun worked committed; do
  teach "killed$step"
  (HANDOFF_KILL_AT=$step "$handoff" know "killed$step"; true) >/dev/null 2>&1
  (HANDOFF_KILL_AT=$step "$handoff" search "killed$step"; true) >/dev/null 2>&1
  expect 0 know "killed$step"
  expect 0 search "killed$step"
  expect 0 verify
done

# ---- Several at once derive everything once.
for word in red green blue amber; do teach "$word"; done
asked=()
for n in 1 2 3; do
  "$handoff" know leaks --limit 100 --json >"$folder/know.$n" 2>&1 &
  asked+=($!)
  "$handoff" search leaks --json >"$folder/search.$n" 2>&1 &
  asked+=($!)
done
wait "${asked[@]}"
last='know and search, six times at once'
for n in 2 3; do
  expect_that "answers differ" cmp -s "$folder/know.1" "$folder/know.$n"
  expect_that "answers differ" cmp -s "$folder/search.1" "$folder/search.$n"
done
expect_json "$folder/know.1" 'v.nodes.length === 13 && v.nodes.every(n => n.source_count === 1)'
expect_json "$folder/search.1" 'v.hits.length === 13'
expect 0 verify

# ---- In a read-only folder the answer is the same, and nothing is written.
teach readonly
expect_left '1 1'
chmod a-w .handoff .handoff/*
forbidden 0 know readonly
expect_no_err
forbidden 0 search readonly
expect_no_err
forbidden 0 verify
chmod u+w .handoff .handoff/*
expect_left '1 1'

# ---- Who waits for something else has time.
expect 1 next --as nobody --wait 3
expect_left '0 0'
# ---- The number of a handoff that was pruned is given again: what follows from the next one is derived all the same.
mkdir "$folder/other" && cd "$folder/other" && "$handoff" init >/dev/null
teach gone
expect 0 know gone
expect 0 search gone
token=$("$handoff" next --as worker --json | node -p 'JSON.parse(require("fs").readFileSync(0)).token')
expect 0 ack "$id" --as worker --token "$token" --task x
expect 0 'done' "$id" --as worker --token "$token"
expect 0 archive "$id"
HANDOFF_AGENT='' expect 0 prune --before 2099-01-01
expect_nothing know gone
expect_nothing search gone
teach again
expect_left '1 1'
expect 0 know again
expect 0 search again
expect 0 verify
finish
