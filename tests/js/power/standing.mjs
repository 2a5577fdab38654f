// How a project stands: what its ledger says, and its files. For power.mjs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from '../lib/ledger.mjs';

const digest = (path) => createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
/** Files of the store's own, and the state file, which is compared with the ledger instead. */
const derived = /^main\/(\.handoff\/(handoff\.|state\.lock|context\/|hook\.log|seal\.lock)|state\/current\.json$)|\.lock$/;
/** What a backup that did not end leaves where a person wanted it; what teammates of a run write and do not sync; what a
 *  writer was about to rename, and the next writer of that file takes over. */
const others = /\.part(-journal|-wal)?$|7_relay\/\.return-meta\.json$|\.handoff\/run\/|\.handoff-new\d*$/;

function walk(folder, found = []) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) walk(join(folder, entry.name), found);
    else found.push(join(folder, entry.name));
  }
  return found;
}

function ask(cwd, env, problems, ...args) {
  const r = run(cwd, env, [...args, '--json']);
  if (r.status === 0 || (r.status === 1 && args[0] !== 'verify')) return r.out ? JSON.parse(r.out) : {};
  if (r.status === 5 && !existsSync(join(cwd, '.handoff/handoff.db'))) return {};
  problems.push(`${args[0]}: exit ${r.status} ${r.signal ?? ''}: ${(r.err + r.out).trim().slice(0, 400)}`);
  return {};
}

/** {problems, ledger: what it says, line by line, files: their digests}. The first command is one that
 *  writes; `at` is a copy of the project to ask instead of the project itself, and then nothing is verified. */
export function standing({ root, main }, env, at) {
  const problems = [], cwd = at ?? main;
  if (!at && existsSync(join(cwd, '.handoff/handoff.db'))) {
    const r = run(cwd, env, ['next', '--as', 'nobody']);
    if (r.status !== 1) problems.push(`the next command: exit ${r.status} ${r.signal ?? ''}: ${r.err.trim()}`);
    const verdict = ask(cwd, env, problems, 'verify');
    for (const drift of verdict.drift ?? []) if (!/artifact .* has changed/.test(drift.message)) problems.push(`drift: ${drift.name}: ${drift.message}`);
  }
  const handoffs = ask(cwd, env, problems, 'list', '--limit', '100000').handoffs ?? [];
  const events = ask(cwd, env, problems, 'log', '--limit', '100000').events ?? [];
  const known = handoffs.length ? ask(cwd, env, problems, 'know', '--limit', '1000').items ?? [] : [];
  const ledger = [...handoffs, ...events.map((e) => ({ ...e, seq: undefined })), ...known].map((row) => JSON.stringify(row));
  const files = {};
  for (const path of walk(root)) {
    const name = relative(root, path);
    if (!derived.test(name) && !others.test(name)) files[name] = digest(path);
  }
  if (!at) problems.push(...compareState(main, handoffs));
  return { problems, ledger: ledger.sort(), ids: handoffs.map((h) => h.id), files };
}

/** How the state file calls a state; of what is archived, that in which it ended. */
const shown = { ready: 'pending', claimed: 'pending', acked: 'in_progress', done: 'completed', finished: 'completed' };
const ended = (h) => (h.state === 'archived' ? h.outcome : h.state);

/** The state file can be read and says what the ledger says. */
function compareState(main, handoffs) {
  const path = join(main, 'state/current.json');
  if (!existsSync(path)) return handoffs.length ? ['there is no state file'] : [];
  let state;
  try {
    state = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return [`the state file cannot be read: ${error.message}`];
  }
  const say = (rows) => rows.map((h) => `${h.id} ${shown[ended(h)] ?? ended(h)}`).sort().join(', ');
  const there = say(state.handoffs.map((h) => ({ id: h.id, state: h.status }))), wanted = say(handoffs);
  return there === wanted ? [] : [`the state file says ${there}, the ledger ${wanted}`];
}

function differences(now, then) {
  const out = [];
  const [a, b] = [new Set(now.ledger), new Set(then.ledger)];
  for (const line of now.ledger) if (!b.has(line)) out.push(`not expected: ${line}`);
  for (const line of then.ledger) if (!a.has(line)) out.push(`missing: ${line}`);
  for (const name of new Set([...Object.keys(now.files), ...Object.keys(then.files)]))
    if (now.files[name] !== then.files[name])
      out.push(`${name} ${!now.files[name] ? 'is missing' : !then.files[name] ? 'should not be there' : 'has other contents'}`);
  return out;
}

/** Complaints about a project that should stand as one of `allowed`; in between, if several
 *  commands run at once or one makes several changes. */
export function compare(now, allowed, step, answered, before) {
  const out = [...now.problems];
  const each = allowed.map((then) => differences(now, then));
  if (each.some((list) => list.length === 0)) return out;
  if ((step.each || step.stages) && allowed.length > 1) {
    const ids = step.results.filter((r) => answered.has(r.number)).map((r) => JSON.parse(r.out).id);
    const rows = new Set([...before.ledger, ...allowed.at(-1).ledger]);
    for (const id of [...before.ids, ...ids]) if (!now.ids.includes(id)) out.push(`${id} is lost`);
    for (const line of now.ledger) if (step.each && !rows.has(line)) out.push(`not expected: ${line}`);
    return out;
  }
  each.sort((a, b) => a.length - b.length);
  out.push(...each[0].slice(0, 3).map((text) => text.slice(0, 300)));
  return out;
}
