#!/bin/bash
# prompt inject: never above its budget, the most severe and nearest first, in the same order every time.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
export HANDOFF_AGENT=coder

# A task that has worked before (near 0), the one it depends on (1), and the one that that depends on (2); each with
# warnings that say their rank: severity first, then how near. And a severe one of a task that has nothing to do with it.
cat >write.mjs <<'E'
import fs from 'fs';
const tasks = [['own', 'first'], ['first', 'second'], ['second', 'None'], ['other', 'None']];
tasks.forEach(([task, depends], near) => {
  let yaml = 'outcome: completed\ngotchas:\n';
  for (const [rank, severity] of [[0, 'high'], [1, 'medium'], [2, 'low']])
    for (let i = 0; i < (task === 'other' ? 1 : 9); i++)
      yaml += `  - {issue: "rank ${rank}${near} number ${i}: the ${task} part of the service answers late", mitigation: Wait for it, severity: ${severity}}\n`;
  fs.writeFileSync(`${task}.md`, `# Task ${task}: Name of ${task}\n\n## Metadata\n| Key | Value |\n|---|---|\n| Depends On | ${depends} |\n\n` +
    `## Handoff\n\n\`\`\`yaml\n${yaml}\`\`\`\n\n*Task completed: 2026-02-12T14:30:2${near}Z*\n`);
});
E
node write.mjs
"$handoff" init >/dev/null
expect 0 learn own.md first.md second.md other.md

for budget in 200 1000 4000; do
  expect 0 prompt inject --task own --budget $budget --json
  cp "$folder/out" "$folder/inject$budget"
  node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).text' "$folder/out" >"$folder/text"
  counted=$("$handoff" tokens "$folder/text" --json | node -p 'JSON.parse(require("fs").readFileSync(0)).tokens')
  expect_that "$counted tokens for a budget of $budget" test "$counted" -le "$budget"
  expect_json "$folder/out" "v.tokens <= $budget && v.included > 0"
  # Of each rank all are there before the first of the next one; low ones never are, and the rest is counted.
  expect_json "$folder/out" '(r => {
    const order = ["00", "01", "02", "03", "10", "11", "12"], full = order.map(k => k === "03" ? 1 : 9);
    const got = order.map(k => r.filter(x => x === k).length), last = got.reduce((m, n, i) => n ? i : m, -1);
    return got.every((n, i) => i < last ? n === full[i] : n <= full[i]) && r.length === v.included &&
      r.every(k => order.includes(k)) && v.included + v.left_out === 55 && (!v.left_out || v.text.includes(`(${v.left_out} more left out`));
  })((v.text.match(/rank \d\d/g) || []).map(x => x.slice(5)))'
  # The nearest task comes first.
  expect_json "$folder/out" '(t => t.every((x, i) => x >= 0 && (!i || t[i - 1] < x)))
    (v.text.match(/^## From Task [a-z]+/gm).map(x => ["own", "first", "second", "other"].indexOf(x.slice(13))))'
  expect 0 prompt inject --task own --budget $budget --json
  expect_that "another text the second time" cmp -s "$folder/out" "$folder/inject$budget"
done
expect_json "$folder/inject200" 'v.included < 9 && !/rank (?!00)/.test(v.text)'
expect_json "$folder/inject4000" 'v.left_out === 0'
# Another store that has learned the same, in another order, gives the same text.
rm -rf .handoff && "$handoff" init >/dev/null
expect 0 learn second.md first.md own.md other.md
for budget in 200 1000 4000; do
  expect 0 prompt inject --task own --budget $budget --json
  expect_that "another text from another store" cmp -s "$folder/out" "$folder/inject$budget"
done
finish
