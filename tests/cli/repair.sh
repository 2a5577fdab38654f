#!/bin/bash
# repair writes again what is merely missing, says what it could not write, and changes nothing that differs.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

# ended [SUMMARY]: a handoff that has ended; sets $id and $copy.
ended()
{
  package work.yaml lead coder '' "${1:-}"
  send work.yaml
  claim --as coder
  expect 0 ack "$id" --task "As asked" --token "$token"
  expect 0 'done' "$id" --token "$token"
  copy=$(find .project -name "$id.yaml")
}

# ---- Files that are gone.
ended
first=$copy
ended "A second piece of work, with 3 epics and 12 user stories that are written down"
expect 0 archive --completed
find .project .handoff/seal -type f | sort | xargs sha256sum >"$folder/before"
expect 0 repair
expect_out_is "no file is missing"
rm -r .project .handoff/seal state
expect 1 verify
expect_out "the archive of $id is gone; run: handoff repair"
expect_out 'the file `seal` is missing; run: handoff repair'
expect 0 repair
expect_out "written: $first"
expect_out "written: $copy"
expect_out "written: .handoff/seal"
expect_out "written: state/current.json"
expect_that "a file is not as it was" sha256sum --quiet -c "$folder/before"
expect 0 verify
expect 0 repair --json
expect_that "it says that something is left" [ "$(field ok)" = true ]

echo nonsense >.handoff/seal
expect 1 verify
expect_out 'the file `seal` cannot be read; move it away, then run: handoff repair'
expect 0 repair
expect_that "a file that is there was overwritten" [ "$(cat .handoff/seal)" = nonsense ]
rm .handoff/seal
expect 0 repair

# ---- A state file that cannot be written is said where one looks, until it can be.
rm -r state && echo mine >state
package other.yaml lead coder '' "A third piece of work, with 2 epics and 5 user stories that are written down"
send other.yaml
trouble="state/current.json: could not be written: its folder is a file; move that away, then run: handoff repair"
expect 0 status
expect_err "$trouble"
expect 0 verify
expect_out "not written: file $trouble"
expect 0 verify --quick
expect_out "not written: file $trouble"
"$handoff" doctor >"$folder/doctor"
expect_that "doctor does not say it" grep -q "^warning files *$trouble" "$folder/doctor"
expect 1 repair
rm state
expect 0 repair
expect_out "written: state/current.json"
expect 0 verify
expect_not_out "not written"
expect 0 status
expect_no_err

# ---- One that is there and does not have the newest is written as well, and its lock is named if that is in the way.
cp state/current.json "$folder/state" && echo nonsense >state/current.json
package fourth.yaml lead coder '' "A fourth piece of work, with 4 epics and 6 user stories that are written down"
send fourth.yaml
expect 1 repair
expect_out "not written: state/current.json: it is not JSON"
cp "$folder/state" state/current.json
expect 0 repair
expect_out "written: state/current.json"
expect_that "the newest handoff is not in it" grep -q "$id" state/current.json
rm .handoff/state.lock && mkdir .handoff/state.lock
package fifth.yaml lead coder '' "A fifth piece of work, with 7 epics and 8 user stories that are written down"
send fifth.yaml
for command in verify status doctor; do
  run "$command"
  cat "$folder/err" >>"$folder/out"
  expect_out "state/current.json: could not be written: .handoff/state.lock cannot be opened: "
done
expect 1 repair
rmdir .handoff/state.lock
expect 0 repair
expect_out "written: state/current.json"
expect_that "the newest handoff is not in it" grep -q "$id" state/current.json
expect 0 repair
expect_out_is "no file is missing"

# ---- What differs stays as it is, and what the store does not have any more is not made up.
echo "# changed" >>"$first"
sha256sum "$first" >"$folder/before"
expect 0 repair
expect_that "a changed copy was overwritten" sha256sum --quiet -c "$folder/before"
expect 1 verify
expect_out "has changed since it was recorded"
expect 1 verify --quick
expect_out "has changed since it was recorded"
rm "$first"
expect 0 repair
expect 0 verify --quick
expect_that "its result has no signatures to show" [ "$(grep -c tamper-evident "$folder/out")" = 0 ]
if has sqlite3 'a record that was changed'; then
  rm "$copy"
  sqlite3 .handoff/handoff.db "UPDATE files SET digest = replace(digest, 'a', 'b') WHERE path = '$copy'"
  expect 1 repair
  expect_out "not written: $copy: the copy in the archive is gone, and what the store has would not make the same one"
  expect_that "a copy that differs from the record was written" [ ! -e "$copy" ]
fi

# ---- The copy of what is still open says what was sent, whoever holds it by now and whatever was asked about it.
mkdir "$folder/open" && cd "$folder/open" && mkdir docs && echo spec >docs/spec.md || exit
for receiver in waits holds works asks one/2; do
  package work.yaml lead "$receiver"
  expect 0 send - <work.yaml
done
claim --as one/2
claim --as holds --lease 7200
claim --as works
expect 0 ack "$id" --task "As asked" --question "Which login?" --token "$token"
claim --as asks
expect 0 ack "$id" --blocker "No database here" --token "$token"
find .project -type f | sort | xargs sha256sum >"$folder/before"
expect_that "not every handoff has a copy" [ "$(wc -l <"$folder/before")" = 5 ]
rm -r .project
expect 0 repair
expect_that "a copy is not as it was" sha256sum --quiet -c "$folder/before"
expect 0 verify

# ---- What somebody else is just about to write is not in trouble.
sends() { for _ in {1..12}; do "$handoff" send - --again <work.yaml; done; }
sends >"$folder/sent" &
sends >"$folder/also" &
while [ "$(jobs -rp | wc -l)" != 0 ]; do
  expect 0 repair
done
wait

# ---- What cannot be written is named with its reason, and written as soon as it can be.
mkdir "$folder/wall" && cd "$folder/wall" && mkdir docs && echo spec >docs/spec.md || exit
echo "a file in the way" >.project
package work.yaml lead coder
send work.yaml
claim --as coder
expect 0 ack "$id" --task "As asked" --token "$token"
expect 0 'done' "$id" --token "$token"
for command in status verify doctor; do
  run "$command"
  cat "$folder/err" >>"$folder/out"
  expect_out "$id.yaml: could not be written: "
  expect_out "run: handoff repair"
done
expect 1 repair
expect_out "not written: .project/"
rm .project
expect 0 repair
expect_out "written: .project/"
expect 0 status
expect_no_err
run doctor
expect_out "everything that was recorded is written"

# ---- An archive that was out of reach has the earlier copy when it is there again: nobody has changed that.
package away.yaml lead coder
expect 0 send - <away.yaml
claim --as coder
mv .project "$folder/away" && echo "a file in the way" >.project
expect 0 ack "$id" --task "As asked" --token "$token"
expect 0 'done' "$id" --token "$token"
rm .project && mv "$folder/away" .project
expect 0 repair
expect_out "$id.yaml"
expect_that "the copy is not the newer one" grep -q '^# handoff history' "$(find .project -name "$id.yaml")"
expect 0 verify
expect_no_err

# ---- A file that somebody changed keeps its content; what was to be written is beside it, until somebody takes it away.
copy=$(find .project -name "$id.yaml")
HANDOFF_KILL_AT=durable run archive "$id"
if [ "$status" = 137 ]; then
  echo "# somebody's note" >>"$copy"
  expect 1 repair
  expect_out "not written: $copy: was changed by someone else; what was to be written is in $id.yaml.recovered"
  expect 0 status
  expect_err "$copy: was changed by someone else"
  mv "$copy.recovered" "$copy"
  expect 0 repair
  expect 0 verify
else
  echo "skipped: a changed file: this build cannot be killed at a step"
fi
# ---- Another process writes files just then, for longer than one waits: it is tried once more; else it is said why.
if has python3; then
  keep_files()
  {
    python3 -c 'import fcntl, os, sys, time
fd = os.open(".handoff/handoff.lock", os.O_RDWR)
fcntl.lockf(fd, fcntl.LOCK_EX, 1, 4)
open(sys.argv[2], "w").write("held")
time.sleep(float(sys.argv[1]))' "$1" "$folder/held" &
    for _ in $(seq 100); do [ -s "$folder/held" ] || sleep 0.05; done
  }
  for seconds in 7 120; do
    rm -f "$folder/held"
    HANDOFF_KILL_AT=durable run send --to coder --as lead "Something that takes $seconds seconds longer"
    [ "$status" = 137 ] || { echo "skipped: beside others: this build cannot be killed at a step" && break; }
    keep_files "$seconds"
    run repair
    if [ "$seconds" = 7 ]; then
      expect_that "exit status $status" [ "$status" = 0 ]
      expect_out "written: .project"
    else
      expect_that "exit status $status" [ "$status" = 1 ]
      expect_out "not written yet, since another process is writing files"
    fi
    kill %% 2>/dev/null
    wait
  done
  expect 0 repair
  expect 0 verify

  # A rebuild that cannot wait for it leaves the files to the new store.
  rm -f "$folder/held"
  HANDOFF_KILL_AT=durable run send --to coder --as lead "Something that a rebuild finds in 2 places"
  if [ "$status" = 137 ]; then
    keep_files 120
    expect 0 rebuild
    { kill %% && wait; } 2>/dev/null
    expect 0 status
    expect 0 verify
    expect_not_out "not written"
  fi
fi
finish
