#!/bin/bash
# What somebody meets on the first day: folders without a store, files that were there before, slips of the keyboard.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
rm -r docs

# Asking creates nothing, and can wait for the first handoff of a project.
expect 2 next
expect_err "who is asking? use --as AGENT"
expect 1 next --as a
expect_err_is "nothing is ready for 'a'"
expect 1 next --task 7 --phase 1
expect_err_is "nothing is ready for task 7, phase 1"
# An empty project gives empty answers, in the shape of full ones, and says how to begin.
while read -r wanted check command; do
  # shellcheck disable=SC2086
  expect "$wanted" $command
  expect_err_is "nothing has been handed off in this project yet; run: handoff pass --next TEXT, or handoff send PATH"
  # shellcheck disable=SC2086
  expect_that "$command: counts what is not there" [ -z "$(grep 'more not shown' "$folder/out")" ]
  # shellcheck disable=SC2086
  expect "$wanted" $command --json
  expect_json "$folder/out" "$check"
done <<'END'
0 v.root!==undefined status
0 v.items.length===0 inbox
0 v.handoffs.length===0 list
0 v.events.length===0 log
0 v.gates.length===0 gate list
0 v.teammates.length===0 ps
0 v.handoffs.length===0 quality
0 v.ok&&v.handoffs===0&&v.seals===0 verify
0 v.ok&&v.quick verify --quick
0 v.journal.decisions.length===0&&v.orchestrator_memory.learned_context.gotchas.length===0 journal
0 v.hits.length===0 search reader
0 v.nodes.length===0 know reader
0 v.tasks.length===0 know reader --file a.py --tasks
0 v.nodes.length===0&&v.edges.length===0 graph
0 v.runs.length===0&&v.handoffs.length===0 lineage
END
expect 5 log HO-2026-001
expect 5 quality HO-2026-001
expect 5 show HO-2026-001
expect 2 uninstall claude
expect_err_is "handoff: unknown command 'uninstall'; run: handoff install HARNESS --uninstall"
expect 1 next --as a --wait 1
expect_that "next left something behind" [ -z "$(ls -A)" ]
package first.yaml lead coder
mkdir docs && echo spec >docs/spec.md
(sleep 0.5 && "$handoff" send first.yaml >/dev/null 2>&1) &
expect 0 next --as coder --wait 20
wait
# Who works is said, and until when.
for command in status ps list; do
  expect 0 $command
  expect_out 'claimed by coder until 2'
done

# Whatever creates the folder keeps the store out of git, also without `init`; a .gitignore of one's own stays.
expect_that "the store is not ignored" grep -qx 'handoff.db\*' .handoff/.gitignore
expect 0 init
expect_that "it says something else than that of init" grep -q "^already exists: .handoff/.gitignore$" "$folder/out"
for command in 'send first.yaml' 'run plan.md --agent true'; do
  rm -rf "$folder/fresh" && mkdir -p "$folder/fresh/docs" && cp "$folder/project/first.yaml" "$folder/fresh" && cd "$folder/fresh" || exit
  git init -q . && echo spec >docs/spec.md
  printf '# Plan\n\n### Phase 1: Measure [NOT STARTED]\n\n- [ ] Measure the start\n' >plan.md
  read -ra words <<<"$command"
  run "${words[@]}" </dev/null
  expect_that "$command made no store" [ -e .handoff/handoff.db ]
  git add -A && git -c user.name=a -c user.email=a@b commit -q -m all
  expect_that "git tracks the store after $command" [ -z "$(git ls-files .handoff/handoff.db)" ]
  expect 0 verify
  expect_no_err
done
rm -rf .handoff .project state && mkdir .handoff && echo '# mine' >.handoff/.gitignore
expect 0 send first.yaml
expect_that "the .gitignore was replaced" [ "$(cat .handoff/.gitignore)" = '# mine' ]
expect 0 doctor
expect_not_out "git tracks"
git add -A && git -c user.name=a -c user.email=a@b commit -q -m all
expect 0 doctor
expect_out "git tracks .handoff/handoff.db"
expect_out "git rm --cached .handoff/handoff.db"
expect 7 verify
expect_err "git tracks this ledger"
expect_terminal 0 trust
expect 0 verify
expect_err "git tracks the store, so checkouts and stashes lose handoffs"
cd "$folder/project" && rm -rf .handoff .project state || exit

# What 'pass' leaves is for whoever takes it: whoever asks is told which command that is, and the command works as it stands.
mkdir "$folder/anyone" && cd "$folder/anyone" || exit
expect 0 pass --next 'Write the reader'
told="but HO-$(date -u +%Y)-001 is for whoever takes task 1; run: handoff claim HO-$(date -u +%Y)-001"
expect 1 next --as worker
expect_err_is "nothing is ready for 'worker' by name, $told --as worker"
expect 0 inbox --as worker
expect_err_is "nothing is waiting for you, $told --as worker"
expect 0 inbox
expect_err_is "nothing is waiting for you, $told"
expect 0 status
expect_out "Ready (handoff claim ID --as AGENT)"
expect 6 "done" "HO-$(date -u +%Y)-001" --as worker
expect_err "is ready but not claimed; run: handoff claim HO-$(date -u +%Y)-001 --as worker"
expect 0 claim "HO-$(date -u +%Y)-001" --as worker
expect 1 next --as other
expect_err_is "nothing is ready for 'other'"
cd "$folder/project" || exit

# A git repository below a folder with a .handoff is a project of its own once it is initialised.
mkdir -p .handoff inner/sub/deep tree
git init -q inner/sub
printf 'gitdir: %s\n' "$PWD/.git/worktrees/tree" >tree/.git
cd inner/sub/deep || exit
package missing.yaml lead coder && sed -i s,docs/spec,docs/other, missing.yaml
expect 4 check missing.yaml
expect_out "'docs/other.md' does not exist in $folder/project"
expect 4 send missing.yaml
expect 0 init
expect_err "initialised the git repository $folder/project/inner/sub as a project of its own"
expect_that "the settings are elsewhere" [ -f ../.handoff/config.yaml ]
expect_that "the folder above was initialised" [ ! -f "$folder/project/.handoff/config.yaml" ]
expect 4 check missing.yaml
expect_out "'docs/other.md' does not exist"
expect_not_out "does not exist in"
expect 0 --root "$folder/project" init
expect_that "--root does not count" [ -f "$folder/project/.handoff/config.yaml" ]
expect_err "will also write state/ (setting state_folder) and .project/07-audit/ (archive_folder)"
cd "$folder/project" || exit

# A file that was there before us stays as it is, whatever it holds; one that other tools keep in our format is kept up.
mkdir -p state
for text in '{"handoffs":"mine"}' '{"version":3,"users":[]}' '{"handoffs":{"open":1}}' '[1]' 'not json' '{"session":{}}'; do
  printf '%s' "$text" >state/current.json
  expect 0 send first.yaml
  expect_err "state/current.json was not updated: it is not "
  expect_err "so it was left unchanged; move it away"
  expect_that "$text was changed" [ "$(cat state/current.json)" = "$text" ]
done
for text in '{}' '' '{"version":"1.0","initialized_at":null,"project":null,"workflow":null,"context":{}}' '{"handoffs":[]}'; do
  printf '%s' "$text" >state/current.json
  expect 0 send first.yaml --key "state $text"
  expect_no_err
  expect_json state/current.json 'v.handoffs.length > 0'
done

# A misspelled setting is an error, not a setting that silently does not count; another unknown key is a warning.
for setting in 'secert: refuse' 'treshold: 70' 'limits: {finding: 5}' 'agents: [{name: a, comand: [x], command: [x]}]'; do
  echo "$setting" >.handoff/config.yaml
  expect 4 config
  expect_err "error[config-key]"
  expect_err "did you mean '"
  expect 4 send first.yaml
  expect 1 doctor
done
echo 'secert: refuse' >.handoff/config.yaml
expect 1 doctor
expect_out "'secert' is not a setting; did you mean 'secrets'?"
printf 'flavour: mint\nx_mine: 1\n' >.handoff/config.yaml
expect 0 config secrets
expect 0 doctor
expect_out "warning config      .handoff/config.yaml has keys that are not settings: flavour"
rm .handoff/config.yaml

# One file that is not a handoff document is not fine; several may hold other things, and hooks say that they pass any.
printf 'colour: blue\n' >garbage.yaml
cp garbage.yaml other.yaml
expect 4 check garbage.yaml
expect_err "garbage.yaml: not recognised as a handoff document; use --format FORMAT"
expect 4 check - </dev/null
expect 0 check --ignore-unknown garbage.yaml
expect 0 check garbage.yaml other.yaml
mkdir folder && cp garbage.yaml folder
expect 0 check folder
rm -r folder garbage.yaml other.yaml

# An id that another handoff has: what is delivered states its own, the file stays as it is.
for encoding in yaml json; do
  package own.yaml lead coder
  sed -i 's/^handoff:/handoff:\n  id: HO-1999-001 # mine/' own.yaml
  [ $encoding = yaml ] || "$handoff" show own.yaml --as json >own.json
  cp own.$encoding before
  expect 0 send own.$encoding --key "$encoding-1"
  expect 0 send own.$encoding --key "$encoding-2"
  second=$(cat "$folder/out")
  expect_err "the id HO-1999-001 is already taken; this handoff is $second"
  expect_err "(own.$encoding is unchanged)"
  expect_that "the file was changed" cmp -s own.$encoding before
  expect 0 send own.$encoding --key "$encoding-2"
  expect_out_is "$second"
  expect 0 send own.$encoding --key "$encoding-3" # unchanged, so it supersedes nothing
  expect_that "something was superseded" [ -z "$(grep supersedes "$folder/err")" ]
  expect 0 show "$second"
  expect_out "$second"
  expect_not_out "HO-1999-001"
done
expect 0 verify
sed 's,HO-1999-001,../evil,' own.yaml >evil.yaml
expect 0 send evil.yaml
expect_err "the id ../evil cannot be a file name; this handoff is HO-"
rm own.* evil.yaml before

# A folder: what is broken but meant to be a handoff document is an error, broken texts of others are not.
mkdir -p broken/other broken/specs/7_x && cd broken || exit
printf 'on: [push\njobs: {\n' >other/ci.yaml
expect 0 check .
printf 'handoff:\n  from: {agent: a\n  to: [\n' >work.yaml
expect 3 check .
expect_out "work.yaml"
expect_out "error[syntax]"
expect 3 check . --json
expect_json "$folder/out" 'v.errors === 1 && v.skipped === 1'
printf '{"handoff": {"from": {"agent": "a",}' >work.yaml && mv work.yaml work.json
expect 3 check .
printf '{\n  "task_id": "T-1",\n  "instructions": "Find out",,\n' >work.json
expect 3 check .
rm work.json && printf 'a: [\n' >specs/7_x/notes.yaml
expect 0 check other
cd .. && expect 3 check broken
rm -rf broken

# fix says so too.
printf 'colour: blue\n' >garbage.yaml
expect 4 fix garbage.yaml
expect_err "not recognised"
cp garbage.yaml other.yaml
expect 0 fix garbage.yaml other.yaml
rm garbage.yaml other.yaml

# The first word of commands that have two.
for words in 'help gate' 'gate --help' 'gate -h'; do
  # shellcheck disable=SC2086
  expect 0 $words
  expect_out "gate decide  "
  expect_not_out "handoff send"
done
expect 0 help progress
expect_out "progress tried  "
expect 2 gate foo
expect_err "gate has no subcommand 'foo', but: raise, list, show, decide, wait; run: handoff help gate"
expect 0 gate
expect 2 progress
expect_err "progress needs a subcommand: start, "
expect 2 progress don
expect_err "did you mean 'progress done'?"

# A blocker leaves the handoff in need of an answer.
package unclear.yaml lead asker
expect 0 send unclear.yaml
claim --as asker
expect 0 ack "$id" --token "$token" --blocker "Which one?"
expect_out_is "$id needs clarification"

# A gate is not a handoff; who may not decide is told so, whatever there is to decide.
package ask.yaml lead human
expect 0 send ask.yaml
gate=$("$handoff" gate list --json | grep -oE 'G-[0-9]+-[0-9]+' | head -1)
expect 5 show "$gate"
expect_err "$gate: is a gate; run: handoff gate show $gate"
expect 5 log "$gate"
expect_err "$gate: is a gate; run: handoff gate show $gate"
expect 5 gate decide G-1999-999 approve
HANDOFF_AGENT=a expect 7 gate decide G-1999-999 approve
HANDOFF_AGENT=a expect 7 gate decide "$gate" approve
expect_err "if you are a person, run: unset HANDOFF_AGENT"
AI_AGENT=a expect 7 gate decide "$gate" approve
expect_that "an agent is told how to pass for a person" [ -z "$(grep unset "$folder/err")" ]
expect 2 gate decide "$gate" aprove
expect_err "handoff: decision: expected approve, reject or question, found 'aprove'"

# Words need no quotes.
expect 0 search user stories personas
expect_out "coder"
expect 0 search user gibberish

# Templates name no path of this machine and hold nothing that check then calls misplaced.
for format in $("$handoff" formats | awk '{print $1}'); do
  expect 0 template "$format"
  expect_not_out "schema="
  cp "$folder/out" filled
  run check --format "$format" filled
  expect_not_out "belongs in"
  expect_not_out "reason-place"
done
rm filled
expect 0 template package
expect_out 'summary: "{What was done, in two or three sentences that can be understood without having been there (required)}"'
expect_out 'step: "{Its step in the workflow, by number or name; null outside a workflow}"'

# The program's own copies of handoffs are not documents to check or fix, and neither is what lies below .handoff.
mkdir "$folder/copies" && cd "$folder/copies" && git init -q . || exit
mkdir -p docs && echo spec >docs/spec.md
package first.yaml lead coder
expect 0 send first.yaml
expect 0 pass --task 7 --slug export --phase 1 --next "Write the serializer" --file src/ics.py --goal "All events are written"
for whom in '--as coder' '--as other --task 7'; do
  # shellcheck disable=SC2086
  claim $whom
  expect 0 ack "$id" --token "$token" --task "Write the serializer"
  expect 0 "done" "$id" --token "$token"
done
git add -A && copies=$(git ls-files .project)
expect_that "there are no copies" [ "$(echo "$copies" | wc -l)" = 2 ]
# shellcheck disable=SC2086
expect 0 check --ignore-unknown $copies
expect_err "is a copy of a handoff that handoff keeps, and was passed over; run: handoff verify"
mkdir -p .handoff/run/R-2026-001 && printf 'handoff: [\n' >.handoff/run/R-2026-001/package.yaml
expect 0 check .
expect_not_out ".project"
expect_json <("$handoff" check . --json 2>/dev/null) 'v.files.every(f => !f.path.includes("07-audit") && !f.path.includes("/run/"))'
expect 0 fix .
expect 0 verify
# shellcheck disable=SC2086
expect 0 fix $copies
expect_err "is a copy of a handoff that handoff keeps"
expect 0 verify
mkdir -p .project/07-audit/sessions/s/handoffs && sed 's/lead/[agent-id]/' first.yaml >.project/07-audit/sessions/s/handoffs/HO-1.yaml
expect 4 check . # what another program wrote there is checked

# A file that is not recognised: what can be done with it.
printf '# Where I stopped\n\nThe tests of the parser fail; next: fix the lexer.\n' >HANDOFF.md
for command in 'check HANDOFF.md' 'show HANDOFF.md' 'fix HANDOFF.md' 'send HANDOFF.md' 'convert HANDOFF.md --to task' 'learn HANDOFF.md'; do
  # shellcheck disable=SC2086
  expect 4 $command
  expect_err "HANDOFF.md: not recognised as a handoff document; use --format FORMAT; for notes, run: handoff migrate HANDOFF.md; for a document of another tool, run: handoff import HANDOFF.md; see: handoff formats"
done
: >empty.md
for command in 'check empty.md' 'check -' 'show empty.md' 'fix -' 'send -' 'convert - --to task' 'learn empty.md' 'check empty.yaml'; do
  : >empty.yaml
  # shellcheck disable=SC2086
  expect 4 $command </dev/null
  expect_err "is empty"
done

# migrate leaves alone what is not notes, or says nothing; and what somebody protected is not replaced.
printf '# TODO: fix the lexer\n\ndef parse(): # created src/lexer.py\n  pass\n' >core.py
echo 'Hello.' >hello.md
for file in core.py hello.md empty.md; do
  cp $file before
  expect 1 migrate $file
  expect_err_is "nothing to migrate; $file is unchanged"
  expect_that "$file was changed" cmp -s $file before
  expect 1 migrate $file --print
  expect_that "--print prints something else" cmp -s "$folder/out" before
done
printf '# Notes\n\n## Next steps\n\n- Fix the lexer in src/lexer.py\n' >notes.md && cp notes.md before && chmod 444 notes.md
expect 9 migrate notes.md
expect_err "notes.md: is read-only and was left unchanged"
expect_that "a read-only file was replaced" cmp -s notes.md before
sed 's/priority: .*//;s/2026-03-09T16:20:00Z/2026-03-09 16:20/' first.yaml >odd.yaml && cp odd.yaml before && chmod 444 odd.yaml
expect 9 fix odd.yaml
expect_err "odd.yaml: is read-only and was left unchanged"
expect_that "a read-only file was replaced" cmp -s odd.yaml before
chmod u+w notes.md

# What is printed on a terminal holds no escape codes in another spelling.
export TERM=xterm
colours()
{
  at_terminal "$@"
  expect_not_out '\x1b['
}
cat notes.md >n.md
for command in 'check odd.yaml' 'migrate n.md' 'send odd.yaml' 'lineage' 'status' 'list' 'log' 'gate list' 'doctor' 'verify' 'ps' \
  'quality' 'search user' 'know' 'journal' 'graph' 'help' 'help send' 'config' 'limits' 'formats' 'context none' 'show first.yaml' \
  'convert first.yaml --to artifact' 'import notes.md --print' 'fix odd.yaml --print' 'trust --show' 'new package' 'state' 'tokens n.md'; do
  # shellcheck disable=SC2086
  colours $command
done

# What is empty is told what to write.
printf 'outcome:\n' | run check --format task -
expect_out "/outcome: is empty; write completed, partial, failed or blocked"

# Errors come first and in colour, and are counted as errors.
sed 's/agent: lead/agent: "[agent-id]"/;s/summary: .*/summary: x/' first.yaml >bad.yaml
expect 4 send bad.yaml
expect_that "a warning comes before an error" [ "$(grep -nE ' (error|warning)\[' "$folder/err" | grep -c error)" = "$(grep -E ' (error|warning)\[' "$folder/err" | sed '/warning\[/,$d' | wc -l)" ]
expect_err "nothing was sent: the document has $(grep -c ' error\[' "$folder/err") error"
expect_terminal 4 send bad.yaml
expect_out $'\033[31merror['

# In a subfolder: a path that is right there, but not in the root.
mkdir -p sub && echo x >sub/own.py && sed 's,docs/spec.md,own.py,' first.yaml >sub/here.yaml && cd sub || exit
for command in check send; do
  expect 4 $command here.yaml
  cat "$folder/out" >>"$folder/err" && expect_err "'own.py' does not exist in the project's root; write 'sub/own.py'"
done
cd ..

# A store that was named must exist, except for whoever writes.
for command in list status ps log 'next --as carol' verify; do
  # shellcheck disable=SC2086
  expect 5 --store nope.db $command
  expect_err "nope.db: no such store (--store or HANDOFF_STORE)"
done
expect 0 --store new.db send first.yaml
expect 0 --store new.db list
expect 1 next --as carol
expect_err_is "nothing is ready for 'carol'"

# Commands that are suggested work as they are printed; what the program writes breaks no rule.
expect 0 pass --task 8 --slug other --phase 2 --next "Write the serializer" --file src/ics.py --location "line 3, after main" --goal "It writes"
hint=$(grep -o 'handoff progress start.*' "$folder/err")
expect_that "the hint is not complete" [ "$hint" = "handoff progress start --task 8 --phase 2 --objective 'First' --objective 'Second'" ]
expect 0 prompt successor specs/8_other/handoffs/*.md
expect_err "there is no progress file specs/8_other/progress/phase-2-progress.json"
expect 0 check --strict specs/8_other state
printf '{"status":"implemented","summary":"Done","artifacts":[],"metadata":{"session_id":"R-2026-001-1","agent_type":"a","delegation_depth":1,"delegation_path":["lead","a"]},"completion_data":{"completion_summary":"Done"}}' >meta.json
expect 0 check --format meta meta.json
expect_not_out "meta-session-form"

# Counts count what is said, and nothing is said if nothing is found.
echo more >>docs/spec.md
expect 0 verify
expect_out "no differences; $(grep -c '^drift: ' "$folder/out") artifact"
expect 0 convert first.yaml --to package
run convert first.yaml --to artifact
expect_err "also kept in x_kept, so that it can be converted back: /context/summary"
printf 'goal: Ship it\nnow: Fix the lexer\ndone_this_session:\n  - task: Wrote the parser\n    files: [a.py]\nworked: [Small steps]\nfailed: [Big steps]\nnext: [Fix the lexer]\n' >cc.yaml
run import cc.yaml
expect_err "1 imported, 0 already handoff documents"
run import cc.yaml
expect_err "0 imported, 1 already imported"
expect 0 search gibberish
expect_err_is "nothing found"
expect 0 know gibberish
expect_err_is "nothing found"
expect 0 quality
expect_not_out "agent :"

# An empty answer is said in a line, beside the output that programs read.
mkdir "$folder/empty" && cd "$folder/empty" && mkdir docs && echo spec >docs/spec.md || exit
package one.yaml lead coder
sed -i '/workflow_state:/,$d' one.yaml
expect 0 send one.yaml
# empty TEXT ARGUMENT...: nothing on stdout, and this on stderr.
empty()
{
  local text=$1
  shift
  expect 0 "$@"
  expect_out_is ''
  expect_err_is "$text"
}
empty "no handoffs found" list --state "done"
empty "no gate waits for a person" gate list
empty "no gates found" gate list --all
empty "nothing to remove: no archived handoff is that old" prune --before 2020-01-01
empty "nothing to archive: no other handoff has ended" archive --completed
expect 0 graph --tag none
expect_err_is "nothing found"
expect 0 graph
expect_err_is "no task is known; use --kind or --tag to start from something else"
expect 0 list --state "done" --json
expect_json "$folder/out" 'v.handoffs.length === 0 && v.notes[0] === "no handoffs found"'

# An option that takes one value is not answered for the last of two.
expect 2 list --state ready --state "done"
expect_err "option --state is given twice, as 'ready' and 'done'; use it once"
expect 0 list --state ready --state=ready
expect_out HO-

# What the program fills in itself is not asked for, and whoever is blocked is told nothing of constraints.
sed -i '/timestamp:/d' one.yaml
expect 0 send one.yaml
expect_that "the time is asked for" [ -z "$(grep timestamp "$folder/err")" ]
claim --as coder
expect 0 ack "$id" --token "$token" --blocker 'No access'
expect_no_err
expect 6 "done" "$id"
expect 0 answer "$id" --note 'You have it now'
claim --as coder
expect 6 ack "$id"
expect_err "or use the claim token that 'handoff next' printed"

# A person who passes work on is told how it continues, not what an agent returns to its lead; nor does finish say that.
mkdir "$folder/person" && cd "$folder/person" || exit
expect 0 progress start --task 3 --slug person --phase 1 --objective One
expect_terminal 0 pass --task 3 --phase 1 --next 'Open src/one.c and write it'
expect_out 'to continue, start an agent with what this prints: handoff prompt successor --task 3 --phase 1'
expect_not_out 'partial'
expect 0 prompt successor --task 3 --phase 1
expect 0 pass --task 3 --phase 1 --next 'Open src/two.c and write it' --context 'One is written'
expect_err "return 'partial' with this path now"
CLAUDECODE=1 expect_terminal 0 pass --task 3 --phase 1 --next 'Open src/three.c and write it' --context 'Two is written'
expect_out "return 'partial' with this path now"
expect 0 progress "done" 1 --task 3 --phase 1
expect_terminal 0 finish --task 3 --phase 1
expect_not_out "implemented"

# Why a handoff is refused is a note, as everywhere; the older name stays.
mkdir -p docs && echo spec >docs/spec.md
for option in --note --why; do
  package refused.yaml asker doer delegation "Specifications completed for $option: 3 epics and 12 user stories are written"
  expect 0 send refused.yaml
  id=$(cat "$folder/out")
  expect 0 claim "$id" --as doer
  expect 0 reject "$id" $option "Not for me, by $option" --as doer
  expect 0 log "$id"
  expect_out "Not for me, by $option"
done
expect 2 reject "$id" --note one --why two --as doer
expect_err 'given twice'
expect 2 reject "$id" --as doer
expect_err '--note'

# A plan that cannot be carried out, and nothing to learn from, leave the folder as it is.
mkdir "$folder/untouched" && cd "$folder/untouched" || exit
printf '# Plan: tidy up\n\n## Phase 1: Write\n- [ ] write\n\n## Phase 2: Check\nDependencies: Phase 1\n- [ ] check\n' >plan.md
expect 4 run plan.md --agent true
expect_err 'write dependencies in bold'
expect 0 learn --all
expect_that "something was made" [ "$(ls -A)" = plan.md ]

# A store without handoffs says so, whatever is asked: here somebody learned from a file.
expect 0 progress start --task 1 --slug tidy --phase 1 --objective One
expect 0 learn specs
for command in status list quality; do
  expect 0 $command
  expect_err_is 'no handoffs found'
done
expect 0 log
expect_err_is 'no events found'

# Commands that are suggested run as they are, and words for values are words.
echo text >-notes.md
expect 4 check -- -notes.md
expect_err 'run: handoff migrate ./-notes.md'
expect 2 template
expect_err 'template needs FORMAT; run: handoff template --help'
expect 4 new package
expect_err 'the document breaks 4 rules; use --set or --from'

# A git repository below a project belongs to it until it is initialised, and `doctor` says so.
mkdir below && cd below && git init -q || exit
run doctor
expect_out 'untouched, above the git repository of this folder'
expect_out 'To make the repository a project of its own'
finish
