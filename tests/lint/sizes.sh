#!/bin/bash
# No source file is longer than 600 lines and no C function longer than 80 (between its braces, which stand alone in
# the first column).
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

check_tree()
{
  local folder folders=()
  for folder in src include tests; do [ ! -d "$1/$folder" ] || folders+=("$1/$folder"); done
  find "${folders[@]}" -name node_modules -prune -o \( -name '*.[ch]' -o -name '*.mjs' -o -name '*.sh' \) -print0 |
    sort -z | xargs -0 awk '
    FNR == 601 { printf "%s: longer than 600 lines\n", FILENAME; bad = 1 }
    /^{$/ { start = FNR }
    /^}$/ && start {
      if (FNR - start - 1 > 80) {
        printf "%s:%d: function of %d lines (limit 80)\n", FILENAME, start, FNR - start - 1
        bad = 1
      }
      start = 0
    }
    END { exit bad }'
}

# A file with one function of so many lines.
write_function()
{
  printf 'int f(void)\n{\n'
  for ((i = 0; i < $1; i++)); do echo '  f();'; done
  printf '}\n'
}
mkdir -p "$tree/src"
write_function 80 >"$tree/src/a.c"
accepts "a function of 80 lines"
write_function 81 >"$tree/src/a.c"
rejects "function of 81 lines"
yes '' | head -n 601 >"$tree/src/a.c"
rejects "longer than 600 lines"

check_tree .
