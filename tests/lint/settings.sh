#!/bin/bash
# Every setting that the program asks for exists: a misspelled name would silently be 0, false or "".
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# The names of all settings, and of the records that hold some ("limits").
known=$(cd "$tree" && "$HANDOFF" config --json | grep -oE '"name": ?"[^"]*"' | cut -d'"' -f4) || exit 1
known=$(printf '%s\n' "$known" "$(sed -n 's/[.].*//p' <<<"$known")" | sort -u)

# "FILE: what is wrong", one line each. A call may go over several lines; its last argument must be a text.
check_tree()
{
  local file call name wrong=0
  while IFS= read -r file; do
    while IFS= read -r call; do
      name=$(sed -n 's/.*, *"\([^"]*\)"$/\1/p' <<<"$call")
      if [ -z "$name" ]; then
        echo "$file: '$call)' must name its setting as a text"
      elif ! grep -qxF -- "$name" <<<"$known"; then
        echo "$file: '$name' is not a setting (src/model/formats/config.c)"
      else
        continue
      fi
      wrong=1
    done < <(tr -s '\n ' '  ' <"$file" | grep -oE '\bho_settings_(text|number|bool|node)\(([^()]|\([^()]*\))*')
  done < <(grep -rlE 'ho_settings_(text|number|bool|node)\(' "$1/src" --include='*.c' | grep -v 'engine/project/settings\.c$' | sort)
  return "$wrong"
}

mkdir -p "$tree/src"
printf 'f(ho_settings_number(&project->settings, "lease") * 2, ho_settings_text(of(a), "secrets"));\nho_settings_node(s,\n  "limits");\n' \
  >"$tree/src/a.c"
accepts "settings that exist"
printf 'x = ho_settings_number(&project->settings,\n   "leese");\n' >"$tree/src/b.c"
rejects "b.c: 'leese' is not a setting"
echo 'x = ho_settings_bool(s, name);' >"$tree/src/b.c"
rejects "must name its setting as a text"

check_tree .
