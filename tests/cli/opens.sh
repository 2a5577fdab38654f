#!/bin/bash
# A command has one context: whatever it does, it opens the settings at most once and the database at most once. Counted
# with strace, by process: what a command starts (git, teammates) has a count of its own. Files below .handoff are opened
# from their folder's descriptor, so what counts is the path of what was opened; looking at a file (O_PATH) does not count.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
# shellcheck source=tests/cli/hook_common
source "$source_dir/tests/cli/hook_common"
# shellcheck source=tests/cli/run_common
source "$source_dir/tests/cli/run_common"
needs strace
strace -o /dev/null true 2>/dev/null || skip_test "processes cannot be traced here"
export ASAN_OPTIONS=detect_leaks=0 # which does not work in a traced process

# traced STATUS ARGUMENT...: as expect, and every process of the program opened each file at most once.
traced()
{
  local wanted=$1 file count
  shift
  rm -rf "$folder/trace"
  mkdir "$folder/trace"
  last="$*"
  strace -ff -qq -y -e trace=open,openat,openat2 -e signal=none -o "$folder/trace/t" "$handoff" "$@" >"$folder/out" 2>"$folder/err"
  status=$?
  sed -i '/O_PATH/d' "$folder"/trace/t.*
  if [ "$status" = "$wanted" ]; then result ok; else result bad "exit status $status, not $wanted"; fi
  for file in '.handoff/config\.yaml' '.handoff/handoff\.db'; do
    count=$(grep -c " = [0-9]*<.*$file>" "$folder"/trace/t.* | sed 's/.*://' | sort -n | tail -1)
    expect_that "a process opened $file $count times" [ "$count" -le 1 ]
  done
}

# opened FILE COUNT: so many processes of the last command opened it.
opened()
{
  local found
  found=$(grep -l " = [0-9]*<.*$1>" "$folder"/trace/t.* | wc -l)
  expect_that "$found processes opened $1, not $2" [ "$found" = "$2" ]
}

expect 0 init
printf 'limits:\n  document: 1000000\nlease: 600\n' >.handoff/config.yaml
package one.yaml coder reviewer
traced 0 send one.yaml
opened '.handoff/config\.yaml' 1
opened '.handoff/handoff\.db' 1
traced 0 send one.yaml
traced 0 next --as reviewer
traced 0 list
traced 0 status
traced 0 search specifications
traced 0 verify
traced 0 know
traced 0 check one.yaml
traced 0 config
traced 0 doctor

# Every step of a phase, and what it leaves for a successor.
traced 0 progress start --task 7 --slug relay --phase 2 --objective Measure
traced 0 progress tried --task 7 --phase 2 "a wider buffer" --why "no quicker"
traced 0 pass --task 7 --phase 2 --next 'Measure `src/start.c`.' --file src/start.c --location 'line 1' --goal 'Half the time'
opened '.handoff/config\.yaml' 1
opened '.handoff/handoff\.db' 1
traced 0 prompt successor --task 7 --phase 2
traced 0 prompt inject --task 7

# Every event of every harness, with a session that holds a handoff, the settings kept by an earlier event or not.
transcript=$data/claude-usage.jsonl
export HANDOFF_TASK=7 HANDOFF_PHASE=2
for harness in $harnesses; do
  for kept in no yes; do
    for event in $(events_of "$harness"); do
      [ $kept = yes ] || rm -f .handoff/context/settings.cache
      rm -f .handoff/context/"s-$harness".lease
      printf '{"session_id":"s-%s","transcript_path":"%s","cwd":"%s","hook_event_name":"%s","tool_name":"Read","tool_input":{"file_path":"one.yaml"},"source":"startup"}' \
        "$harness" "$transcript" "$PWD" "$event" >"$folder/event"
      traced 0 hook "$harness" <"$folder/event"
      if [ $kept = yes ]; then opened '.handoff/config\.yaml' 0; else opened '.handoff/config\.yaml' 1; fi
    done
  done
done
expect_that "a hook failed: $(cat .handoff/hook.log 2>/dev/null)" [ ! -e .handoff/hook.log ]
unset HANDOFF_TASK HANDOFF_PHASE

# A lead that carries a plan with a successor.
phase 1 First "exhaust done"
phase 2 Second 'done' 1
traced 0 run "$plan" --agent ./teammate --jobs 2
finish
