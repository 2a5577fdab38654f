#!/bin/bash
# A clone brings links below .handoff/run: `run` writes prompts, logs and results there, and keeps its locks there.
# shellcheck source=tests/attacks/files_common
source "$(dirname "$0")/files_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"

phase 1 First 'done'
expect 0 run "$plan" --agent ./teammate
id=$(basename "$(dirname "$(find .handoff/run -name prompt.md | head -1)")")
run_id=$(basename "$(dirname "$(dirname "$(find .handoff/run -name prompt.md | head -1)")")")
lock=$(basename "$(ls .handoff/run/*.lock | head -1)")
cp -r "$folder/project" "$folder/template"
git -C "$folder/template" rev-parse >/dev/null 2>&1

# again: the project as it was before the run, with nothing below .handoff.
again()
{
  cd "$folder" && rm -rf project && cp -r template project && cd project || exit
  rm -rf .handoff effects counts state .project
  sed -i 's/\[COMPLETED\]/[NOT STARTED]/' "$plan"
  rm -rf specs/7_relay/progress specs/7_relay/handoffs specs/7_relay/reports specs/7_relay/.return*
  mkdir -p .handoff/run
}
for name in prompt.md log result.json request.json; do
  again
  mkdir -p ".handoff/run/$run_id/$id"
  ln -s "$victim/.bashrc" ".handoff/run/$run_id/$id/$name"
  within 60 run "$plan" --agent ./teammate
  # What the teammate itself writes through a link is its own doing, so only the program's files count.
  [ $name = result.json ] || untouched "run: $name leads to .bashrc"
  [ $name != result.json ] || fill_victim
done
for name in .handoff/run ".handoff/run/$run_id" ".handoff/run/$run_id/$id"; do
  again
  rm -rf "$name"
  mkdir -p "$(dirname "$name")"
  ln -s "$victim/sub" "$name"
  within 60 run "$plan" --agent ./teammate
  untouched "run: $name leads outside"
done
for name in "$lock" .gitignore; do
  again
  ln -s "$victim/.bashrc" ".handoff/run/$name"
  within 60 run "$plan" --agent ./teammate
  untouched "run: the link $name"
done
# Work trees: of another project, through a link or by a file .git that leads there.
git add -A >/dev/null 2>&1 && git -c user.name=a -c user.email=a@b commit -qm one
git init -q "$folder/other"
(cd "$folder/other" && echo x >x && git add x && git -c user.name=a -c user.email=a@b commit -qm other)
cp -r acts specs teammate "$folder/other"
for kind in link all file; do
  again
  git add -A >/dev/null 2>&1
  git -c user.name=a -c user.email=a@b commit -qm two >/dev/null 2>&1
  mkdir -p ".handoff/run/$run_id/trees/1"
  case $kind in
    link) rmdir ".handoff/run/$run_id/trees/1" && ln -s "$folder/other" ".handoff/run/$run_id/trees/1" ;;
    all) rm -r ".handoff/run/$run_id/trees" && mkdir "$folder/trees" && ln -s "$folder/other" "$folder/trees/1" && ln -s "$folder/trees" ".handoff/run/$run_id/trees" ;;
    file) echo "gitdir: $folder/other/.git" >".handoff/run/$run_id/trees/1/.git" ;;
  esac
  within 60 run "$plan" --agent ./teammate --worktrees
  expect_that "a teammate worked in another project ($kind)" [ ! -e "$folder/other/effects" ]
  expect_that "a teammate worked with another project's repository ($kind)" [ ! -e ".handoff/run/$run_id/trees/1/effects" -o $kind = link -o $kind = all ]
done
# The plan is a link, and the folder of the task.
again
cp "$plan" "$victim/plan.md" && rm "$plan" && ln -s "$victim/plan.md" "$plan"
within 60 run "$plan" --agent ./teammate
expect_that "the plan was changed through a link" grep -q 'NOT STARTED' "$victim/plan.md"
rm "$victim/plan.md"
fill_victim
again
mv specs "$folder/specs-outside" && ln -s "$folder/specs-outside" specs
find "$folder/specs-outside" | sort >"$folder/listed"
within 60 run "$plan" --agent ./teammate
expect_that "run wrote through a link to the folder of tasks" cmp -s "$folder/listed" <(find "$folder/specs-outside" | sort)
finish
