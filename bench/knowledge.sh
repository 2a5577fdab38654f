#!/bin/bash
# Knowledge: learning side by side with create_entities of the MCP reference memory server, and alone at 100,000 facts; the
# growth of `know` from 1,000 to 1,000,000 facts (KNOWLEDGE_MOST); `prompt inject` on the largest store beside the start
# of a program that does nothing.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
most=${KNOWLEDGE_MOST:-1000000} missed=0
compile knowledge_bench
bench() { "$folder/knowledge_bench" "$@"; }

# judge WHAT VALUE least|most LIMIT
judge()
{
  local word=ok
  awk -v v="$2" -v l="$4" -v k="$3" 'BEGIN { exit !(k == "least" ? v >= l : v <= l) }' || word=MISSED missed=1
  printf '%-56s %8.2f   at %s %.2f   %s\n' "$1" "$2" "$3" "$4" "$word"
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'; }

for each in 1 10; do
  ours=$(bench learn "$folder/learn$each" 2000 $each)
  if peer=$(node bench/lib_memory_peer.mjs 2000 $each); then
    echo "2,000 facts, $each at a time: $ours facts/s; the MCP memory server $peer facts/s"
    judge "learning, of the memory server's rate, $each at a time" "$(ratio "$ours" "$peer")" least 10
  else
    echo "2,000 facts, $each at a time: $ours facts/s; skipped: the MCP memory server is not installed"
  fi
done
echo "100,000 facts, 20 at a time: $(bench learn "$folder/many" 100000 20) facts/s"

bench learn "$folder/few" 1000 20 >"$folder/rate"
bench learn "$folder/most" "$most" 20 >"$folder/rate"
small=$(bench know "$folder/few" 2>/dev/null) large=$(bench know "$folder/most" 2>/dev/null)
echo "know: median $small us at 1,000 facts, $large us at $most (learned at $(cat "$folder/rate") facts/s)"
judge "know at $most facts, of the time at 1,000" "$(ratio "$large" "$small")" most 3

compile_start
"$folder/start" 5 "$folder/nothing" "${HANDOFF:-build/handoff}" prompt inject --task task-500 --root "$folder/most" || missed=1
exit $missed
