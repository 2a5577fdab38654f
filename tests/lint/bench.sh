#!/bin/bash
# Every benchmark in C compiles, without a warning: `make test` runs none of them.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"
needs gcc

# "FILE:LINE: error: what is wrong". The headers are always the project's.
check_tree()
{
  local file wrong=0
  for file in "$1"/bench/*.c; do
    gcc -std=gnu17 -fsyntax-only -Wall -Wextra -Werror -D_GNU_SOURCE '-DHO_VERSION="bench"' -Isrc -Iinclude "$file" 2>&1 || wrong=1
  done
  return "$wrong"
}

mkdir "$tree/bench"
printf '#include "store/store.h"\nint main(void) { return 0; }\n' >"$tree/bench/a.c"
accepts "a benchmark that compiles"
echo 'int b(void) { return ho_store_gone(); }' >"$tree/bench/b.c"
rejects "ho_store_gone"

check_tree .
