#!/bin/bash
# The files that an agent reads and edits for a phase are noted by the hooks, and end up in the progress file, so that a
# successor is told which large ones not to read again.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
expect 0 init
mkdir -p src docs
for name in src/a.c src/b.c src/c.c docs/spec.md; do echo "$name" >$name; done
head -c 40000 /dev/zero | tr '\0' x >src/large.c
expect 0 progress start --task 7 --slug files --phase 2 --objective Measure --objective Improve
progress=specs/7_files/progress/phase-2-progress.json
notes=.handoff/context/task-7-phase-2.touched.json

# tool HARNESS EVENT NAME INPUT: the agent has used it.
tool() { event "$1" "$2" '"tool_name":"'"$3"'","tool_input":'"$4"; }
# touched JAVASCRIPT: what it says of the objectives' files, f[0] being the first one's.
touched() { expect_json "$progress" "((f) => $1)(v.objectives.map((o) => (o.files_touched ?? []).join()))"; }

# A session that works on nothing leaves no notes.
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/src/a.c"}'
silent
expect_that "a session without a phase is noted" [ ! -e $notes ]

# Reads and edits of one that has a phase in progress: one line each, nothing else is opened for it.
export HANDOFF_TASK=7 HANDOFF_PHASE=2
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/src/large.c","limit":100}'
silent
expect_that "it is not noted" grep -q '"read":"src/large.c"' $notes
before=$(stat -c %i $notes)
tool claude PostToolUse Edit '{"file_path":"'"$PWD"'/src/b.c","old_string":"b","new_string":"c"}'
tool claude PostToolUse Read '{"file_path":"src/a.c"}'
tool claude PostToolUse Bash '{"command":"cat docs/spec.md"}'
expect_that "the notes are not four lines" [ "$(wc -l <$notes)" = 4 ]
expect_that "the notes were replaced, not added to" [ "$(stat -c %i $notes)" = "$before" ]
# Not noted: what is not there, not of the project, or the program's own; searches; commands that do more than read.
tool claude PostToolUseFailure Read '{"file_path":"'"$PWD"'/src/none.c"}'
tool claude PostToolUse Read '{"file_path":"/etc/passwd"}'
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/../'"$(basename "$PWD")"'x/a.c"}'
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/.handoff/config.yaml"}'
tool claude PostToolUse Read '{"file_path":"'"$PWD/$progress"'"}'
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/src"}'
tool claude PostToolUse Grep '{"pattern":"x","path":"src/c.c"}'
tool claude PostToolUse Bash '{"command":"cat src/c.c; make"}'
expect_that "something else was noted: $(cat $notes)" [ "$(wc -l <$notes)" = 4 ]
touched 'f[0] === ""'

# The next change of the progress file takes them over, to the objective that it is about; the edited ones come last.
expect 0 progress 'done' 1
touched 'f[0] === "src/large.c,src/a.c,docs/spec.md,src/b.c" && f[1] === ""'
expect_that "the notes are still there" [ ! -e $notes ]
expect 0 check $progress
# A command that fails takes nothing.
tool codex PostToolUse apply_patch '{"command":"*** Begin Patch\n*** Update File: src/a.c\n@@\n-a\n+b\n*** Add File: src/c.c\n+c\n*** End Patch"}'
tool codex PostToolUse Bash '{"command":"sed -n 1,20p src/b.c"}'
tool gemini AfterTool read_file '{"file_path":"'"$PWD"'/docs/spec.md"}'
expect_that "the notes are not four lines: $(cat $notes)" [ "$(wc -l <$notes)" = 4 ]
expect 5 progress 'done' 9
expect_that "a refused command took the notes" [ "$(wc -l <$notes)" = 4 ]
# A handoff names the file that was edited last, if its author names none.
expect 0 pass --next 'Go on with `improve`.' --location 'line 1' --goal 'It is faster'
touched 'f[1] === "src/b.c,docs/spec.md,src/a.c,src/c.c"'
expect_that "the handoff does not name src/c.c" grep -q '/src/c.c' specs/7_files/handoffs/phase-2-handoff-*.md
expect_that "the notes are still there" [ ! -e $notes ]
# What is known already is not written again; what is used again moves to the end.
tool claude PostToolUse Write '{"file_path":"'"$PWD"'/src/c.c","content":"c"}'
expect 0 progress note 'two of three'
touched 'f[1] === "src/b.c,docs/spec.md,src/a.c,src/c.c"'
tool claude PostToolUse Edit '{"file_path":"'"$PWD"'/src/b.c","old_string":"b","new_string":"c"}'
expect 0 progress note 'two of three'
touched 'f[1] === "docs/spec.md,src/a.c,src/c.c,src/b.c"'

# The successor is told not to read the large one again, however many small ones there are.
for i in $(seq 1 60); do
  echo "$i" >"src/small$i.c"
  printf '{"handoff":"context","version":1,"read":"src/small%s.c"}\n' "$i" >>$notes
done
head -c 50000 /dev/zero | tr '\0' x >src/huge.c
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/src/huge.c"}'
expect 0 progress note 'all of three'
expect 0 prompt successor
expect_out 'src/large.c (39 KB)'
expect_out 'src/huge.c (48 KB)'
expect_not_out 'src/small1.c'

# An agent that is about to forget, and one that has died: what it knew is in the progress file, or in the notes of its
# phase, for whoever writes it next.
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/src/a.c"}'
event claude PreCompact '"trigger":"auto"'
expect_that "the notes are still there" [ ! -e $notes ]
session=dead
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/docs/spec.md"}'
HANDOFF_SESSION=other expect 0 progress 'done' 2
touched 'f[1].endsWith(",docs/spec.md")'

# Notes that somebody damaged, or that grow too large, hold up nobody.
printf 'no JSON\n{"read":7}\n' >$notes
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/src/c.c"}'
expect 0 progress reopen 2
touched 'f[1].endsWith(",src/c.c")'
head -c 70000 /dev/zero >$notes
tool claude PostToolUse Read '{"file_path":"'"$PWD"'/src/c.c"}'
expect_that "it grows without end" [ "$(stat -c %s $notes)" = 70000 ]
expect_that "a hook failed: $(cat .handoff/hook.log 2>/dev/null)" [ ! -e .handoff/hook.log ]
finish
