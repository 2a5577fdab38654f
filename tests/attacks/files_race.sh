#!/bin/bash
# While commands run, their folders are swapped for links to the user's, again and again: what is done is done in the
# project's folder or not at all.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
needs python3

# swap PATH: exchanges the folder and a link to the victim until it is ended.
swap()
{
  ln -sfn "$victim/sub" "$1.link"
  exec python3 - "$1" <<'END'
import ctypes, os, sys, time
libc, path = ctypes.CDLL(None, use_errno=True), sys.argv[1].encode()
while True:
    libc.renameat2(-100, path, -100, path + b".link", 2)
    time.sleep(0.0002)
END
}
fresh
expect 0 init
expect 0 send one.yaml
expect 0 progress start --task 7 --slug relay --phase 2 --objective Measure
start_session
for path in .handoff/context .handoff specs/7_relay/progress specs/7_relay specs state .project; do
  [ -e "$path" ] || continue
  swap "$path" &
  swapper=$!
  for i in $(seq 12); do
    case $path in
      .handoff/context) start_session "s$i" ;;
      .handoff | state | .project) timeout 20 "$handoff" send one.yaml --to "agent$i" >/dev/null 2>&1
        timeout 20 "$handoff" next --as reviewer >/dev/null 2>&1 ;;
      *) timeout 20 "$handoff" progress note --task 7 --phase 2 "note $i" >/dev/null 2>&1 ;;
    esac
  done
  kill "$swapper"
  wait "$swapper" 2>/dev/null
  [ ! -L "$path" ] || { rm "$path" && mv "$path.link" "$path"; }
  rm -f "$path.link"
  last="with $path swapped"
  untouched "$path was swapped"
done
expect 0 list
expect 0 verify
finish
