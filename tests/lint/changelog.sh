#!/bin/bash
# CHANGELOG.md begins with what is unreleased, then has one dated section per version, newest first; the newest is the
# version that the program says it is.
# shellcheck source=tests/lint/common
source "$(dirname "$0")/common"

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
  return $bad
}

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

check_tree .
