#!/bin/bash
# Every call hands an error object down (base/error.h): none passes NULL for `ho_error *err`, and so none asks whether it
# is NULL.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"
errors=$(dirname "$0")/errors.mjs

check_tree()
{
  local folder folders=()
  for folder in src tests tools; do [ ! -d "$1/$folder" ] || folders+=("$1/$folder"); done
  find "${folders[@]}" -name node_modules -prune -o -name '*.[ch]' -print | sort | node "$errors"
}

mkdir -p "$tree/src" "$tree/tests"
cat >"$tree/src/a.c" <<'C'
ho_code ho_do(int n, void (*call)(void *), ho_error *err);
static ho_code own(const char *text, ho_error *err);
ho_code f(ho_error *err) { return own("a\")", err) || ho_do(g(NULL), NULL, err) ? other(NULL) : HO_OK; }
C
accepts "errors that are handed down"
echo 'static void f(void) { ho_do(1, NULL, NULL); }' >"$tree/tests/b.c"
rejects "b.c:1: ho_do gets NULL"
rm "$tree/tests/b.c"
echo 'static void h(void) { own("a, (", NULL); }' >>"$tree/src/a.c"
rejects "a.c:4: own gets NULL"
echo 'ho_code f(ho_error *err) { if (code && err) *err = why; }' >"$tree/src/a.c"
rejects "err is never NULL"

check_tree .
