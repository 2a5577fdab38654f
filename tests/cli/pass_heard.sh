#!/bin/bash
# What people said about a phase is handed on with it, whether or not whoever heard it writes it down: answers, decisions at gates of
# its task, why it was given back. It is carried like any decision, and can be taken back.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script
newest() { find "specs/$1"_*/handoffs -name "phase-1-handoff-*Z.md" | sort | tail -1; }
# has TASK LINE, lacks TASK TEXT: in its newest handoff.
has() { expect_that "no '$2'" grep -qxF -- "$2" "$(newest "$1")"; }
lacks() { expect_that "'$2' is there" [ -z "$(grep -F -- "$2" "$(newest "$1")")" ]; }
as() { HANDOFF_AGENT=coder HANDOFF_SESSION=$1 "${@:2}"; }

as one expect 0 pass --slug dark --next 'Add the toggle to src/dark.css' --decision 'Use CSS variables: old browsers are dropped'
as two expect 0 next --task 1 --phase 1 --ack
as two expect 0 release 1 --note 'Needs node 22'
as three expect 0 next --task 1 --phase 1
as three expect 0 ack 1 --blocker 'Which blue?'
expect 0 answer 1 --note '#00f'
as three expect 0 next --task 1 --phase 1 --ack
as three expect 0 ack 1 --question 'May it be an icon?'
expect 0 answer 1 --note 'yes, a moon'
as three expect 0 ask 'Which font?' --option Inter --option Arial
expect_terminal 0 approve 1 --note Inter
# Also in a pass that says nothing but the next step; what a pass says by number is still counted as its predecessor has it.
as three expect 0 pass --next 'Draw the moon of the toggle' --context 'The toggle is there' --revoke 1
has 1 "1. #00f: answer of user:$(id -un) to 'Which blue?'"
has 1 "2. yes, a moon: answer of user:$(id -un) to 'May it be an icon?'"
has 1 "3. Inter: user:$(id -un) approved 'Which font?' (G-2026-001, unsigned)"
has 1 '- coder gave it back: Needs node 22'
lacks 1 'CSS variables'
# From then on it is inherited, once, until it is taken back.
as four expect 0 next --task 1 --phase 1 --ack
as four expect 0 pass --next 'Draw the sun of the toggle' --context 'The moon is drawn' --revoke '#00f'
lacks 1 '#00f'
has 1 "1. yes, a moon: answer of user:$(id -un) to 'May it be an icon?' (hop 2)"
expect_that "it is there twice" [ "$(grep -c 'Which font' "$(newest 1)")" = 1 ]
expect 0 prompt successor --task 1 --phase 1
expect_out 'yes, a moon'

# What was decided while the first handoff of a phase was being written is in it; not what other sessions asked before.
as five expect 0 progress start --task 2 --phase 1 --slug login --objective Read --objective Write
HANDOFF_TASK=2 as five expect 0 ask 'Sessions or tokens?'
expect_terminal 0 reject G-2026-002 --note 'Neither, use keys'
as five expect 0 pass --next 'Open src/login.c and read it'
has 2 "1. Neither, use keys: user:$(id -un) rejected 'Sessions or tokens?' (G-2026-002, unsigned)"
as six expect 0 pass --task 2 --phase 2 --next 'Open src/login.c and write it'
expect_that "of another phase" [ -z "$(grep -rl 'use keys' specs/2_login/handoffs/phase-2-*)" ]
finish
