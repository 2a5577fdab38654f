#!/bin/bash
# What is defined in one file and used in another is declared in one header: no C file declares anything extern.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

check_tree()
{
  ! grep -rnE '^[[:space:]]*extern[[:space:]]' "$1/src" --include='*.c'
}

mkdir -p "$tree/src"
echo 'extern int shared;' >"$tree/src/a.h"
echo 'int shared; /* extern, by its header */' >"$tree/src/a.c"
accepts "a declaration in a header"
echo '  extern int shared;' >"$tree/src/b.c"
rejects "extern int shared"

check_tree .
