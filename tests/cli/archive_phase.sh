#!/bin/bash
# archive: the files of a finished phase go to handoffs/archive/, everything that names them follows, and a kill between
# any two steps loses nothing.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
unset HANDOFF_META HANDOFF_AGENT HANDOFF_SESSION HANDOFF_TASK HANDOFF_PHASE
git init -q -b main . 2>/dev/null
task=specs/5_fast_start
meta=$task/.return-meta.json
seq 1 100 >x.txt
files() { find "$1" -maxdepth 1 -name 'phase-1-handoff-*.md' 2>/dev/null | sed 's|.*/||' | sort; }

# Phase 1 has two handoffs, one of them with a details file, and phase 2 refers to one of them.
expect 0 progress start --task 5 --phase 1 --slug fast_start --objective Measure --objective Halve
expect 0 pass --task 5 --phase 1 --next 'Run the bench in x.txt' --file x.txt --location 'Line 3' --decision 'Cold starts: users see those'
expect 0 progress "done" 1 --task 5 --phase 1
expect 0 pass --task 5 --phase 1 --next 'Halve the loop in x.txt' --file x.txt --location 'Line 9' --goal "$(seq 1 60)"
expect 0 archive --completed
expect_that "a phase that is not finished was moved" [ ! -e $task/handoffs/archive ]
expect 0 progress "done" 2 --task 5 --phase 1
expect 0 finish --task 5 --phase 1
first=$(files $task/handoffs | head -1)
newest=$(files $task/handoffs | grep -v details | tail -1)
expect 0 progress start --task 5 --phase 2 --objective Polish
expect 0 pass --task 5 --phase 2 --from - <<J
{"immediate_next_action": "Polish x.txt", "current_state": {"file": "x.txt", "location": "Line 1"},
 "references": [{"kind": "Bench", "path": "$task/handoffs/$newest"}]}
J
phase2=$(find $task/handoffs -name 'phase-2-handoff-*Z.md')
expect_that "there are not three files to move" [ "$(files $task/handoffs | wc -l)" = 3 ]
files $task/handoffs >names
(cd $task/handoffs && sha256sum phase-1-*.md) >sums
cp -r . "$folder/before"

expect 0 archive --completed --json
expect_json "$folder/out" "v.moved.length === 3 && v.moved.every((m) => m.path === m.from.replace('handoffs/', 'handoffs/archive/'))"
expect_that "not all files were moved" cmp -s names <(files $task/handoffs/archive)
expect_that "a file stayed" [ -z "$(files $task/handoffs)" ]
expect_that "a file changed on its way" eval '(cd $task/handoffs/archive && sha256sum -c --quiet ../../../../sums)'
expect_that "a phase that is not finished was moved" [ -e "$phase2" ]
# Metadata, progress, state file and ledger name the new paths, and no other.
for file in $task/.return-meta*.json $task/progress/*.json state/current.json; do
  expect_that "$file names an old path" [ -z "$(grep -E 'handoffs/phase-1-handoff' "$file")" ]
done
expect_that "the progress file names no handoff" grep -q "handoffs/archive/$newest" $task/progress/phase-1-progress.json
expect_that "the state file does not name $first" grep -q "handoffs/archive/$first" state/current.json
expect 0 list --task 5 --phase 1 --json
expect_json "$folder/out" "v.handoffs.length === 2 && v.handoffs.every((h) => h.path.startsWith('$task/handoffs/archive/'))"
expect 0 log --json
expect_json "$folder/out" "v.events.filter((e) => e.event === 'moved').length === 3"
expect 0 verify --json
expect_json "$folder/out" 'v.differences.length === 0 && v.drift.length === 0'
expect 0 check specs
# The old path, as a later handoff has it, still leads there.
expect 0 show "$task/handoffs/$newest"
expect_out 'Halve the loop'
expect 0 show HO-2026-001
expect 0 prompt successor --task 5 --phase 2
expect_out "$task/handoffs/archive/$newest"
expect 0 prompt successor --task 5 --phase 1
expect_out 'Phase 1 of task 5 is finished'
expect 0 prompt successor "$task/handoffs/$newest"
expect_out 'Phase 1 of task 5 is finished'
expect 0 archive --completed
expect_err 'nothing to archive'
# A lost copy is written again as it was.
rm .project/07-audit/sessions/*/handoffs/HO-2026-001.yaml
expect 0 repair
expect 0 verify
# A phase that is taken up again inherits what its handoffs said.
expect 0 progress reopen 2 --task 5 --phase 1 --note 'It is slow again'
expect 0 pass --task 5 --phase 1 --next 'Halve the other loop' --file x.txt --location 'Line 20'
expect_that "a decision is lost" grep -q 'Cold starts: users see those' "$(find $task/handoffs -maxdepth 1 -name 'phase-1-handoff-*Z.md')"
expect 0 archive --completed
expect_that "an open phase was moved" [ "$(files $task/handoffs | grep -vc details)" = 1 ]

# Somebody else's file in the way stays, and so does the handoff.
rm -rf "$folder/blocked" && cp -r "$folder/before" "$folder/blocked" && cd "$folder/blocked" || exit
mkdir -p $task/handoffs/archive
echo mine >"$task/handoffs/archive/$newest"
expect 6 archive --completed
expect_err 'already exists with different content'
expect_that "a file is lost" [ "$(cat "$task/handoffs/archive/$newest")" = mine ]
expect_that "a handoff is lost" cmp -s names <(files $task/handoffs)
rm "$task/handoffs/archive/$newest"
expect 0 archive --completed
expect 0 verify

# Killed at any step: each file is in one of both places, and the next archive finishes.
cd "$folder" || exit
shim=$(dirname "$handoff")/tests/libfail_io.so
stride=${ARCHIVE_FAULTS:-13}
kill_at()
{
  rm -rf killed && cp -r before killed && cd killed || exit
  ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$shim FAIL_IO_AT=$1 FAIL_IO_HOW=$2 FAIL_IO_COUNT=$folder/count \
    "$handoff" archive --completed >/dev/null 2>&1
  last="archive --completed, killed $2 call $1"
}
whole()
{
  local name sum place
  while read -r sum name; do
    for place in $task/handoffs/archive $task/handoffs; do
      [ "$(sha256sum 2>/dev/null <"$place/$name" | cut -d' ' -f1)" != "$sum" ] || continue 2
    done
    return 1
  done <sums
}
if [ -e "$shim" ]; then
  kill_at 0 before
  calls=$(tail -1 "$folder/count")
  for ((at = 1; at <= calls; at += stride)); do
    for how in before after; do
      cd "$folder" && kill_at $at $how 2>/dev/null
      expect_that "a handoff is lost" whole
      expect 0 archive --completed
      expect_that "not all files were moved" cmp -s names <(files $task/handoffs/archive)
      expect_that "a file stayed" [ -z "$(files $task/handoffs)" ]
      expect_that "the metadata name an old path" [ -z "$(grep 'handoffs/phase-1-handoff' $meta)" ]
      expect 0 verify
    done
  done
  echo "$calls calls, every ${stride}th tried"
else
  skip "killed at any step" "the library that makes calls fail is not built"
fi
finish
