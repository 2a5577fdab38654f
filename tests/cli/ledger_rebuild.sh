#!/bin/bash
# A store made again from its files: while others send, without giving an id twice, opening a gate or storing a
# credential; and one that is killed leaves the old store as it was.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

# ---- Senders run while the store is rebuilt: what was answered is there, or said to be in the kept database.
package a.yaml lead coder
"$handoff" send a.yaml >/dev/null
senders=${REBUILD_SENDERS:-4} sends=${REBUILD_SENDS:-6} rebuilds=${REBUILD_RUNS:-3}
send_many()
{
  for ((k = 0; k < sends; k++)); do
    package "part$1.$k.yaml" lead coder "" "Part $1.$k of the import is planned in 3 files with 14 tests and 2 questions"
    if [ $((k % 2)) = 0 ]; then
      "$handoff" send "part$1.$k.yaml"
    else
      "$handoff" send - <"part$1.$k.yaml"
    fi >>"$folder/answered.$1" 2>>"$folder/failed" || echo "exit status $?" >>"$folder/failed"
  done
}
for ((i = 0; i < senders; i++)); do send_many "$i" & done
for ((i = 0; i < rebuilds; i++)); do
  expect 0 rebuild
  cp "$folder/out" "$folder/rebuilt.$i"
done
wait
last="send, while the store was rebuilt $rebuilds times"
expect_that "a send failed: $(head -1 "$folder/failed" 2>/dev/null)" [ ! -s "$folder/failed" ]
"$handoff" list --limit 100000 | cut -d' ' -f1 | sort >"$folder/listed"
sort "$folder"/answered.* >"$folder/answered"
expect_that "not every send answered" [ "$(wc -l <"$folder/answered")" = $((senders * sends)) ]
expect_that "an id was given twice" [ -z "$(uniq -d "$folder/answered")" ]
comm -23 "$folder/answered" "$folder/listed" | while read -r id; do
  grep -q "^lost $id: " "$folder"/rebuilt.* || echo "$id"
done >"$folder/missing"
expect_that "answered, and nowhere: $(head -1 "$folder/missing")" [ ! -s "$folder/missing" ]
expect 0 verify
expect_out "no differences"
expect_that "something was left behind" [ ! -e .handoff/handoff.db.rebuild ]
kept=$(sed -n 's/^old database kept as //p' "$folder/rebuilt.0")
expect 0 --store "$kept" list

# ---- Several at once: each keeps what it found under a name of its own.
before=$(find .handoff -name '*.before-rebuild-*Z*' ! -name '*-wal' ! -name '*-shm' ! -name '*.seal' | wc -l)
for ((i = 0; i < 4; i++)); do "$handoff" rebuild >/dev/null 2>>"$folder/clash" & done
wait
last="rebuild, four at once"
expect_that "one failed: $(head -1 "$folder/clash")" [ ! -s "$folder/clash" ]
after=$(find .handoff -name '*.before-rebuild-*Z*' ! -name '*-wal' ! -name '*-shm' ! -name '*.seal' | wc -l)
expect_that "$((after - before)) databases were kept, not 4" [ $((after - before)) = 4 ]

# ---- Killed in between: the old store is what it was, and the next one clears up.
if (HANDOFF_KILL_AT=worked "$handoff" rebuild; exit $?) >/dev/null 2>&1; then
  skip "a rebuild that is killed" "this build cannot be killed at a step"
else
  "$handoff" list --limit 100000 | cut -d' ' -f1 | sort | cmp -s - "$folder/listed"
  expect_that "a killed rebuild changed the store" [ $? = 0 ]
  expect 0 verify
  expect 0 rebuild
fi

# ---- A new project: what has no file is named, and its id is not given again; what waited for a person still waits.
mkdir ../second && cd ../second && mkdir docs && echo spec >docs/spec.md || exit
package gone.yaml lead coder
send gone.yaml
gone=$id
rm gone.yaml
package stop.yaml lead coder "" "The import was stopped after 3 of 14 files, and nobody may go on without a person"
send - <stop.yaml
stopped=$id
gate_document gate.yaml coder
expect 0 gate raise gate.yaml --for "$stopped" --json
old_gate=$(field gate)
package timed.yaml lead clock
sed -i '1s/$/\n  x_deadline: "2099-01-01T00:00:00Z"/' timed.yaml
send - <timed.yaml
timed=$id
password="hunter$((20 + 2))Xy!z"
package login.yaml lead coder "" "The login is written: 2 files with 9 tests, and the password was changed 3 days ago"
printf '  x_login:\n    "pass\\x77ord": "%s"\n' "$password" >>login.yaml
send login.yaml
expect 0 verify
login=$id
expect 0 rebuild --json
expect_json "$folder/out" 'v.lost.length === 0'
expect 0 show "$gone"
state_is "$stopped" gated
expect_json "$folder/out" "v.handoff.gate === '$old_gate'"
rm .handoff/handoff.db*
expect 1 rebuild --json
expect_json "$folder/out" "v.lost.some(l => l.what === '$gone') && v.restored.some(r => r.id === '$stopped' && r.state === 'gated') && v.restored.some(r => r.id === '$login')"
expect_that "the credential is in the store" bash -c "! grep -rqaF -e '$password' .handoff/handoff.db .project state"
expect 0 verify
state_is "$stopped" gated
expect_json "$folder/out" "v.handoff.gate && v.handoff.gate !== '$old_gate'"
state_is "$timed" ready
expect_json "$folder/out" 'v.handoff.deadline === "2099-01-01T00:00:00Z"'
expect 1 next --as nobody
expect 5 show "$gone"
send stop.yaml
expect_that "the id of a lost handoff was given again" [ "$id" != "$gone" ]

# A copy that changes after the rebuild is noticed as before.
copy=$(find .project -name "$stopped.yaml")
echo "# more" >>"$copy"
expect 1 verify
expect_out "difference: file $copy"
rm -r .handoff/handoff.db*
expect 10 list
expect_err "the store is lost"
expect 1 rebuild
expect_out "restored $stopped"
expect_not_out "old database kept"

# A folder that may not be written to: said so, and nothing has changed.
if mkdir .handoff/handoff.db.rebuild && : >.handoff/handoff.db.rebuild/mine; then
  expect 0 list
  cp "$folder/out" "$folder/before"
  expect 0 rebuild
  expect_that "a stranger's file is gone" [ -e .handoff/handoff.db.rebuild/mine ]
fi

# ---- What was handed over in linked worktrees has its files there.
if has git "linked worktrees"; then
  mkdir ../trees && cd ../trees && git init -q . && mkdir docs && echo spec >docs/spec.md && git add . &&
    git -c user.name=a -c user.email=a@b.c commit -qm first && git worktree add -q ../linked || exit
  package a.yaml lead coder
  send a.yaml
  cd ../linked || exit
  claim --as coder
  expect 0 ack "$id" --task "As asked" --token "$token"
  expect 0 'done' "$id" --token "$token"
  ended=$id
  package b.yaml coder lead
  send b.yaml
  rm ../trees/.handoff/handoff.db*
  expect 1 rebuild --json
  expect_json "$folder/out" "v.restored.some(r => r.id === '$ended' && r.state === 'done') && v.restored.some(r => r.id === '$id' && r.state === 'ready') && v.lost.length === 1"
  expect 0 verify
  cd ../trees || exit
  expect 0 list --state 'done'
  expect_out "$ended"
fi

# ---- Many files: the work grows with their number, not with its square. CPU time, so that a busy machine is no failure.
mkdir ../many && cd ../many && mkdir docs && echo spec >docs/spec.md || exit
send - <../second/stop.yaml
copy=$(find .project -name "$id.yaml")
TIMEFORMAT=%U
# work FROM TO: adds copies with these numbers, rebuilds, and tells the hundredths of a second it took.
work()
{
  for ((i = $1; i < $2; i++)); do sed "1s/$id/X-$i/" "$copy" >"${copy%/*}/X-$i.yaml"; done
  local seconds
  rm .handoff/handoff.db*
  seconds=$({ time "$handoff" rebuild >"$folder/out" 2>"$folder/err"; } 2>&1)
  echo "${seconds/./}"
}
few=$((10#$(work 0 250))) many=$((10#$(work 250 1500)))
expect_that "$few for 250 files, $many for 1500" [ "$many" -le $((few * 20)) ]
expect 0 verify
finish
