#!/bin/bash
# Where a file of the program is expected, there is a pipe, a device, a folder, a socket, a file with a second name, or one
# of another user: it is refused at once, and nothing is written to it.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"

names='handoff.db handoff.db-wal handoff.db-shm handoff.db-sync handoff.lock state.lock seal hook.log config.yaml .gitignore context/settings.cache context/s1.scan.json context/s1.lease context'
needs python3
# put KIND PATH
put()
{
  rm -rf "$2"
  case $1 in
    pipe) mkfifo "$2" ;;
    device) mknod "$2" c 1 7 2>/dev/null ;; # /dev/full: who writes to it fails
    folder) mkdir "$2" && echo "secret of the user" >"$2/inside" ;;
    socket) python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$2" ;;
  esac
}
for kind in pipe device folder socket; do
  for name in $names; do
    fresh
    mkdir -p .handoff/context
    if ! put $kind ".handoff/$name"; then
      skip "$kind" "one cannot be made here" || break
    fi
    for command in init "send one.yaml" "next --as reviewer"; do
      # shellcheck disable=SC2086
      within 8 $command
    done
    start_session
    expect_that "$kind $name was replaced or emptied" [ $kind != folder -o "$name" = context -o -s ".handoff/$name/inside" ]
  done
done

# A file that is also the user's (a hard link): nothing is put into it.
for name in handoff.lock state.lock hook.log context/s1.lease context/s1.claim.json; do
  fresh
  mkdir -p .handoff/context
  ln "$victim/letter.txt" ".handoff/$name"
  for command in "send one.yaml" "next --as reviewer"; do
    # shellcheck disable=SC2086
    within 20 $command
  done
  start_session
  printf 'not an event' >"$folder/event"
  timeout 20 "$handoff" hook claude <"$folder/event" >/dev/null 2>&1
  rm -f ".handoff/$name"
  untouched "a hard link $name"
done
fresh
ln "$victim/letter.txt" .handoff/handoff.lock
expect 10 send one.yaml
expect_err "second name"
fill_victim
fresh
mkfifo .handoff/handoff.db
expect 10 list
expect_err "neither a file nor a folder"

# The same in the place of what a ledger has beside it, and a file in the archive that is longer than any disk.
for name in handoff.db-sync handoff.lock state.lock; do
  fresh
  expect 0 send one.yaml
  rm -f ".handoff/$name"
  mkdir ".handoff/$name"
  for command in list "send one.yaml --again" repair verify; do
    # shellcheck disable=SC2086
    within 5 $command
  done
done
fresh
expect 0 send --to rev --as bob "Rewrite the parser so that 5 tests pass"
truncate -s 4T .project/07-audit/sessions/*/handoffs/*.yaml
within 5 verify
expect_out "has changed since it was recorded"
within 5 status
within 5 rebuild

# Why a file is lost is said in words: nothing of the program's memory.
for content in 'a: [' '\xff\xfe'; do
  fresh
  mkdir -p .project/07-audit/sessions/s1/handoffs
  # shellcheck disable=SC2059
  printf "$content" >.project/07-audit/sessions/s1/handoffs/HO-2026-001.yaml
  run rebuild --json
  expect_that "the reason is not a sentence: $(cat "$folder/out")" grep -qP '"message":"[ -~…]{8,}"' "$folder/out"
done
finish
