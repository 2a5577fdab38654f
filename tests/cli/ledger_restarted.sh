#!/bin/bash
# A state file that was cut in half because the machine stopped is written again, whoever is the first to open the store.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$(dirname "$0")/ledger_common"
store=.handoff/handoff.db

# stopped: as after a power cut; the marks are never synced, and those of another start of the machine do not count.
stopped()
{
  truncate -s 150 state/current.json
  rm -f "$store"-sync "$store"-shm
}
is_whole()
{
  jq -e '.handoffs | length > 0' state/current.json >"$folder/length"
  expect_that "state/current.json is not whole after $1" [ $? = 0 ]
  run doctor
  expect_out "everything that was recorded is written"
}

needs jq
mkdir .git
send --to bob --as alice "Write the export page for the site"
expect 0 progress start --task 1 --phase 1 --objective "Export" --slug export
stopped
send --to bob --as alice "Measure how long the export takes"
is_whole send
stopped
expect 0 list
is_whole list
stopped
expect 0 progress 'done' 1 --task 1 --phase 1
send --to bob --as alice "Paint the logo of the site blue"
is_whole progress
stopped
expect 1 next --as nobody
is_whole next

# ---- What somebody has broken since is theirs.
truncate -s 150 state/current.json
cp state/current.json "$folder/broken"
send --to bob --as alice "Invite the first users of the site"
expect_out "it is not JSON, so it was left unchanged"
expect_that "it was changed" cmp -s state/current.json "$folder/broken"
finish
