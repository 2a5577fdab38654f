#!/bin/bash
# A rebuild of a sound store loses nothing; one of a damaged store loses what was damaged, and says so.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
sql() { "$(dirname "$handoff")/tests/sql_tool" .handoff/handoff.db "$1"; }
# rows: every row of every table, except the indexes of words, where the program has got with them, and files to come.
rows()
{
  local table columns
  for table in $(sql "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%' AND name NOT LIKE 'knowledge_words%' AND name <> 'intents'"); do
    columns=$(sql "SELECT group_concat('quote(' || name || ')', ' || ') FROM pragma_table_info('$table')")
    sql "SELECT '$table ' || $columns FROM $table ORDER BY 1"
  done | grep -v "^meta 'store[.]"
}

# ---- Every kind of thing that a store knows.
expect 0 init
for ((i = 0; i < 60; i++)); do
  package p.yaml lead coder "" "Part $i of the import is planned in 3 files with 14 tests and 2 questions"
  "$handoff" send - --key "part-$i" <p.yaml
done >given
for i in 1 2 3 4 5 6; do
  claim --as coder
  expect 0 ack "$id" --token "$token" --task "part $i" --question "What does part $i mean for the others?"
  [ $((i % 2)) = 0 ] || expect 0 'done' "$id" --token "$token"
done
claim --as coder
claimed=$id
expect 0 archive --completed
expect 0 prune --before 2099-01-01
gate_document gate.yaml coder
waiting=$(sed -n 20p given)
expect 0 gate raise gate.yaml --for "$waiting" --json
gate=$(field gate)
expect 0 know --kind question --json
question=$(node -e 'console.log(JSON.parse(require("fs").readFileSync(process.argv[1])).nodes.find(n => /part 2 /.test(n.text)).id)' "$folder/out")
expect 0 answer "$question" --note "The same as before"
cat >note.handoff.yaml <<'Y'
outcome: completed
gotchas:
  - {issue: The rate limit is 100/min, mitigation: Wait, severity: high, tags: [api]}
Y
expect 0 learn note.handoff.yaml
expect 0 verify
expect 0 know --limit 1000 --json
cp "$folder/out" ../known
expect 0 search import --json
cp "$folder/out" ../found
rows >../before
cp -r . ../model

# ---- Sound: all of it is there afterwards, and goes on.
expect 0 rebuild --json
expect_json "$folder/out" 'v.lost.length === 0 && v.restored.length === 0 && v.handoffs === 57 && v.events > 70'
rows >../after
expect_that "the rebuilt store differs: $(diff ../before ../after | cut -c-300 | head -4)" cmp -s ../before ../after
expect 0 verify
expect 0 know --limit 1000 --json
expect_that "it knows other things" cmp -s "$folder/out" ../known
expect 0 know rate limit
expect 0 search import --json
expect_that "it finds other things" cmp -s "$folder/out" ../found
expect 0 ack "$claimed" --token "$token" --task "part 7"
expect 0 'done' "$claimed" --token "$token"
state_is "$waiting" gated
expect_json "$folder/out" "v.handoff.gate === '$gate'"
send - --again <p.yaml
expect_that "an id was given twice" [ "$(grep -c "^$id$" given)" = 0 ]
expect 0 rebuild
expect_out "from the old database"
expect_not_out "lost"

rm .handoff/seal # not the seals: the file is written again
expect 0 rebuild
expect_that "the seal is not written" [ -s .handoff/seal ]
expect 0 verify

# ---- Damaged: a row is gone, whose history is one event.
gone=$(tail -1 given)
sql "DELETE FROM handoffs WHERE id = '$gone'"
expect 1 verify
expect_out "$gone"
expect 1 rebuild
expect_out "lost $gone: its history is damaged; its document comes from a file"
expect 0 verify
state_is "$gone" ready

# ---- Damaged: a page of a table is gone.
# damage TABLE: overwrites a page that only has rows of it.
damage()
{
  node -e '
    const fs = require("fs"), [file, root] = process.argv.slice(1), bytes = fs.readFileSync(file);
    const size = bytes.readUInt16BE(16), page = (n) => bytes.subarray((n - 1) * size, n * size);
    let n = Number(root);
    while (page(n)[0] === 5) n = page(n).readUInt32BE(page(n).readUInt16BE(12 + 2 * Math.floor(page(n).readUInt16BE(3) / 2)));
    if (n === Number(root)) throw "one page only";
    page(n).fill(0xff);
    fs.writeFileSync(file, bytes)' .handoff/handoff.db "$(sql "SELECT rootpage FROM sqlite_master WHERE name = '$1'")"
}
for table in bodies handoffs events files knowledge; do
  cd "$folder" && rm -rf project && cp -r model project && cd project || exit
  damage "$table"
  last="a damaged table $table"
  expect 1 rebuild --json
  cp "$folder/out" "$folder/rebuilt"
  expect_json "$folder/out" 'v.lost.length > 0 && v.handoffs > 0 && v.kept'
  expect 0 verify
  expect 0 list --limit 1000
  cut -d' ' -f1 "$folder/out" | sort >../listed
  sort given | comm -23 - ../listed >../missing
  expect_that "$table: missing $(tr '\n' ' ' <../missing), but three were pruned" [ "$(wc -l <../missing)" = 3 ]
  state_is "$waiting" gated
  send - --again <p.yaml
  expect_that "$table: an id was given twice" [ "$(grep -c "^$id$" given)" = 0 ]
  [ "$table" = knowledge ] || expect 0 know rate limit
  expect 0 search import
  expect 0 rebuild
done
finish
