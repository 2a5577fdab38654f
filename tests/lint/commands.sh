#!/bin/bash
# Every command of the list HO_COMMANDS is named in README.md ("What it does"), which names no other, and in its room's row
# of ARCHITECTURE.md; its group is its room. Where SECURITY.md and docs list the commands that agents may not run ("are
# refused to agents"), they list those that say `.person = true`.
# shellcheck disable=SC2016 # backticks are Markdown's
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# "gate_raise", one line each.
listed()
{
  sed -n '/define HO_COMMANDS/,/[^\\]$/p' "$1/src/command/commands.h" | grep -oE 'X\([a-z_]+\)' | sed 's/X(\(.*\))/\1/'
}

# What stands in backticks in README's section: "gate raise".
named()
{
  awk '/^## / { on = $0 == "## What it does" } on' "$1/README.md" | grep -oE '`[^`]+`' | tr -d '`' | sed 's/^handoff //'
}

# persons DIR: the commands that are for people only, one line each, "key" for a family of which all are.
persons()
{
  grep -l '\.person = true' -r "$1/src/command" | while IFS= read -r file; do
    awk '/\.name = "[a-z ]+",/ && /^    \.name/ { name = $0 } /\.person = true/ { gsub(/.*= "|",.*/, "", name); print name }' "$file"
  done | sed -E 's/^(key) .*/\1/' | sort -u
}

# refused DIR FILE: the commands in backticks in the sentence that says so, likewise.
refused()
{
  tr '\n' ' ' <"$1/$2" | grep -oE '[^.:]*(are|is) refused to agents' | grep -oE '`[^`]+`' | tr -d '`' | sed -E 's/^(key) .*/\1/' | sort -u
}

check_people()
{
  local wrong=0 file words want have
  want=$(persons "$1")
  for file in SECURITY.md docs/concepts.md; do
    have=$(refused "$1" "$file")
    words=$(comm -3 <(echo "$want") <(echo "$have") | tr -d '\t' | paste -sd' ')
    [ -z "$words" ] || { echo "$file and the table do not agree on what is refused to agents: $words"; wrong=1; }
  done
  return "$wrong"
}

check_groups()
{
  local wrong=0 file group room
  while IFS=: read -r file group; do
    room=$(basename "$(dirname "$file")")
    group=$(sed 's/.*= "//; s/".*//' <<<"$group")
    [ "$room" = "$group" ] || [ "$room$group" = helpsetup ] || { echo "$file: its group is '$group', not its room"; wrong=1; }
  done < <(grep -rE '^    \.group = "' "$1/src/command")
  return "$wrong"
}

check_tree()
{
  local wrong=0 command words file row commands names
  commands=$(listed "$1")
  names=$(named "$1")
  if [ -z "$commands" ] || [ -z "$names" ]; then
    echo "no list of commands, or no section 'What it does'"
    return 1
  fi
  while IFS= read -r command; do
    words=${command//_/ }
    grep -qE "^(${words%% *}|$words)( [A-Z]+)?\$" <<<"$names" || { echo "README.md does not name '$words'"; wrong=1; }
    file=$(find "$1/src/command" -name "cmd_$command.c" -o -name "cmd_${words%% *}.c" | sort | head -n 1)
    file=${file#"$1/"}
    row=$(grep -F "| \`${file%/*}\` |" "$1/ARCHITECTURE.md")
    grep -qw -- "${words##* }\|${words%% *}" <<<"$row" || { echo "ARCHITECTURE.md: the row of ${file%/*} does not name '$words'"; wrong=1; }
  done <<<"$commands"
  while IFS= read -r words; do
    words=$(sed -E 's/( [A-Z]+)+$//' <<<"$words")
    grep -qE "^${words// /_}(_|\$)" <<<"$commands" || { echo "README.md names '$words', which is not a command"; wrong=1; }
  done < <(grep -v '^man ' <<<"$names")
  check_groups "$1" || wrong=1
  check_people "$1" || wrong=1
  return "$wrong"
}

mkdir -p "$tree/src/command/a"
printf '#define HO_COMMANDS(X) \\\n  X(send) X(gate_raise) \\\n  X(gate_list)\n' >"$tree/src/command/commands.h"
mkdir -p "$tree/docs"
printf '    .name = "send",\n    .group = "a",\n' >"$tree/src/command/a/cmd_send.c"
printf '    .name = "gate raise",\n    .group = "a",\n    .person = true,\n' >"$tree/src/command/a/cmd_gate.c"
echo 'So `gate raise` is refused to agents.' | tee "$tree/SECURITY.md" >"$tree/docs/concepts.md"
printf '## What it does\n| a | `send`, `gate` and `handoff send FILE` |\n\n## More\n`else`\n' >"$tree/README.md"
printf '| `src/command/a` | send, gate raise, list |\n' >"$tree/ARCHITECTURE.md"
accepts "commands that are named"
sed -i 's/`gate`/`gate raise`/' "$tree/README.md"
rejects "README.md does not name 'gate list'"
sed -i 's/`gate raise`/`gate`, `sned`/' "$tree/README.md"
rejects "README.md names 'sned', which is not a command"
sed -i 's/, `sned`//' "$tree/README.md"
sed -i 's/send, //' "$tree/ARCHITECTURE.md"
rejects "the row of src/command/a does not name 'send'"

sed -i 's/| gate/| send, gate/' "$tree/ARCHITECTURE.md"
sed -i 's/"a"/"b"/' "$tree/src/command/a/cmd_send.c"
rejects "its group is 'b', not its room"
sed -i 's/"b"/"a"/' "$tree/src/command/a/cmd_send.c"
echo 'Both `gate raise` and `send` are refused to agents.' >"$tree/SECURITY.md"
rejects "SECURITY.md and the table do not agree on what is refused to agents: send"

check_tree .
