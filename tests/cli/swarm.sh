#!/bin/bash
# Many senders and claimers at once, some killed at random: what was answered is there, ids are unique, no sender
# starves, no handoff is delivered to two, and the ledger verifies.
# SWARM="PROCESSES SENDS" sets the size; SWARM="32 200" is the full one.
tools=$1/tests
# shellcheck source=tests/cli/common
source "$(dirname "$0")/common"
read -r processes sends <<<"${SWARM:-16 20}"
cat >"$folder/document.yaml" <<'END'
handoff:
  id: HO-2026-001
  timestamp: "2026-03-09T16:20:00Z"
  from:
    agent: planner
    step: plan
  to:
    agent: worker
    reason: The plan of part @N@ is ready to be built
  context:
    summary: |
      Planned part @N@ of the import in 3 files with 14 tests; the format is settled and 2 questions are open.
    decisions:
      - id: D-001
        decision: Read the file of part @N@ as a stream of rows
        rationale: The largest file is bigger than the memory of the small servers
    artifacts: []
    open_questions: []
  expectations:
    deliverable: Code of part @N@ with its tests
    constraints:
      - No new dependencies
    success_criteria:
      - All 14 tests pass
  workflow_state:
    name: feature
    current_step: 2
    completed_steps: [plan]
    remaining_steps: [build, review]
END
expect 0 init

# ---- Senders
last="send, $processes processes with $sends each"
"$tools/swarm" send "$handoff" "$PWD" "$processes" "$sends" 15 "$folder/document.yaml" >"$folder/sent" 2>"$folder/err"
expect_that "a send failed" [ $? = 0 ]
tail -1 "$folder/sent"
expect 0 list --limit 1000000 --json
cp "$folder/out" "$folder/listed"
cat >"$folder/judge.mjs" <<'END'
import { readFileSync } from 'node:fs';
const [, , sentPath, listPath] = process.argv;
const answers = readFileSync(sentPath, 'utf8').split('\n').filter((l) => l && !l.startsWith('#')).map((l) => l.split(' '));
const listed = JSON.parse(readFileSync(listPath, 'utf8')).handoffs.map((h) => h.id);
const there = new Set(listed), ids = answers.map((a) => a[0]);
const problems = [];
if (new Set(ids).size !== ids.length) problems.push('an id was answered twice');
if (there.size !== listed.length) problems.push('an id is listed twice');
const missing = ids.filter((id) => !there.has(id));
if (missing.length) problems.push(`${missing.length} answered sends are not there: ${missing.slice(0, 5)}`);
const waits = answers.filter((a) => a[2] === 'ended').map((a) => Number(a[1])).sort((a, b) => a - b);
const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] / 1000;
console.log(`${ids.length} sends answered, ${listed.length} there; a send takes ${at(0.5)} ms (median), ` +
  `${at(0.99)} ms (99th percentile), ${at(1)} ms (longest)`);
if (at(0.99) > 20 * at(0.5)) problems.push('a sender starves: the 99th percentile is above 20 times the median');
for (const problem of problems) console.log(problem);
process.exit(problems.length ? 1 : 0);
END
last="what $processes senders left"
expect_that "it is not what was answered" node "$folder/judge.mjs" "$folder/sent" "$folder/listed"
expect 0 verify

# ---- Claimers
last="next, 8 claimers"
"$tools/swarm" next "$handoff" "$PWD" 8 0 10 worker >"$folder/claimed" 2>"$folder/err"
expect_that "a claim failed" [ $? = 0 ]
tail -1 "$folder/claimed"
expect 0 list --limit 1000000 --json
cp "$folder/out" "$folder/listed"
expect 0 log --limit 1000000 --json
cp "$folder/out" "$folder/events"
cat >"$folder/judge_claims.mjs" <<'END'
import { readFileSync } from 'node:fs';
const [, , claimedPath, listPath, logPath] = process.argv;
const lines = readFileSync(claimedPath, 'utf8').split('\n').filter(Boolean);
const killed = Number(/killed (\d+)/.exec(lines.at(-1))[1]);
const ids = lines.filter((l) => !l.startsWith('#')).map((l) => l.split(' ')[0]);
const listed = JSON.parse(readFileSync(listPath, 'utf8')).handoffs;
const claims = JSON.parse(readFileSync(logPath, 'utf8')).events.filter((e) => e.event === 'claimed');
const problems = [];
if (new Set(ids).size !== ids.length) problems.push('a handoff was delivered to two');
if (new Set(claims.map((e) => e.handoff)).size !== claims.length) problems.push('a handoff was claimed twice');
const state = new Map(listed.map((h) => [h.id, h.state]));
for (const id of ids) if (state.get(id) !== 'claimed') problems.push(`${id} was delivered but is ${state.get(id)}`);
const silent = claims.length - ids.length;
if (silent < 0 || silent > killed) problems.push(`${silent} claims without an answer, but ${killed} claimers killed`);
const ready = listed.filter((h) => h.state === 'ready').length;
if (ready) problems.push(`${ready} are still ready`);
console.log(`${ids.length} delivered, ${silent} claimed by who was killed before it answered, of ${listed.length}`);
for (const problem of problems) console.log(problem);
process.exit(problems.length ? 1 : 0);
END
expect_that "it is not what was delivered" node "$folder/judge_claims.mjs" "$folder/claimed" "$folder/listed" "$folder/events"
expect 0 verify
finish
