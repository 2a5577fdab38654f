#!/bin/bash
# What agents are given to read costs tokens with every request: the fixed texts have budgets. (That of the questions of
# hooks is in hook_nudge.) And without a known task, their commands work as they stand.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE
tokens() { "$handoff" tokens "$1" --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).tokens'; }
# within MOST FILE: it has at most so many tokens.
within()
{
  local count
  count=$(tokens "$2")
  expect_that "$count tokens are more than $1" [ "$count" -le "$1" ]
}
# around: what a successor's prompt has beside what it quotes, which is in fences, and paths: the file of that name.
around()
{
  node -e '
    let fence = null;
    for (const line of require("fs").readFileSync(process.argv[1], "utf8").split("\n")) {
      const mark = line.match(/^`{3,}/)?.[0];
      if (!fence || mark === fence) console.log(line.replace(/`specs\/[^`]*`/, "``"));
      fence = fence ? (mark === fence ? null : fence) : mark;
    }' "$folder/out" >around
}
export HANDOFF_SESSION=agent-one
git init -q -b fast-start . 2>/dev/null
seq 1 4000 >x.txt

expect 0 help pass
within 350 "$folder/out"

# Nobody knows a task yet: the commands of the text begin one, and find it again.
expect 0 prompt teammate
within 300 "$folder/out"
expect_that "a placeholder is printed" [ -z "$(grep -E -- '--task|\bN\b|\{' "$folder/out")" ]
sed -n 's/^- \(Start: \)\?`\([^`]*\)`.*/\2/p; /^handoff pass/,/^EOF/p; s/^When.*`\(handoff finish[^`]*\)`$/\1/p' "$folder/out" >taught
expect_that "seven commands were expected: $(cat taught)" [ "$(grep -c ^handoff taught)" = 7 ]
sed -i '/progress block/d; s/^handoff finish/handoff progress done 2 \&\& &/' taught
expect 0 prompt recovery
grep -o '`handoff p[^`]*`' "$folder/out" | tr -d '`' >lead
expect_that "four commands for a lead were expected: $(cat lead)" [ "$(wc -l <lead)" = 4 ]
sed -i 's/--task N --phase P/--task 1 --phase 1/; s|PATH|specs/1_*/handoffs/*Z.md|' lead
expect_that "a command that is taught does not work" env PATH="$(dirname "$handoff"):$PATH" bash -e taught
expect_that "a command that a lead is taught does not work" env PATH="$(dirname "$handoff"):$PATH" bash -e lead

# A successor's prompt beside what it quotes, which is in fences, and the path of the handoff. Fences and ids count.
expect 0 progress start --task 259 --phase 3 --slug prove_completeness --objective 'Prove the base cases' --objective 'Prove the modal case'
expect 0 progress "done" 1 --task 259 --phase 3
expect 0 progress tried 'simp alone' --why 'It unfolds the box too early' --task 259 --phase 3
expect 0 pass --task 259 --phase 3 --next 'Apply simp in the atom case' --file x.txt --location 'Line 142' --goal 'The lemma holds' \
  --decision 'Induction on the size: the box case needs it' --ref 'Report: x.txt' --context 'The set is maximal'
expect 0 prompt teammate --task 259 --phase 3
within 300 "$folder/out"
# A phase that was started is not to be started again.
expect_not_out 'progress start'
expect_out '`handoff progress show --task 259 --phase 3`'
expect 0 prompt successor --task 259 --phase 3
around
within 150 around
expect_that "fences are missing: $(cat around)" [ "$(grep -c '^```' around)" = 6 ]

# Without a progress file, the prompt says how to begin one.
expect 0 pass --task 260 --phase 1 --slug plain --next 'Open `x.txt` and sort it'
expect 0 prompt successor --task 260 --phase 1
expect_not_out 'progress done'
sed -n 's/^There is none: `\(.*\)`$/\1/p' "$folder/out" >start
expect_that "how to start is not taught" [ -s start ]
expect_that "the start that is taught does not work" env PATH="$(dirname "$handoff"):$PATH" bash -e start
# All done: finish it.
expect 0 progress "done" 1 --task 260 --phase 1
expect_no_err
expect 0 progress "done" 2 --task 260 --phase 1
expect_err 'all objectives are done; run: handoff finish --task 260 --phase 1'
expect 0 prompt successor --task 260 --phase 1
expect_out 'All objectives are done. If nothing is left: `handoff finish --task 260 --phase 1`'
around
within 150 around
expect 0 finish --task 260 --phase 1 --summary 'Sorted'
expect 0 finish --task 260 --phase 1
expect_json specs/260_plain/.return-meta.json 'v.summary === "Sorted" && v.completion_data.completion_summary === "Sorted"'
expect 0 progress show --task 260 --phase 1
expect_no_err
expect 0 finish --task 261 --phase 1 --slug untracked --summary 'By hand'
expect 0 finish --task 261 --phase 1
expect_json specs/261_untracked/.return-meta.json 'v.summary === "By hand"'
finish
