#!/bin/bash
# What people see of a run: lines in a pipe, a view on a terminal, ps while it works, lineage and report afterwards.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/ledger_common
source "$source_dir/tests/cli/ledger_common"
PATH=$(dirname "$handoff"):$PATH
plan=specs/5_look/plans/implementation-001.md
mkdir -p specs/5_look/plans
# Names that would steer a terminal, end a table's cell or a label.
printf '# Implementation Plan: Look\n\n- **Task**: 5 - Look \033[31mred\n- **Status**: [NOT STARTED]\n' >$plan
printf '\n### Phase 1: A "b" | <i>c</i> \033[2J [NOT STARTED]\n\n### Phase 2: Second [NOT STARTED]\n- **Dependencies**: Phase 1\n' >>$plan

# A teammate that speaks as Claude Code does, so that its context can be seen; the first one of phase 1 passes on.
cat >agent <<'END'
#!/bin/bash
cat >/dev/null
where=(--task "$HANDOFF_TASK" --phase "$HANDOFF_PHASE")
echo '{"type":"system","subtype":"init","session_id":"c1","model":"claude-opus-4-1"}'
echo '{"type":"assistant","session_id":"c1","message":{"model":"claude-opus-4-1","content":[{"type":"text","text":"I see"},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":86000,"output_tokens":0}}}'
printf 'I look \033[2Jaround\n'
if [ "$HANDOFF_PHASE" = 1 ]; then
  handoff progress start "${where[@]}" --objective 'Look left' --objective 'Look right' >/dev/null 2>&1
  if [ ! -e turned ]; then
    handoff progress 'done' 1 "${where[@]}" >/dev/null
    while [ -e agent ] && [ ! -e go ]; do sleep 0.05; done
    touch turned
    echo 'turned round'
    handoff pass "${where[@]}" --next 'Look right at "x | <y>"' >/dev/null
    exit
  fi
fi
printf '{"status":"implemented","summary":"It \\u001b[31mis | <b>seen</b>","artifacts":[]}' >"$HANDOFF_META"
echo '{"type":"result","is_error":false,"result":"ok","usage":{"input_tokens":100,"output_tokens":23}}'
END
chmod +x agent
mkdir -p .handoff
printf 'agents:\n  - name: seer\n    command: [./agent]\n    harness: claude\n' >.handoff/config.yaml
expect 0 trust

expect 0 ps
expect_out "Nobody is working."
expect 0 lineage
"$handoff" run $plan --agent seer >"$folder/lines" 2>&1 &
lead=$!
for ((i = 0; i < 200; i++)); do
  run ps --json
  grep -q '"objectives_done":1' "$folder/out" && break
  sleep 0.05
done
expect_json "$folder/out" 'v.teammates.length === 1 && v.teammates[0].agent.startsWith("seer") && v.teammates[0].step === "1" &&
  v.teammates[0].successor === 0 && v.teammates[0].alive && v.teammates[0].objectives === 2 &&
  v.teammates[0].objective === "Look right" && v.teammates[0].context === 86000 && v.teammates[0].percent === 43'
expect 0 ps
expect_out "43 %  1/2 Look right"
expect 0 logs 1.1
expect_out 'I look \x1b[2Jaround'
expect_not_out "turned round"
expect_out '"tool_use"'
expect_terminal 0 logs 1.1 # for a person, without the wire
expect_out 'I see'
expect_out '> Bash: ls'
expect_not_out '"type"'
timeout 60 "$handoff" logs 1.1 --follow >"$folder/followed" 2>"$folder/err" &
follower=$!
touch go
wait $lead
expect_that "the run ended with $?" [ $? = 0 ]

# What a teammate wrote, also as it comes; following ends with the teammate.
wait $follower
expect_that "following ended with $?" [ $? = 0 ]
cp "$folder/followed" "$folder/out"
expect_out 'I look \x1b[2Jaround'
expect_out "turned round"
expect 0 logs 1.2
expect_out '"subtype":"init"'
expect_not_out "turned round"
expect 0 logs 1.1 --json
expect_json "$folder/out" 'v.id.endsWith("/1.1") && v.state === "ended" && v.outcome === "handoff" && v.text.includes("turned round")'
id=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).id' "$folder/out")
expect 0 logs "$id" --follow
expect_out "turned round"
expect_err "$id ended"
expect 0 logs "${id%/*}" --json
expect_json "$folder/out" 'v.id.endsWith("/2.1")'
expect 2 logs "$id" --follow --json
expect 5 logs 9.1
expect_err "there is no teammate 9.1; run: handoff lineage"
rm ".handoff/run/$id/log"
expect 5 logs "$id"
expect 5 logs "$id" --follow
cp "$folder/lines" "$folder/out"
expect_out "1.1     handoff   after"
expect_out "1.2     starts    seer continues from specs/5_look/handoffs/phase-1-handoff-"
expect_out '2       done      Second'
expect_out " is done"
expect_out "report: specs/5_look/summaries/run-R-"
expect_not_out $'\033'
expect 0 ps
expect_out "Nobody is working."

expect 0 lineage 5 --json
expect_json "$folder/out" 'v.runs[0].state === "done" && v.runs[0].steps.length === 2 && v.runs[0].steps[0].teammates.length === 2 &&
  v.runs[0].steps[0].teammates[0].outcome === "handoff" && v.runs[0].steps[0].teammates[1].succeeds === v.runs[0].steps[0].teammates[0].id &&
  v.runs[0].steps[0].teammates[1].from.includes("phase-1-handoff") && v.runs[0].steps[1].teammates[0].succeeds === null'
cp "$folder/out" "$folder/json"
TERM=xterm SHELL=/bin/bash script -qec "$handoff lineage 5" "$folder/out" </dev/null >/dev/null
expect_out $'\033[1mR-'
expect_not_out '\x1b[1m'
expect 0 lineage --as json
expect_json "$folder/out" 'JSON.stringify(v.runs[0].steps) === JSON.stringify(JSON.parse(require("fs").readFileSync("'"$folder/json"'", "utf8")).runs[0].steps)'
expect 0 lineage 5
expect_out "└─ 1.2  seer  done after"
expect_not_out $'\033'
expect 0 lineage --as mermaid
expect_out "flowchart LR"
expect_that "a label is not closed where it should be" [ -z "$(sed -E 's/\["[^"]*"\]//; s/\|"[^"]*"\|//' "$folder/out" | grep '"')" ]
expect_not_out $'\033'
expect_not_out "<i>"
expect 0 lineage 99
expect_err "nobody has worked on task 99"
expect 2 lineage --as pie

cp specs/5_look/summaries/run-R-*.md "$folder/out"
expect_out "# Run R-"
expect_out "| 1 | "
expect_out "continued where teammate 1 stopped"
expect_not_out "| <i>"
expect_that "the report has rows of different widths" [ "$(grep '^| [0-9]' "$folder/out" | sed 's/\\|//g' | tr -cd '|\n' | sort -u | wc -l)" = 1 ]

# On a terminal: one view that is drawn over, nothing wider or higher than it, no sequence from a document.
if has script "a run at a terminal"; then
  rm -rf turned go specs/5_look/progress && sed -i -E 's/\[(COMPLETED|PARTIAL)\]/[NOT STARTED]/' $plan
  (sleep 1.5 && touch go) &
  TERM=xterm SHELL=/bin/bash timeout 60 script -qec "stty cols 44 rows 7; $handoff run $plan --agent seer" "$folder/out" </dev/null >/dev/null
  expect_out $'\033[?2026h'
  expect_out "context 43 %"
  expect_out " is done"
  expect_not_out $'\033[2J'
  expect_not_out $'\033[31m'
  widest=$(sed -E $'s/\033\\[[?0-9;]*[A-Za-z]//g; s/\r//g' "$folder/out" | grep -E 'starts|context|Second' | wc -L)
  expect_that "a line is $widest wide" [ "$widest" -le 44 ]
  expect_that "it draws higher than the terminal" [ -z "$(grep -oE $'\033\\[([7-9]|[0-9]{2,})A' "$folder/out")" ]

  # More at work than there are lines, several of which end at once.
  many=specs/6_many/plans/implementation-001.md
  mkdir -p specs/6_many/plans
  printf '# Implementation Plan: Many\n\n- **Task**: 6 - Many\n' >$many
  for ((i = 1; i <= 16; i++)); do printf '\n### Phase %d: Part %d [NOT STARTED]\n' $i $i >>$many; done
  printf '#!/bin/bash\ncat >/dev/null\nsleep 0.3\nprintf '"'{\"status\":\"implemented\",\"artifacts\":[]}'"' >"$HANDOFF_META"\n' >quick
  chmod +x quick
  TERM=xterm SHELL=/bin/bash timeout 60 script -qec "stty cols 60 rows 9; $handoff run $many --agent ./quick --jobs 8" "$folder/out" </dev/null >/dev/null
  expect_out "16 of 16 phases done by 16 teammates"
  expect_out " more"
  expect_not_out "ERROR"
fi
# At a gate with nothing else to do, the live view says how it goes on.
if has script "a gate at a terminal"; then
  printf '#!/bin/sh\ncat >/dev/null\necho '"'{\"status\":\"blocked\",\"summary\":\"No key\",\"artifacts\":[]}'"' >"$HANDOFF_META"\n' >blocks
  chmod +x blocks
  printf '# Plan\n\n## Phase 1: Ask\n' >ask.md
  TERM=xterm SHELL=/bin/bash timeout 60 script -qfec "stty cols 80 rows 9; $handoff run ask.md --agent ./blocks & echo \$! >lead; wait" \
    "$folder/out" </dev/null >/dev/null &
  for ((i = 0; i < 300; i++)); do
    grep -q 'decide elsewhere' "$folder/out" && break
    sleep 0.1
  done
  kill "$(cat lead)"
  wait
  expect_out "Ctrl-C stop · decide elsewhere: handoff gate decide G-2026-001 approve|reject"
fi
# A person is asked in whole sentences, and told how a run that failed goes on.
printf '#!/bin/sh\ncat >/dev/null\necho '"'{\"status\":\"blocked\",\"summary\":\"Which key?\",\"artifacts\":[]}'"' >"$HANDOFF_META"\n' >which
chmod +x which
printf '# Plan\n\n## Phase 1: Ask\n' >which.md
expect 7 run which.md --agent ./which --json
gate=$(jq -r '.gates[0].gate' "$folder/out")
run=$(jq -r .run "$folder/out")
for command in show log; do
  expect 5 $command "$run"
  expect_err "$run: is a run; run: handoff lineage which"
done
expect 0 gate show "$gate"
expect_out "ended as 'blocked': Which key? Its output is in"
expect_terminal 0 gate decide "$gate" reject --note None
expect 1 run which.md --agent ./which
expect_that "how it ended is not said" grep -qE '^R-2026-[0-9]+ failed: ' "$folder/out"
expect_out "to start what is left, run the same command again"
finish
