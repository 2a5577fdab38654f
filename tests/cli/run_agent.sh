#!/bin/bash
# Agents that cannot be started, or that do nothing: what is wrong is said, and little is tried.
cd "$(dirname "$0")/../.." && . tests/cli/common && . "$source_dir/tests/cli/ledger_common"
printf '# Implementation Plan: a\n\n### Phase 1: One [NOT STARTED]\n\n### Phase 2: Two [NOT STARTED]\n- **Dependencies**: Phase 1\n' >plan.md
cp plan.md before.md

# Nothing begins before the agent is known and can be executed.
expect 2 run plan.md
expect_err "use --agent"
expect_no_out
printf '#!/bin/sh\n' >agent.sh
expect 5 run plan.md --agent ./agent.sh
expect_err "is not executable; run: chmod +x $PWD/agent.sh"
expect_no_out
mkdir bin && cp agent.sh bin/some-agent
PATH=$PWD/bin:$PATH expect 5 run plan.md --agent some-agent
expect_err "program 'some-agent' is not executable; run: chmod +x $PWD/bin/some-agent"
expect 5 run plan.md --agent ./nothing.sh
expect_err "nothing.sh' not found"
expect_no_out
expect_that "the plan was changed" cmp -s plan.md before.md
expect_that "a folder was made: $(ls specs 2>/dev/null)" test ! -e specs
expect 1 lineage

# One that ends well and leaves nothing is tried twice; then a person is asked, and told where to look.
expect 7 run plan.md --agent true --json
# shellcheck disable=SC2016
expect_json "$folder/out" 'v.teammates.length === 2 && v.gates[0].about === "progress" &&
  v.teammates[1].why === `it ended with status 0 and wrote no result to HANDOFF_META (.handoff/run/${v.teammates[1].id}/result.json)`'
gate=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).gates[0].gate' "$folder/out")
expect 0 gate show "$gate"
tr -s ' \n' ' ' <"$folder/out" >"$folder/line" && mv "$folder/line" "$folder/out"
expect_out "Its output is in .handoff/run/R-"
expect_out "/1.2/log"
expect_out "wrote no result to HANDOFF_META"

# Progress counts, even without a result; a crash is tried again, because its cause may be outside.
cat >busy <<'AGENT'
#!/bin/bash
handoff=$1
"$handoff" progress start --task "$HANDOFF_TASK" --phase 1 --objective One >/dev/null 2>&1
"$handoff" progress note "At $RANDOM$RANDOM" --task "$HANDOFF_TASK" --phase 1 >/dev/null
AGENT
chmod +x busy
cp before.md busy.md
expect 7 run busy.md --agent "./busy $handoff" --json
expect_json "$folder/out" 'v.teammates.length === 4 && v.gates[0].about === "successors"'
cp before.md crash.md
expect 7 run crash.md --agent false --json
expect_json "$folder/out" 'v.teammates.length === 4 && v.gates[0].about === "successors" && v.teammates[0].why === "it ended with status 1 and left no result"'
finish
