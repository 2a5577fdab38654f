#!/bin/bash
# Every C file is laid out as .clang-format says (`make format` does it).
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"
needs clang-format

check_tree()
{
  local folder folders=()
  for folder in src include tests bench tools; do [ ! -d "$1/$folder" ] || folders+=("$1/$folder"); done
  find "${folders[@]}" \( -name node_modules -prune -o -name '*.[ch]' -print0 \) |
    xargs -0 clang-format --dry-run -Werror 2>&1
}

mkdir -p "$tree/src"
cp .clang-format "$tree"
printf 'int f(void)\n{\n  return 1;\n}\n' >"$tree/src/a.c"
accepts "a well laid out file"
printf 'int f(void) {\n    return 1; }\n' >"$tree/src/a.c"
rejects "src/a.c:1"

check_tree .
