#!/bin/bash
# The live view of a run, key by key: what is shown at its busiest, logs, gates, leaving it, Ctrl-C, sizes, ASCII.
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
# shellcheck source=tests/cli/screen_common
source "$source_dir/tests/cli/screen_common"
PATH=$(dirname "$handoff"):$PATH
plan=specs/5_export/plans/implementation-001.md

# Four phases after the first: two work until `go` is there, one asks, one waits for them; then four more.
begin()
{
  rm -rf specs .handoff .project state go decided && mkdir -p "$(dirname $plan)" .handoff
  printf '# Implementation Plan: Export of reports\n\n- **Task**: 5 - Export of reports\n- **Status**: [NOT STARTED]\n' >$plan
  local n=0 name after=None
  for name in 'Read the old format' 'Write CSV' 'Write JSON' 'Choose the default' 'Command line' Documentation 'Translate the messages' 'Release notes'; do
    n=$((n + 1))
    [ $n = 2 ] && after='Phase 1'
    [ $n = 5 ] && after='Phase 2, Phase 3'
    printf '\n### Phase %d: %s [NOT STARTED]\n- **Dependencies**: %s\n' $n "$name" "$after" >>$plan
  done
  printf 'agents:\n  - name: seer\n    command: [./agent]\n    harness: claude\n' >.handoff/config.yaml
  run trust
}
cat >agent <<'END_AGENT'
#!/bin/bash
cat >/dev/null
where=(--task "$HANDOFF_TASK" --phase "$HANDOFF_PHASE")
echo '{"type":"system","subtype":"init","session_id":"c1","model":"claude-opus-4-1"}'
echo '{"type":"assistant","session_id":"c1","message":{"model":"claude-opus-4-1","usage":{"input_tokens":86000,"output_tokens":0}}}'
case $HANDOFF_PHASE in
2 | 3)
  handoff progress start "${where[@]}" --objective 'Quote what has commas' --objective 'Test it' >/dev/null 2>&1
  handoff progress 'done' 1 "${where[@]}" >/dev/null
  for ((i = 1; i < 40; i++)); do printf 'line %d of phase %s \033[2J\n' $i "$HANDOFF_PHASE"; done
  while [ -e agent ] && [ ! -e go ]; do sleep 0.1; done
  ;;
4)
  if [ ! -e decided ]; then
    touch decided
    echo '{"status":"blocked","summary":"Which format is the default?","artifacts":[]}' >"$HANDOFF_META"
    exit
  fi
  ;;
esac
echo '{"status":"implemented","summary":"It is there","artifacts":[]}' >"$HANDOFF_META"
echo '{"type":"result","is_error":false,"result":"ok","usage":{"input_tokens":100,"output_tokens":23}}'
END_AGENT
chmod +x agent
git init -q .
run=("$handoff" run "$plan" --agent seer)
busy=('wait=asks' 'wait=2.1 seer  1/2 Test' 'wait=3.1 seer  1/2 Test')
# Times pass, but never more than a digit is wide.
timeless() { sed -i -E 's/\b[0-9]:[0-9]{2}\b/0:00/g' "$folder/out"; }

for size in 80x24 120x40 60x20; do
  begin
  screen 1 $size "${busy[@]}" shot 'type=^C' 'wait=Ctrl-C stop the teammates' 'type=^C' 'wait=is paused' -- "${run[@]}"
  timeless
  expect_screen "run-$size"
  expect_that "the bell did not ring once" grep -q 'bell 1$' "$folder/out"
done

# In ASCII; without colours; where there is no room, what Ctrl-C does stays.
begin
LC_ALL=C screen 1 80x24 "${busy[@]}" shot 'type=^C' 'wait=stop the teammates' 'type=^C' 'wait=is paused' -- "${run[@]}"
timeless
expect_screen run-ascii-80x24
expect_that "not only ASCII" [ "$(LC_ALL=C grep -c '[^ -~]' "$folder/out")" = 0 ]
begin
NO_COLOR=1 screen 1 44x9 wait=asks 'wait=Ctrl-C stop' shot 'type=^C' 'wait=stop the teammates' 'type=^C' 'wait=is paused' -- "${run[@]}"
expect_that "coloured" [ "$(grep -c '^:' "$folder/out")" = 0 ]
expect_that "the last line is not whole: $(cat "$folder/out")" grep -q '^|Ctrl-C stop · g decide' "$folder/out"

# Help; a teammate's log, and the next one's; another size; a gate is decided without another terminal, and the run goes on.
begin
(for ((i = 0; i < 600; i++)); do [ -e "$folder/done" ] && break; sleep 0.1; done; touch go) &
screen 0 80x24 "${busy[@]}" 'type=?' 'wait=any key goes back' shot 'type= ' 'gone=any key' type=l 'wait=line 39 of phase 2' "shot=$folder/log" \
  type=n 'wait=line 39 of phase 3' type=l 'wait=what happened' size=60x20 'wait=q leave ' size=100x30 'wait=q leave it running' "shot=$folder/wide" \
  type=g 'wait=e[x]it' type=a 'wait=A word to whoever goes on' 'type=CSV^M' 'wait=No gate waits' 'wait=approved' 'gone=g decide' \
  type=g 'wait=no gate waits for a decision' "shot=$folder/done" 'wait=8 of 8 phases done' "shot=$folder/end" -- "${run[@]}"
wait
expect_screen run-help-80x24
cp "$folder/log" "$folder/out"
expect_out 'its log'
expect_out '\x1b[2J'
cp "$folder/wide" "$folder/out"
timeless
expect_screen run-resized-100x30
cp "$folder/end" "$folder/out"
expect_not_out 'Ctrl-C'
expect 0 gate list --all --json
expect_json "$folder/out" 'v.gates[0].decision === "approve" && v.gates[0].note === "CSV"'

# q leaves it running: the shell goes on, and says how to look and how to stop.
begin
screen 0 100x24 "${busy[@]}" type=q 'wait=the shell goes on' shot -- bash -c '"$@"; echo "$? the shell goes on"' sh "${run[@]}"
expect_out '0 the shell goes on'
expect_out 'handoff ps --watch'
pid=$(sed -nE 's/.*kill -INT ([0-9]+).*/\1/p' "$folder/out")
expect_that "nobody leads it" kill -0 "$pid"
touch go
for ((i = 0; i < 300; i++)); do grep -q '^8  *done' .handoff/run/R-*/lead.log && break; sleep 0.1; done
expect_that "it did not go on" grep -q '^8  *done' .handoff/run/R-*/lead.log
for ((i = 0; i < 300; i++)); do run ps; grep -q 'waits for a decision' "$folder/out" && break; sleep 0.1; done
expect_out 'Nobody is working.'
expect_out 'waits for a decision; run: handoff gate'
expect_that "it draws into its log" [ "$(grep -c $'\033' .handoff/run/R-*/lead.log)" = 0 ]
kill -INT "$pid"
for ((i = 0; i < 300; i++)); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
expect_that "it cannot be stopped" [ ! -e "/proc/$pid" ]
expect_that "it does not say how it ended" grep -q 'it was interrupted' .handoff/run/R-*/lead.log

# After Ctrl-C it is as it was said: the next interrupt stops the teammates.
begin && rm -f go
screen 0 100x24 "${busy[@]}" 'type=^C' 'wait=Ctrl-C stop the teammates' type=q 'wait=the shell goes on' shot -- bash -c '"$@"; echo "the shell goes on"' sh "${run[@]}"
expect_out 'waits for its teammates in the background'
expect_out '(now its teammates)'
pid=$(sed -nE 's/.*kill -INT ([0-9]+).*/\1/p' "$folder/out")
kill -INT "$pid"
for ((i = 0; i < 300; i++)); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
expect_that "its teammates go on" [ ! -e "/proc/$pid" ]

# Whoever ends the command ends the lead; a lead that is killed leaves a terminal that can be used.
begin
(for ((i = 0; i < 300; i++)); do lead=$(pgrep -f "handoff run $folder/project" | sort -n | tail -1); [ -e decided ] && [ -n "$lead" ] && break; sleep 0.1; done; kill -9 "$lead") &
screen 0 80x24 'wait=ended with 137' 'wait= echo ' -- bash -c '"$@"; echo "ended with $?"; stty -a; touch go' sh "$handoff" run "$folder/project/$plan" --agent seer
wait
finish
