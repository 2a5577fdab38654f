#!/bin/bash
# While git makes a worktree for `run`, the folder on the way to it is swapped for a link: nothing is written outside the
# project, and no teammate is started there.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/../cli/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/attacks/git_common
source "$source_dir/tests/attacks/git_common"
[[ $("$handoff" doctor 2>&1) == *"ok      landlock"* ]] || skip_test "this system has no Landlock"
trees=.handoff/run/R-2026-001/trees outside=$folder/outside

# A git that is held up just before it would begin: whoever may write in the project needs that moment only.
mkdir "$folder/bin"
cat >"$folder/bin/git" <<END
#!/bin/sh
case " \$* " in *" \$SWAP_BEFORE "*)
  cd "$folder/raced" && [ ! -L $trees ] && mv $trees $trees.aside && ln -s "$outside" $trees ;;
esac
exec "$(command -v git)" "\$@"
END
chmod +x "$folder/bin/git"

for moment in "worktree add" "read-tree -m"; do
  rm -rf "$folder/raced" "$outside"
  repository "$folder/raced"
  mkdir -p plans "$outside/1"
  printf '# Implementation Plan: Relay\n\n- **Status**: [NOT STARTED]\n\n### Phase 1: One [NOT STARTED]\n\n**Goal**: It is there.\n\n- [ ] do it\n' >plans/relay.md
  printf '#!/bin/sh\npwd -P >"%s"\n' "$ran" >"$folder/mate" && chmod +x "$folder/mate"
  expect 0 init
  SWAP_BEFORE=$moment PATH=$folder/bin:$PATH timeout 60 "$handoff" run plans/relay.md --agent "$folder/mate" \
    --max-successors 1 --worktrees >"$folder/out" 2>"$folder/err"
  last="run --worktrees with a link swapped in before git $moment"
  expect_that "the folder was not swapped" [ -L $trees ]
  expect_that "written outside: $(find "$outside" -mindepth 2 | head -3 | tr '\n' ' ')" [ -z "$(ls -A "$outside/1")" ]
  expect_that "a teammate works in $(cat "$ran" 2>/dev/null)" [ ! -e "$ran" ]
  expect_err "git cannot"
done
finish
