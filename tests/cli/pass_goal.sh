#!/bin/bash
# What the work is for survives a chain of handoffs: the goal, with the hop it comes from, until another one is given or it is
# taken back; and what the person asked for.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
newest() { find "specs/$1"_*/handoffs -name "phase-${2:-1}-handoff-*Z.md" | sort | tail -1; }
# says_goal TASK TEXT: the goal of its newest handoff.
says_goal() { expect_that "the goal is $(grep 'Goal state' "$(newest "$1")")" grep -qxF -- "- **Goal state**: $2" "$(newest "$1")"; }

# The goal is that of the previous handoff, whoever passes on; another one takes its place, and it can be taken back.
HANDOFF_SESSION=one expect 0 pass --slug reader --next 'Open src/read.c and split the lines' --goal 'Files of 2 GB are read with 16 MB'
HANDOFF_SESSION=two expect 0 next --task 1
HANDOFF_SESSION=two expect 0 pass --next 'Open src/read.c and count the lines' --context 'Lines are split'
says_goal 1 'Files of 2 GB are read with 16 MB (hop 1)'
HANDOFF_SESSION=three expect 0 pass --task 1 --phase 1 --next 'Open src/read.c and sum the lines' --context 'Lines are counted'
says_goal 1 'Files of 2 GB are read with 16 MB (hop 1)'
HANDOFF_SESSION=three expect 0 pass --task 1 --phase 1 --next 'Open src/read.c and sort the lines' --goal 'It sorts as well'
says_goal 1 'It sorts as well'
expect_that "the goal that was replaced is still there" [ -z "$(grep '2 GB' "$(newest 1)")" ]
HANDOFF_SESSION=three expect 0 pass --task 1 --phase 1 --next 'Open src/read.c and close it' --revoke 'sorts as well'
says_goal 1 'Not stated; see the next action'
# The objective comes first, and the goal is still known.
expect 0 pass --task 2 --phase 1 --slug tracked --next 'Open src/a.c and read it' --goal 'The start takes 1 ms'
expect 0 progress start --task 2 --phase 1 --objective 'Measure it'
expect 0 pass --task 2 --phase 1 --next 'Open src/a.c and measure it' --context 'It is slow'
says_goal 2 'Objective 1 is to be done: Measure it'
expect_that "the goal is lost" grep -qxF -- '- Goal so far: The start takes 1 ms (hop 1)' "$(newest 2)"
# A successor reads of the objective once, as it is now.
expect 0 prompt successor --task 2 --phase 1
expect_out 'Objective 1 (0 of 1 done): Measure it'
expect_not_out 'Goal state'
expect 0 pass --task 2 --phase 1 --next 'Open src/a.c and halve it' --context 'It takes 3 ms'
expect_that "the goal is lost" grep -qxF -- '- Goal so far: The start takes 1 ms (hop 1)' "$(newest 2)"
# However long it is: what is carried on is whole.
expect 0 progress start --task 9 --slug long --phase 1 --objective Read --objective Write --objective Check
expect 0 pass --task 9 --phase 1 --next 'Open src/a.c and read it' --goal "$(seq -f 'goal line %g, which is as long as such lines are in a proof' 1 30)"
for i in 1 2; do
  expect 0 progress "done" $i --task 9 --phase 1
  expect 0 pass --task 9 --phase 1 --next "Open src/$i.c and write it"
  expect_that "the goal is cut" grep -q '^- Goal so far: goal line 1, .* goal line 30, which is as long as such lines are in a proof *(hop 1)$' "$(newest 9)"
done

# What the person asked for is the goal if there is no other, else a fact; a successor's own request does not take its place.
ask()
{
  session=$1 transcript=$folder/$1.jsonl
  printf '{"type":"user","message":{"role":"user","content":"%s"}}\n{"type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Working."}],"usage":{"input_tokens":9000,"output_tokens":5}}}\n' "$2" >"$transcript"
  event claude PostToolUse '"tool_name":"Bash","tool_input":{"command":"ls"}'
}
ask s3 'Let the importer read gzip files'
HANDOFF_SESSION=s3 expect 0 pass --task 3 --phase 1 --slug gzip --next 'Open src/import.c and look for the magic bytes'
says_goal 3 'The person asked: Let the importer read gzip files'
ask s3b 'Go on'
HANDOFF_SESSION=s3b expect 0 pass --task 3 --phase 1 --next 'Open src/import.c and inflate' --context 'The magic bytes are found'
says_goal 3 'The person asked: Let the importer read gzip files (hop 1)'
expect_that "a second request" [ "$(grep -c 'The person asked' "$(newest 3)")" = 1 ]
ask s4 'Draw the map'
HANDOFF_SESSION=s4 expect 0 pass --task 4 --phase 1 --slug map --next 'Open src/map.c and draw the coast' --goal 'A map of the coast'
says_goal 4 'A map of the coast'
expect_that "the request is lost" grep -qxF -- '- The person asked: Draw the map' "$(newest 4)"
# A draft that the handoff takes the place of has it: its own session's, or that of one that is gone.
session=s5 transcript=$folder/s5.jsonl
printf '{"type":"user","message":{"role":"user","content":"Translate the manual"}}\n' >"$transcript"
HANDOFF_SESSION=s5 expect 0 progress start --task 5 --phase 1 --slug manual --objective Chapters
event claude PreCompact '"trigger":"manual"'
HANDOFF_SESSION=s6 expect 0 pass --task 5 --phase 1 --next 'Translate chapter two of the manual'
expect_that "the request of the draft is lost" grep -qxF -- '- The person asked: Translate the manual' "$(newest 5)"
# What a lead told its teammate is no person's request.
export HANDOFF_META=$folder/meta.json
ask s7 'You are a teammate of a run'
HANDOFF_SESSION=s7 expect 0 pass --task 6 --phase 1 --slug led --next 'Open src/led.c and read it'
says_goal 6 'Not stated; see the next action'
finish
