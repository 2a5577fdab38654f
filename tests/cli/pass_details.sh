#!/bin/bash
# What does not fit in a handoff goes along with it: where its details file is not there, the store has it.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs git
git init -q -b main && git config user.name t && git config user.email t@example.com
expect 0 init
echo 1 >a && git add -A && git commit -qm a
git worktree add -q ../wt -b side
where=(--task 3 --phase 1)
items=() texts=()
for i in 1 2 3 4 5 6 7; do
  items+=(--decision "Decision $i: why" --context "Fact $i holds" --not "Approach $i: bad")
  texts+=("Decision $i" "Fact $i holds" "Approach $i")
done
key=AKIA$(printf %s IOSFODNN7Q3WPLMK) # put together here, so that no scanner takes it for a real one

# holds FILE: every item stands in it.
holds() {
  for text in "${texts[@]}"; do
    expect_that "$1 has '$text'" grep -qF "$text" "$1"
  done
}
HANDOFF_SESSION=one expect 0 pass "${where[@]}" --slug up --next "Write part one" "${items[@]}" --context "Not $key" --used 85
expect_err 'what did not fit one screen is in specs/3_up/handoffs/'
first=$(sed -n 's/.*\(HO-[0-9]*-001\).*/\1/p' "$folder/err" | head -1)
first=${first:-HO-$(date -u +%Y)-001}
details=$(find specs/3_up/handoffs -name '*-details.md')
run show "$first"
expect_that "the details are shown with the handoff" grep -q '^#| Details' "$folder/out"
cp "$folder/out" "$folder/shown" && holds "$folder/shown"
expect_not_out "$key"
expect 0 show "$first" --json
expect_json "$folder/out" 'v.handoff.details.includes("Decision 7") && v.handoff.details_at.endsWith("-details.md")'

# Where its file is, it is named; elsewhere, a command that works.
expect 0 prompt successor "${where[@]}"
expect_out "What did not fit there: \`$details\`"
cd ../wt || exit
for told in 'prompt successor --task 3 --phase 1' 'hook claude'; do
  # shellcheck disable=SC2086 # the words of a command
  expect 0 $told <<<'{"session_id":"other","cwd":"'"$PWD"'","hook_event_name":"SessionStart","source":"startup"}'
  expect_out "Run \`handoff show $first\`"
  expect_not_out '-details.md'
  cat "$folder/out" "$folder/shown" >"$folder/all" && holds "$folder/all"
done

# Whoever passes on there carries all of it, and whoever comes back, too.
# passes_on SESSION: nothing that held before is missing from what is handed on.
passes_on() {
  HANDOFF_SESSION=$1 expect 0 pass "${where[@]}" --next "Write part $1" --used 85
  find specs/3_up/handoffs -name '*.md' -newer "$folder/mark" -exec cat {} + >"$folder/all"
  holds "$folder/all"
  touch "$folder/mark"
}
touch "$folder/mark"
sleep 0.1
passes_on two
cd ../project || exit
passes_on three
git worktree remove --force ../wt
rm -r specs/3_up/handoffs
passes_on four

# The store proves them, and has them in a copy and in a store that is made anew, from a damaged one as well.
sql() { "$(dirname "$handoff")/tests/sql_tool" "$1" "$2"; }
# shows: the first handoff is shown with all that did not fit.
shows() {
  run show "$first"
  cp "$folder/out" "$folder/shown" && holds "$folder/shown"
}
store=.handoff/handoff.db
expect 0 verify
HANDOFF_AGENT='' expect 0 backup "$folder/copy.db"
cp "$folder/copy.db" "$folder/tried.db"
body=$(sql $store "SELECT digest FROM files WHERE handoff = '$first' AND kind = 'details'")
sql $store "UPDATE events SET actor = 'x' WHERE handoff = '$first' AND n = 1"
expect 1 verify
HANDOFF_AGENT='' expect 1 rebuild
expect 0 verify
shows
sql $store "DELETE FROM bodies WHERE digest = '$body'"
expect 1 verify
expect_out "body $body: it is missing, but $first needs it"
rm -r .handoff/handoff.db*
cp "$folder/copy.db" $store
HANDOFF_AGENT='' run rebuild
shows

# They go when the handoffs go.
HANDOFF_AGENT='' expect 0 progress start "${where[@]}" --objective One
HANDOFF_AGENT='' expect 0 progress 'done' 1 "${where[@]}"
HANDOFF_AGENT='' expect 0 finish "${where[@]}" --summary 'All of it is done'
HANDOFF_AGENT='' expect 0 archive --completed
expect_that "details are kept until then" [ "$(sql $store 'SELECT count(*) FROM bodies')" -gt 1 ]
HANDOFF_AGENT='' expect 0 prune --before 2099-01-01
expect_that "none is left" [ "$(sql $store 'SELECT count(*) FROM bodies')" = 0 ]
expect 0 verify
finish
