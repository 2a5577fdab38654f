#!/bin/bash
# What a chain of handoffs carries: everything that holds, with the hop it comes from, nothing that was taken back; a long
# goal; a document on standard input.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE
where=(--task 7 --phase 3)
task=specs/7_fast_start
newest() { find $task/handoffs -name 'phase-3-handoff-*Z.md' | sort | tail -1; }
newest_of() { find specs/"$1"_*/handoffs -name '*Z.md' | sort | tail -1; }
both() { cat "$(newest)" "$(newest | sed 's/\.md$/-details.md/')" 2>/dev/null; }
expect 0 progress start "${where[@]}" --slug fast_start --objective Measure --objective Halve

expect 0 pass "${where[@]}" --next 'Run `make bench` and read its first line' --decision 'Measure first: guesses were wrong' \
  --not 'Static linking: plugins need a shared library' --context 'The cache has to be warm' --ref 'Research: docs/start.md, Section 2'
expect_err "return 'partial' with this path now (metadata: $task/.return-meta.json), and stop"
expect_err "which file is worked on; next time use --file and --location"
expect_json $task/progress/phase-3-progress.json 'v.approaches_tried.length === 1 && v.approaches_tried[0].approach === "Static linking"'
# Without a word about them, the second handoff has all of it, and names the first.
expect 0 pass "${where[@]}" --next 'Run `make bench` and read its second line' --decision 'Use gold: the linker is quicker' --location 'Line 4'
for text in '1. Use gold: the linker is quicker' '2. Measure first: guesses were wrong (hop 1)' 'Static linking: plugins' \
  'The cache has to be warm (hop 1)' 'Previous handoff: specs/7_fast_start/handoffs/phase-3-handoff-' 'docs/start.md, Section 2'; do
  expect_that "'$text' is lost" grep -qF "$text" "$(newest)"
done
expect_that "it says that nothing is recorded" [ -z "$(grep -i 'none recorded' "$(newest)")" ]
# Many: the screen has the newest, the details file the rest, and the next handoff has both.
for i in 3 4 5 6; do
  expect 0 pass "${where[@]}" --next "Run step $i of the bench" --decision "Choice $i: it was measured" --context "Fact number $i" --not "Way $i: it was slower"
done
for text in 'Choice 6: ' 'Choice 3: it was measured (hop 3)' 'Measure first: guesses were wrong (hop 1)' 'Fact number 3 (hop 3)' 'The cache has to be warm (hop 1)' 'Way 3' 'Static linking'; do
  expect_that "'$text' is lost" grep -qF "$text" <(both)
done
expect 0 check "$(newest)"
expect_that "more than a screen" [ "$(wc -l <"$(newest)")" -le 40 ]
expect 0 prompt successor "${where[@]}"
expect_out "What did not fit there: \`$task/handoffs/phase-3-handoff-"

# What is taken back is gone for good, by words or by number; it must be clear what is meant.
expect 5 pass "${where[@]}" --next 'Run the last step of the bench' --revoke 'no such thing'
expect 2 pass "${where[@]}" --next 'Run the last step of the bench' --revoke 'Choice'
expect 0 pass "${where[@]}" --next 'Run the last step of the bench' --revoke 'measure first' --revoke 1
expect_that "what was taken back is there" [ -z "$(grep -E 'Measure first|Choice 6' <(both))" ]
expect_that "too much was taken back" grep -q 'Choice 5' <(both)
expect 0 pass "${where[@]}" --next 'Run the very last step' --context 'One more'
expect_that "what was taken back came again" [ -z "$(grep -E 'Measure first|Choice 6' <(both))" ]

# A document from a quoted here-document keeps back-quotes and dollars; a long goal keeps its ends, and says where the rest is.
{
  printf '## Immediate Next Action\nClose the goal by `omega` in $HOME/Main.lean\n\n## Current State\n- **File**: /src/Main.lean\n- **Location**: Line 9\n- **Goal state**:\n  ```\n'
  for i in {1..24}; do echo "  h$i : x$i < y$i"; done
  printf '  ⊢ a < b\n  ```\n\n## Key Decisions Made\n1. Use `omega`: it decides $linear goals\n'
} | expect 0 pass "${where[@]}" --from -
expect_that "a dollar is lost" grep -qF 'Close the goal by `omega` in $HOME/Main.lean' "$(newest)"
expect_that "the decision is lost" grep -qF '1. Use `omega`: it decides $linear goals' "$(newest)"
expect_that "the goal's ends are lost" grep -qF 'h1 : x1 < y1' "$(newest)"
expect_that "the goal's ends are lost" grep -qF '⊢ a < b' "$(newest)"
expect_that "it is cut silently" grep -qE '… [0-9]+ lines in phase-3-handoff-.*-details.md' "$(newest)"
expect_that "a line of the goal is lost" grep -qF 'h19 : x19 < y19' <(both)
expect 0 prompt successor "${where[@]}"
expect_out 'h19 : x19 < y19'
echo '{"next": "Run `make`", "goal": "It builds", "decisions": [{"decision": "Use make", "rationale": "it is there"}], "not": ["ninja: is not there"]}' |
  expect 0 pass "${where[@]}" --from -
for text in 'Run `make`' 'It builds' '1. Use make: it is there' '1. ninja: is not there'; do
  expect_that "'$text' of the JSON is lost" grep -qF "$text" "$(newest)"
done
echo 'Just a line.' | expect 2 pass "${where[@]}" --from -
expect_err 'Immediate Next Action'
# Going round in circles: notes are no progress, and after three handoffs without an objective done a person is asked.
circle=(--task 9 --phase 1)
expect 0 progress start "${circle[@]}" --slug circle --objective One --objective Two
expect 0 pass "${circle[@]}" --next 'Open src/a.c and read it' --context 'Fact one'
expect 0 progress note 'still reading' "${circle[@]}"
expect 8 pass "${circle[@]}" --next 'Open src/a.c and read it again'
expect 0 pass "${circle[@]}" --next 'Open src/a.c and read it again' --context 'Fact two'
expect 0 prompt successor "${circle[@]}"
expect_that "asked too early" [ -z "$(grep 'ask a person' "$folder/out")" ]
expect 0 pass "${circle[@]}" --next 'Open src/a.c and read it once more' --context 'Fact three'
expect 0 prompt successor "${circle[@]}"
expect_out '## First: ask a person'
expect_out '3 handoffs in a row were written without an objective done'
expect 0 progress "done" 1 "${circle[@]}"
expect 0 pass "${circle[@]}" --next 'Open src/b.c and read it'
expect 0 prompt successor "${circle[@]}"
expect_out 'the phase has had 4 handoffs; the project allows 3 successors'
# Who is asked with --for, as it says, is waited for; the answer reaches the next one, who is not told to ask again.
id=$("$handoff" list --task 9 --json | node -p 'JSON.parse(require("fs").readFileSync(0)).handoffs[0].id')
expect_out "\`handoff gate raise gate.yaml --for $id\`, return"
printf 'handoff:\n  from: {agent: claude}\n  to: {agent: human}\n  gate: {type: blocking, name: Which way}\n  context: {summary: "Four agents have read the files and none has begun to write"}\n  validation_request:\n    items: [Which way]\n    options: {approve: go on, reject: stop, question: ask}\n' >gate.yaml
expect 0 gate raise gate.yaml --for "$id" --as claude
gate=$(cat "$folder/out")
for asked in "$(newest_of 9)" ''; do
  expect 0 prompt successor $asked "${circle[@]}"
  expect_out '## First: wait for a person'
  expect_out "\`handoff gate show $gate\`. Until that is decided, return \`blocked\` and stop."
  expect_not_out 'ask a person'
done
expect_terminal 0 gate decide "$gate" approve --note 'Write `b.c` first'
for asked in "$(newest_of 9)" ''; do
  expect 0 prompt successor $asked "${circle[@]}"
  expect_not_out '## First:'
  expect_out "approved $gate (unsigned): Write \`b.c\` first"
done
# It holds for as many successors as the project allows.
for i in 1 2 3; do
  expect 0 prompt successor "${circle[@]}"
  expect_not_out '## First:'
  expect_out 'Write `b.c` first'
  expect 0 progress reopen 1 "${circle[@]}"
  expect 0 progress "done" 1 "${circle[@]}"
  expect 0 pass "${circle[@]}" --next "Write part $i of src/b.c" --context "Part $i is long"
done
expect 0 pass "${circle[@]}" --next "Write the end of src/b.c" --context "The end is short"
expect 0 prompt successor "${circle[@]}"
expect_out '## First: ask a person'
# Words that a shell took out.
expect 0 pass "${where[@]}" --next 'Run the  case of the parser' --context 'Another one'
expect_err "--next has two spaces between words: if a shell took words out of it, pass it on again by \`handoff pass --from - <<'EOF'\`, which keeps back-quotes and dollar signs"
# As it is told, without anything else that is new; once.
expect 8 pass "${where[@]}" --next 'Run the  case of the lexer'
expect 0 pass "${where[@]}" --from - <<'EOF'
## Immediate Next Action
Run the `quoted` case of the parser
EOF
expect 8 pass "${where[@]}" --next 'Run the `bare` case of the parser'

# What an agent held goes with its own handoff, also if the agent is known only by its session; while another holds the phase,
# nobody else passes it on.
CLAUDECODE=1 HANDOFF_SESSION=one expect 0 pass --task 8 --phase 1 --slug held --next 'Open src/held.c and read it'
expect_json specs/8_held/.return-meta.json 'v.metadata.agent_type === "claude"'
CLAUDECODE=1 HANDOFF_SESSION=one expect 0 next --task 8 --phase 1
CLAUDECODE=1 HANDOFF_SESSION=two expect 6 pass --task 8 --phase 1 --next 'Write held' --context 'From two'
expect_err "is held by another session of claude until 2"
CLAUDECODE=1 HANDOFF_SESSION=two expect 1 next --task 8 --phase 1
expect_err "nothing is ready: HO-$(date -u +%Y)-"
expect_err "(phase 1 of task 8) is held by another session of claude until 2"
expect 0 list --task 8 --state claimed --json
expect_json "$folder/out" 'v.handoffs.length === 1'
CLAUDECODE=1 HANDOFF_SESSION=one expect 0 pass --task 8 --phase 1 --next 'Test held' --context 'From one'
expect 0 list --task 8 --json
expect_json "$folder/out" 'v.handoffs.map((h) => h.state).join() === "ready,superseded"'

# Work that nobody logged counts if it can be seen: a changed file, a new one, a commit. Without any, it is refused.
mkdir "$folder/seen" && cd "$folder/seen" && git init -q -b main . || exit
git config user.name a && git config user.email a@b
echo one >code.c && git add code.c && git commit -qm one
seen=(pass --task 1 --phase 1 --next)
expect 0 "${seen[@]}" 'Write two in code.c' --slug seen
expect 8 "${seen[@]}" 'Write three in code.c'
echo two >>code.c
expect 0 "${seen[@]}" 'Write three in code.c'
expect 8 "${seen[@]}" 'Write four in code.c'
echo three >>code.c
expect 0 "${seen[@]}" 'Write four in code.c'
git add code.c && git commit -qm two
expect 0 "${seen[@]}" 'Write the test of code.c'
expect 8 "${seen[@]}" 'Write five in code.c'
echo test >test.c
expect 0 "${seen[@]}" 'Write five in code.c'
expect 8 "${seen[@]}" 'Write six in code.c'
# An approach without a reason is named once, although the progress file has it too.
expect 0 progress start --task 9 --phase 1 --slug once --objective Once
expect 0 pass --task 9 --phase 1 --next 'Open src/start.c and read its last line' --not 'Sed alone'
expect 0 prompt successor --task 9 --phase 1
expect_that "it is named more than once" [ "$(grep -c 'Sed alone' "$folder/out")" = 1 ]

# An approach that is taken back may be tried again: the log keeps it, and nobody is told any more not to. What is revoked
# is named, since a number means a decision.
unset HANDOFF_SESSION
passes() { HANDOFF_SESSION=$1 expect "$2" pass --task 61 --slug back --phase 1 "${@:3}"; }
expect 0 progress start --task 61 --slug back --phase 1 --objective A --objective B --objective C
passes b1 0 --next 'Profile the parser in src/p.c' --decision 'Use mmap: fast' --decision 'Keep C11: policy' --not 'Static linking: loader' --not 'LTO: bug'
expect 0 progress tried 'Prelinking' --why 'not on musl' --task 61 --phase 1
passes b2 0 --next 'Profile the lexer in src/l.c' --revoke 'static LINKING' --revoke Prelinking --revoke 2
expect_err "revoked the failed approach 'Static linking'"
expect_err "revoked the failed approach 'Prelinking'"
expect_err "revoked the decision 'Keep C11'"
log=specs/61_back/progress/phase-1-progress.json
expect_json $log 'v.approaches_tried.length === 3 && v.approaches_tried.filter((a) => a.revoked).map((a) => a.approach).join() === "Static linking,Prelinking"'
expect 0 check $log
expect 0 progress "done" 1 --task 61 --phase 1
passes b3 0 --next 'Profile the linker in src/m.c' --context 'The linker is slow'
newest=$(find specs/61_back/handoffs -name '*Z.md' | sort | tail -1)
expect_that "it came back" [ "$(grep -cE 'Static|Prelinking|C11' "$newest")" = 0 ]
expect_that "the other one is gone" grep -q 'LTO: bug' "$newest"
expect 0 prompt successor --task 61 --phase 1
expect_not_out 'Static linking'
expect_out 'LTO: bug'
expect 0 progress show --task 61 --phase 1
expect_out 'Static linking: loader (revoked)'
# It fails again: that counts.
expect 0 progress tried 'Static linking' --why 'still the loader' --task 61 --phase 1
expect 0 prompt successor --task 61 --phase 1
expect_out 'Static linking: still the loader'
passes b4 5 --next 'Profile the linker in src/n.c' --revoke Prelinking
expect_err "no decision, fact, goal, failed approach or section of the phase says so"
# What a superseded handoff suggested is replaced by what its successor suggests, also after it was archived; the facts stay.
passes b4 0 --next 'Profile the loader in src/o.c' --context 'The loader is slow'
inject_has()
{
  expect 0 prompt inject --task 61
  expect_out '- Profile the loader in src/o.c'
  expect_not_out 'Profile the linker'
  expect_not_out 'Profile the parser'
  expect_out 'Use mmap: fast'
  expect_out '### Failed Approaches'
  expect_out '- Static linking: still the loader'
  expect 0 prompt inject --task 61 --json
  expect_json "$folder/out" 'v.next_steps.join() === "Profile the loader in src/o.c"'
}
inject_has
expect 0 archive --completed
inject_has

# A plan that is not one of the task's own is known by nothing but its reference; the task's own is named anew, once.
mkdir -p docs specs/8_elsewhere/plans
expect 0 pass --task 8 --slug elsewhere --phase 1 --next 'Read the first chapter' --ref 'Plan: docs/PLAN.md, Phase 2'
expect 0 pass --task 8 --phase 1 --next 'Read the second chapter' --context 'The first is short'
expect 0 pass --task 8 --phase 1 --next 'Read the third chapter' --context 'The second is long'
expect_that "the plan is lost" grep -qF -- '- Plan: docs/PLAN.md, Phase 2' "$(find specs/8_elsewhere/handoffs -name '*Z.md' | sort | tail -1)"
printf '# Implementation Plan: Chapters\n\n### Phase 1: Read [NOT STARTED]\n**Tasks**:\n- [ ] Read\n' >specs/8_elsewhere/plans/implementation-001.md
for i in fourth fifth; do
  expect 0 pass --task 8 --phase 1 --next "Read the $i chapter" --context "The one before the $i is dull"
done
last=$(find specs/8_elsewhere/handoffs -name '*Z.md' | sort | tail -1)
expect_that "a plan is lost" test "$(cat "$last" "${last%.md}-details.md" 2>/dev/null | grep -c -e 'Plan: specs/8_elsewhere/plans/implementation-001.md, Phase 1' -e 'Plan: docs/PLAN.md, Phase 2')" = 2
finish
