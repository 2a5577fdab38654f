#!/bin/bash
# A full disk and a folder that may not be written: a clear error, the old state or the new one, and all is well again
# once there is room.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

# ids: what the ledger holds, one id and state a line.
ids() { "$handoff" list --limit 10000 | awk '{ print $1, $2 }' | sort; }

# one_of VALUE CHOICE...: the value is among them.
one_of()
{
  local value=$1
  shift
  [[ " $* " == *" $value "* ]]
}

# ---- A full disk
full=$folder/full
mkdir "$full"
if mount -t tmpfs -o size=1200k tmpfs "$full" 2>/dev/null; then
  trap 'cd /; umount "$full"; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
  cd "$full" || exit
  mkdir .handoff docs
  echo spec >docs/spec.md
  package "$folder/a.yaml" lead coder
  answered=0
  for ((i = 0; i < 400; i++)); do
    sed "s/^  context:/  x_part: $i\n&/" "$folder/a.yaml" >"$folder/b.yaml"
    run send - <"$folder/b.yaml"
    [ "$status" = 0 ] || break
    answered=$((answered + 1))
    grep -v '^#' "$folder/out" >>"$folder/answered"
  done
  echo "full after $answered sends: $(tail -1 "$folder/err")"
  expect_that "the disk did not become full" [ "$status" != 0 ]
  expect_that "exit status $status is none of a file or store" one_of "$status" 9 10
  expect_that "it does not say why" grep -qiE 'full|space' "$folder/err"
  ids >"$folder/before"
  expect_that "an answered send is not there" [ "$(wc -l <"$folder/before")" -ge "$answered" ]
  while read -r id; do grep -q "^$id " "$folder/before" || echo "missing $id"; done <"$folder/answered" >"$folder/missing"
  expect_that "an answered send is not there: $(head -1 "$folder/missing")" [ ! -s "$folder/missing" ]
  for command in "next --as coder" "archive --completed" "backup copy.db" "send $folder/a.yaml"; do
    read -ra words <<<"$command"
    run "${words[@]}"
    expect_that "exit status $status" one_of "$status" 0 9 10
    [ "$status" = 0 ] || expect_that "it says nothing" [ -s "$folder/err" ]
    ids | cut -d' ' -f1 >"$folder/now"
    while read -r id _; do grep -qx "$id" "$folder/now" || echo "$id"; done <"$folder/before" >"$folder/missing"
    expect_that "it lost something" [ ! -s "$folder/missing" ]
  done
  mount -o remount,size=20m "$full"
  run next --as nobody
  expect 0 send - <"$folder/a.yaml"
  expect 0 verify
  cd "$folder/project" || exit
  umount "$full"
  trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
else
  skip "a full disk" "a file system in memory cannot be mounted here"
fi

# ---- A limit on the size of files (ulimit -f) is an error too, and no signal's death
mkdir "$folder/small" && cd "$folder/small" || exit
mkdir .handoff docs
echo spec >docs/spec.md
package a.yaml lead coder
send a.yaml
ids >"$folder/before"
sed 's/^  context:/  x_part: 2\n&/' a.yaml >b.yaml
for size in 0 1 4 16 64; do
  last="send b.yaml (at most $size KiB per file)"
  (ulimit -c 0 -f $size && exec "$handoff" send b.yaml --key "$size") 2>&1 >/dev/null | cat >"$folder/err"
  status=${PIPESTATUS[0]}
  expect_that "exit status $status" one_of "$status" 0 9 10
  ids >"$folder/now"
  if [ "$status" = 0 ]; then
    expect_that "it was not recorded" [ "$(wc -l <"$folder/now")" = $(($(wc -l <"$folder/before") + 1)) ]
    cp "$folder/now" "$folder/before"
  else
    expect_that "it says nothing" [ -s "$folder/err" ]
    expect_that "something of it is there" cmp -s "$folder/before" "$folder/now"
  fi
  expect 0 verify
done
last="new (no file may grow)"
rm -r state
(ulimit -c 0 -f 0 && exec "$handoff" new state) 2>&1 | cat >"$folder/err"
status=${PIPESTATUS[0]}
expect_that "exit status $status" one_of "$status" 9 10
expect_that "it says nothing" [ -s "$folder/err" ]
expect_that "something is half-written" [ -z "$(find . -name .handoff -prune -o -newer b.yaml -type f -print)" ]
cd "$folder/project" || exit

# ---- A folder that may not be written
package a.yaml lead coder
send a.yaml
first=$id
# A second project, which a killed sender left with a file to write, and a third with a copy that was tampered with.
for name in killed tampered; do cp -r "$PWD" "$folder/$name"; done
(cd "$folder/killed" && HANDOFF_KILL_AT=committed "$handoff" send - --again <a.yaml; true) >/dev/null 2>&1
(cd "$folder/tampered" && "$handoff" send - --again <a.yaml >/dev/null && find .project -name '*.yaml' -exec sed -i '$s/$/!/' {} +)
mv "$folder/killed" "$folder/tampered" .
ids >"$folder/before"
read_only=0
if [ "$(id -u)" != 0 ]; then
  chmod -R a-w .
  read_only=1
elif mount --bind "$PWD" "$PWD" 2>/dev/null && mount -o remount,ro,bind "$PWD" 2>/dev/null; then
  trap 'cd /; umount "$folder/project"; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
  cd "$PWD" || exit
  read_only=2
fi
if [ "$read_only" != 0 ]; then
  for command in "send a.yaml" "next --as coder" "archive --completed" "renew $first --token 0123456789abcdef0123456789abcdef" "supersede $first --by $first"; do
    read -ra words <<<"$command"
    run "${words[@]}"
    expect_that "exit status $status" one_of "$status" 9 10
    expect_that "it does not say why" grep -qiE 'read-only|readonly|permission' "$folder/err"
  done
  expect 0 list
  expect_out "$first"
  expect 0 show "$first"
  expect 0 log "$first"
  expect 0 search specification
  expect_out "$first"
  expect 0 status
  expect 0 gate list
  expect 0 verify
  expect_out "no differences"
  expect 1 --root tampered verify
  expect_out "has changed since it was recorded"
  expect 0 --root killed list
  expect 0 --root killed verify
  [ -s killed/.handoff/handoff.db-wal ] && expect_out "is recorded but not written yet; run: handoff repair"
  ids >"$folder/now"
  expect_that "the state changed" cmp -s "$folder/before" "$folder/now"
  if [ "$read_only" = 1 ]; then chmod -R u+w .; else cd / && umount "$folder/project" && cd "$folder/project" || exit; fi
  trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
  expect 0 next --as coder
  expect 0 verify
  expect 0 --root killed verify
  expect_not_out "drift"
else
  skip "a folder that may not be written" "root may write everywhere, and cannot mount here"
fi
finish
