#!/bin/bash
# CHANGELOG.md begins with what is unreleased, then has one dated section per version, newest first; the newest is the
# version that the program says it is. Commands, options, formats, settings and rules that are new or gone since it was
# last changed are named under Unreleased.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

# names DIR: what users call by its name, one line each: "send", "send --to", "format gate", "setting lease", "rule gate-items".
# It comes from files that other tests compare with the program: manual, schemas, cases.
names()
{
  (
    cd "$1" || exit
    # shellcheck disable=SC1003
    awk '/^\\fBhandoff / { name = $0; sub(/\\fR.*/, "", name); sub(/^\\fBhandoff /, "", name); print name
      while (match($0, /\\-\\-[a-z\\-]+/)) { word = substr($0, RSTART, RLENGTH); gsub(/\\/, "", word); print name, word
        $0 = substr($0, RSTART + RLENGTH) } }' docs/handoff.1
    awk -F '"' '/^  "/ { on = /properties/ } on && /^    "/ { print "setting", $2 }' schemas/config.json
    find schemas -name '*.json' | sed -E 's|.*/(.*)\.json|format \1|'
    find tests/cases -name '*.bad.*' | sed -E 's|.*/([^./]*)\.bad\..*|rule \1|'
  ) | sort -u
}

# check_names DIR: DIR is a git repository. A change of CHANGELOG.md that is not committed yet counts too: what it says is
# up to its author.
check_names()
{
  local last name word unreleased bad=0
  git -C "$1" diff --quiet HEAD -- CHANGELOG.md || return 0
  last=$(git -C "$1" log -1 --format=%H -- CHANGELOG.md)
  rm -rf "$before" && mkdir "$before"
  git -C "$1" archive "$last" docs/handoff.1 schemas tests/cases | tar -x -C "$before" || return 1
  unreleased=$(sed -n '/^## Unreleased/,/^## [0-9]/p' "$1/CHANGELOG.md")
  while IFS= read -r name; do
    word=${name##* }
    grep -qE -- "(^|[^a-z-])$word(\$|[^a-z-])" <<<"$unreleased" ||
      { echo "CHANGELOG.md says nothing under Unreleased about what is new or gone: $name"; bad=1; }
  done < <(comm -3 <(names "$before") <(names "$1") | tr -d '\t')
  return $bad
}

check_tree()
{
  local version newest headings bad=0
  version=$(sed -n 's/^project(handoff VERSION \([0-9.]*\).*/\1/p' "$1/CMakeLists.txt")
  headings=$(sed -n 's/^## //p' "$1/CHANGELOG.md")
  [ "$(head -n 1 <<<"$headings")" = Unreleased ] || { echo "the first section is not 'Unreleased'"; bad=1; }
  headings=$(tail -n +2 <<<"$headings")
  ! grep -vE '^[0-9]+\.[0-9]+\.[0-9]+ - [0-9]{4}-[0-9]{2}-[0-9]{2}$' <<<"$headings" || { echo "not 'X.Y.Z - YYYY-MM-DD'"; bad=1; }
  sort -rVC <<<"$headings" || { echo "versions are not in order, newest first"; bad=1; }
  newest=${headings%% *}
  [ "$newest" = "$version" ] || { echo "the newest version is $newest, the program's is $version"; bad=1; }
  [ ! -e "$1/.git" ] || check_names "$1" || bad=1
  return $bad
}

needs git
before=$(mktemp -d)
trap 'rm -rf "$tree" "$before"' EXIT
echo 'project(handoff VERSION 0.10.0 LANGUAGES C)' >"$tree/CMakeLists.txt"
printf '# Changelog\n## Unreleased\n### Added\n## 0.10.0 - 2026-12-01\n## 0.9.0 - 2026-11-01\n' >"$tree/CHANGELOG.md"
accepts "a changelog in order"
sed -i '/Unreleased/d' "$tree/CHANGELOG.md"
rejects "the first section is not 'Unreleased'"
printf '## Unreleased\n## 0.10.0\n' >"$tree/CHANGELOG.md"
rejects "not 'X.Y.Z - YYYY-MM-DD'"
printf '## Unreleased\n## 0.9.0 - 2026-11-01\n## 0.10.0 - 2026-12-01\n' >"$tree/CHANGELOG.md"
rejects "versions are not in order"
printf '## Unreleased\n## 0.9.0 - 2026-11-01\n' >"$tree/CHANGELOG.md"
rejects "the newest version is 0.9.0, the program's is 0.10.0"

mkdir -p "$tree"/{docs,schemas,tests/cases/gate}
printf '.TP\n\\fBhandoff send\\fR PATH [\\-\\-to AGENT] [\\-\\-dry\\-run]\nSends it.\n' >"$tree/docs/handoff.1"
printf '{\n  "properties": {\n    "lease": {\n    }\n  }\n}\n' >"$tree/schemas/config.json"
touch "$tree/tests/cases/gate/gate-items.bad.yaml"
printf '## Unreleased\n## 0.10.0 - 2026-12-01\n' >"$tree/CHANGELOG.md"
git -C "$tree" init -q
git -C "$tree" add .
git -C "$tree" -c user.name=a -c user.email=a@example.com commit -qm one
accepts "an interface that has not changed"
printf '\\fBhandoff moods\\fR [\\-\\-all]\n' >>"$tree/docs/handoff.1"
rejects "new or gone: moods"
rejects "new or gone: moods --all"
sed -i 's/lease/nap/' "$tree/schemas/config.json"
rejects "new or gone: setting nap"
rejects "new or gone: setting lease"
touch "$tree/schemas/memo.json" "$tree/tests/cases/gate/gate-late.bad.yaml"
rejects "new or gone: format memo"
rejects "new or gone: rule gate-late"
printf '## Unreleased\n- "moods --all", the setting nap in place of lease, memo with gate-late.\n## 0.10.0 - 2026-12-01\n' >"$tree/CHANGELOG.md"
accepts "a changelog that is being written"
git -C "$tree" -c user.name=a -c user.email=a@example.com commit -qam two
accepts "a changelog that was written before"

[ -e .git ] || skip "names that are new or gone are in CHANGELOG.md" "this is not a git repository"
check_tree .
