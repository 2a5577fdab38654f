#!/bin/bash
# A workflow does not get past `gate: blocking` by changes to the store or to its file, and does not contradict itself when
# its file is edited while it waits.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
workflow='name: release
steps:
  - name: one
    gate: blocking
    instructions: Build it.
  - name: deploy
    depends_on: [one]
    instructions: Deploy it.
'
printf '%s' "$workflow" >wf.yaml
plan=wf.yaml
cat >teammate <<'END2'
#!/bin/bash
cat >/dev/null
echo "$HANDOFF_PHASE" >>effects
jq -n --arg task "$HANDOFF_TASK" --arg phase "${kind:-write}" '{task_id: $task, phase: $phase, status: "complete", decision: "PROCEED", findings: {}, context_summary: "Done", tokens_used: 1, issues: []}' >"$HANDOFF_META"
END2
person 0 "$passphrase" "$passphrase" -- key new --name alice
person 0 "$passphrase" -- key enrol
person 0 yes -- trust
lead 7
gate=$(gate_of one)
keep

# waits WAY: the run waits at its gate, and nothing was deployed.
waits()
{
  lead 7
  expect_step one 's.state === "gated"'
  expect_that "$1: the gate is another one" [ "$(gate_of one)" = "$gate" ]
  expect_that "$1: it was deployed" [ "$(cat effects)" = one ]
}

# By the row of the step: done, to be done again, failed, gone, of another gate.
for change in "state = 'done', gate = ''" "state = 'done'" "state = 'waiting', gate = '', gate_why = ''" \
  "state = 'skipped', gate = ''" "gate_why = 'blocked'" "state = 'done', gate = '', teammates = 7"; do
  sql "UPDATE run_steps SET $change WHERE step = 'one'"
  [ "$change" = "gate_why = 'blocked'" ] || named "$change" "step one of R-"
  waits "$change"
  expect 0 verify
  again
done
sql "DELETE FROM run_steps WHERE step = 'one'"
named "no row" "step one of R-"
waits "no row"
expect 0 verify
again
sql "UPDATE run_steps SET state = 'running' WHERE step = 'one'"
waits "running"
again

# By a question that has nothing to do with it, under the key of a gate of the step: before it is raised, and after.
mkdir -p docs
echo spec >docs/spec.md
package ask.yaml est human escalation "May the variable be renamed in all of the files that are left?"
run=$(sql "SELECT run FROM run_steps LIMIT 1")
for key in "run:$run/one.99:result" "run:$run/deploy.1:result"; do
  expect 2 send ask.yaml --key "$key"
  expect_err "keys that begin with 'run:'"
done
step_gate=$gate
send ask.yaml
person 0 "$passphrase" -- gate decide "$gate" approve
sql "UPDATE handoffs SET idem_key = 'run:$run/one.99:result' WHERE id = '$id'"
gate=$step_gate
waits "the key of another handoff"
named "the key of another handoff" "$id"
again
gate_document other.yaml est
send other.yaml
person 0 "$passphrase" -- gate decide "$gate" approve
sql "UPDATE handoffs SET idem_key = 'run:$run/one.99:result' WHERE id = '$id'"
gate=$step_gate
waits "the key of another gate"
again

# With the gate: its row deleted; and a step that waits for a gate that alice has approved, which is about something else.
sql "UPDATE run_steps SET state = 'done', gate = '' WHERE step = 'one'; DELETE FROM gates; UPDATE handoffs SET state = 'ready', gate = '' WHERE kind = 'gate'"
waits "no gate"
named "no gate" "waits again until a person decides"
again
mkdir -p docs
echo spec >docs/spec.md
package ask.yaml est human escalation
old=$gate
send ask.yaml
person 0 "$passphrase" -- gate decide "$gate" approve
other=$gate
gate=$old
sql "UPDATE run_steps SET gate = '$other' WHERE step = 'one'"
named "an approved gate of something else" "step one of R-2026-001 waits for it, but did not raise it"
waits "an approved gate of something else"
expect 0 verify
again

# Before anybody asked: a step is not done because its row says so.
printf '%s' "$workflow" | sed 's/name: release/name: second/' >second.yaml
plan=second.yaml
mv teammate later
printf '#!/bin/bash\ncat >/dev/null\nsleep 5\n' >teammate
chmod +x teammate
timeout -s INT 2 "$handoff" run "$plan" --agent ./teammate --json >/dev/null 2>&1
mv later teammate
rm -f effects
sql "UPDATE run_steps SET state = 'done', gate = '', why = '' WHERE step = 'one' AND run = (SELECT max(id) FROM runs)"
lead 7
expect_step one 's.state === "gated"'
expect_that "never asked: it was deployed" [ ! -e effects ]
plan=wf.yaml
again

# Before anybody asked: a teammate changes the file and kills the lead, and another one continues the run.
cp teammate honest
cat >hostile <<'END2'
#!/bin/bash
cat >/dev/null
until [ -s leader ]; do sleep 0.05; done
sed -i "$(cat change)" "$plan"
kill -9 "$(cat leader)"
exec ./honest </dev/null
END2
chmod +x hostile
keep
# killed CHANGE: changed by this expression of sed.
killed()
{
  export plan=attacked.yaml
  printf '%s' "$workflow" | sed 's/name: release/name: attacked/' >"$plan"
  echo "$1" >change
  rm -f effects
  "$handoff" run "$plan" --agent ./hostile --json >/dev/null 2>&1 &
  echo $! >leader
  wait $! 2>/dev/null
}
for change in '/gate: blocking/d' 's/gate: blocking/gate: advisory/' \
  's/gate: blocking/kind: parallel\n    agent: ".\/teammate,.\/teammate"/'; do
  [[ $change == *parallel* ]] && export kind=parallel
  killed "$change"
  expect 7 run "$plan" --agent ./teammate
  expect_out "step one had 'gate: blocking' when the run began, and keeps it"
  lead 7
  expect_step one 's.state === "gated"'
  expect_that "$change: it was deployed" [ "$(grep -c deploy effects)" = 0 ]
  expect 0 verify
  again
done
unset kind
killed '/gate: blocking/d'
lead 7
gate=$(gate_of one)
person 0 "$passphrase" -- gate decide "$gate" approve
lead 0
expect_that "approved, with its gate taken out: it was not deployed" [ "$(tr '\n' ' ' <effects)" = "one deploy " ]
again
for change in 's/\bone\b/uno/' '/name: one/,/Build it/d; /depends_on/d'; do
  killed "$change"
  expect 7 run "$plan" --agent ./teammate
  expect_err "step one was removed from attacked.yaml, but a person was to approve its result"
  expect_that "$change: it was deployed" [ "$(grep -c deploy effects)" = 0 ]
  again
done
# A parallel step, and one that its row calls skipped.
printf 'name: third\nsteps:\n  - name: one\n    kind: parallel\n    gate: blocking\n    instructions: Build it.\n    agent: "./teammate,./teammate"\n  - name: deploy\n    depends_on: [one]\n    instructions: Deploy it.\n' >third.yaml
for change in "state = 'done'" "state = 'skipped'"; do
  plan=third.yaml
  printf '#!/bin/bash\ncat >/dev/null\nsleep 5\n' >teammate
  timeout -s INT 2 "$handoff" run "$plan" --agent ./teammate --json >/dev/null 2>&1
  cp honest teammate
  rm -f effects
  sql "UPDATE run_steps SET $change, gate = '', why = '' WHERE step = 'one' AND run = (SELECT max(id) FROM runs)"
  lead 7
  expect_step one 's.state === "gated"'
  expect_that "a parallel step, $change: it was deployed" [ "$(cat effects 2>/dev/null | grep -c deploy)" = 0 ]
done
plan=wf.yaml
again
gate=$step_gate

# The file is edited while the run waits: the step removed, renamed; its gate or what depends on it removed.
removed="step one was removed from wf.yaml, but its gate $gate is undecided; run: handoff gate show $gate"
printf 'name: release\nsteps:\n  - name: deploy\n    instructions: Deploy it.\n' >wf.yaml
expect 7 run wf.yaml --agent ./teammate
expect_err "$removed"
expect_that "a removed step: the run is called done" [ "$(grep -c 'is done' "$folder/out")" = 0 ]
expect_that "a removed step: it was deployed" [ "$(cat effects)" = one ]
printf '%s' "$workflow" | sed 's/\bone\b/uno/' >wf.yaml
expect 7 run wf.yaml --agent ./teammate
expect_err "$removed"
printf '%s' "$workflow" | sed '/gate: blocking/d' >wf.yaml
waits "no gate in the file"
again
printf '%s' "$workflow" | sed '/depends_on/d' >wf.yaml
expect 7 run wf.yaml --agent ./teammate
expect_out "waits for"
expect_that "no dependency: the run is called done" [ "$(grep -c 'R-.* is done' "$folder/out")" = 0 ]
again

# A rejection stays one; alice's approval continues the run.
person 0 "$passphrase" -- gate decide "$gate" reject --note "Not yet"
sql "UPDATE run_steps SET state = 'done' WHERE step = 'one'"
lead 7
expect_that "rejected: it was deployed" [ "$(tr '\n' ' ' <effects)" = "one one " ]
again
person 0 "$passphrase" -- gate decide "$gate" approve
lead 0
expect_that "it was not deployed" [ "$(tr '\n' ' ' <effects)" = "one deploy " ]
expect 0 verify

# Without deciders, too.
mkdir "$folder/undecided" && cp teammate "$folder/undecided" && cd "$folder/undecided" || exit
git init -q .
printf '%s' "$workflow" >wf.yaml
lead 7
gate=$(gate_of one)
sql "UPDATE run_steps SET state = 'done', gate = '' WHERE step = 'one'"
named "no deciders" "step one of R-"
waits "no deciders"
finish
