// Shared by the benchmarks: the program, temporary folders, timing, and documents that are made, not copied.
import { spawnSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const handoff = process.env.HANDOFF ?? join(root, 'build/handoff');

/** A temporary project (a folder with `.handoff`), removed when the process ends. */
export function temporaryProject() {
  const folder = mkdtempSync(join(tmpdir(), 'handoff-bench-'));
  mkdirSync(join(folder, '.handoff'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes `text` to folder/name, making folders on the way; returns the path. */
export function write(folder, name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Runs a command with its output thrown away; milliseconds, or an error if its exit status is none of `statuses`. */
export function timed(command, args, statuses, options = {}) {
  const begin = process.hrtime.bigint();
  const run = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000, ...options });
  const ms = Number(process.hrtime.bigint() - begin) / 1e6;
  if (run.error || !statuses.includes(run.status))
    throw new Error(`${command} ${args.join(' ')}: ${run.error ?? `exit ${run.status}, signal ${run.signal}`}: ${String(run.stderr).slice(0, 500)}`);
  return ms;
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** What the disk takes to make as much durable as a command writes, where the file is already that large; in milliseconds. */
export function syncMs(folder, rounds = 50) {
  const file = openSync(join(folder, 'synced'), 'w+'), pages = Buffer.alloc(16 * 4096);
  const each = Array.from({ length: rounds }, () => {
    writeSync(file, pages, 0, pages.length, 0);
    const begin = process.hrtime.bigint();
    fdatasyncSync(file);
    return Number(process.hrtime.bigint() - begin) / 1e6;
  });
  closeSync(file);
  return median(each);
}

/** Says what the disk allows a client who waits for a sync with every tenth call, beside a peer that waits for none. */
export function reportSync(name, folder, peer, least) {
  const sync = syncMs(folder), most = 10_000 / sync;
  console.log(`${name.padEnd(8)} the memory server waits for no sync; one takes ${sync.toFixed(1)} ms here, so that a client who waits for one with every tenth ` +
    `call has at most ${most.toFixed(0)} answers a second, ${(most / peer).toFixed(1)} × that server's${most < least * peer ? ': the limit cannot be met here by one client' : ''}`);
}

/** Prints a line of result, and remembers a missed limit in the exit status. */
export function report(name, text, fine) {
  console.log(`${name.padEnd(8)} ${text} ${fine ? 'ok' : 'MISSED'}`);
  if (!fine) process.exitCode = 1;
}

/** A source of numbers that is the same in every run. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = ('parser index buffer schema ledger queue worker report module reader writer cache table column gate ' +
  'review plan phase token budget limit record field rule store event lease claim branch commit build test case').split(' ');

export function sentence(pick, count) {
  const text = Array.from({ length: count }, () => words[pick(words.length)]).join(' ');
  return text[0].toUpperCase() + text.slice(1);
}

export const artifactCount = 16;
export const artifactPath = (i) => `src/part-${i % artifactCount}.c`;

/** A valid package of about `size` bytes, as YAML. */
export function packageYaml(i, size) {
  const pick = numbers(i + 1);
  const head = `handoff:
  id: HO-2026-${String(i + 1).padStart(5, '0')}
  timestamp: "2026-03-${String(1 + (i % 28)).padStart(2, '0')}T10:${String(i % 60).padStart(2, '0')}:00Z"
  from:
    agent: builder-${i % 7}
    step: build
  to:
    agent: reviewer-${i % 5}
    reason: ${sentence(pick, 6)}
  context:
    summary: |
      Built the ${sentence(pick, 3).toLowerCase()} in 3 files with 14 tests; all of them pass on both platforms.
    artifacts:
      - path: ${artifactPath(i)}
        type: code
        description: ${sentence(pick, 5)}
    open_questions:
      - question: ${sentence(pick, 8)}?
        priority: medium
        context: ${sentence(pick, 6)}
    decisions:
`;
  const tail = `  expectations:
    deliverable: Review report for the ${sentence(pick, 2).toLowerCase()} with one finding per defect
    constraints:
      - Answer within 2 days
    success_criteria:
      - All 14 tests pass
      - Line coverage of at least 85%
  workflow_state:
    name: feature
    current_step: 2
    completed_steps: [design, build]
    remaining_steps: [review, release]
`;
  let decisions = '';
  for (let n = 1; n === 1 || head.length + decisions.length + tail.length < size; n++)
    decisions += `      - id: D-${String(n).padStart(3, '0')}
        decision: ${sentence(pick, 8)}
        rationale: ${sentence(pick, 12)}
`;
  return head + decisions + tail;
}

/** A valid response of about `size` bytes, as JSON. */
export function responseJson(i, size) {
  const pick = numbers(i + 7);
  const document = {
    task_id: `task-${i}`,
    phase: 'research',
    status: 'complete',
    decision: 'PROCEED',
    findings: {
      existing_implementations: [{ file: artifactPath(i), description: sentence(pick, 6), relevance: 'high' }],
      conflicts: [],
      patterns_found: [],
      recommendations: [sentence(pick, 9)],
    },
    context_summary: `The reader in ${artifactPath(i)} covers 3 of 4 cases; decided to extend it and to keep its pattern of one table per format.`,
    tokens_used: 400 + pick(800),
    issues: [],
  };
  while (JSON.stringify(document, null, 2).length < size)
    document.findings.patterns_found.push({
      file: artifactPath(pick(artifactCount)),
      pattern: sentence(pick, 9),
      recommendation: sentence(pick, 7),
    });
  return JSON.stringify(document, null, 2) + '\n';
}

/** Makes the files that the documents name, so that `check` finds them. */
export function writeArtifacts(folder) {
  for (let i = 0; i < artifactCount; i++) write(folder, artifactPath(i), '/* made for the benchmark */\n');
}
