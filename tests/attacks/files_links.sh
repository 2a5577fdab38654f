#!/bin/bash
# A clone brings symbolic links where the program has its files, and where it writes in the project. What they lead to is
# neither read nor changed nor removed.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"

# The folder of sessions is the user's: nothing is swept there, and nothing is put there.
fresh
ln -s "$victim" .handoff/context
start_session
untouched "a linked folder of sessions"
for event in UserPromptSubmit PreToolUse PostToolUse PreCompact Stop SessionEnd; do start_session s1 $event; done
untouched "events with a linked folder of sessions"
printf '{"session_id":"s1","context_window":{"context_window_size":200000,"used_percentage":10}}' >"$folder/status"
run statusline <"$folder/status"
untouched "a status line"

# A sweep only removes what the program named and wrote. (Before, the name's end was enough.)
fresh
run statusline <"$folder/status"
expect_that "there is no file of a session" [ -s .handoff/context/s1.json ]
cd .handoff/context || exit
cp s1.json s2.json && cp s1.json s2.json.Ab12Cd && : >s2.lease && : >s2.scan.json.Ab12Cd && rm s1.json
kept=(mine.json s9.scan.json s9.trace.json s9.lease s9.json.Ab12Cd session-0000000000000000.json notes.txt thesis.md .keep)
for name in "${kept[@]}"; do echo '{"version":1}' >"$name"; done
cd ../.. || exit
find .handoff/context -type f -exec touch -d '90 days ago' {} +
start_session
for name in s2.json s2.json.Ab12Cd s2.lease s2.scan.json.Ab12Cd; do
  expect_that "the sweep left $name of an old session" [ ! -e .handoff/context/$name ]
done
for name in "${kept[@]}"; do
  expect_that "the sweep removed $name, which is not the program's" [ -e ".handoff/context/$name" ]
done

# .handoff itself is a link, to a folder inside the project or outside.
for target in "$victim" docs; do
  fresh
  rm -rf .handoff
  ln -s "$target" .handoff
  cp -r docs "$folder/docs"
  start_session
  for command in "send one.yaml" init list status config "next --as reviewer" verify rebuild doctor "progress start --task 7 --slug relay --phase 2 --objective Measure"; do
    # shellcheck disable=SC2086
    within 20 $command
    unread "$command"
  done
  untouched "a linked .handoff"
  expect_that "something was put into the folder that .handoff leads to" diff -r docs "$folder/docs"
  rm -rf "$folder/docs"
done
fresh
rm -rf .handoff
ln -s "$victim" .handoff
expect 9 send one.yaml
expect_err "symbolic link"

# Each file of the program is a link to one of the user's.
for name in handoff.db handoff.db-wal handoff.db-shm handoff.db-journal handoff.lock state.lock seal hook.log hook.log.old \
  config.yaml .gitignore context/settings.cache context/s1.json context/s1.scan.json context/s1.lease context/s1.claim.json \
  context/s1.trace.json handoff.db.rebuild deciders; do
  for target in letter.txt new; do
    fresh
    mkdir -p .handoff/context
    rm -f ".handoff/$name"
    ln -s "$victim/$target" ".handoff/$name"
    for command in init "send one.yaml" "next --as reviewer" rebuild; do
      # shellcheck disable=SC2086
      within 20 $command
      unread "$name -> $target: $command"
    done
    start_session
    printf 'not an event' >"$folder/event"
    timeout 20 "$handoff" hook claude <"$folder/event" >/dev/null 2>&1 # is logged
    unread "$name -> $target"
    untouched "$name -> $target"
  done
done
fresh
ln -s "$victim/letter.txt" .handoff/handoff.db
expect 10 list
expect_err "symbolic link"
fresh
ln -sf "$victim/config.yaml" .handoff/config.yaml
expect 9 send one.yaml
expect_err "symbolic link"

# What is written in the project leads outside.
for name in specs specs/7_relay specs/7_relay/progress specs/7_relay/handoffs state .project .project/07-audit .claude; do
  fresh
  mkdir -p "$(dirname $name)"
  ln -s "$victim/sub" $name
  for command in "progress start --task 7 --slug relay --phase 2 --objective Measure" "progress note --task 7 --phase 2 hello" \
    "pass --task 7 --phase 2 --next Measure --file src/a.c --location 1 --goal Half" "send one.yaml" "state" "next --as reviewer" \
    "archive" "new package --from a --to b" "install claude" "rebuild"; do
    # shellcheck disable=SC2086
    within 20 $command
  done
  untouched "$name leads outside"
done
for name in specs/7_relay/progress/phase-2-progress.json state/current.json .claude/settings.json CLAUDE.md; do
  fresh
  mkdir -p "$(dirname $name)"
  ln -s "$victim/letter.txt" $name
  within 20 progress start --task 7 --slug relay --phase 2 --objective Measure
  within 20 send one.yaml
  within 20 install claude --instructions
  unread "$name"
  untouched "$name is a link"
done

# A link that leads into .git or .handoff is not the way to write there.
fresh
git init -q . 2>/dev/null
ln -s .git/hooks specs
find .git .handoff | sort >"$folder/git-before"
within 20 progress start --task 7 --slug relay --phase 2 --objective Measure
find .git .handoff | sort >"$folder/git-after"
expect_that "a link led the program into .git" cmp -s "$folder/git-before" "$folder/git-after"

# A hostile journal makes SQLite remove the file it names.
fresh
expect 0 send one.yaml
printf '%s' "$victim/letter.txt" >"$folder/name"
node -e 'const fs = require("fs"), name = Buffer.from(process.argv[1]), n = name.length, b = Buffer.alloc(512);
  b.set([0xd9, 0xd5, 5, 0xf9, 0x20, 0xa1, 0x63, 0xd7]); b.writeUInt32BE(0, 8); b.writeUInt32BE(1, 12); b.writeUInt32BE(1, 16); b.writeUInt32BE(512, 20); b.writeUInt32BE(4096, 24);
  let sum = 0; for (const c of name) sum += c;
  const tail = Buffer.alloc(4 + n + 4 + 4 + 8); tail.writeUInt32BE(0x40000000 / 4096 + 1, 0); name.copy(tail, 4); tail.writeUInt32BE(n, 4 + n); tail.writeUInt32BE(sum >>> 0, 8 + n);
  tail.set([0xd9, 0xd5, 5, 0xf9, 0x20, 0xa1, 0x63, 0xd7], 12 + n); fs.writeFileSync(".handoff/handoff.db-journal", Buffer.concat([b, tail]))' "$victim/letter.txt"
rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
for command in list "send one.yaml" verify rebuild; do
  # shellcheck disable=SC2086
  within 20 $command
done
untouched "a journal that names another file"
finish
