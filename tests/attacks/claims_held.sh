#!/bin/bash
# Work that one agent holds: another session or instance with the same name neither ends it nor takes it over.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs node jq

as() { HANDOFF_AGENT=$1 HANDOFF_SESSION=$2 "${@:3}"; }
refused() { expect_err "act as that agent in the session that claimed it"; }

# By its result: the response to a request, and what a delegation returns.
cat >ask.request.json <<'END'
{"task_id": "auth-001", "phase": "research", "context": {"feature": "jwt"}, "instructions": "Find the login code",
 "expected_output": "structured_findings"}
END
cat >found.response.json <<'END'
{"task_id": "auth-001", "phase": "research", "status": "complete", "decision": "PROCEED",
 "findings": {"recommendations": ["Use it"]}, "context_summary": "The login is in src/login.c", "tokens_used": 900}
END
package delegated.yaml lead worker delegation
package returned.yaml worker lead return "Returned by somebody else who has not done any of the work that it is about"
for work in 'ask.request.json found.response.json' 'delegated.yaml returned.yaml'; do
  read -r asked answer <<<"$work"
  as lead s-lead send "$asked" --to worker
  held=$id
  for begun in claimed acked; do
    option=()
    [ $begun = claimed ] || option=(--ack)
    as worker/1 s-1 expect 0 claim "$held" "${option[@]}"
    as worker/2 s-2 expect 6 send "$answer"
    refused
    as worker/2 s-1 expect 6 send "$answer"
    as worker/1 s-2 expect 6 send "$answer"
    as worker '' expect 6 send "$answer"
    state_is "$held" $begun
    as worker/1 s-1 expect 0 release "$held"
  done
  as worker/1 s-1 expect 0 claim "$held"
  as worker/1 s-1 expect 0 send "$answer"
  state_is "$held" 'done'
done

# By a handoff of the same phase.
expect 0 init
expect 0 progress start --task 7 --slug fast --phase 1 --objective One
pass() { expect "${2:-0}" pass --task 7 --phase 1 --next "Do $1" --file src/a.c --location 'line 1' --goal "$1"; }
as lead s-lead pass first
as worker s-1 claim --task 7 --ack
held=$id
as worker s-2 pass second 6
expect_err "$held (phase 1 of task 7) is held by another session of worker until 2"
state_is "$held" acked
as worker/2 s-1 pass third
state_is "$held" acked
as worker s-1 pass fourth
state_is "$held" superseded

# A person frees what a session holds that nobody can ask any more, which is told; no agent does.
package stuck.yaml lead sitter
send stuck.yaml
as sitter s-1 expect 0 claim "$id" --ack
as sitter s-2 expect 6 release "$id"
as lead s-lead expect 6 release "$id"
CLAUDECODE=1 expect 6 release "$id"
state_is "$id" acked
expect 0 release "$id" --note 'Its machine is gone'
state_is "$id" ready
as sitter s-1 expect 0 inbox --json
expect_json "$folder/out" "v.items.some(i => i.kind === 'stop' && i.id === '$id' && i.text === 'released: Its machine is gone')"
as sitter s-1 expect 6 'done' "$id"

# By the session of the day: a harness may give its own sessions a name that looks like it.
package local.yaml lead painter
send local.yaml
as painter local-build-7 expect 0 claim "$id" --ack
as painter '' expect 6 'done' "$id"
expect_err "$id is held by another session of painter until"
as painter local-build-8 expect 6 'done' "$id"
as painter local-build-7 expect 0 'done' "$id"

# By a handoff of somebody else: held work, what nobody has claimed yet, and what waits for a person.
package own.yaml mal eve '' "Nothing to do with the rest: go to the shop and buy bread, butter and jam for everybody"
as mal s-9 send own.yaml
own=$id
package licence.yaml lead human escalation "Should the expensive licence of the database be bought for the next year?"
package held.yaml lead worker '' "Write the form of the login with all of its tests, and show it to the others"
as lead s-lead send licence.yaml
asked=$id
as lead s-lead send held.yaml
held=$id
# not_mine STATE: others cannot replace it.
not_mine()
{
  for who in 'mal s-9' 'worker s-2' 'mal'; do
    # shellcheck disable=SC2086
    set -- $who "$1"
    [ $# = 3 ] || set -- "$1" '' "$2"
    as "$1" "$2" expect 6 supersede "$held" --by "$own"
    expect_err "only its sender, lead, whoever holds it, or a person can supersede $held"
    state_is "$held" "$3"
    set -- "$3"
  done
}
not_mine ready
as worker s-1 expect 0 claim "$held" --ack
not_mine acked
as mal s-9 expect 6 supersede "$asked" --by "$own"
state_is "$asked" gated
as worker s-1 expect 0 release "$held"
as lead s-0 expect 0 supersede "$held" --by "$own"
as lead s-lead send held.yaml --again
held=$id
as worker s-1 expect 0 claim "$held" --ack
as worker s-1 expect 0 supersede "$held" --by "$own"
as lead s-lead expect 0 supersede "$asked" --by "$own" # then that waits
state_is "$own" gated

# An agent without a name that hides what its harness sets is no person.
as lead s-lead send held.yaml --again
cp "$(command -v bash)" "$folder/claude"
for way in "withdraw $id --note Mine" "supersede $id --by $own"; do
  # shellcheck disable=SC2016,SC2086
  "$folder/claude" -c '"$@"; exit' claude env -u CLAUDECODE "$handoff" $way >"$folder/out" 2>"$folder/err"
  status=$?
  expect_that "$way: exit status $status" [ "$status" = 6 ]
  state_is "$id" ready
done
expect 0 withdraw "$id" --note Ours # by a person

# By the end of the phase that it belongs to, as somebody else declares it, or the agent in another session; whoever holds it and
# a person can.
for who in 'est s-1' 'user'; do
  expect 0 progress start --task 8 --slug end --phase 1 --objective One
  as lead s-lead expect 0 pass --task 8 --phase 1 --next "Do it" --file src/a.c --location 'line 1' --goal "$who"
  as est s-1 claim --task 8 --ack
  as mal s-9 expect 0 progress 'done' 1 --task 8 --phase 1
  as mal s-9 expect 6 finish --task 8 --phase 1
  expect_err "$id (phase 1 of task 8) is held by est until 2"
  as mal s-9 expect 6 pass --task 8 --phase 1 --next "Do it otherwise"
  as est s-2 expect 6 finish --task 8 --phase 1
  expect_err "$id (phase 1 of task 8) is held by another session of est until 2"
  state_is "$id" acked
  if [ "$who" = user ]; then expect 0 finish --task 8 --phase 1; else as est s-1 expect 0 finish --task 8 --phase 1; fi
  state_is "$id" 'done'
  expect 0 progress reopen 1 --task 8 --phase 1
done

# What its receiver asks is answered by the sender or a person, not by the receiver itself or anybody else.
package asked.yaml lead asker '' "Remove everything that nobody needs any more from the tables of the customers"
as lead s-lead send asked.yaml
for way in --blocker --question; do
  as asker s-1 expect 0 claim "$id"
  as asker s-1 expect 0 ack "$id" --task "Remove it" "$way" "May the orders go, too ($way)?"
  asks=$("$handoff" show "$id" --json | jq -r .handoff.state)
  for who in 'mal s-9' 'asker s-1' 'asker/2 s-2'; do
    # shellcheck disable=SC2086
    as $who expect 6 answer "$id" --note "Yes, all of them"
    expect_err "only its sender, lead, or a person can answer $id; to act for lead, use --as lead"
  done
  CLAUDECODE=1 expect 6 answer "$id" --note "Yes, all of them"
  # shellcheck disable=SC2016
  "$folder/claude" -c '"$@"; exit' claude env -u CLAUDECODE "$handoff" answer "$id" --note Yes >"$folder/out" 2>"$folder/err"
  status=$?
  expect_that "an answer by nobody: exit status $status" [ "$status" = 6 ]
  state_is "$id" "$asks"
  as lead s-0 expect 0 inbox
  expect_out "May the orders go, too ($way)?"
  if [ $way = --blocker ]; then as lead/2 s-0 expect 0 answer "$id" --note "No"; else expect 0 answer "$id" --note "No"; fi
  [ $way = --question ] || state_is "$id" ready
done
finish
