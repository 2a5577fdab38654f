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
expect 0 lineage

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

# Progress counts, even without a result. Any end without progress counts against it: a crash, too little time, a result
# that cannot be read or names a file that is not there. The gate shows the end of the output, without credentials.
cat >busy <<'AGENT'
#!/bin/bash
handoff=$1
"$handoff" progress start --task "$HANDOFF_TASK" --phase 1 --objective One >/dev/null 2>&1
"$handoff" progress tried "Way $RANDOM$RANDOM" --why slow --task "$HANDOFF_TASK" --phase 1 >/dev/null
AGENT
chmod +x busy
cp before.md busy.md
expect 7 run busy.md --agent "./busy $handoff" --json
expect_json "$folder/out" 'v.teammates.length === 4 && v.gates[0].about === "successors"'
cp before.md crash.md
expect 7 run crash.md --agent false --json
expect_json "$folder/out" 'v.teammates.length === 2 && v.gates[0].about === "progress" && v.teammates[0].why === "it ended with status 1 and left no result"'
# idle NAME TEXT: an agent that does this makes no progress.
idle()
{
  printf '#!/bin/bash\n%s\n' "$2" >"agent-$1" && chmod +x "agent-$1" && cp before.md "$1.md"
  expect 7 run "$1.md" --agent "./agent-$1" --timeout 2 --json
  expect_json "$folder/out" 'v.teammates.length === 2 && v.gates[0].about === "progress"'
  gate=$(node -pe 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).gates[0].gate' "$folder/out")
}
idle late 'exec sleep 60'
idle garbled 'echo "{" >"$HANDOFF_META"'
idle absent 'echo "{\"status\": \"implemented\", \"artifacts\": [{\"type\": \"implementation\", \"path\": \"src/nowhere.c\", \"summary\": \"The parser\"}]}" >"$HANDOFF_META"'
idle loud 'for i in {1..300}; do echo "line $i of the build"; done; echo "password=hunter2hunter2hunter2"; echo "error: no compiler on this machine"; exit 3'
expect 0 gate show "$gate"
expect_out "error: no compiler on this machine"
expect_not_out "hunter2hunter2"
expect_not_out "line 1 of the build"
finish
