#!/bin/bash
# What is kept: the archive, verify, rebuild, backup, prune, worktrees; and credentials, which are not.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"

finish_one()
{
  claim --as "$1"
  expect 0 ack "$id" --task "As asked" --token "$token"
  expect 0 'done' "$id" --token "$token"
}
package a.yaml lead coder
send a.yaml
ended=$id
finish_one coder
package b.yaml lead coder "" "Half of it is written: 3 modules, 9 unit tests and a page that explains them"
send b.yaml
waiting=$id
send - <b.yaml
piped=$id

# Archive and its rules.
expect 2 archive
expect 6 archive "$waiting"
expect 0 archive "$ended" --json
expect_json "$folder/out" 'v.archived.length === 1'
copy=$(field archived.0.path)
state_is "$ended" archived
expect_that "the copy does not say so" grep -q '"state":"archived"' "$copy"
expect_that "there is no seal" [ -s .handoff/seal ]
expect 0 archive --completed
expect 0 verify

# A tampered file, body, event and row is named.
cp "$copy" "$folder/copy"
echo "# more" >>"$copy"
expect 1 verify
expect_out "difference: file $copy"
cp "$folder/copy" "$copy"
if has sqlite3 "tampered events and rows"; then
  tamper()
  {
    cp .handoff/handoff.db "$folder/sound.db"
    sqlite3 .handoff/handoff.db "$1"
    expect 1 verify
    expect_out "$2"
    rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
    cp "$folder/sound.db" .handoff/handoff.db
  }
  sqlite3 .handoff/handoff.db 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
  tamper "UPDATE events SET actor = 'somebody' WHERE seq = 2" "event"
  tamper "UPDATE handoffs SET receiver = 'thief' WHERE id = '$waiting'" "$waiting"
  expect 0 verify
fi

# Backup: readable, and never over something.
expect 0 backup copy.db
expect 6 backup copy.db
expect 0 --store copy.db list
expect_out "$waiting"
# What one that was killed has left is begun anew, and leaves nothing.
echo torn | tee late.db.handoff-new >late.db.handoff-new-journal
expect 0 backup late.db
expect_that "files are left" [ "$(echo late.db*)" = late.db ]
expect 0 --store late.db verify
echo mine >mine && ln mine last.db.handoff-new
expect 6 backup last.db
expect_err "is in the way"
expect_that "a file of somebody else was changed" grep -q mine mine
rm -f mine last.db.handoff-new

# A damaged database is said so; rebuild restores what has a file, and says what it could not.
printf 'not a database at all, not at all, not at all' | dd of=.handoff/handoff.db conv=notrunc 2>/dev/null
rm -f .handoff/handoff.db-wal .handoff/handoff.db-shm
expect 10 list
expect_err "rebuild"
expect 10 send a.yaml
expect 1 rebuild --json
expect_json "$folder/out" "['$ended', '$waiting', '$piped'].every(id => v.restored.some(r => r.id === id)) && v.lost.some(l => l.what === 'history') && v.kept"
expect_that "the old database is gone" [ -f "$(field kept)" ]
state_is "$ended" archived
state_is "$waiting" ready
expect 0 verify
claim --as coder
expect_that "the first after the rebuild is another" [ "$id" = "$waiting" ] || [ "$id" = "$piped" ]
send a.yaml
expect_that "an id was given twice" [ "$id" != "$ended" ] && [ "$id" != "$piped" ]

# Prune: only what is archived and old enough.
expect 2 prune --before someday
expect 0 prune --before 2020-01-01
expect_no_out
expect 0 prune --before 2099-01-01
expect_out "$ended"
expect_json state/current.json "!v.handoffs.some(h => h.id === '$ended') && v.handoffs.some(h => h.id === '$waiting')"
expect 5 show "$ended"
expect 0 show "$waiting"
expect 0 verify

# Credentials reach neither store, files nor output. They are put together here, so that none stands in this file.
secret="ghp_$(printf 'Ab3dE%.0s' 1 2 3 4 5 6 7)Q"
password="hunter$((20 + 2))Xy!z"
package s.yaml lead coder "" "The token is $secret and it has been used for 3 days by 2 of the services"
printf '  x_login:\n    password: %s\n    "api\\x5fkey": "%s"\n' "$password" "$password" >>s.yaml
expect 0 send s.yaml --json
expect_json "$folder/out" 'v.findings.some(f => f.rule === "secret" && f.line > 0)'
expect_that "the credential is in the output" bash -c "! grep -rqF -e '$secret' -e '$password' '$folder/out' '$folder/err'"
id=$(field id)
claim --as coder --task feature
expect 0 ack "$(field id)" --task "Use $secret" --token "$token"
expect 0 list --json
mv s.yaml "$folder/s.yaml"
expect_that "the credential is in a file" bash -c "! grep -rqaF -e '$secret' -e '$password' . --exclude-dir=.git"
mv "$folder/s.yaml" s.yaml
expect 0 verify
expect 0 search "$secret"
printf 'secrets: refuse\n' >.handoff/config.yaml
expect 4 send s.yaml --json
expect_json "$folder/out" 'v.findings.some(f => f.rule === "secret" && f.severity === "error") && !v.id'
printf 'secrets: allow\n' >.handoff/config.yaml
expect 0 trust
expect 0 send s.yaml
rm .handoff/config.yaml

# Linked worktrees share one store, and the archive beside it.
if has git "linked worktrees"; then
  mkdir "$folder/main" && cd "$folder/main" || exit
  git init -q . && mkdir docs && echo spec >docs/spec.md && git add . &&
    git -c user.name=a -c user.email=a@b.c commit -qm first && git worktree add -q "$folder/linked"
  package a.yaml lead coder
  send a.yaml
  first=$id
  expect 0 show "$first" --json
  expect_json "$folder/out" 'v.handoff.claims.some(c => c.claim === "git head" && c.now === "same")'
  cd "$folder/linked" || exit
  claim --as coder
  expect_that "the worktree has another store" [ "$id" = "$first" ]
  expect_that "the worktree has a store of its own" [ ! -e .handoff/handoff.db ]
  expect 0 ack "$first" --task "As asked" --token "$token"
  expect 0 'done' "$first" --token "$token"
  expect_that "the copy is not beside the store" [ -n "$(find "$folder/main/.project" -name "$first.yaml")" ]
  expect_that "a worktree that may be removed has a copy" [ ! -e .project ]
  package c.yaml coder lead
  send c.yaml
  expect 0 show "$id" --json
  expect_json "$folder/out" 'v.handoff.claims.some(c => c.claim === "git tree" && c.about === "clean" && c.now === "same")'
  echo more >>docs/spec.md
  expect 0 show "$id"
  expect_out "# drift: git tree was clean when it was sent, but has uncommitted changes now"
  git checkout -q docs/spec.md
  expect 0 show "$id"
  expect_not_out "drift"
  git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m second
  expect 0 show "$id"
  expect_out "# drift: git head"
  echo more >>docs/spec.md
  claim --as lead
  expect_json "$folder/out" 'v.handoff.drift.length === 3 && v.handoff.drift.some(d => /tree/.test(d)) && v.handoff.drift.some(d => /head/.test(d))'
  git checkout -q docs/spec.md
  cd "$folder/main" || exit
  expect 0 list
  expect_out "$id"
  expect 0 verify
fi
finish
