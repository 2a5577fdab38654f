#!/bin/bash
# The README's console blocks, run in order in one folder: every command prints what stands there. Times do not count.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
cp "$source_dir"/examples/*.* .
mkdir -p src/import docs bin && touch src/import/csv.py docs/import-format.md
ln -s "$handoff" bin/handoff
PATH=$PWD/bin:$PATH
last=README.md

awk '/^```console$/ {on = 1; next} /^```$/ {on = 0} on' "$source_dir/README.md" >expected
grep -q '^\$ handoff' expected || { echo "no console block in README.md"; exit 1; }
# The commands with their output, as a terminal would show them; stderr where it comes.
while IFS= read -r line; do
  printf '$ %s\n' "${line#\$ }"
  eval "${line#\$ }" 2>&1
done < <(grep '^\$ ' expected) >"$folder/out" 2>"$folder/err"
times='s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/TIME/g; s/[0-9]{8}T[0-9]{6}Z/TIME/g'
sed -E "$times" expected >expected.plain
sed -E "$times" "$folder/out" >out.plain
if diff expected.plain out.plain >"$folder/err"; then result ok; else result bad "prints something else"; fi
rm -f bin/handoff
finish
