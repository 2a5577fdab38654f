#!/bin/bash
# `handoff gate` alone: at a terminal, gates are read and decided with keys; anywhere else it is the list.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/screen_common
source "$source_dir/tests/cli/screen_common"
needs_clock

# Nothing waits: that is said, and it is an answer.
expect 0 gate
expect_err 'nothing has been handed off'
expect 0 init
screen 0 80x24 'wait=nothing has been handed off' shot -- "$handoff" gate

# raise: a gate with everything that a person needs; HO-001 is its handoff.
cat >gate.yaml <<'Y'
handoff:
  timestamp: "2024-01-15T14:30:00Z"
  from: {agent: estimation, step: 2}
  to: {agent: human, reason: BLOCKING gate reached}
  gate: {type: blocking, name: Budget of the login, step: 2}
  context:
    summary: Two approaches were estimated at 5 and 12 days. The first keeps the sessions of today and adds a second factor; the second replaces them, which also mends the logout on all devices.
    key_info: [The library of today is no longer maintained]
  validation_request:
    items: [Approve the budget of 5 days, Confirm that the old login is kept until the release]
    options: {approve: Continue with the design, reject: The estimate is made again, question: estimation answers}
Y
expect 0 gate raise gate.yaml --json
first=$(field gate)
expect 0 ask "CSV or JSON for the export?" --option CSV --option JSON --as coder --json
second=$(field gate)
package work.yaml lead human
send work.yaml
third=$gate

# In a pipe, and with --json: the list. An agent is refused at the terminal, and nothing is shown to it.
expect 0 gate
cp "$folder/out" "$folder/listed"
expect 0 gate list
expect_that "not the list" cmp -s "$folder/out" "$folder/listed"
expect 0 gate --json
expect_json "$folder/out" 'v.gates.length === 3 && v.decided.length === 0'
screen 0 80x24 "wait=$third" -- "$handoff" gate --json
HANDOFF_AGENT=coder screen 7 80x24 'wait=only a person may decide a gate' shot -- "$handoff" gate
expect_that "an agent was asked" [ "$(grep -c pprove "$folder/out")" = 0 ]
expect 2 gate lits
expect_err "did you mean 'gate list'?"

# Each as a page to be read; a skipped one goes on waiting. Nothing that others wrote passes for the program's.
export HANDOFF_TEST_LATER_S=18000
for size in 80x24 120x40 60x20; do
  screen 0 $size 'wait=e[x]it' "shot=$folder/one" type=s 'wait=Gate 2 of 3' shot type=s 'wait=Gate 3 of 3' "shot=$folder/three" type=x 'wait=3 gates still wait' -- "$handoff" gate
  expect_screen "gate-ask-$size"
  cp "$folder/one" "$folder/out"
  expect_screen "gate-$size"
  cp "$folder/three" "$folder/out"
  expect_screen "gate-package-$size"
done
NO_COLOR=1 screen 0 80x24 'wait=e[x]it' shot type=x -- "$handoff" gate
expect_that "coloured" [ "$(grep -c '^:' "$folder/out")" = 0 ]
unset HANDOFF_TEST_LATER_S

# Ctrl-C, Ctrl-D and keys that are none decide nothing.
screen 0 80x24 'wait=e[x]it' type=zZ7 'type=^[[A' 'type=^C' 'wait=3 gates still wait' -- "$handoff" gate
screen 0 80x24 'wait=e[x]it' 'type=^D' 'wait=3 gates still wait' -- "$handoff" gate
expect 0 gate list --jq '.gates[].state'
expect_that "something was decided" [ "$(grep -c open "$folder/out")" = 3 ]

# The whole document, with its digest, in the pager.
HANDOFF_PAGER='sed s/^/paged:/' screen 0 100x12 'wait=e[x]it' type=v 'wait=paged:SHA-256 ' shot type=x -- "$handoff" gate
expect_that "not all of it: $(cat "$folder/out")" grep -q 'paged:|     items: .Approve the budget' "$folder/out"

# A question, the answer, a note from the editor, and the decision; then those that are left.
screen 0 80x24 'wait=e[x]it' type=q 'wait=want to know' 'type=What does it cost?^M' 'wait=Gate 2 of' type=x -- "$handoff" gate
expect 0 gate show "$first" --json
expect_json "$folder/out" 'v.decision === "question" && v.note === "What does it cost?" && v.state === "open"'
expect 0 answer "$first" --note '5 days' --as estimation
printf '#!/bin/sh\necho "Fine with me" >"$1.new"; cat "$1" >>"$1.new"; mv "$1.new" "$1"\n' >edit
chmod +x edit
EDITOR=false screen 0 80x30 'wait=answer by estimation' type=n 'wait=the editor failed' type=x -- "$handoff" gate
EDITOR=./edit screen 0 80x30 'wait=answer by estimation' type=n 'wait=Noted: 12' type=a "wait=$first is decided" 'wait=Gate 2 of' type=x 'wait=2 gates still wait' -- "$handoff" gate
expect 0 gate show "$first" --json
expect_json "$folder/out" 'v.decision === "approve" && v.note === "Fine with me" && v.proof === "unsigned"'
screen 0 80x24 "wait=$second" type=r 'wait=Why' 'type=Neither^M' "wait=$third" 'type=r' 'wait=Why' 'type=^M' 'wait=No gate waits for you any more' 'wait=no reason was given' -- "$handoff" gate
expect 0 gate show "$second" --json
expect_json "$folder/out" 'v.decision === "reject" && v.note === "Neither"'
screen 0 80x24 'wait=no gate waits for a person' -- "$handoff" gate

# One of several options: what is none of them is asked for again, and never becomes a key, a note or a decision.
expect 0 ask "Drop the JSON export?" --option 'Drop it' --option 'Drop the importer' --option 'Keep it' --as writer --json
choice=$(field gate)
screen 0 80x30 'wait=1. Drop it' type=a 'wait=Which option' 'type=7^M' 'wait=Not one of the options' 'type=drop^MDrop it^M' 'wait=Not one of the options, or short for several.
Which option' shot 'type=^M' 'wait=e[x]it: ' type=x 'wait=1 gate still waits' -- "$handoff" gate
expect_that "it teaches another command: $(cat "$folder/out")" [ "$(grep -c -e --note "$folder/out")" = 0 ]
expect 0 gate show "$choice" --json
expect_json "$folder/out" 'v.state === "open" && !v.decision && !v.note'
screen 0 80x30 "wait=$choice" type=n 'wait=Note: ' 'type=As agreed^M' 'wait=Noted' type=a 'wait=Which option' 'type=2^M' "wait=$choice is decided: approve" -- "$handoff" gate
expect 0 gate show "$choice" --json
expect_json "$folder/out" 'v.decision === "approve" && v.note === "Drop the importer: As agreed"'
# The reason of a rejection that did not happen is not the note of an approval.
expect 0 ask "Which way?" --option Left --option Right --as writer --json
choice=$(field gate)
screen 0 80x30 "wait=$choice" type=q 'wait=want to know' 'type=^M' 'wait=e[x]it: ' type=a 'wait=Which option' 'type=le^M' "wait=$choice is decided: approve" -- "$handoff" gate
expect 0 gate show "$choice" --json
expect_json "$folder/out" 'v.note === "Left"'

# What was decided elsewhere while a person reads is not decided again; whoever asks (CLARIFY) gets an answer.
expect 0 ask "Which port?" --as coder --json
fourth=$(field gate)
printf '#!/bin/sh\n%q reject %s --note "I was first"\n' "$handoff" "$fourth" >first
chmod +x first
EDITOR=./first screen 0 80x24 "wait=$fourth" type=n 'wait=No note' type=a 'wait=already decided: reject' -- "$handoff" gate

# Where deciders are enrolled, it is signed: what is signed is shown once more, and the passphrase asked for.
expect 0 ask "Which port now?" --as coder --json
fifth=$(field gate)
screen 0 80x40 'wait=New passphrase: ' 'type=correct horse battery^M' 'wait=same passphrase: ' 'type=correct horse battery^M' -- "$handoff" key new
screen 0 80x40 'wait=assphrase' 'type=correct horse battery^M' -- "$handoff" key enrol
screen 0 80x60 "wait=$fifth" type=n 'wait=Note: ' 'type=8080^M' 'wait=Noted' type=a 'wait=SHA-256' 'wait=assphrase' 'type=wrong^M' 'wait=handoff: ' 'wait=e[x]it' type=a 'wait=assphrase' 'type=correct horse battery^M' "wait=is decided: approve" -- "$handoff" gate
expect 0 gate show "$fifth" --json
expect_json "$folder/out" 'v.proof === "unconfirmed" || v.proof === "signed"'
# A question that has nothing beside it stands on its page once.
mkdir "$folder/plain" && cd "$folder/plain" && git init -q
expect 0 ask 'Drop the old exporter?' --as coder
screen 0 80x24 'wait=e[x]it' shot type=x -- "$handoff" gate
expect_that "it is said again: $(cat "$folder/out")" [ "$(grep -c 'Drop the old exporter' "$folder/out")" = 1 ]
finish
