#!/bin/bash
# Every command of the list HO_COMMANDS is named in README.md ("What it does"), which names no other, and in its room's row
# of ARCHITECTURE.md.
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
  return "$wrong"
}

mkdir -p "$tree/src/command/a"
printf '#define HO_COMMANDS(X) \\\n  X(send) X(gate_raise) \\\n  X(gate_list)\n' >"$tree/src/command/commands.h"
touch "$tree"/src/command/a/cmd_{send,gate}.c
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

check_tree .
