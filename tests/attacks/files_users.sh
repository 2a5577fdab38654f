#!/bin/bash
# Other users of the machine: they cannot read the ledger, cannot hold up a command, and what they put into a folder above
# the project is not used.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
needs runuser python3 setpriv
[ "$(id -u)" = 0 ] || skip_test "only root can act as other users"
id nobody >/dev/null 2>&1 || skip_test "there is no user nobody"
chmod 755 "$folder"
as_nobody() { runuser -u nobody -- "$@"; }
cp "$handoff" "$folder/program" && chmod 755 "$folder/program"

# The ledger of a project that everybody may enter.
umask 022
fresh
rm -rf .handoff
expect 0 init
expect 0 send one.yaml
expect 0 progress start --task 7 --slug relay --phase 2 --objective Measure
start_session
expect 0 backup copy.db
expect_that ".handoff is open to others" [ "$(stat -c %a .handoff)" = 700 ]
expect_that "a file is open to others: $(find .handoff -perm /077 | head -3)" [ -z "$(find .handoff -perm /077)" ]
expect_that "the copy is open to others" [ "$(stat -c %a copy.db)" = 600 ]
for file in .handoff/handoff.db .handoff/handoff.db-wal .handoff/handoff.lock .handoff copy.db; do
  expect_that "nobody can read $file" eval "! as_nobody test -r '$PWD/$file'"
done
as_nobody "$folder/program" --root "$PWD" list >"$folder/out" 2>"$folder/err"
expect_that "nobody can list the ledger" [ $? != 0 ]
expect_that "nobody can read the ledger" eval '! grep -q "user stories" "$folder/out"'

# One that an earlier version left open is closed by the next command.
cp -r .handoff "$folder/kept"
chmod 755 .handoff && chmod 644 .handoff/*.*
expect 0 list
expect_that ".handoff was left open to others" [ "$(stat -c %a .handoff)" = 700 ]
rm -rf .handoff && cp -rp "$folder/kept" .handoff

# nobody locks whatever in the project can be opened: commands do not notice.
chmod 755 .handoff
cat >"$folder/hold.py" <<'END'
import fcntl, os, sys, time
held = []
for top, folders, files in os.walk(sys.argv[1]):
    for name in [top] + [os.path.join(top, f) for f in files]:
        try:
            fd = os.open(name, os.O_RDONLY)
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held.append(fd)
            fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            pass
print("held", len(held), flush=True)
time.sleep(300)
END
chmod 644 "$folder/hold.py"
as_nobody python3 "$folder/hold.py" "$PWD" >"$folder/held" 2>&1 &
for _ in $(seq 100); do grep -q held "$folder/held" && break; sleep 0.05; done
begun=$SECONDS
package two.yaml coder reviewer
echo '# another' >>two.yaml
within 60 send two.yaml
expect_that "sending failed because of another user's locks" [ "$status" = 0 ]
within 60 next --as reviewer
expect_that "next failed because of another user's locks" [ "$status" = 0 ]
within 60 progress note --task 7 --phase 2 hello
expect_that "progress failed because of another user's locks" [ "$status" = 0 ]
expect_that "it took $((SECONDS - begun)) seconds" [ $((SECONDS - begun)) -lt 10 ]

# In a project without a .handoff, only the task's folder can be locked; then the command says by whom, in time.
mv .handoff "$folder/away"
holder=$(pgrep -u nobody -f "$folder/hold.py" | tail -1)
within 60 progress note --task 7 --phase 2 hello
expect_that "exit status $status, not 6" [ "$status" = 6 ]
expect_err "process $holder (python3)"
mv "$folder/away" .handoff
kill "$holder"
wait 2>/dev/null

# Another user's .handoff in a folder above, with settings and a store of theirs.
mkdir -p "$folder/above/mine" && chmod 1777 "$folder/above"
as_nobody mkdir "$folder/above/.handoff"
as_nobody sh -c "echo 'agents: {coder: {command: touch $folder/pwned}}' >'$folder/above/.handoff/config.yaml'"
cd "$folder/above/mine" || exit
mkdir -p docs && echo spec >docs/spec.md
package one.yaml coder reviewer
for command in "send one.yaml" list status "next --as reviewer"; do
  # shellcheck disable=SC2086
  within 60 $command
  expect_that "$command used another user's .handoff" [ "$status" != 0 ]
done
expect_err "belongs to another user"
start_session
expect_out_is '{}'
expect_that "something was put into another user's .handoff" [ "$(ls -A "$folder/above/.handoff")" = config.yaml ]
expect 0 init --root .
expect 0 send one.yaml
expect 0 list
# Single files of theirs in a folder of ours.
chown nobody .handoff/config.yaml
expect 9 list
expect_err "belongs to another user"
chown 0 .handoff/config.yaml
expect 0 list

# sudo: root works on the project of whoever started it, and leaves the files to them.
mkdir "$folder/theirs" && chown nobody "$folder/theirs" && cd "$folder/theirs" || exit
as_nobody sh -c "mkdir docs && echo spec >docs/spec.md && HOME='$folder/theirs' '$folder/program' init" >/dev/null
cp "$folder/above/mine/one.yaml" .
expect 9 send one.yaml
expect_err "belongs to another user"
SUDO_UID=$(id -u nobody) expect 0 send one.yaml
expect_that "root left files of its own: $(find .handoff -user root | head -3)" [ -z "$(find .handoff -user root)" ]
finish
