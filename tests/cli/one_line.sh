#!/bin/bash
# In one line: a gate with `ask`, its decision with `approve` and `reject`, a package with `send TEXT`.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs script
year=$(date -u +%Y)
mkdir -p src && echo x >src/csv.py && echo y >src/two.py

# ---- A package from a line.
expect 0 send --to reviewer "Review the CSV import" --file src/csv.py --file src/two.py --criterion "All 12 tests pass" --as lead --json
expect_json "$folder/out" 'v.kind === "package" && v.from === "lead" && v.to === "reviewer" && v.findings.length === 0'
id=$(field id)
expect 0 next --as reviewer --json
expect_json "$folder/out" "v.id === '$id' && v.handoff.document.handoff.expectations.deliverable === 'Review the CSV import' &&
  v.handoff.document.handoff.expectations.success_criteria[0] === 'All 12 tests pass' && v.handoff.document.handoff.context.artifacts.map(a => a.path).join() === 'src/csv.py,src/two.py'"
expect 0 list
expect_out "Review the CSV import"
# The same line is the same handoff, unless it is wanted again; a file is named from where one is.
expect 0 send --to writer "Write down the four limits" --as lead
first=$(cat "$folder/out")
expect 0 send --to writer "Write down the four limits" --as lead
expect_that "another handoff" [ "$(cat "$folder/out")" = "$first" ]
expect 0 send --to writer "Write down the four limits" --as lead --again
expect_that "the same handoff" [ "$(cat "$folder/out")" != "$first" ]
cd src && expect 0 send --to writer "Review the CSV export" --file csv.py --summary "The export has 12 columns, 3 of them new" --json && cd ..
expect 0 show "$(field id)" --json
expect_json "$folder/out" 'v.handoff.document.handoff.context.artifacts[0].path === "src/csv.py" && v.handoff.document.handoff.context.summary.startsWith("The export") && v.handoff.document.handoff.from.agent === "human"'
# What the rules of packages refuse is refused with findings; what is missing is asked for.
expect 4 send --to reviewer "Review the CSV import" --file src/none.py
expect_err "package:"
expect_err "package-artifact-missing"
expect 4 send --to reviewer "Review the CSV import" --criterion "works well"
expect_err "package-criterion-vague"
expect 2 send "Review the CSV import"
expect_err "use --to AGENT"
expect 5 send --to reviewer nofile.yaml
expect 5 send --to reviewer "no file.yaml" --format package
package real.yaml spec builder
expect 2 send real.yaml --criterion "All 12 tests pass"
expect_err "--criterion is for a line of text"
cp real.yaml "a real one.yaml"
expect 0 send "a real one.yaml"
# To a person, it is a gate; a credential never gets into it.
expect 0 send --to human "Choose the license of the export" --as lead --json
expect_json "$folder/out" 'v.gate.startsWith("G-") && v.type === "escalation"'
expect_terminal 0 approve "$(field gate)" --note MIT

# ---- A question to a person.
expect 0 ask "CSV or JSON?" --option CSV --option JSON --as lead --json
expect_json "$folder/out" 'v.gate.startsWith("G-") && v.findings.length === 0 && v.state === "gated" && v.waited === undefined'
gate=$(field gate)
expect 0 ask "CSV or JSON?" --option CSV --option JSON --as lead
expect_that "another gate" [ "$(cat "$folder/out")" = "$gate" ]
expect_err "already sent"
expect_that "an option that ask does not have" bash -c "! grep -q -e --again '$folder/err'"
expect_err "run: handoff gate wait $gate --timeout 300 --as lead"
expect 0 gate show "$gate"
expect_out "name: CSV or JSON?"
expect_out "lead asks a person: CSV or JSON?"
expect_out "- JSON"
expect 2 ask ""
expect 2 ask

# Short ids, wherever a gate is meant.
number=$((10#${gate##*-}))
for short in "$number" "G-$number" "G-${gate##*-}" "$gate"; do
  expect 0 gate show "$short" --json
  expect_json "$folder/out" "v.id === '$gate'"
done
expect 5 gate show "G-99"
expect 5 gate show "HO-$year-001"

# It waits: nobody decides, the person asks back, approves, rejects.
expect 7 gate wait "$number" --timeout 1
expect 7 ask "Drop the old export?" --wait 1 --as lead
expect_out "is open"
expect_err "run: handoff gate wait"
expect_terminal 0 gate decide "$number" question --note "Who reads it?"
expect 7 ask "CSV or JSON?" --option CSV --option JSON --wait 5 --as lead
expect_out "| Who reads it?"
expect_out "handoff answer $gate --note TEXT --as lead"
expect 0 answer "$gate" --note "Two programs" --as lead
# Whoever approves names an option: without one, nobody would know which.
for note in '' 'Well done' 'CSVs are fine'; do
  expect_terminal 2 approve "$number" ${note:+--note "$note"}
  expect_out "$gate asks for one of: 1. CSV, 2. JSON; use --note with its number or its words"
  expect_terminal 2 gate decide "$number" approve ${note:+--note "$note"}
done
expect 0 gate show "$gate" --json
expect_json "$folder/out" 'v.state === "open"'
expect 0 inbox
expect_out "gate decide $gate approve --note TEXT"
# By its number, or a beginning that is that of one alone; what is kept are the option's own words.
expect 0 ask "How long?" --option '2 days' --option '3 days' --option '3 weeks' --as lead --json
long=$(field gate)
for note in 0 4 2 '3 d w' days; do
  expect_terminal 2 approve "$long" --note "$note"
done
expect_terminal 0 approve "$long" --note '3 W'
expect 0 gate show "$long" --json
expect_json "$folder/out" 'v.note === "3 weeks"'
expect 0 ask "Which color?" --option red --option green --as lead --json
expect_terminal 0 approve "$(field gate)" --note 2 --json
expect_json "$folder/out" 'v.note === "green"'
(sleep 1.5; SHELL=/bin/bash script -qec "$handoff approve $number --note json,please" /dev/null </dev/null >/dev/null) &
expect 0 ask "CSV or JSON?" --option CSV --option JSON --wait 20 --as lead
wait
expect_out "is decided: approve"
expect_out "| json,please"
(sleep 1.5; SHELL=/bin/bash script -qec "$handoff reject G-$((number + 1)) --note 'Still read'" /dev/null </dev/null >/dev/null) &
expect 1 ask "Drop the old export?" --wait 20 --as lead --json
wait
expect_json "$folder/out" 'v.waited.decision === "reject" && v.waited.note === "Still read"'

# ---- One word decides; of handoffs, `reject` is what it was.
expect 0 ask "Ship it?" --as lead --json
gate=$(field gate)
expect_terminal 0 reject "$gate" --json
expect_json "$folder/out" "v.id === '$gate' && v.state === 'decided' && v.decided.decision === 'reject' && v.notes[0].includes('no reason was given')"
expect_terminal 6 approve "$gate"
expect_terminal 5 approve "G-$year-999"
expect_terminal 5 reject "G-$year-999" --note x
HANDOFF_AGENT=a expect 7 reject "G-$year-999" --note x
expect 0 claim "$first" --as writer
expect 2 reject "$first" --as writer
expect_err "--note"
expect 0 reject "$((10#${first##*-}))" --note "Not mine" --as writer
expect_out "$first is rejected"

# ---- A number alone is what can be meant; if that is a handoff and a gate, neither is touched.
mkdir "$folder/numbers" && cd "$folder/numbers" && git init -q
expect 0 init
expect 0 send --to builder "Write down the four limits" --as spec
mine=HO-$year-001
expect 0 ask "Ship it?" --as lead
expect 0 ask "Where to?" --as lead
expect_terminal 2 reject 1 --note no
expect_out "1 could be $mine (ready) or G-$year-001 (open); run: handoff reject $mine --note TEXT; or: handoff reject G-$year-001 --note TEXT"
expect 0 gate show 1 --json
expect_json "$folder/out" 'v.state === "open"'
expect 0 list --state ready --json
expect_json "$folder/out" 'v.handoffs.length === 1'
expect_terminal 0 gate decide 1 question --note "Who pays?"
expect 2 answer 1 --note Nobody --as lead
expect_err "run: handoff answer $mine --note TEXT --as lead; or: handoff answer G-$year-001 --note TEXT --as lead"
expect 0 answer G-1 --note Nobody --as lead
# What waits at a gate can only be decided there; an agent can only mean a handoff.
expect_terminal 0 reject 2 --note no
expect_out "G-$year-002 is decided: reject"
expect 0 claim 1 --as builder
expect 0 reject 1 --note "Not now" --as builder
expect_out "$mine is rejected"
# Of an ended handoff, it is the gate.
expect_terminal 0 reject 1 --note no
expect_out "G-$year-001 is decided: reject"
expect_terminal 6 reject 1 --note no
expect_out "$mine"
# Decided is decided; what can be done instead is a command.
expect_terminal 6 gate decide 1 approve
expect_out "; to ask again, run: handoff ask "
finish
