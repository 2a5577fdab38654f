#!/bin/bash
# Real documents: everything recognised is learned twice with the same result, nothing is known without a source line, and
# what is injected keeps within its budget, most severe and nearest first.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
needs_shared corpus
needs sqlite3
corpus=$shared/corpus
"$handoff" init >/dev/null
db=.handoff/handoff.db

# All that was learned, without the order of learning.
dump()
{
  sqlite3 "$db" "SELECT id, kind, text, detail, tags, severity, state, sources FROM knowledge ORDER BY print;
    SELECT k.print, o.name, s.line, s.role, s.note, s.asks, s.closed_by FROM knowledge_sources s JOIN knowledge k ON
    k.n = s.node JOIN knowledge_origins o ON o.n = s.origin ORDER BY 1, 2, 3;
    SELECT DISTINCT a.print, e.type, b.print FROM knowledge_edges e JOIN knowledge a ON a.n = e.src JOIN knowledge b ON
    b.n = e.dst ORDER BY 1, 2, 3"
}
expect 0 learn "$corpus" --json
expect_json "$folder/out" 'v.documents > 300 && v.items > 1000'
dump >"$folder/first"
expect 0 learn "$corpus" --json
expect_json "$folder/out" 'v.documents === 0 && v.items === 0 && v.unchanged > 300'
dump >"$folder/second"
expect_that "learning twice is not the same" cmp -s "$folder/first" "$folder/second"
none() { [ "$(sqlite3 "$db" "$1")" = 0 ]; }
expect_that "a node without a source" none "SELECT count(*) FROM knowledge WHERE NOT EXISTS
  (SELECT 1 FROM knowledge_sources WHERE node = n)"
expect_that "a source without a line" none "SELECT count(*) FROM knowledge_sources WHERE line < 1"
expect_that "a fact at the first line of a longer document" none "SELECT count(*) FROM knowledge_sources JOIN knowledge ON
  n = node WHERE line = 1 AND kind NOT IN ('task', 'agent')"
expect_that "sources are counted wrongly" none "SELECT count(*) FROM knowledge WHERE sources <>
  (SELECT count(*) FROM knowledge_sources WHERE node = n)"

# The line of a source says it: the first word of the text stands there or shortly after.
expect_that "texts do not stand where their sources say" node -e '
  const { execFileSync } = require("child_process"), fs = require("fs");
  const rows = JSON.parse(execFileSync("sqlite3", ["-json", process.argv[1], `SELECT o.name, s.line, k.text FROM knowledge_sources s
    JOIN knowledge k ON k.n = s.node JOIN knowledge_origins o ON o.n = s.origin
    WHERE k.kind IN ("pattern", "gotcha", "decision", "question", "blocker", "fact")`], { maxBuffer: 1 << 28 }));
  let wrong = 0;
  for (const r of rows) {
    const lines = fs.readFileSync(r.name, "utf8").split("\n").slice(r.line - 1, r.line + 12).join(" ").replace(/\\"/g, "\"");
    const word = r.text.match(/[\p{L}\p{N}]{2,}/u)?.[0];
    if (word && !lines.includes(word)) { wrong++; console.log(r.name, r.line, r.text.slice(0, 80)); }
  }
  process.exit(rows.length > 200 && wrong === 0 ? 0 : 1)' "$db"

# Budgets, on a task that much is known about: never above, each a beginning of the next, and always the same.
for budget in 200 1000 4000; do
  expect 0 prompt inject --task auth-001 --budget $budget --json
  expect_json "$folder/out" "v.tokens <= $budget && v.text.length > 0 && v.included > 0"
  expect_json "$folder/out" '!/^ *#/m.test(v.text.split("\n").filter(l => !/^##+ (From|Files|Patterns|Warnings|Decisions|Open|Suggested)/.test(l)).join("\n"))'
  cp "$folder/out" "$folder/inject$budget"
  expect 0 prompt inject --task auth-001 --budget $budget --json
  expect_that "another text for the same budget" cmp -s "$folder/out" "$folder/inject$budget"
done
expect_that "a larger budget drops a line of a smaller one" node -e '
  const [a, b, c] = process.argv.slice(1).map(f => JSON.parse(require("fs").readFileSync(f)));
  const lines = v => v.text.split("\n").filter(l => /^(- |\| )/.test(l));
  const inside = (x, y) => lines(x).every(l => lines(y).includes(l));
  process.exit(inside(a, b) && inside(b, c) && a.included <= b.included && b.included <= c.included &&
    a.included + a.left_out === c.included + c.left_out ? 0 : 1)' "$folder/inject200" "$folder/inject1000" "$folder/inject4000"
expect 0 graph --task auth-001 --as dot
expect_out digraph
finish
