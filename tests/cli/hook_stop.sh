#!/bin/bash
# An agent stops without a handoff: it is asked; where the project says so it is kept from stopping, never in a loop.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
mkdir .handoff

# blocks WORD TEXT: the agent does not stop, and is told why, in the harness's own words; nothing else is in the reply.
blocks()
{
  expect_json "$folder/out" "Object.keys(v).join() === 'decision,reason' && v.decision === '$1' && v.reason.startsWith('[handoff] ')"
  expect_out "$2"
}

# Objectives that are left open: asked once; when they are done, or a handoff is there, nothing is said.
expect 0 progress start --task 7 --slug fast_start --phase 2 --objective Measure --objective Halve
export HANDOFF_TASK=7 HANDOFF_PHASE=2
session=o1
event claude Stop '"stop_hook_active":false'
says Stop "2 objectives of the phase open and no handoff"
expect_out "handoff pass --next"
expect_out "handoff progress done 1"
event claude Stop '"stop_hook_active":false'
silent
session=o2
event claude SubagentStop '"agent_id":"a1","stop_hook_active":false'
silent
event codex Stop '"stop_hook_active":false'
tells "2 objectives of the phase open"

# Where the project says so they block: every time that an agent stops, but not twice in a row.
echo 'without_handoff: block' >.handoff/config.yaml
expect 0 check .handoff/config.yaml
session=b1
event claude Stop '"stop_hook_active":false'
blocks block "2 objectives of the phase open"
event claude Stop '"stop_hook_active":true'
silent
event claude Stop '"stop_hook_active":false'
blocks block "2 objectives of the phase open"
event codex Stop '"stop_hook_active":false'
blocks block "2 objectives of the phase open"
event codex Stop '"stop_hook_active":true'
silent
event gemini AfterAgent '"stop_hook_active":false'
blocks deny "2 objectives of the phase open"
event gemini AfterAgent '"stop_hook_active":true'
silent
# A harness that does not say whether it was kept going is not kept going again.
session=b2
event gemini AfterAgent '"prompt":"x"'
blocks deny "2 objectives of the phase open"
event gemini AfterAgent '"prompt":"x"'
silent
event opencode session.idle
silent # it takes no answer

# A context above the threshold, of an agent without a task too, and of a subagent by its own transcript.
unset HANDOFF_TASK HANDOFF_PHASE
printf 'threshold: 75\nwithout_handoff: block\n' >.handoff/config.yaml
transcript=$data/claude-usage.jsonl session=f1
event claude Stop '"stop_hook_active":false'
blocks block "75 % full and no handoff"
event claude Stop '"stop_hook_active":true'
silent
mkdir -p "$folder/t/f2/subagents" && cp "$data/claude-usage.jsonl" "$folder/t/f2/subagents/agent-a1.jsonl"
transcript=$folder/t/f2.jsonl session=f2
event claude SubagentStop '"agent_id":"a1","stop_hook_active":false'
blocks block "95 % full and no handoff"
event claude SubagentStop '"agent_id":"a1","stop_hook_active":true'
silent
transcript=$data/codex-usage.jsonl session=f3
event codex Stop '"stop_hook_active":false'
blocks block "80 % full and no handoff"
event codex SubagentStop '"agent_id":"a1","agent_type":"worker","agent_transcript_path":"'"$data/codex-usage.jsonl"'","stop_hook_active":false'
blocks block "80 % full and no handoff"
transcript=$data/gemini-chat.json session=f4
event gemini AfterAgent '"stop_hook_active":false'
blocks deny "79 % full and no handoff"

# A handoff, or the end of the work, and nobody is blocked.
transcript=$data/claude-usage.jsonl session=h1
HANDOFF_SESSION=h1 expect 0 pass --task 7 --phase 2 --next 'Measure `src/start.c`.' --file src/start.c --location 'line 1' --goal 'Half the time'
event claude Stop '"stop_hook_active":false'
silent
transcript=$folder/none.jsonl session=h2
export HANDOFF_TASK=7 HANDOFF_PHASE=2
expect 0 progress 'done' 1 --task 7 --phase 2
event claude Stop '"stop_hook_active":false'
blocks block "1 objective of the phase open"
expect 0 progress block 2 --note 'No profiler' --task 7 --phase 2
event claude Stop '"stop_hook_active":false'
silent
unset HANDOFF_TASK HANDOFF_PHASE

# Commands do not always know their session: what was handed off for the task just now counts too, but not what the
# session itself took over. Claude Code's are told by a file.
expect 0 progress start --task 8 --slug other --phase 1 --objective Something
expect 0 pass --task 8 --phase 1 --next 'Measure `src/start.c`.' --file src/start.c --location 'line 1' --goal 'Half the time'
export HANDOFF_TASK=8 HANDOFF_PHASE=1
transcript=$folder/none.jsonl session=u1
CLAUDE_ENV_FILE=$folder/env event claude SessionStart '"source":"startup"'
says SessionStart "It is claimed for this session"
expect_that "the session is not told" [ "$(cat "$folder/env")" = "export HANDOFF_SESSION=u1" ]
event claude Stop '"stop_hook_active":false'
blocks block "1 objective of the phase open"
expect 0 progress tried Guessing --why 'It was wrong' --task 8 --phase 1
expect 0 pass --task 8 --phase 1 --next 'Measure `src/start.c` again.' --file src/start.c --location 'line 1' --goal 'Half the time'
event claude Stop '"stop_hook_active":false'
silent
unset HANDOFF_TASK HANDOFF_PHASE

# Asked for is only what is understood: another word, a damaged file, a damaged store, and nobody is blocked.
transcript=$data/claude-usage.jsonl session=d1
printf 'threshold: 75\nwithout_handoff: perhaps\n' >.handoff/config.yaml
expect 4 check .handoff/config.yaml
event claude Stop '"stop_hook_active":false'
expect_json "$folder/out" '!("decision" in v)'
printf 'threshold: 75\nwithout_handoff: block\n' >.handoff/config.yaml
for bad in '' '{' '{"hook_event_name":"Stop"}' '{"hook_event_name":"Stop","session_id":"x","transcript_path":"/","stop_hook_active":"yes"}'; do
  for harness in $harnesses; do
    expect 0 hook "$harness" <<<"$bad"
    expect_out_is '{}'
  done
done
head -c 5000 /dev/urandom >.handoff/handoff.db && rm -f .handoff/handoff.db-*
session=d2
event claude Stop '"stop_hook_active":false'
silent
# All that is left is blocked: whoever stops is told, once, how to ask a person; who has asked is not.
mkdir "$folder/stuck" && cd "$folder/stuck" && mkdir .handoff docs && echo spec >docs/spec.md || exit
expect 0 progress start --task 8 --slug stuck --phase 1 --objective One --objective Two
expect 0 progress block 2 --note 'No key for the server' --task 8 --phase 1
expect 0 progress "done" 1 --task 8 --phase 1
export HANDOFF_TASK=8 HANDOFF_PHASE=1
session=k1
event claude Stop '"stop_hook_active":false'
says Stop 'Every objective that is left is blocked. If you have not asked a person: `handoff template gate >gate.yaml`, fill it in, `handoff gate raise gate.yaml`'
event claude Stop '"stop_hook_active":false'
silent
gate_document stuck.gate.yaml claude
HANDOFF_SESSION=k2 HANDOFF_AGENT=claude expect 0 gate raise stuck.gate.yaml
session=k2
event claude Stop '"stop_hook_active":false'
silent
unset HANDOFF_TASK HANDOFF_PHASE
session=k3
HANDOFF_SESSION=k3 HANDOFF_AGENT=claude expect 0 progress tried Guessing --why 'It needs the key' --task 8 --phase 1
event claude Stop '"stop_hook_active":false'
tells 'The agent stopped: every objective that is left of its phase is blocked. See by what: `handoff progress show`'
covers stop subagent-stop
finish
