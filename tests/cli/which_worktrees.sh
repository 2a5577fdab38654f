#!/bin/bash
# Worktrees share the store, so that their tasks have different numbers: also if nothing was passed on yet, or one is gone.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
needs git
git init -q -b main && git config user.name t && git config user.email t@example.com
expect 0 init
echo 1 >a && git add -A && git commit -qm a
for tree in a b c d e; do
  git worktree add -q "../w$tree" -b "$tree"
done
# in_tree NAME ARGUMENT...: the program in that worktree, in a session of its own.
in_tree() {
  cd "../w$1" || exit 1
  HANDOFF_SESSION=$1 expect 0 "${@:2}"
  cd "$OLDPWD" || exit 1
}
none_superseded() { expect_that "a handoff of another task was superseded" [ -z "$(grep superseded "$folder/err")" ]; }
in_tree a progress start --objective 'Login'
expect_err 'started task 1 in specs/1_a'
in_tree b progress start --objective 'Search'
expect_err 'started task 2 in specs/2_b'
in_tree a pass --next 'Write the login form in src/login.c'
in_tree b pass --next 'Write the search in src/search.c'
none_superseded
expect 0 list --state ready --json
expect_json "$folder/out" 'v.handoffs.map((h) => h.task).sort().join() === "1,2"'
expect 0 progress start --objective 'Tell' --slug tell
expect_err 'started task 3 in specs/3_tell'
# Many at once.
for tree in c d e; do
  (cd "../w$tree" && HANDOFF_SESSION=new-$tree "$HANDOFF" progress start --slug "at_once_$tree" --objective Go) >/dev/null 2>&1 &
done
wait
expect_that "three tasks have three numbers" [ "$(cd .. && find wc wd we -path '*specs/*_at_once_*' -prune | sed 's/.*specs.//; s/_.*//' | sort -u | xargs)" = '4 5 6' ]

# Tasks that got the same number before anybody could know: neither takes the place of the other's handoff.
in_tree a pass --task 9 --phase 1 --slug mine --next 'Open src/a.c and read it' --decision 'Mine: yes'
in_tree b pass --task 9 --phase 1 --slug yours --next 'Open src/b.c and read it'
none_superseded
expect_that "the other task's decision came along" [ -z "$(grep -r 'Mine' ../wb/specs)" ]
expect 0 list --task 9 --state ready --json
expect_json "$folder/out" 'v.handoffs.length === 2'
in_tree b pass --task 9 --phase 1 --next 'Open src/b.c and write it' --context 'It is long'
expect_err 'superseded'
finish
