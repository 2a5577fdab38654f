#!/bin/bash
# Allocations of a command of the ledger fail, one a run: the usual answer, or exit 11; and the ledger stays sound.
usual_stride=97
# shellcheck source=tests/fault/common
. "$(dirname "$0")/common"
mkdir -p src/import docs && touch src/import/csv.py docs/import-format.md
cp "$source_dir/examples/package.yaml" .

# The ledger is sound, and holds one handoff.
is_sound() { "$handoff" verify >"$folder/out" 2>"$folder/err" && grep -q '^1 handoff,' "$folder/out" && no_litter; }

# A first send makes the store. Where it failed it can be sent again, and is there once.
restore() { rm -rf .handoff; }
sound()
{
  "$handoff" send package.yaml --key once >"$folder/out" 2>"$folder/err" && is_sound
}
sweep send package.yaml --key once
sound || complain "the handoff cannot be sent"

restore() { :; }
sound() { :; }
sweep list
sweep log
sweep search stream
sweep verify

# The claim is made, or it is not and can be made.
restore() { put_back .handoff .project state; } # the store, the archive, the state file
has_state() { "$handoff" list | grep -q " $1 "; }
sound() { is_sound && { "$handoff" next --as reviewer >"$folder/out" 2>"$folder/err" || has_state claimed; }; }
keep .handoff state
sweep next --as reviewer

# The same for what follows.
restore
HANDOFF_TOKEN=$("$handoff" next --as reviewer | sed -n '1s/^# token: //p')
export HANDOFF_TOKEN HANDOFF_AGENT=reviewer
id=$("$handoff" list | cut -d ' ' -f 1)
sound() { is_sound && { "$handoff" ack "$id" --task Review >"$folder/out" 2>"$folder/err" || has_state acked; }; }
keep .handoff state
sweep ack "$id" --task Review
restore
"$handoff" ack "$id" --task Review >"$folder/out"
sound() { is_sound && { "$handoff" 'done' "$id" >"$folder/out" 2>"$folder/err" || has_state 'done'; }; }
keep .handoff state
sweep 'done' "$id"

# A store that is made again is the old one or the new one.
restore
unset HANDOFF_TOKEN HANDOFF_AGENT
[ "$stride" = 1 ] || stride=$((stride * 4)) # it does the work of many commands
sound() { is_sound && has_state 'acked\|ready'; }
keep .handoff state
sweep rebuild
restore
sound() { :; }
sweep quality "$id" --transcript "$source_dir/examples/transcript.jsonl"
[ "$failed" = 0 ]
