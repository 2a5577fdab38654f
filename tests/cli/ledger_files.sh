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
    reject) expect 0 reject "$id" --token "$token" --why "The specification is for another product" ;;
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

finish
