#!/bin/bash
# While a run waits for a person about a phase, nobody else is given its handoff: sessions are told whom it waits for. Then it is
# open again.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
needs script
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
phase 1 Reader 'exhaust blocks done'
lead 7
gate=$(gate_of 1)
expect 0 list --state ready --task 7 --phase 1
expect_out HO-2026-001
session=new transcript=$folder/none.jsonl
event claude SessionStart '"source":"startup"'
says SessionStart "HO-2026-001 (artifact, task 7, phase 1, from teammate) waits for a person: \`handoff gate show $gate\`. Leave its phase until that is decided."
expect_not_out 'claim it with'
as() { HANDOFF_AGENT=coder HANDOFF_SESSION=new "$@"; }
as expect 1 next --task 7 --phase 1
expect_err "nothing is ready: phase 1 of task 7 waits for a person; run: handoff gate show $gate"
as expect 1 next
expect_err "HO-2026-001 waits until a person has decided $gate; run: handoff gate show $gate"
as expect 7 claim HO-2026-001
expect_err "phase 1 of task 7 waits for a person; run: handoff gate show $gate"
as expect 0 prompt successor --task 7 --phase 1
expect_out "Somebody has asked one: \`handoff gate show $gate\`. Until that is decided, return \`blocked\` and stop."
# A question back is no decision.
decide "$gate" question 'Which server?'
as expect 1 next --task 7 --phase 1
# Other work is open.
HANDOFF_AGENT=coder HANDOFF_SESSION=other expect 0 pass --task 8 --phase 1 --slug other --next 'Open src/other.c and read it'
session=newer
event claude SessionStart '"source":"startup"'
says SessionStart 'task 8, phase 1'
expect_out "waits for a person: \`handoff gate show $gate\`"
# Once it is decided, whoever comes first has it.
decide "$gate" approve 'The key is in the vault'
as expect 0 prompt successor --task 7 --phase 1
expect_not_out 'wait for a person'
as expect 0 next --task 7 --phase 1
as expect 0 release HO-2026-001
lead 0
expect_that "something was logged: $(cat .handoff/hook.log 2>/dev/null)" [ ! -e .handoff/hook.log ]
finish
