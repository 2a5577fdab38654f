#!/bin/bash
# No tracked text names a place of one machine (a work folder, a home of root, a registry) or has a conflict marker, and
# none refers to what readers cannot look up: ids of requirements, numbers of issues, planning documents.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"
needs git
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip_test "this is not a git work tree"

# Patterns are written so that they do not match themselves.
machine='(^|[^[:alnum:]_.~-])/(work|root)[/]|[.]py[e]nv|regi[s]try[.]npm|npm[.]pk[g]|^<{7} |^>{7} '
# A letter and a number that stand alone as a word. Parts of names, paths, hashes, quoted values and code points do not;
# neither do C99 and later versions of C.
id='(^|[^[:alnum:]_+/#.%"-])([ABDE][1-9][0-9]?|C[1-9])([^[:alnum:]_+/"]|$)'
issue='(^|[^[:alnum:]])issu[e] #?[0-9]'
plan='(^|[^[:alnum:]_/-])((design|spec)/)?(architecture-first-plan|dependencies|field-notes|house|integration|interface|peers|requirements|style|suites|surfaces|teams|trials|voice)[.]md'

check_tree()
{
  local bad=0
  git -C "$1" grep -nIE "$machine" -- . ':!*/corpus/*' && bad=1
  git -C "$1" grep -nIE "$id|$issue|$plan" -- . ':!*/corpus/*' ':!*package-lock.json' && bad=1
  return $bad
}

git -C "$tree" init -q
echo "fine: src/wo""rk/tree, https://example.org/ro""ot" >"$tree/a"
cat >>"$tree/a" <<'T'
U+00A0, \xE9, #A4A4A4, "A4", 0xB7, -O2, strict C99, sha256-x+B2/C3=, HO-2026-001, D-001, specs/auth/requirements.md
T
git -C "$tree" add a
accepts "a text without such words"
for text in "/wo""rk/main" "(A""14)" "the checks of E""4: four" "B""6-B10" "iss""ue 12" "hou""se.md" "in design/voi""ce.md"; do
  echo "see $text" >"$tree/a"
  rejects "a:1:see $text"
done

check_tree .
