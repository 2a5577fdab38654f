#!/bin/bash
# A run gives nobody the handoff of a phase that waits at a gate, or that a person has rejected: not to a successor, not to the
# first teammate of a run that begins later, and not because somebody changed the store.
# shellcheck source=tests/attacks/gate_common
source "$(dirname "$0")/gate_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
person 0 "$passphrase" "$passphrase" -- key new --name alice
person 0 "$passphrase" -- key enrol
person 0 yes -- trust
phase 1 First "exhaust done"
gate_document drop.yaml est
mv teammate works
# It raises a gate for what it leaves, so that a person looks at it first.
cat >teammate <<'END'
#!/bin/bash
./works
[ -e raised ] && exit
touch raised
"$handoff" gate raise drop.yaml --for "$("$handoff" list --json --jq '.handoffs[0].id')" >/dev/null 2>&1
END
chmod +x teammate
text="Write line 1 of effects.txt"

# waits WAY STARTS: the run waits at the gate, and so many teammates were started.
waits()
{
  lead 7
  expect_step "${3:-1}" 's.state === "gated"'
  expect_that "$1: the gate is another one" [ "$(gate_of "${3:-1}")" = "$gate" ]
  expect_that "$1: a successor was started" [ "$(cat counts/* 2>/dev/null | wc -l)" = "$2" ]
}

lead 7
gate=$(gate_of 1)
keep
waits "as it is" 1
expect_json "$folder/last.json" 'v.gates[0].about === "handoff"'
expect 0 verify
for change in "UPDATE run_steps SET state = 'waiting', gate = '', gate_why = ''" "UPDATE run_steps SET gate_why = 'result'" \
  "UPDATE handoffs SET state = 'ready', gate = ''" "DELETE FROM gates" \
  "UPDATE gates SET state = 'decided', decision = 'approve', decided_by = 'alice', verified = 'verified', decided = raised + 1"; do
  sql "$change"
  waits "$change" 1
  again
done

# Rejected: the phase begins anew, and whoever does it is told why.
person 0 "$passphrase" -- gate decide "$gate" reject --note "Not in production"
lead 0
expect_that "it was delivered" [ "$(grep -c "$text" "$folder/prompt-1")" = 0 ]
expect_that "nobody was told why" grep -q "Not in production" "$folder/prompt-1"
again
# Approved: it goes on from there.
person 0 "$passphrase" -- gate decide "$gate" approve
lead 0
expect_that "it was not delivered" grep -q "$text" "$folder/prompt-1"
expect_step 1 's.state === "done" && m.length === 2'
expect 0 verify

# A run that begins when the gate is there; and one that begins when it was rejected.
plan=specs/8_other/plans/implementation-001.md
mkdir -p specs/8_other/plans && touch raised
phase 3 Third 'done'
sed -i -e 's/7 - relay/8 - other/' -e 's/^\(### Phase 3: Third\) .*/\1 [IN PROGRESS]/' "$plan"
expect 0 pass --task 8 --phase 3 --next "Drop the table of the users" --file acts/3 --as est
sed 's/^  id: .*//' drop.yaml >other.yaml
expect 0 gate raise other.yaml --for "$("$handoff" list --json --jq '.handoffs[0].id')"
gate=$("$handoff" gate list --json --jq '.gates[0].id')
waits "a run that begins" 2 3
keep
person 0 "$passphrase" -- gate decide "$gate" reject
lead 0
expect_that "rejected, and delivered to the first" [ "$(grep -c "Drop the table" "$folder/prompt-3")" = 0 ]
again
rm -rf .handoff/run
sql "DELETE FROM runs; DELETE FROM run_steps"
person 0 "$passphrase" -- gate decide "$gate" reject
lead 0
expect_that "rejected before, and delivered" [ "$(grep -c "Drop the table" "$folder/prompt-3")" = 0 ]

# What a draft adds to is held back as well: its teammate died.
again
rm -rf .handoff/run
sql "DELETE FROM runs; DELETE FROM run_steps"
echo 'dies done' >acts/3
person 0 "$passphrase" -- gate decide "$gate" reject
lead 0
expect_that "rejected, and delivered with a draft" [ "$(grep -c "Drop the table" "$folder/prompt-3")" = 0 ]
finish
