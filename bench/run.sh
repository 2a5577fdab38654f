#!/bin/bash
# The lead of a run: 500 phases, 64 side by side. Its own CPU time a phase, its memory, and what it takes while all its
# teammates work.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
handoff=$PWD/${HANDOFF#"$PWD"/}
[ -x "$handoff" ] || handoff=${HANDOFF:-$PWD/build/handoff}
plan=specs/7_big/plans/implementation-001.md

# lead PHASES SECONDS: a plan of so many phases, and teammates that sleep that long.
prepare()
{
  rm -rf "$work/project"
  mkdir -p "$work/project/specs/7_big/plans"
  cd "$work/project"
  printf '# Implementation Plan: Big\n\n- **Task**: 7 - big\n- **Status**: [NOT STARTED]\n' >"$plan"
  for n in $(seq "$1"); do
    printf '\n### Phase %s: Part %s [NOT STARTED]\n\n**Dependencies**: None\n\n**Goal**: Part %s is there.\n\n- [ ] do it\n' "$n" "$n" "$n"
  done >>"$plan"
  cat >teammate <<END
#!/bin/sh
sleep $2
printf '{"status": "implemented", "summary": "Phase %s is written", "completion_data": {"completion_summary": "It is written"}}' "\$HANDOFF_PHASE" >"\$HANDOFF_META"
END
  chmod +x teammate
}
nanoseconds() { cut -d' ' -f1 "/proc/$1/schedstat"; }

prepare 500 0
start=$(date +%s%N)
"$handoff" run "$plan" --agent ./teammate --jobs 64 >"$work/out" &
pid=$!
used=0 peak=0
while now=$(nanoseconds $pid 2>/dev/null) && size=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null); do
  used=${now:-$used}
  peak=${size:-$peak}
  sleep 0.01
done
wait $pid
took=$((($(date +%s%N) - start) / 1000000))
grep -q '500 of 500' "$work/out"
each=$((used / 500000))
echo "500 phases, 64 side by side: $((used / 1000000)) ms of CPU in the lead, $each us a phase (limit 5000); $((peak / 1024)) MB at most (limit 30); $took ms in all"

prepare 64 4
"$handoff" run "$plan" --agent ./teammate --jobs 64 >"$work/out" &
pid=$!
sleep 2.5
before=$(nanoseconds $pid)
sleep 1
idle=$(($(nanoseconds $pid) - before))
wait $pid
echo "64 teammates at work: $((idle / 1000)) us of CPU in a second of the lead's sleep (limit 1000)"
[ "$each" -lt 5000 ] && [ "$peak" -lt $((30 << 10)) ] && [ "$idle" -lt 1000000 ]
