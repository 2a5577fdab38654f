#!/bin/bash
# The README's console blocks, run in order in one folder: every command prints what stands there. Times do not count.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
cp -r "$source_dir"/examples .
mkdir bin
ln -s "$handoff" bin/handoff
PATH=$PWD/bin:$PATH
last=README.md
export HOME=$folder
unset HANDOFF_AGENT HANDOFF_TOKEN
# A person decides at a terminal.
handoff()
{
  if [ "$1 ${2:-}" != "gate decide" ]; then
    command handoff "$@"
    return
  fi
  SHELL=/bin/bash script -qec "$(printf '%q ' "$handoff" "$@")" /dev/null </dev/null | tr -d '\r'
}
year=$(date -u +%Y)

# All blocks are one shell: nothing that one of them sets may disturb the next.
awk '/^```console$/ {on = 1; next} /^```$/ {on = 0} on' "$source_dir/README.md" >expected
grep -q '^\$ handoff' expected || { echo "no console block in README.md"; exit 1; }
# The commands with their output, as a terminal would show them; stderr where it comes.
while IFS= read -r line; do
  printf '$ %s\n' "${line#\$ }"
  line=${line//G-2026-/G-$year-}
  eval "${line#\$ }" 2>&1
done < <(grep -E '^\$ ' expected) >"$folder/out" 2>"$folder/err"
cd "$folder/project" || exit
times='s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/TIME/g; s/[0-9]{8}T[0-9]{6}Z/TIME/g; s/ after [0-9]+:[0-9]{2}/ after TIME/
  s/user:[A-Za-z0-9._-]+/user:NAME/; s/\b(R|G)-[0-9]{4}-/\1-YEAR-/g; s/from HO-[0-9]{4}-[0-9]+/from HO/; s/; HO-[0-9]{4}-[0-9]+ is/; HO is/; s/[0-9]+ formats/N formats/'
sed -E "$times" expected >expected.plain
sed -E "$times" "$folder/out" >out.plain
if diff expected.plain out.plain >"$folder/err"; then result ok; else result bad "prints something else"; fi
rm -f bin/handoff

# Its table of formats: every one, once, with what it is written in. A row has one format or several, and what each is
# written in, or all of them.
expect 0 formats
sort -o "$folder/formats" <(awk '{print $1, $2}' "$folder/out" | sed 's/ md$/ Markdown/; s/ json$/ JSON/; s/ yaml$/ YAML/')
awk -F ' *[|] *' '/^## / {on = $0 == "## Formats"} on && NF == 5 && $2 !~ /^(format|---)$/ {
    count = split($2, names, ", *")
    of = split($3, encodings, ", *")
    for (i = 1; i <= count; i++) print names[i], encodings[of == 1 ? 1 : i]
  }' "$source_dir/README.md" | sort >"$folder/listed"
expect_that "the table of formats in README.md is not what 'handoff formats' says: $(diff "$folder/listed" "$folder/formats" | grep '^[<>]')" \
  cmp -s "$folder/listed" "$folder/formats"

# Every exit status that the help lists, in the same words.
last="README.md: exit statuses"
tr -s ' \n' ' ' <"$source_dir/README.md" >"$folder/readme"
"$handoff" help --all | sed -n '/^Exit status/,/^$/p' | grep -oE ' [0-9]+  ([^ ]+ )*[^ ]+' | tr -s ' ' >statuses
expect_that "the help lists no exit statuses" test -s statuses
while read -r status; do
  expect_that "does not say '$status'" grep -qF " $status" "$folder/readme"
done <statuses

# Every harness that `install` knows, where the README names them.
last="README.md: install"
"$handoff" install --help | sed -n 's/^Register the hooks with \(.*\)\.$/\1/p' | sed 's/, / or /g; s/ or /\n/g' >harnesses
expect_that "the help of install lists no harnesses" test -s harnesses
grep '`install` registers' "$source_dir/README.md" >row
while read -r harness; do
  expect_that "its row does not name $harness" grep -qF "$harness" row
done <harnesses
finish
