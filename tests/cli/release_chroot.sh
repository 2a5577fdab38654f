#!/bin/bash
# The released programs do their work in a folder that is their whole world: no library, no /proc, no /dev, no /etc.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
enter=(chroot)
[ "$(id -u)" = 0 ] || enter=(unshare --map-root-user chroot)
"${enter[@]}" / true 2>/dev/null || skip_test "chroot is not permitted here"
# shellcheck source=tests/cli/release_common
source "$source_dir/tests/cli/release_common"

world=$folder/world
mkdir -p "$world/docs" "$world/src/import"
cp "$handoff" "$world/handoff"
cp "$source_dir"/examples/{package,package-bad}.yaml "$source_dir"/examples/phase-2-handoff-20260309.md "$world"
touch "$world/src/import/csv.py" "$world/docs/import-format.md"
inside=("$(command -v env)" -i "$(command -v "${enter[0]}")" "${enter[@]:1}" "$world" /handoff)

# As run of common, in there; the environment has nothing but what stands before the command.
run()
{
  last="$*"
  "${inside[@]}" "$@" >"$folder/out" 2>"$folder/err"
  status=$?
}

expect 0 version
expect 0 init
expect 0 check package.yaml
expect 4 check package-bad.yaml
expect 0 fix phase-2-handoff-20260309.md
expect 4 convert package.yaml --to task
expect 0 send package.yaml
expect_no_err
expect 0 next --as reviewer
token=$(sed -n '1s/^# token: //p' "$folder/out")
expect 0 ack HO-2026-014 --as reviewer --token "$token" --task "Review the CSV import before the release"
expect 0 'done' HO-2026-014 --as reviewer --token "$token"
expect 0 log HO-2026-014
expect_out "user:unknown"
expect 0 search csv
expect_out HO-2026-014
expect 0 progress start --task 7 --slug alone --phase 1 --objective "Work alone"
expect 0 pass --task 7 --phase 1 --next "Go on in \`src/import/csv.py\`." --file src/import/csv.py --location "line 1" --goal "It works"
expect 0 verify
expect 0 backup copy.db
expect 0 tokens package.yaml
expect_out bytes/4
expect 0 doctor
expect_out "/handoff, version"
expect_not_out error
run hook claude < <(printf '{"session_id":"a","cwd":"/","hook_event_name":"SessionStart","source":"startup"}')
expect_that "the hook answers" [ "$status" = 0 ]
expect_out "task 7"

# The server, once it is there.
expect 5 serve --listen 127.0.0.1:0
expect_err "handoff-server is not installed"
cp "$handoff-server" "$world/handoff-server"
last="serve"
"${inside[@]}" serve --listen 127.0.0.1:0 >"$folder/out" 2>"$folder/err" &
for ((i = 0; i < 300; i++)); do
  grep -q '^listening on http' "$folder/out" && break
  kill -0 $! 2>/dev/null || break
  sleep 0.1
done
expect_out "listening on http://127.0.0.1:"
kill -TERM $!
wait $!
expect_that "it does not end when it is told to" [ $? = 0 ]

# What cannot work says why.
cp -r "$source_dir/examples/relay/specs" "$world"
expect 7 run specs/31_describe_formats/plans/implementation-001.md --agent /handoff
expect_err "/proc"

# Names come from where they are.
mkdir "$world/etc"
echo "ana:x:$(id -u):1::/:" >"$world/etc/passwd"
[ "$(id -u)" = 0 ] || echo "ana:x:0:0::/:" >>"$world/etc/passwd"
expect 0 send package.yaml
id=$(cat "$folder/out")
expect 0 log "$id"
expect_out "user:ana"
rm "$world/etc/passwd"
inside=("$(command -v env)" -i LOGNAME=ben "${inside[@]:2}")
expect 0 send package.yaml --again
id=$(cat "$folder/out")
expect 0 log "$id"
expect_out "user:ben"
finish
