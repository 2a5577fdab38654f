#!/bin/bash
# Files follow the store and hold nothing up: a worktree that was removed, an archive that cannot be written, a file that
# somebody changed, a copy of the store.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs git

# ---- Work that came from a worktree goes on when that is gone.
mkdir "$folder/main" && cd "$folder/main" || exit
git init -q . && mkdir docs && echo spec >docs/spec.md && git add . &&
  git -c user.name=a -c user.email=a@b.c commit -qm first
for what in 'done' reject archive deadline supersede; do
  git worktree add -q "$folder/tree" -b "$what" && cd "$folder/tree" || exit
  package work.yaml lead "$what"
  if [ "$what" = deadline ]; then
    gate_document work.yaml lead "$(date -u -d '+2 seconds' +%Y-%m-%dT%H:%M:%SZ)"
    send work.yaml
  else
    send work.yaml
    claim --as "$what"
    expect 0 ack "$id" --task "As asked" --token "$token"
    [ "$what" != archive ] || expect 0 'done' "$id" --token "$token"
  fi
  cd "$folder/main" && git worktree remove --force "$folder/tree" || exit
  case $what in
    'done') expect 0 'done' "$id" --token "$token" ;;
    reject) expect 0 reject "$id" --token "$token" --note "The specification is for another product" ;;
    archive) expect 0 archive "$id" ;;
    deadline)
      sleep 2.2
      expect 1 next --as nobody
      expect 0 show "$id"
      ;;
    supersede)
      first=$id
      package again.yaml lead "$what"
      send again.yaml --again
      expect 0 supersede "$first" --by "$id"
      id=$first
      ;;
  esac
  expect_that "$what: the archive has no copy" [ -n "$(find .project -name "$id.yaml")" ]
  package after.yaml lead "after-$what"
  send after.yaml
  expect 0 next --as "after-$what"
done
expect 0 verify
expect_that "the git folder was written to" [ -z "$(find .git -newer "$folder/main/docs/spec.md" -name '*.yaml')" ]

# ---- An archive that cannot be written holds nothing up, is said, and is made good by the next command.
mkdir "$folder/wall" && cd "$folder/wall" && mkdir docs && echo spec >docs/spec.md || exit
package work.yaml lead coder
send work.yaml
claim --as coder
expect 0 ack "$id" --task "As asked" --token "$token"
echo "a file in the way" >.project
expect 0 'done' "$id" --token "$token"
expect_err "recorded, but a file could not be written yet"
expect 0 status
expect_err "$id.yaml: could not be written: "
expect 0 verify
rm .project
package more.yaml lead coder "" "Another piece of work, with 3 epics and 12 stories that are written down"
send more.yaml
expect_that "the copy is not written by the next command" [ -n "$(find .project -name "$id.yaml" -o -name HO-2026-001.yaml)" ]
expect 0 status
expect_no_err

# ---- A handoff whose file cannot be written: pass says so, other tasks go on, and the next pass of the phase inherits it.
mkdir "$folder/passing" && cd "$folder/passing" || exit
for task in 7 9; do expect 0 progress start --task $task --slug "part$task" --phase 1 --objective One --objective Two; done
touch specs/7_part7/handoffs
expect 0 pass --task 7 --phase 1 --next 'Profile the parser' --decision 'Keep the cache: it is fast' --as w
id=$(cat "$folder/out")
expect_out HO-
expect_err "recorded, but a file could not be written yet: specs/7_part7/handoffs/phase-1-handoff-"
expect_err "could not be written yet; whoever continues reads it with: handoff show $id"
expect_err "return 'partial' with this id now"
expect 0 show "$id"
expect_out "Profile the parser"
expect_that "the metadata does not tell the way" grep -q "handoff show $id" specs/7_part7/.return-meta.json
expect_that "the metadata says that it was written" bash -c '! grep -q "was written" specs/7_part7/.return-meta.json'
expect 0 progress 'done' 1 --task 9 --phase 1
expect 0 pass --task 9 --phase 1 --next 'Profile the reader' --as w2
expect_out specs/9_part9/handoffs/
expect 0 progress 'done' 2 --task 9 --phase 1
expect 0 finish --task 9 --phase 1 --as w2
expect 0 progress 'done' 1 --task 7 --phase 1
expect 0 pass --task 7 --phase 1 --next 'Measure again' --as w --json
expect_json "$folder/out" 'v.id && !v.path && v.handoff_count === 2 && v.notes.some((n) => n.includes("recorded, but a file could not be written yet"))'
expect 0 show "$(field id)"
expect_out "Keep the cache"
expect 1 repair
rm specs/7_part7/handoffs
expect 0 repair
expect_that "they are not both written" [ "$(find specs/7_part7/handoffs -type f | wc -l)" = 2 ]
# Also of several in one second, each has its own file.
expect 0 progress start --task 12 --slug quick --phase 1 --objective One
touch specs/12_quick/handoffs
sleep "0.$(printf '%09d' $((1000000000 - 10#$(date +%N))) | cut -c1-3)"
for n in 1 2 3 4; do expect 0 pass --task 12 --phase 1 --next "Write part $n of src/quick.c" --context "Fact $n" --as w; done
rm specs/12_quick/handoffs
expect 0 repair
expect_that "not each has a file: $(ls specs/12_quick/handoffs)" [ "$(find specs/12_quick/handoffs -type f -name '*Z.md' | wc -l)" = 4 ]
for n in 1 2 3 4; do
  expect_that "part $n is in no file" [ "$(sed -n '/^## Immediate/,/^## Current/p' specs/12_quick/handoffs/*Z.md | grep -c "Write part $n of")" = 1 ]
done

# ---- A pass in a worktree that was killed, and the worktree removed: the others go on, and repair gives its files up.
git init -q . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm first
for gone in removed deleted; do
  git worktree add -q "$folder/tree" -b "$gone" && cd "$folder/tree" || exit
  expect 0 progress 'done' 1 --task 7 --phase 1
  expect 0 progress tried 'A smaller cache' --why "It was $gone" --task 7 --phase 1
  HANDOFF_KILL_AT=durable run pass --task 7 --phase 1 --next "Profile the parser once more, $gone" --as w --used 90
  expect_that "it was not killed" [ "$status" = 137 ]
  cd "$folder/passing" || exit
  if [ $gone = removed ]; then git worktree remove --force "$folder/tree"; else rm -r "$folder/tree"; fi
  id=$("$handoff" list --limit 1 2>/dev/null | cut -d' ' -f1)
  expect 0 progress tried "Work in a tree" --why "It was $gone" --task 9 --phase 1
  expect 0 progress note "The tree was $gone" --task 7 --phase 1
  expect 0 status
  expect_err "is in no worktree of this project"
  if [ $gone = deleted ]; then
    expect 1 repair
    expect_out "if its worktree is gone for good, run: git worktree prune"
    git worktree prune
  fi
  expect 0 repair
  expect_out "given up: $folder/tree/specs/7_part7/handoffs/phase-1-handoff-"
  expect_out "its worktree is gone; to read it, run: handoff show $id"
  expect 0 status
  expect_no_err
  expect 0 verify
done
# One that `run` has made is not begun again by files alone, since git makes none where something is; then they are written.
tree=$folder/passing/.handoff/run/R-2026-001/trees/1
git worktree add -q "$tree" -b run && cd "$tree" || exit
expect 0 progress 'done' 1 --task 7 --phase 1
expect 0 progress tried 'A larger cache' --why "It was slower" --task 7 --phase 1
HANDOFF_KILL_AT=durable run pass --task 7 --phase 1 --next "Profile the parser a last time" --as w --used 90
expect_that "it was not killed" [ "$status" = 137 ]
cd "$folder/passing" && git worktree remove --force "$tree" || exit
expect 0 list
expect 0 progress note "The tree was removed" --task 7 --phase 1
expect_that "its place was taken" [ ! -e "$tree" ]
git worktree add -q "$tree" run
expect 1 repair # the progress file is the one of the branch now: what was recorded is beside it
expect_out "phase-1-progress.json.recovered"
expect_that "it was not written" grep -rq "a last time" "$tree/specs/7_part7/handoffs"
cd "$folder/wall" || exit

# ---- A copy of the store changes nothing in the project.
claim --as coder
expect 0 ack "$id" --task "As asked" --token "$token"
HANDOFF_KILL_AT=durable run 'done' "$id" --token "$token"
expect_that "it was not killed" [ "$status" = 137 ]
expect 0 backup "$folder/copy.db"
cp .handoff/handoff.db "$folder/raw.db"
cp .handoff/handoff.db-wal "$folder/raw.db-wal"
find . -name .handoff -prune -o -type f -print0 | sort -z | xargs -0 sha256sum >"$folder/before"
for copy in copy raw; do
  run --store "$folder/$copy.db" verify
  run --store "$folder/$copy.db" list
  find . -name .handoff -prune -o -type f -print0 | sort -z | xargs -0 sha256sum >"$folder/after"
  expect_that "$copy: a file of the project was changed" cmp -s "$folder/before" "$folder/after"
done
expect 0 verify
expect_that "the store itself did not write it" [ -n "$(find .project -name "$id.yaml")" ]

# Not even if something has expired in it, or it is worked with: the files follow the project's own store.
snapshot() { find . -name .handoff -prune -o -type f -print0 | sort -z | xargs -0 sha256sum; }
package late.yaml lead late
sed -i "s/^handoff:/handoff:\n  x_deadline: \"$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)\"/" late.yaml
send late.yaml
late=$id
expect 0 backup "$folder/late.db"
events=$("$handoff" --store "$folder/late.db" log --limit 1000 | wc -l)
snapshot >"$folder/before"
for command in list log status "show $late" "gate list"; do
  # shellcheck disable=SC2086
  HANDOFF_TEST_LATER_S=7200 expect 0 --store "$folder/late.db" $command
done
expect_that "the copy was changed by being read" \
  [ "$("$handoff" --store "$folder/late.db" log --limit 1000 | wc -l)" = "$events" ]
package copied.yaml lead other
expect 0 --store "$folder/late.db" send copied.yaml
HANDOFF_TEST_LATER_S=7200 expect 0 --store "$folder/late.db" next --as other
expect 0 --store "$folder/late.db" show "$late"
expect_out expired
rm copied.yaml
snapshot >"$folder/after"
expect_that "a file of the project was changed" cmp -s "$folder/before" "$folder/after"
expect 0 --store "$folder/late.db" verify
expect_err "follow its own store"
expect 2 --store "$folder/late.db" state
expect 2 --store "$folder/late.db" repair
expect 0 --store .handoff/handoff.db state
expect 0 verify


# ---- The record of another clone, which a pull brought, has the same ids: it stays, and this one is written beside it.
export HANDOFF_SESSION=today
mkdir "$folder/theirs" && cd "$folder/theirs" && mkdir docs && echo spec >docs/spec.md || exit
package work.yaml lead coder
send work.yaml
claim --as coder
expect 0 'done' "$id" --token "$token" --note "Theirs is done"
mkdir "$folder/ours" && cd "$folder/ours" && mkdir docs && echo spec >docs/spec.md || exit
package work.yaml lead reviewer
send work.yaml
claim --as reviewer
cp -r "$folder/theirs/.project" .
expect 0 'done' "$id" --token "$token" --note "Ours is done"
expect_that "their copy was replaced" diff -r "$folder/theirs/.project/07-audit/sessions/$HANDOFF_SESSION" ".project/07-audit/sessions/$HANDOFF_SESSION"
expect_that "our copy is missing" grep -q 'Ours is done' ".project/07-audit/sessions/$HANDOFF_SESSION-2/handoffs/$id.yaml"
expect 0 archive "$id"
expect_out "$HANDOFF_SESSION-2/handoffs/$id.yaml"
expect 0 verify
rm -r .project
expect 0 repair
expect_that "our copy was not written again" [ -e ".project/07-audit/sessions/$HANDOFF_SESSION-2/handoffs/$id.yaml" ]
finish
