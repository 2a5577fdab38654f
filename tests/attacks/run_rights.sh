#!/bin/bash
# What agents may do with this program is said command by command, to each harness in the way that it obeys; and people see
# the command lines of a run before anything is started.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
mkdir "$folder/bin"
PATH=$folder/bin:$PATH
# Harnesses that record what they are told, and do the work.
for name in claude codex gemini opencode; do
  printf '#!/bin/sh\n{ printf "<%%s>\\n" "$@"; env; } >"%s/told-%s"\nwhile [ $# -gt 0 ]; do [ "$1" = --policy ] && cp "$2" "%s/policy"; [ "$1" = --settings ] && cat "$2" >>"%s/told-claude"; shift; done\nexec %s/teammate\n' \
    "$folder" "$name" "$folder" "$folder" "$PWD" >"$folder/bin/$name"
  chmod +x "$folder/bin/$name"
done
phase 1 One 'done'
again() { rm -rf effects specs/7_relay/summaries && sed -i 's/\[COMPLETED\]/[NOT STARTED]/' "$plan"; }

# No harness is told that all of this program's commands are fine.
for name in claude codex gemini opencode; do
  expect 0 run "$plan" --agent "$name" --json
  expect_that "$name may run anything with handoff" bash -c '! grep -qE "handoff( \*|:\*)?\)" "$1"' _ "$folder/told-$name"
  again
done
told() { expect_that "$1 is not told: $2" grep -qF -- "$2" "$folder/told-$1"; }
for name in 'handoff gate decide*' 'handoff install *' 'handoff rebuild)' 'handoff --* prune'; do told claude "Bash(*$name"; done
told claude 'Bash(handoff progress done:*)'
told opencode '*handoff gate decide*'
told opencode '*handoff install *'
for rule in '.*handoff +gate +decide\\b' '.*handoff +install\\b' '.*handoff +--.* +rebuild\\b'; do
  expect_that "no rule $rule" grep -qF -- "commandRegex = \"$rule\"" "$folder/policy"
done
expect_that "no rule for progress" grep -qF 'commandPrefix = "handoff progress done"' "$folder/policy"
expect_that "all of handoff is allowed" bash -c '! grep -q "commandPrefix = \"handoff\"" "$1"' _ "$folder/policy"

# The command lines: in a dry run, and as the first lines of a run, such that a shell reads the same words again.
odd="./teammate 'two words' \"it's\" '\$(touch $folder/ran)'"
expect 0 run "$plan" --agent "$odd" --dry-run
line=$(sed -n 's/^Teammates would run: //p' "$folder/out")
expect_that "other words: $line" bash -c 'eval "set -- $1"; [ $# = 4 ] && [ "$2" = "two words" ] && [ "$3" = "it'"'"'s" ] && case $4 in "\$(touch "*) ;; *) false ;; esac' _ "$line"
expect_that "a word was run" test ! -e "$folder/ran"
expect 0 run "$plan" --agent "$odd" --dry-run --json
expect_json "$folder/out" 'v.commands.length === 1 && v.commands[0].includes("teammate")'
expect 0 run "$plan" --agent "$odd"
expect_that "the first line is another" [ "$(sed -n 's/^teammates run: //p;q' "$folder/out" "$folder/err" | head -1)" = "$line" ]
again
printf 'agents:\n  - name: writer\n    command: [./teammate, "a\\e[2Jb"]\n' >.handoff/config.yaml
HOME=$folder expect 0 run "$plan" --agent writer --dry-run
expect_that "a control character reaches the terminal" bash -c '! grep -q "$(printf "\\033")" "$1"' _ "$folder/out"
expect 0 run "$plan" --dry-run
expect_not_out "Teammates would run"

# Outdated, but still there: an installation of an earlier version that the harness did not obey.
expect 0 install claude
expect_json .claude/settings.json 'v.permissions.deny.includes("Bash(*handoff gate decide*)")'

# The rules stop a command however it is written, and nothing that merely uses the same words.
denied()
{
  local rule
  while IFS= read -r rule; do
    # shellcheck disable=SC2053 # a pattern
    [[ $1 != $rule ]] || return 0
  done < <(jq -r '.permissions.deny[] | ltrimstr("Bash(") | rtrimstr(")")' .claude/settings.json)
  return 1
}
for words in 'gate decide G-1 approve' 'key new' 'key enrol' 'key revoke bob'; do
  for command in "handoff $words" "/usr/bin/handoff $words" "./handoff --json $words" "cd x && handoff --root y $words" \
    "bash -c 'handoff $words'" "env -i handoff $words" "H=handoff; \$H $words" "yes | handoff $words"; do
    expect_that "not denied: $command" denied "$command"
  done
done
for command in 'git commit -m "API key newtype"' 'git commit -m "Let the gate decide"' 'grep -r "key revoke" src' 'handoff key list' 'handoff gate list' \
  "handoff progress note 'sort by key newest first'" "handoff progress note 'let the gate decide'" \
  "handoff pass --next 'Let the gate decide, then revoke nothing'" "cd handoff && git commit -m 'the key new in it'"; do
  if denied "$command"; then result bad "denied: $command"; else result ok; fi
done
finish
