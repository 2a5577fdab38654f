#!/bin/bash
# fix: sections whose headings say more than the format's, or the same in other words.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
mkdir -p .handoff specs/9_headings/handoffs
handoff_file=specs/9_headings/handoffs/phase-2-handoff-20260212T143022Z.md
headings=('1. Immediate Next Action' '🎯 Current State — line 40' 'Key Decisions / What Landed' 'What Not to Do'
  'Critical Context for the successor ✅' 'Key References')

# write: the handoff with these headings.
write()
{
  printf '# Phase 2 Handoff - 20260212T143022Z\n'
  printf '\n## %s\nRun `make bench` on the branch.\n' "${headings[0]}"
  printf '\n## %s\n- **File**: /srv/app/main.c\n- **Location**: line 40\n- **Goal state**: starts in 2 ms\n' "${headings[1]}"
  printf '\n## %s\n1. One table: it is faster\n' "${headings[2]}"
  printf '\n## %s\n1. Caching: slower\n' "${headings[3]}"
  printf '\n## %s\n- The clock is passed in\n' "${headings[4]}"
  printf '\n## %s\n- Plan: plans/implementation-001.md\n' "${headings[5]}"
}

write >$handoff_file
expect 0 check $handoff_file
expect_not_out "section-missing"
expect 0 show $handoff_file --as json
expect_json "$folder/out" 'v.immediate_next_action && v.current_state.location === "line 40" &&
  v.key_decisions.length === 1 && v.what_not_to_try.length === 1 && v.critical_context.length === 1 &&
  v.references.length === 1'

# Too long for a screen: the numbers and further words of the headings stay, too.
{
  write
  printf '\n## What Was Done\n'
  for i in $(seq 40); do printf -- '- Change number %d\n' "$i"; done
} >$handoff_file
expect 0 fix $handoff_file
expect_that "more than a screen" [ "$(wc -l <$handoff_file)" -le 40 ]
for heading in "${headings[@]}"; do
  expect_that "lost: $heading" grep -qF -- "$heading" $handoff_file ${handoff_file%.md}-details.md
done
cp $handoff_file "$folder/once"
expect 0 fix $handoff_file
expect_that "a second fix changed it" cmp -s $handoff_file "$folder/once"

# One word is too little to go by.
printf '# Phase 2 Handoff - 20260212T143022Z\n\n## Summary\nDone.\n\n## State of the art\nNothing like it.\n' >$handoff_file
expect 0 show $handoff_file --as json
expect_json "$folder/out" '!v.current_state'
finish
