#!/bin/bash
# Several sessions, and several instances, of one agent: what comes of a session's own doing, and of what it holds, reaches
# that session, whichever other one has read it first. Two windows of one harness in one project are such sessions.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs node
needs script

# as AGENT SESSION COMMAND...
as() { HANDOFF_AGENT=$1 HANDOFF_SESSION=$2 "${@:3}"; }
# told AGENT SESSION KIND ID [TEXT], untold AGENT SESSION ID: what its inbox has that is new, or nothing; it is read then.
told()
{
  as "$1" "$2" expect 0 inbox --json
  expect_json "$folder/out" "v.items.filter((i) => i.kind === '$3' && i.id === '$4' && i.new && i.text.includes('${5:-}')).length === 1"
}
untold()
{
  as "$1" "$2" expect 0 inbox --json
  expect_json "$folder/out" "!v.items.some((i) => i.id === '$3' && i.new)"
}
# once ID KIND TEXT: session two looks first, and session one is told all the same; then it is news to nobody.
once()
{
  told dev two "$2" "$1" "$3"
  told dev one "$2" "$1" "$3"
  for session in one two three; do untold dev $session "$1"; done
}

# What it asked a person, what it delegated.
as dev one expect 0 ask 'Use threads in the lexer?' --json
gate=$(field gate)
expect_terminal 0 gate decide "$gate" reject --note 'No threads'
once "$gate" decision 'No threads'
package part.yaml dev dba delegation
as dev one send part.yaml
as dba three expect 0 next --ack
as dba three expect 0 reject "$id" --note 'No access'
once "$id" rejected 'No access'

# What it held.
package work.yaml lead dev
as lead L send work.yaml
as dev one expect 0 claim "$id" --ack
expect 0 release "$id" --note 'It hung'
once "$id" stop 'It hung'
as dev one expect 0 claim "$id" --ack
as lead L expect 0 withdraw "$id" --note 'Not needed'
once "$id" stop 'Not needed'

# A claim by another session tells this one nothing.
as dev one expect 0 ask 'Rename the lexer?' --json
gate=$(field gate) asked=$(field id)
expect_terminal 0 gate decide "$gate" approve --note 'To scanner'
as dev two expect 0 claim "$asked" --ack
told dev one decision "$gate" 'To scanner'
untold dev one "$gate"
as dev two expect 0 "done" "$asked"

# One session works for another of the same name, one instance for another: the result, a refusal and its end reach it.
package mine.yaml dev dev delegation "The plan of module 4 has to be explained in 3 sentences"
as dev one send mine.yaml
as dev two expect 0 claim "$id" --ack
as dev two expect 0 reject "$id" --note 'No access'
untold dev two "$id"
told dev one rejected "$id" 'No access'
as dev one send mine.yaml --again
as dev two expect 0 claim "$id" --ack
as dev two expect 0 "done" "$id" --note 'It has an index'
told dev one returned "$id" 'It has an index'
as dev one send mine.yaml --again
as dev two expect 0 claim "$id" --ack
as dev one expect 0 withdraw "$id" --note 'Not needed'
untold dev one "$id"
told dev two stop "$id" 'Not needed'
package pool.yaml w/2 w/1 delegation
as w/2 b send pool.yaml
as w/1 a expect 0 claim "$id" --ack
as w/1 a expect 0 reject "$id" --note 'Cannot'
untold w/1 a "$id"
told w/2 b rejected "$id" 'Cannot'

# A STOP in a parallel review, and how the task goes on, reach everybody who works on it, whatever they are called.
# review TASK WHO SESSION: a request of the task that is sent to the reviewer and claimed in that session.
review()
{
  printf '{"task_id": "%s", "phase": "validate", "context": {"feature": "login"}, "instructions": "Review it for %s", "expected_output": "validation_result"}' \
    "$1" "$3" >"review.request.json"
  as lead L send review.request.json --to "$2" --again
  as "$2" "$3" expect 0 claim "$id" --ack
}
task=0
for names in 'ann bob' 'rev rev' 'rev/1 rev/2'; do
  read -r first second <<<"$names"
  task=$((task + 1))
  review T-$task "$first" one
  review T-$task "$second" two
  printf '{"task_id": "T-%s", "phase": "validate", "status": "complete", "decision": "STOP", "findings": {}, "context_summary": "Login lives in src/login.c", "issues": ["A hole"]}' \
    $task >stop.response.json
  as "$first" one send stop.response.json
  untold "$first" one "$id"
  told "$second" two stop "$id" 'A hole'
  expect 0 answer "$id" --note 'Close it first'
  told "$first" one answer "$id" 'Close it first'
  told "$second" two answer "$id" 'Close it first'
  told lead M answer "$id" 'Close it first'
  told lead L answer "$id" 'Close it first'
  for who in "$first one" "$second two" 'lead L' 'lead M'; do
    # shellcheck disable=SC2086
    untold $who "$id"
  done
done
finish
