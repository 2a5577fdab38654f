#!/bin/bash
# What an agent is asked while it works: in few tokens, by commands that work as they stand, and not after it has handed off.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
mkdir .handoff
most=60

# said: what the reply tells the agent.
said() { node -e 'const v = JSON.parse(require("fs").readFileSync(process.argv[1])); process.stdout.write(v.hookSpecificOutput.additionalContext)' "$folder/out"; }
# nudges TEXT: the agent is told so, in few tokens.
nudges()
{
  says "${event_name:-PostToolUse}" "$1"
  expect_that "$(said) is longer than $most tokens" [ "$(said | env -u HANDOFF_TOKENS "$handoff" tokens - --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).tokens')" -le $most ]
}
# does COMMANDS: runs them as the agent of the session would.
does() { expect_that "this does not work: $1" env PATH="$(dirname "$handoff"):$PATH" CLAUDECODE=1 CLAUDE_CODE_SESSION_ID="$session" bash -c "$1" >"$folder/did" 2>&1; }
# used TOKENS: so much of 200000 are used now.
used()
{
  n=$((${n:-0} + 1))
  printf '%s\n' '{"type":"assistant","message":{"id":"m'"$n"'","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Working."}],"usage":{"input_tokens":'"$1"',"output_tokens":0}}}' >>"$transcript"
}
# shell COMMAND: the agent has run it.
shell() { event claude PostToolUse '"tool_name":"Bash","tool_input":{"command":"'"$1"'","description":"run"},"tool_response":{"stdout":"","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}'; }

# Both commands work as they stand, in a project without tasks too.
session=a1 transcript=$folder/a1.jsonl
used 170000
shell ls
nudges "85.0 % full"
does "$(said | tail -n +2)"
expect_that "no handoff" ls specs/1_*/handoffs/phase-1-handoff-*.md
session=a2 transcript=$folder/a2.jsonl
used 171000
shell ls
nudges "85.5 % full"
does "$(said | grep -o '`handoff pass [^`]*`' | tr -d '`')"

# What the hook has measured counts: it is not refused because nothing was done since the phase's last handoff.
session=again transcript=$folder/again.jsonl
used 150000
shell ls
HANDOFF_SESSION=again expect 8 pass --task 1 --phase 1 --next 'the next step'
used 170000
shell ls
nudges "85.0 % full"
does "handoff pass --task 1 --phase 1 --next 'the next step'"
expect_that "it is not marked" grep -q 'is marked accordingly' "$folder/did"
session=a2 transcript=$folder/a2.jsonl

# After the handoff nothing is asked; one that works on is reminded once.
shell "handoff pass --next 'the next step'"
silent
shell ls
nudges "You have handed off"
expect_that "it takes more than a line" [ "$(said | wc -l)" = 0 ]
shell ls
silent
used 199900
shell ls
silent
# Another task, or another beginning, and it works again.
shell 'handoff next --task 7'
silent
shell ls
nudges "99.9 % full"
# A handoff that was refused is none.
session=a3 transcript=$folder/a3.jsonl
used 150000
shell "handoff pass --next 'x'"
used 170000
shell ls
nudges "85.0 % full"

# Objectives: asked above half of the threshold only; the last one is the end of the phase.
expect 0 progress start --task 20 --slug goals --phase 1 --objective One --objective Two --objective Three
session=o1 transcript=$folder/o1.jsonl
export HANDOFF_TASK=20 HANDOFF_PHASE=1
used 20000
shell ls
silent
expect 0 progress 'done' 1
shell ls
silent
used 90000
shell ls
silent
expect 0 progress 'done' 2
shell ls
nudges "An objective is done"
expect 0 progress 'done' 3
shell ls
nudges 'All objectives of the phase are done. Finish it'
taught=$(said | grep -o '`handoff finish[^`]*`' | tr -d '`')
# A context that fills up now is no reason to hand a finished phase on.
used 165000
shell ls
nudges '82.5 % full. All objectives of the phase are done. Finish it'
# Stopping without it is mentioned once.
event claude Stop '"stop_hook_active":false'
expect_out 'All objectives of the phase are done, but it is not finished'
event claude Stop '"stop_hook_active":false'
silent
does "${taught:?}"
shell 'handoff finish'
used 199000
shell ls
silent
unset HANDOFF_TASK HANDOFF_PHASE

# Agents side by side in the session of their lead: each is asked to hand on, and to finish, the phase that its own commands
# name, whatever another of them did last.
expect 0 progress start --task 30 --slug side --phase 1 --objective One
expect 0 progress start --task 30 --phase 2 --objective Two
lead=$folder/lead.jsonl
mkdir -p "$folder/lead/subagents"
# agent NAME TOKENS COMMAND: that agent has used so many and has run this, as has the session that it shares.
agent()
{
  transcript=$folder/lead/subagents/agent-$1.jsonl
  used "$2"
  session=lead transcript=$lead
  [[ $3 != handoff* ]] || does "$3"
  event claude PostToolUse '"agent_id":"'"$1"'","agent_type":"worker","tool_name":"Bash","tool_input":{"command":"'"$3"'"},"tool_response":{"stdout":"","stderr":""}'
}
agent A 20000 "handoff progress note half --task 30 --phase 1"
agent B 20000 "handoff progress note half --task 30 --phase 2"
silent
agent A 170000 ls
nudges 'handoff pass --task 30 --phase 1 --from'
expect_not_out "--next"
does "$(said | tail -n +2)"
expect_that "another phase was handed on" [ -z "$(find specs/30_side/handoffs -name 'phase-2-*')" ]
# One that stops has not handed off because another one has.
event claude SubagentStop '"agent_id":"B","agent_type":"worker","stop_hook_active":false'
silent
agent B 170000 ls
nudges 'handoff pass --task 30 --phase 2 --from'
event claude SubagentStop '"agent_id":"B","agent_type":"worker","stop_hook_active":false'
expect_out "If work is left: \`handoff pass --task 30 --phase 2 --next 'the next step'\`"
event claude SubagentStop '"agent_id":"A","agent_type":"worker","stop_hook_active":false'
silent
agent B 171000 "handoff progress done 1 --task 30 --phase 2"
agent B 191000 ls
nudges 'Finish it: `handoff finish --task 30 --phase 2`'
# The lead, and an agent that has named no phase, are asked as ever.
agent C 170000 ls
nudges 'Finish it: `handoff finish`, or if work is left'

# A file that no context could hold is read in part, and no reason to hand off.
session=l1 transcript=$folder/l1.jsonl event_name=PreToolUse
used 20000
head -c 900000 /dev/zero | tr '\0' 'x' >huge.txt
event claude PreToolUse '"tool_name":"Read","tool_input":{"file_path":"huge.txt"}'
nudges "Read the part that you need"
expect_not_out "handoff pass"

# Codex records the usage of a request before it runs the tools.
session=x1 transcript=$folder/x1.jsonl event_name=PostToolUse
cat >"$transcript" <<'J'
{"timestamp":"2026-02-12T14:00:00Z","type":"session_meta","payload":{"id":"x1"}}
{"timestamp":"2026-02-12T14:00:01Z","type":"turn_context","payload":{"model":"gpt-5-codex"}}
{"timestamp":"2026-02-12T14:00:02Z","type":"token_usage_record","payload":{"usage":{"input_tokens":249000,"cached_input_tokens":100000,"output_tokens":1000,"total_tokens":250000},"thread_token_usage":{"total_tokens":900000}}}
J
event codex PostToolUse '"tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"src\n","turn_id":"t"'
nudges "96.7 % full"
finish
