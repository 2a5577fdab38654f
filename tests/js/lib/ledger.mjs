// Shared by the tests of the ledger: a project in a temporary folder, documents to hand over, and the program.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const program = process.env.HANDOFF;

/** A temporary folder, in memory where there is such a place; removed when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'handoff-test-'));
  process.on('exit', () => {
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The environment of a person without an agent's harness. */
export function environment(folder) {
  return { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8' };
}

/** What runs a command at a terminal of its own; only there does a person decide. The environment is the command's. */
const person = join(dirname(program), 'tests', 'person');

/** Runs the program in `cwd`; {status, signal, out, err}. Where a person decides, both texts are in out and in err. */
export function run(cwd, env, args, input = '', command = program) {
  const decides = args[0] === 'gate' && args[1] === 'decide';
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const [file, all, around] = decides ? [person, ['--', 'env', '-i', ...set, command, ...args], { PATH: env.PATH }] : [command, args, env];
  const r = spawnSync(file, all, { cwd, env: around, input, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 120_000 });
  if (r.error && r.error.code !== 'EPIPE') throw r.error;
  return { status: r.status, signal: r.signal, out: r.stdout, err: decides ? r.stdout : r.stderr };
}

/** As run, but it has to succeed; the JSON value that was printed. */
export function must(cwd, env, args, input) {
  const r = run(cwd, env, [...args, '--json'], input);
  if (r.status !== 0) throw new Error(`handoff ${args.join(' ')}: exit ${r.status} ${r.signal ?? ''}\n${r.err}${r.out}`);
  return JSON.parse(r.out);
}

export function write(folder, name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** A package to `agent` about part `n`; `extra` goes below `handoff:`. */
export function packageText(n, agent = 'worker', extra = '') {
  return `handoff:
  timestamp: "2026-03-09T16:20:00Z"
${extra}  from:
    agent: planner
    step: plan
  to:
    agent: ${agent}
    reason: The plan of part ${n} is ready to be built
  context:
    summary: |
      Planned part ${n} of the import in 3 files with 14 tests; the format is settled and 2 questions are open.
    decisions:
      - id: D-001
        decision: Read the file of part ${n} as a stream of rows
        rationale: The largest file is bigger than the memory of the small servers
    artifacts: []
    open_questions: []
  expectations:
    deliverable: Code of part ${n} with its tests
    constraints:
      - No new dependencies
    success_criteria:
      - All 14 tests pass
  workflow_state:
    name: feature
    current_step: 2
    completed_steps: [plan]
    remaining_steps: [build, review]
`;
}

export function gateText() {
  return `handoff:
  id: HO-2026-900
  timestamp: "2026-03-09T16:20:00Z"
  from:
    agent: planner
    step: plan
  to:
    agent: human
    reason: The plan changes the public interface, which a person has to approve
  gate:
    type: blocking
    name: Plan of the import
    step: plan
  context:
    summary: |
      Planned the import in 3 files with 14 tests; it replaces two public functions, so 5 callers have to change.
    artifacts: []
  validation_request:
    items:
      - The two public functions are replaced
    options:
      approve: The import is built
      reject: The plan is written anew
      question: The planner answers
  workflow_state:
    name: feature
    current_step: 2
    completed_steps: [plan]
    remaining_steps: [build, review]
`;
}
