#!/bin/bash
# What guards against strangers is not noticed in an ordinary project: reached through a link, with links inside it, in a
# linked work tree, read-only.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
needs git

# work: everything that writes, without a word on stderr that speaks of links or owners.
work()
{
  package "work-$1.yaml" "coder$1" reviewer
  for command in init "send work-$1.yaml" "progress start --task $1 --slug relay --phase 2 --objective Measure" \
    "progress note --task $1 --phase 2 hello" "pass --task $1 --phase 2 --next Measure --file src/a.c --location 1 --goal Half" \
    status verify state "fix work-$1.yaml" "install claude"; do
    # shellcheck disable=SC2086
    expect 0 $command
    expect_that "$command speaks of links or owners" eval '! grep -qE "symbolic|belongs|leads outside" "$folder/err"'
  done
  start_session
  expect_that "the hook failed: $(cat .handoff/hook.log 2>/dev/null)" [ ! -e .handoff/hook.log ]
}
fresh
work 1

# The project is reached through a link; the current folder keeps that name.
ln -s "$folder/project" "$folder/way"
cd "$folder/way" || exit
work 2
mkdir -p "$folder/deep" && ln -s "$folder/project" "$folder/deep/project"
expect 0 --root "$folder/deep/project" list
expect 0 --store "$folder/deep/project/.handoff/handoff.db" list
expect_out reviewer

# Links inside the project that stay in it.
fresh
mkdir -p things/specs things/state
ln -s things/specs specs
ln -s "$PWD/things/state" state
work 3
expect_that "the task is not where the link leads" [ -s things/specs/3_relay/progress/phase-2-progress.json ]
expect_that "the state is not where the link leads" [ -s things/state/current.json ]

# A linked work tree, which shares the store of the main one.
fresh
git init -q . 2>/dev/null
git add -A && git -c user.name=a -c user.email=a@b commit -qm one
work 4
git worktree add -q "$folder/tree" 2>/dev/null
cd "$folder/tree" || exit
work 5
expect_that "the store is not shared" [ ! -e .handoff/handoff.db ]
git -C "$folder/project" worktree remove --force "$folder/tree"

# Read-only.
fresh
work 6
chmod -R a-w .
forbidden 0 list
expect_out reviewer
forbidden 0 status
forbidden 0 check one.yaml
chmod -R u+w .
finish
