#!/bin/bash
# Credentials put into everything that the program writes down: none is left below the project's folder, except in the
# files that a person wrote there (mine/, and the plan). They are made at run time.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
export planted=$folder/planted
: >"$planted"

# secret: prints a credential that nobody has seen yet, and remembers it.
cat >"$folder/secret" <<'END'
#!/bin/bash
value="gh""p_$(head -c 200 /dev/urandom | base64 | tr -dc 'a-zA-Z0-9' | head -c 35)7"
echo "$value" >>"$planted"
printf %s "$value"
END
chmod +x "$folder/secret"
secret() { "$folder/secret"; }
go() { run "$@"; }
mkdir -p mine

# Documents, by file and by pipe; names of files, agents, sessions, keys.
package mine/a.yaml "lead-$(secret)" coder
go send mine/a.yaml
package mine/b.yaml lead coder
sed -i "s/The specification\$/The specification $(secret)/; s/epics/epics $(secret | base64 -w0)/; s/12 user/ $(secret | sed 's/./&\xe2\x80\x8b/20') user/" mine/b.yaml
go send - <mine/b.yaml
name=mine/$(secret).yaml
package "$name" lead coder
go send "$name"
expect_that "a file cannot be sent if its name is a credential" [ "$status" = 0 ]
go send mine/b.yaml --to "$(secret)" --key "$(secret)" --as "$(secret)"
HANDOFF_SESSION=$(secret) go send mine/b.yaml --as "x/$(secret)"
HANDOFF_AGENT=$(secret) go next
package mine/c.yaml lead coder
send mine/c.yaml
claim --as coder
expect 0 ack "$id" --token "$token" --task "$(secret)" --constraint "$(secret)" --question "$(secret)"
go answer "$id" --note "$(secret)"
expect 0 'done' "$id" --token "$token" --note "$(secret)"
package mine/d.yaml lead coder "" "Fifty-two other things are written down here, each with its own 3 tests"
send mine/d.yaml
claim --as coder
go ack "$id" --token "$token" --task x --blocker "$(secret)"
go reject "$id" --token "$token" --note "$(secret)"
go return "$id" - --token "$token" <mine/b.yaml

# Gates.
gate_document mine/gate.yaml "lead-$(secret)"
sed -i "s/5 days/5 days $(secret)/; s/Budget of the login/Budget $(secret)/" mine/gate.yaml
go gate raise mine/gate.yaml --json
gate=$(field gate)
at_terminal gate decide "$gate" question --note "$(secret)"
go answer "$gate" --note "$(secret)"
at_terminal gate decide "$gate" reject --note "$(secret)"

# Phases: progress, the artifact, metadata, what a successor is told.
expect 0 progress start --task 9 --slug work --phase 1 --objective "Do $(secret)"
expect 0 progress note "found $(secret)" --task 9 --phase 1
go progress tried "with $(secret): refused $(secret)" --task 9 --phase 1
expect 0 pass --task 9 --phase 1 --next "Write \`src/a.c\` with $(secret)" --file "src/$(secret).c" --location "line 1 $(secret)" \
  --goal "G $(secret)" --decision "D: $(secret)" --not "N: $(secret)" --context "C $(secret)" --ref "Plan: p, $(secret)"
go prompt successor --task 9 --phase 1

# What only shows once a file is read: its lines are escapes there, and so are its quotes.
named()
{
  value=$(head -c 300 /dev/urandom | base64 | tr -dc 'a-zA-Z0-9' | head -c 36)Q7x2
  echo "$value" >>"$planted"
}
expect 0 progress start --task 12 --slug named --phase 1 --objective Measure
for text in 'setPassword("%s")' 'auth=("ana", "%s")' 'password:\n  %s\nnext: 1' 'password: |\n  %s\n' '| user | password |\n|---|---|\n| ana | %s |' \
  'user,password\nana,%s\n' 'kind: Secret\nstringData:\n  db: %s\n' 'var pwd = @"%s";' "ALTER USER a PASSWORD '%s'" 'see db.example.org:5432:shop:app:%s there'; do
  named
  # shellcheck disable=SC2059
  text=$(printf "$text" "$value")
  expect 0 progress note "$text" --task 12 --phase 1
  go progress tried "$text" --why "$text" --task 12 --phase 1
  [[ $text == *$'\n'* ]] || go pass --task 12 --phase 1 --next "$text" --context "$text" --file src/a.c --location 1 --goal "$text"
done
go progress 'done' 1 --task 12 --phase 1
go finish --task 12 --phase 1 --summary "$text"

# Knowledge, from a document that was never sent.
sed "s/The specification\$/The specification $(secret)/" mine/c.yaml >mine/learned.yaml
go learn mine/learned.yaml
name=mine/$(secret).yaml
cp mine/learned.yaml "$name"
expect 0 learn "$name"
go know
expect_not_out "${name:5:24}"
go learn --all

# Documents that the program makes of what it is given, or of those of other tools.
expect 0 new progress --task 11 --slug made --phase 1 --set "/phase_name=Measure $(secret)" --set "/objectives/-/description=Measure $(secret)" \
  --set /objectives/0/id=1 --set /objectives/0/status=not_started --set /current_objective=1
expect_err "was removed"
expect 0 check specs/11_made/progress/phase-1-progress.json
printf '# Handoff\n\n## Next steps\n- Log in with %s\n\n## Context\nThe parser is half done.\n' "$(secret)" >mine/notes.md
go import mine/notes.md -o imported.handoff.yaml
expect_that "nothing was imported" grep -q REDACTED imported.handoff.yaml

# Names of folders and files: a task's slug, a session in the status line.
expect 2 progress start --task 10 --slug "gh""p_$(printf '%s' "$(secret)" | tr 'A-Z' 'a-z' | tail -c 30)" --phase 1 --objective x
expect_err "credential"
# A task without a name is called by the first words of what is to be done.
mkdir nameless && cd nameless && git init -q . || exit
expect 0 init
expect 0 pass --next "Log in with password=$(secret)"
expect_that "the folder is not called by its words" [ -n "$(find specs -name '*log_in_with_password*')" ]
HANDOFF_SESSION=another expect 0 progress start --task 2 --phase 1 --objective "Use $(secret) there"
cd .. || exit
mkdir -p .handoff/context
printf '{"session_id":"s-%s","model":{"display_name":"M"},"context_window":{"used_percentage":12,"context_window_size":200000,"current_usage":{"input_tokens":9}}}' "$(secret)" | go statusline

# A run: titles, goals, what teammates say, return and log.
cat >mine/teammate <<'END'
#!/bin/bash
cd "$HANDOFF_ROOT" || exit
cat >/dev/null
secret() { "$folder/secret"; }
echo "a line with $(secret)"
echo "an error with $(secret)" >&2
secret | sed $'s/./&\033[31m/9; s/.$/&\033[0m/'
echo
printf 'AWS_SECRET_ACCESS_KEY=%s without an end' "$(secret)"
"$handoff" progress start --task "$HANDOFF_TASK" --phase "$HANDOFF_PHASE" --objective "One $(secret)" >/dev/null
"$handoff" progress note "note $(secret)" --task "$HANDOFF_TASK" --phase "$HANDOFF_PHASE" >/dev/null
if [ "$HANDOFF_PHASE" = 1 ] && [ ! -e mine/passed ]; then
  touch mine/passed
  "$handoff" pass --task "$HANDOFF_TASK" --phase 1 --next "Go on with $(secret)" >/dev/null
  exit
fi
echo x >>mine/effects
printf '{"status": "%s", "summary": "Wrote %s", "artifacts": [{"type": "implementation", "path": "mine/effects", "summary": "S %s"}], "completion_data": {"completion_summary": "C %s"}, "errors": [{"type": "t", "message": "M %s", "recoverable": false, "recommendation": "R %s"}]}' \
  "$([ "$HANDOFF_PHASE" = 2 ] && echo failed || echo implemented)" "$(secret)" "$(secret)" "$(secret)" "$(secret)" "$(secret)" >"$HANDOFF_META"
END
chmod +x mine/teammate
phase 1 "Relay $(secret)" 'done'
phase 2 "Second" 'done'
sed -i "s/Goal\*\*: Second/Goal**: $(secret)/; s/^# Implementation Plan: Relay/# Implementation Plan: Relay $(secret)/" "$plan"
mkdir -p mine/plans && cp "$plan" mine/plans/
go run "$plan" --agent mine/teammate --jobs 1
go ps
go lineage
expect_that "no teammate has worked" [ -e mine/effects ]

# Hooks: the files and the model that a transcript names, and those that an event does.
name=mine/$(secret).c
echo x >"$name"
printf '{"type":"assistant","message":{"id":"m1","role":"assistant","model":"m-%s","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"%s"}}],"usage":{"input_tokens":9}}}\n' \
  "$(secret)" "$PWD/$name" >mine/t.jsonl
for event in PostToolUse SessionEnd; do
  printf '{"session_id":"s-reads","transcript_path":"%s","cwd":"%s","hook_event_name":"%s","tool_name":"Read","tool_input":{"file_path":"%s"}}' \
    "$PWD/mine/t.jsonl" "$PWD" "$event" "$PWD/$name" | HANDOFF_TASK=9 HANDOFF_PHASE=1 go hook claude
done
expect_that "nothing was kept" grep -q '"path":".*REDACTED' .handoff/context/s-reads.scan.json
printf '{"session_id":"s-model","model":{"id":"%s","display_name":"M"},"context_window":{"used_percentage":12,"context_window_size":200000,"current_usage":{"input_tokens":9}}}' "$(secret)" | go statusline
printf '{"session_id":"s-ends","transcript_path":"/nowhere/%s.jsonl","cwd":"%s","hook_event_name":"SessionEnd"}' "$(secret)" "$PWD" | go hook claude
# An event that fails is logged.
printf '{"session_id":"%s","transcript_path":"/nowhere/%s","cwd":"%s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"echo %s"},"tool_response":{"stdout":"%s"}}' \
  "$(secret)" "$(secret)" "$PWD" "$(secret)" "$(secret)" | go hook claude
printf '{"session_id":"x%s' "$(secret)" | go hook claude

go archive --completed
go state
go journal
go verify
expect_that "verify finds differences" [ "$status" = 0 ]
if has sqlite3 "the write-ahead log"; then sqlite3 .handoff/handoff.db 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null; fi

# Not one of them, nor its half, is left anywhere else.
cut -c1-24 "$planted" >"$folder/halves"
cut -c17-40 "$planted" >>"$folder/halves"
count=$(sort -u "$planted" | wc -l)
echo "$count credentials planted"
expect_that "there are too few" [ "$count" -gt 60 ]
left=$(grep -rlaF -f "$folder/halves" . --exclude-dir=mine --exclude-dir=.git --exclude="${plan##*/}")
expect_that "credentials are left in: $left" [ -z "$left" ]
names=$(find . -path ./mine -prune -o -print | grep -F -f "$folder/halves")
expect_that "credentials are left in names: $names" [ -z "$names" ]
# As names of folders are written: small, with bars between the words.
cut -c5-12 "$planted" | tr '[:upper:]' '[:lower:]' >"$folder/parts"
names=$(find . -path ./mine -prune -o -path '*/.git' -prune -o -print | tr '[:upper:]' '[:lower:]' | tr -d _ | grep -F -f "$folder/parts")
expect_that "parts of credentials are left in names: $names" [ -z "$names" ]
finish
