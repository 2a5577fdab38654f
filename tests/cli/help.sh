#!/bin/bash
# help, the manual page and completion: all from the table of commands.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
expect 0 help --json
cp "$folder/out" "$folder/commands"
expect_json "$folder/out" 'v.commands.length >= 14 && v.commands.every(c => c.usage.startsWith("handoff " + c.name) && c.examples.length)'
names=$(node -e 'JSON.parse(require("fs").readFileSync(process.argv[1])).commands.forEach(c => console.log(c.name))' "$folder/commands")
while IFS= read -r name; do
  # shellcheck disable=SC2086
  expect 0 $name --help
  expect_out "handoff $name"
  expect_that "a line of help is longer than 80 columns" bash -c "! sed '/^Examples/,/^$/d' '$folder/out' | grep -q '.\{81\}'"
done <<<"$names"

# The manual: handoff.1 is the committed one, which names every command with its options, and each command has a page.
expect 0 help --man
if ! cmp -s "$folder/out" "$source_dir/docs/handoff.1"; then
  result bad "docs/handoff.1 is not what the commands say; run: make generate"
else
  result ok
fi
manual=$folder/man/man1
"$source_dir/scripts/man-pages" "$handoff" "$manual"
expect_that "man-pages writes another handoff.1" cmp -s "$manual/handoff.1" "$source_dir/docs/handoff.1"
while IFS= read -r name; do
  last="man handoff-${name// /-}"
  expect_that "there is no page of its own" grep -q "^\\\\fBhandoff $name\\\\fR" "$manual/handoff-${name// /-}.1"
  expect_that "handoff.1 does not name it" grep -q "^\\\\fBhandoff $name\\\\fR" "$manual/handoff.1"
done <<<"$names"
last=manual
expect_that "there are pages of other commands" [ "$(find "$manual" -name '*.1' | wc -l)" = "$(($(wc -l <<<"$names") + 1))" ]
expect 0 help gate raise --man
expect_that "it is another page" cmp -s "$folder/out" "$manual/handoff-gate-raise.1"
expect 0 help environment --json
while IFS= read -r name; do
  expect_that "handoff.1 does not name $name" grep -qx "\.B $name" "$manual/handoff.1"
done < <(grep -o '"name":"[^"]*"' "$folder/out" | cut -d '"' -f 4)
# Every variable of ours, and those with which people set up their terminal and their folders.
while IFS= read -r name; do
  expect_that "help environment does not name $name" grep -q "\"name\":\"$name\"" "$folder/out"
done < <(grep -rhoE '"(HANDOFF_[A-Z]+|XDG_[A-Z_]+|VISUAL|NO_COLOR|COLUMNS|LC_ALL|CODEX_HOME|CLAUDE_CONFIG_DIR)"' "$source_dir/src" | tr -d '"' | sort -u)
last=manual
if has groff "groff reads the manual"; then
  for page in "$manual"/*.1; do
    groff -man -Tutf8 -ww -K utf8 "$page" >/dev/null
  done >"$folder/out" 2>&1
  expect_no_out
fi
if has mandoc "mandoc reads the manual"; then # a page has no date: it is the same on every day
  mandoc -T lint -W warning "$manual"/*.1 2>&1 | grep -v 'missing date' >"$folder/out"
  expect_no_out
fi

# Every example of the manual runs.
cp "$source_dir"/examples/*.* .
mkdir -p src/import docs && touch src/import/csv.py docs/import-format.md notes.md
if has jq "the examples of the manual"; then
  mkdir -p "$folder/bin" specs thoughts/shared/handoffs && ln -s "$handoff" "$folder/bin/handoff"
  printf 'session: sign-in\noutcome: SUCCEEDED\ngoal: Tokens that expire\nnow: Write the middleware\nfiles:\n  created: [src/import/csv.py]\n' >thoughts/shared/handoffs/tokens.yaml
  printf '# Handoff\n\n**Status**: COMPLETED\n\n## Done\n- Created `src/import/csv.py`\n\n## Next Steps\n1. Write the export\n' >HANDOFF.md
  printf 'outcome: completed\nfiles_created: []\nfiles_modified: []\n' >task.yaml
  printf '# Implementation Plan: Import\n\n- **Task**: 9 - import\n- **Status**: [NOT STARTED]\n\n### Phase 1: Read [NOT STARTED]\n\n**Goal**: It is read.\n\n- [ ] read it\n' >plan.md
  cat >"$folder/bin/claude" <<'END' # an agent that does its work at once
#!/bin/bash
cat >/dev/null
echo '{"status": "implemented", "summary": "It is read", "artifacts": [], "completion_data": {"completion_summary": "It is read"}}' >"$HANDOFF_META"
END
  chmod +x "$folder/bin/claude"
  while IFS= read -r example; do
    last="example: $example"
    case $example in # the example of pass has handed the phase on: whoever ends it has gone on with it
    "handoff finish "*) "$handoff" progress note 'Going on' --task 7 --phase 2 >"$folder/out" 2>"$folder/err" ;;
    esac
    PATH=$folder/bin:$PATH bash -c "$example" >"$folder/out" 2>"$folder/err"
    status=$?
    case $status:$example in
    0:* | 4:*task.yaml*) result ok ;;
    [4567]:*HO-2026-01[56]* | [57]:*G-2026-001*) result ok ;; # journeys of their own try these on handoffs that are there
    [57]:"handoff key "*) result ok ;; # only at a terminal, where the journey of keys tries them
    6:"handoff finish "*) result ok ;; # the examples of progress have blocked an objective
    *) result bad "exit status $status" ;;
    esac
  done < <(node -e 'JSON.parse(require("fs").readFileSync(process.argv[1])).commands.forEach(c => c.examples.forEach(e => console.log(e)))' "$folder/commands")
fi

# Completion has a test of its own; the scripts are there.
expect 2 completion
expect 2 completion tcsh
for shell in bash zsh fish; do
  expect 0 completion $shell
  expect_out "handoff completion $shell"
done

# Two tiers: the common commands on one small screen, which says where the others are; --all names every command, and each
# group once; `help GROUP` lists the group with summaries.
expect 0 help
expect_that "the common commands are not twelve" [ "$(sed -n '/^Common/,/^$/p' "$folder/out" | grep -c '^  [a-z]')" = 12 ]
expect_that "it is longer than 40 lines" [ "$(wc -l <"$folder/out")" -le 40 ]
expect_out "handoff help --all"
expect_not_out lineage
expect_not_out "Exit status"
expect 0 help --all
cp "$folder/out" "$folder/all"
expect_out "Exit status"
for words in '--help --all' '-h --all' 'help --help --all'; do
  # shellcheck disable=SC2086
  expect 0 $words
  [ "$words" = 'help --help --all' ] || expect_that "it is not 'help --all'" cmp -s "$folder/out" "$folder/all"
done
expect 2 --all
while IFS= read -r name; do
  last="help: $name"
  if grep -qE "\b${name%% *}\b" "$folder/all" && grep -qE "[ |]${name##* }\b" "$folder/all"; then result ok; else result bad "not listed"; fi
done <<<"$names"
groups=$(sed -n '/^All commands/,/^$/s/^  \([a-z]\+\)  .*/\1/p' "$folder/all")
expect_that "a group is listed twice" [ -z "$(sort <<<"$groups" | uniq -d)" ]
while IFS= read -r group; do
  expect 0 help "$group"
  grep '^  [a-z]' "$folder/out" >>"$folder/listed"
done <<<"$groups"
expect_that "the groups do not hold every command" [ "$(wc -l <"$folder/listed")" = "$(wc -l <<<"$names")" ]
expect 0 help gates --json
expect_json "$folder/out" 'v.commands.length >= 5 && v.commands.every(c => c.name.startsWith("gate ") || ["gate", "ask", "approve"].includes(c.name))'
expect 0 help environment
expect_out "HANDOFF_AGENT"
expect 0 help environment --json
expect_json "$folder/out" 'v.environment.some(e => e.name === "HANDOFF_STORE" && e.doc)'
expect 0 help gate
expect_out "gate raise"
expect 2 help gat
expect 2 help nonsense
finish
