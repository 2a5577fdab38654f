#!/bin/bash
# What a durable command costs: in process against SQLite's own commit of the same rows, 16 processes against one, and the
# program against the sqlite3 shell that inserts one row.
cd "$(dirname "$0")/.." || exit
. bench/lib_build.sh
handoff=${HANDOFF:-$PWD/build/handoff}
compile durable_bench
status=0
"$folder/durable_bench" "$folder" || status=1

# ---- The program and the shell, by turns.
rounds=100
mkdir "$folder/cli" && cd "$folder/cli"
"$handoff" init >/dev/null
sqlite3 theirs.db "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)" >/dev/null
body=$(printf 'x%.0s' {1..2000})
for ((i = 0; i < rounds; i++)); do
  sed "s/PART/$i/g" >p.yaml <<'END'
handoff:
  timestamp: "2026-03-09T16:20:00Z"
  from: {agent: planner, step: plan}
  to: {agent: coder, reason: Part PART can be built}
  context:
    summary: Planned part PART in 3 files with 14 tests, all questions are settled
  expectations:
    deliverable: Code of part PART
    success_criteria:
      - All 14 tests pass
  workflow_state: {name: feature, current_step: 2}
END
  a=$(date +%s%N)
  "$handoff" send - <p.yaml >/dev/null 2>&1
  b=$(date +%s%N)
  sqlite3 theirs.db "PRAGMA synchronous = FULL; INSERT INTO t (body) VALUES ('$body')"
  c=$(date +%s%N)
  echo $((b - a)) >>ours
  echo $((c - b)) >>theirs
done
middle() { sort -n "$1" | sed -n "$((rounds / 2))p"; }
awk -v a="$(middle ours)" -v b="$(middle theirs)" 'BEGIN {
  printf "send by the program %.1f ms, one insert by the sqlite3 shell %.1f ms\n", a / 1e6, b / 1e6
  good = a / b <= 1.5
  printf "%-44s %8.2f   at most  1.50   %s\n", "send against the sqlite3 shell", a / b, good ? "ok" : "MISSED"
  exit !good }' || status=1
exit $status
