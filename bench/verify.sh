#!/bin/bash
# How `verify` grows with the number of handoffs, and what the other commands that look at all of them take at the last
# two sizes. VERIFY_MOST=N: up to so many handoffs instead of 1,000,000.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
compile verify_bench
most=${VERIFY_MOST:-1000000} missed=0
handoff=${HANDOFF:-$PWD/build/handoff}
"$folder/verify_bench" "$folder" "$most" || missed=1

# timed COMMAND...: the seconds that it takes, as a person at a terminal, in the folder; what it says is not looked at.
timed()
{
  local begin
  begin=$(date +%s%N)
  script -qec "$(printf '%q ' "$handoff" "$@") >/dev/null 2>'$folder/said'" /dev/null >/dev/null || true
  awk -v ns=$(($(date +%s%N) - begin)) 'BEGIN { printf "%.2f", ns / 1e9 }'
}

declare -A before
for total in $((most / 10)) "$most"; do
  cd "$folder/verified-$total"
  for words in "list --limit 100" status "search part1234" "backup $folder/backup.db" rebuild "archive --completed" "prune --before 2999-01-01"; do
    read -ra command <<<"$words"
    rm -f "$folder/backup.db"
    took=$(timed "${command[@]}")
    if [ -n "${before[$words]:-}" ]; then
      echo "${command[0]} at $total: $took s, $(awk -v a="$took" -v b="${before[$words]}" 'BEGIN { printf "%.1f", a / b }') x that at $((total / 10))"
    else
      echo "${command[0]} at $total: $took s"
    fi
    before[$words]=$took
    [ ! -s "$folder/said" ] || sed 's/^/  /' "$folder/said" | tail -1
  done
  cd - >/dev/null
done
exit $missed
