#!/bin/bash
# fix: in place, losing nothing, twice the same; details, diffs, names, folders.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir -p .handoff specs/7_fast_start/handoffs specs/7_fast_start/progress
long=specs/7_fast_start/handoffs/phase-3-handoff-20260212T143022Z.md
details=${long%.md}-details.md
{
  printf '# Phase 3 Handoff: Make the start fast\n\n**Date**: 2026-02-12\n**Status**: PARTIAL\n\n'
  printf '## Immediate Next Action\n\nThe next steps are:\n\n1. Run `make bench` on the branch\n2. Read the profile\n\n'
  printf '## Current State\n- **File**: /srv/app/main.c\n- **Location**: line 40\n- **Goal state**: starts in 2 ms\n\n'
  printf '## Key Decisions\n'
  for i in 1 2 3 4 5 6; do printf '%d. **Choice %d**: because of reason %d\n' $i $i $i; done
  printf '\n## What NOT to Try\n- Caching: slower\n\n## Critical Context\n'
  for i in 1 2 3 4 5 6 7; do printf -- '- Fact number %d\n' $i; done
  printf '\n## References\n'
  for i in 1 2 3 4; do printf -- '- Plan %d: plans/%d.md\n' $i $i; done
  printf '\n## What Was Done\n'
  for i in $(seq 30); do printf -- '- Change number %d\n' "$i"; done
} >"$long"
cp "$long" "$folder/original"
expect 4 check "$long"

# What would change is a diff that patch understands; nothing is written.
expect 0 fix --print "$long"
expect_that "the file was changed" cmp -s "$long" "$folder/original"
expect_that "a details file was written" [ ! -e "$details" ]
mkdir -p "$folder/patched/specs/7_fast_start/handoffs"
cp "$long" "$folder/patched/$long"
if has patch "a diff applies with patch"; then
  cp "$folder/out" "$folder/diff"
  expect_that "patch does not take the diff" patch -s -p1 -d "$folder/patched" -i "$folder/diff"
fi

mkdir "$folder/odd" && printf 'outcome: done' >'odd name "1".yaml' && cp odd* "$folder/odd"
expect 0 fix --print --format task 'odd name "1".yaml'
if has git "a diff of an odd name applies with git"; then
  expect_that "git does not take an odd name" git -C "$folder/odd" apply "$folder/out"
  expect 0 fix --format task 'odd name "1".yaml'
  expect_that "odd" cmp -s odd* "$folder/odd/"odd*
fi
rm odd*

expect 0 fix "$long"
expect_out "fixed"
expect_out "moved to $details"
if has patch "the patched files"; then
  expect_that "the patched file differs" cmp -s "$long" "$folder/patched/$long"
  expect_that "the patched details differ" cmp -s "$details" "$folder/patched/$details"
fi
expect 0 check "$long"
expect_that "more than a screen" [ "$(wc -l <"$long")" -le 40 ]
expect_that "no title" grep -qx '# Phase 3 Handoff - 20260212T143022Z' "$long"
expect_that "not one step" grep -qx 'Run `make bench` on the branch' "$long"
expect_that "details are not named" grep -qx -- '- Details: phase-3-handoff-20260212T143022Z-details.md' "$long"
expect_that "four decisions at most" [ "$(grep -c 'because of reason' "$long")" = 4 ]
# Every line is still there but for marks and white space.
words() { sed -E 's/^[[:space:]>]*([-*+]|[0-9]+[.)]|#+)?[[:space:]]+//; s/\*\*//g; s/[[:space:]]+/ /g' "$@"; }
words "$long" "$details" >"$folder/words"
lost=
while IFS= read -r line; do
  [ -z "$line" ] || grep -qF -- "$line" "$folder/words" || lost+="$line;"
done < <(words "$folder/original")
expect_that "lost: $lost" [ -z "$lost" ]

# Twice is the same, and the details are no document of their own.
cp "$long" "$folder/once" && cp "$details" "$folder/details"
expect 0 fix specs --json
expect_json "$folder/out" 'v.changed === 0 && v.errors === 0 && v.files.length === 1'
expect_that "a second fix changed the file" cmp -s "$long" "$folder/once"
expect_that "a second fix changed the details" cmp -s "$details" "$folder/details"
# More to move goes to the end of the details that are there.
printf -- '- Fact that came later\n' >>"$long"
for i in $(seq 30); do printf -- '- Late change %d\n' "$i"; done >>"$long"
expect 0 fix "$long"
expect_that "the old details are gone" cmp -s -n "$(stat -c %s "$folder/details")" "$details" "$folder/details"
expect_that "the new details are not there" grep -q 'Late change 30' "$details"

# A fact that is missing stays a finding; what conforms is not touched.
printf '# Phase 4 Handoff - 20260213T101112Z\n\n## Immediate Next Action\nRun `make`.\n\n## Current State\n- **File**: /a\n' \
  >specs/7_fast_start/handoffs/phase-4-handoff-20260213T101112Z.md
expect 4 fix specs/7_fast_start/handoffs/phase-4-handoff-20260213T101112Z.md
expect_out "section-missing"
expect_err "4 errors left"

# YAML and JSON: what is wrong is put right in its place; comments and the rest stay.
cat >task.yaml <<'Y'
# what came of it
outcome: done   # really
files_modified:
  - path: src/a.c   # the parser
    lines: L45-L67
    change_type: updated
patterns_discovered: []
my_own: 1
Y
expect 0 fix task.yaml --format task
expect_that "not as wanted: $(cat task.yaml)" grep -qx 'outcome: completed   # really' task.yaml
expect_that "lines" grep -qxE '    lines: "?45-67"?' task.yaml
expect_that "comment" grep -qx '  - path: src/a.c   # the parser' task.yaml
expect_that "own key" grep -qx 'my_own: 1' task.yaml
printf 'outcome: done # so\nfiles_modified:\n  # one\n  src/a.c\n' >task.yaml
expect 0 fix task.yaml --format task
expect_that "comments are lost" [ "$(grep -cE '# (so|one)$' task.yaml)" = 2 ]
expect_that "no list" grep -qx '  - path: src/a.c' task.yaml
cp task.yaml "$folder/once"
expect 0 fix task.yaml --format task
expect_that "a second fix changed it" cmp -s task.yaml "$folder/once"
printf '# T\n\n## Handoff\n\n```yaml\noutcome: done\nfiles_modified: [a.c]\n```\n\nThe  end.' >task-1.md
expect 0 fix task-1.md --format task
expect_that "the fence" grep -qx 'outcome: completed' task-1.md
expect_that "the rest" [ "$(tail -c 9 task-1.md)" = "The  end." ]
expect 3 fix - --format task <<<'a: ['
# Standard input comes out fixed; what would go to a details file has no place there.
expect 0 fix - --format task <<<'outcome: done'
expect_out_is 'outcome: completed'
expect 0 fix - --format task --print <<<'outcome: done'
expect_out "+outcome: completed"
expect 4 fix - --format task <<<'outcome: partial'
expect_out_is 'outcome: partial'
expect_err "-:1:10: error[task-partial] /blockers"
expect 8 fix - --format artifact <"$folder/original"
expect_err "use --print"
expect 0 fix - --format artifact --print <"$folder/original"
expect_out "+++ b/-details.md"
expect 5 fix nowhere.md
expect 2 fix

rm specs/7_fast_start/handoffs/phase-4-*

# One of several files that cannot be written does not hold up the others.
mkdir many && printf 'outcome: done\n' | tee many/task-1.yaml many/task-2.yaml >many/task-3.yaml
mkdir many/shut && cp many/task-1.yaml many/shut && chmod a-w many/shut
forbidden 9 fix many --format task
expect_out "many/shut/task-1.yaml:1:1: error"
expect_that "the others are as they were" grep -q completed many/task-3.yaml
chmod u+w many/shut
rm -rf many

# Names: with the paths that name them.
day=specs/7_fast_start/handoffs/phase-5-handoff-20260214.md
named() { printf '# Phase 5 Handoff%s\n\n## Summary\nAll is well.\n' "$1"; }
named "" >"$day"
named ": other" >"${day%.md}b.md"
touch -d '2026-02-15 10:00:00 UTC' "$day" "${day%.md}b.md"
cat >specs/7_fast_start/.return-meta.json <<J
{"status": "partial",
 "artifacts": [{"type": "handoff", "path": "$day", "summary": "phase-5-handoff-20260214.md"}],
 "partial_progress": {"stage": "context_exhaustion_handoff", "details": "d", "handoff_path": "$day"} }
J
cp specs/7_fast_start/.return-meta.json "$folder/meta"
printf 'handoff_path: handoffs/phase-5-handoff-20260214.md # so\nother:\n  - path: "elsewhere/phase-5-handoff-20260214.md"\n' \
  >specs/7_fast_start/state.yaml
printf 'See phase-5-handoff-20260214.md.\n' >specs/7_fast_start/notes.md
cp -r . "$folder/renamed"
expect 0 fix --rename --print specs/7_fast_start/handoffs
cp "$folder/out" "$folder/diff"
expect_that "it was renamed" [ -e "$day" ]
expect_that "the metadata were changed" cmp -s specs/7_fast_start/.return-meta.json "$folder/meta"
expect_out "rename to specs/7_fast_start/handoffs/phase-5-handoff-20260214T000000Z.md"
# If one of the files cannot be written, all are as before.
mkdir specs/7_fast_start/z_shut
printf 'handoff_path: "%s"\n' "$day" >specs/7_fast_start/z_shut/state.yaml
cp -r . "$folder/whole"
for shut in z_shut handoffs; do
  chmod a-w "specs/7_fast_start/$shut"
  forbidden 9 fix --rename specs/7_fast_start/handoffs
  chmod u+w "specs/7_fast_start/$shut"
  expect_that "something has changed: $(diff -r . "$folder/whole")" diff -qr . "$folder/whole"
done
rm -r specs/7_fast_start/z_shut
expect 0 fix --rename specs/7_fast_start/handoffs
expect_err "only its date is known"
expect_err "notes.md: its text still names phase-5-handoff-20260214.md, which is now phase-5-handoff-20260214T000000Z.md"
expect_that "YAML: $(cat specs/7_fast_start/state.yaml)" grep -qx \
  'handoff_path: handoffs/phase-5-handoff-20260214T000000Z.md # so' specs/7_fast_start/state.yaml
expect_that "another file's path" grep -q 'elsewhere/phase-5-handoff-20260214.md' specs/7_fast_start/state.yaml
if has git "a diff with renames applies with git"; then
  expect_that "git does not take the diff" git -C "$folder/renamed" apply "$folder/diff"
  expect_that "the diff does something else" diff -r . "$folder/renamed"
fi
expect_that "not renamed" [ -e "${day%.md}T000000Z.md" ]
expect_that "the second is not renamed" [ -e "${day%.md}T000001Z.md" ]
expect_that "the old name is there" [ ! -e "$day" ]
sed 's|path": "\([^"]*\)20260214.md"|path": "\120260214T000000Z.md"|' "$folder/meta" >"$folder/wanted"
expect_that "paths: $(cat specs/7_fast_start/.return-meta.json)" cmp -s specs/7_fast_start/.return-meta.json "$folder/wanted"
expect 0 fix --rename specs/7_fast_start/handoffs --json
expect_json "$folder/out" 'v.changed === 0'
# Interrupted after the second name was given: the first one goes, and nothing is there twice.
named "" >"${day/phase-5/phase-6}" && touch -d '2026-02-15 10:00:00 UTC' "${day/phase-5/phase-6}"
ln "${day/phase-5/phase-6}" "${day/phase-5-handoff-20260214.md/phase-6-handoff-20260214T000000Z.md}"
expect 0 fix --rename specs/7_fast_start/handoffs
expect_that "not finished" [ "$(echo specs/7_fast_start/handoffs/phase-6*)" = specs/7_fast_start/handoffs/phase-6-handoff-20260214T000000Z.md ]
rm specs/7_fast_start/handoffs/phase-6*
# The day's time from the file, or from git; details follow their document.
named "" >"$day"
printf '\n## References\n- Details: phase-5-handoff-20260214-details.md\n' >>"$day"
printf '# Details\n\nMore.\n' >"${day%.md}-details.md"
touch -d '2026-02-14 10:11:12 UTC' "$day"
expect 0 fix --rename "$(dirname "$day")"
expect_that "the file's time" [ -e "${day%.md}T101112Z.md" ]
expect_that "the details' name" [ -e "${day%.md}T101112Z-details.md" ]
expect_that "the details grew" [ "$(tail -n 1 "${day%.md}T101112Z-details.md")" = "More." ]
if has git "the time of a commit"; then
  named "" >"$day"
  git init -q . && git add "$day"
  GIT_COMMITTER_DATE='2026-02-14T03:04:05Z' git -c user.name=a -c user.email=a@b commit -qm a
  expect 0 fix --rename "$day"
  expect_that "git's time" [ -e "${day%.md}T030405Z.md" ]
fi

# A link: the file that it leads to is fixed, and the link stays one; outside of the project nothing is.
mkdir linked && printf 'outcome: Done\n' >linked/t.yaml && ln -s linked/t.yaml link.yaml
expect 0 fix link.yaml --format task
expect_that "the link is gone" [ -L link.yaml ]
expect_that "the file is as it was" grep -q completed linked/t.yaml
printf 'outcome: Done\n' >"$folder/outside.yaml" && ln -s "$folder/outside.yaml" away.yaml
expect 9 fix away.yaml --format task
expect_err "outside the project"
expect_that "a file outside was written" grep -q Done "$folder/outside.yaml"
expect_that "the link is gone" [ -L away.yaml ]
ln -s "$folder" there
expect 9 fix there/outside.yaml --format task
expect_err "outside the project"
expect 9 fix there --format task
expect_that "a file outside was written" grep -q Done "$folder/outside.yaml"
rm there
expect 0 fix away.yaml --format task --print
expect_out "+outcome: completed"
expect 2 fix link.yaml --rename
expect_err "is a symbolic link"

# A phase handoff in YAML is made to fit one screen as one in Markdown is.
{
  printf 'phase: 3\ntimestamp: 20260212T143022Z\nimmediate_next_action: |\n  - Run it\n  - Read it\nx_log: |\n'
  for i in $(seq 60); do echo "  line $i of the log"; done
} >long.yaml
run fix long.yaml --format artifact
expect_out "long.yaml: fixed, 2 blocks moved to long.yaml-details.md"
expect_that "the log is not in the details" grep -q 'line 60 of the log' long.yaml-details.md
expect_that "the log is still there" [ "$(grep -c log long.yaml)" = 0 ]
expect_that "the details are not named" grep -q 'path: long.yaml-details.md' long.yaml
run fix long.yaml --format artifact --json
expect_json "$folder/out" 'v.changed === 0'
# Hooks pass any file.
printf '# Readme\n' >README.md
expect 4 fix README.md
expect_err "README.md: not recognised"
expect 0 fix --ignore-unknown README.md
expect_that "it was changed" grep -qx '# Readme' README.md
finish
