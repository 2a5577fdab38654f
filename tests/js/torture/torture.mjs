// Torture: for a while, several processes at once run a random mix of all commands that write, in the main worktree and
// in linked ones that come and go; some are killed or stopped at a random moment, leases and deadlines run out. A model
// (model.mjs) knows what was answered: nothing of it is lost or doubled, no gate opens by itself, `verify` finds nothing
// while all this goes on, nothing blocks, and at the end the files agree with the ledger.
//   torture.mjs BUILD   with $HANDOFF; BUILD/tests has the tool `person`
// TORTURE_SECONDS=N that long; TORTURE_SEED=N the same choices again (not the same moments); TORTURE_WORKERS=N so many
// processes; TORTURE_WITHOUT=NAME,... leaves out acts (see acts.mjs), "trees" or "kills".
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { environment } from '../lib/ledger.mjs';
import { random } from '../lib/token_texts.mjs';
import { Acts, shares, writeFiles } from './acts.mjs';
import { LIMIT_MS, read, start } from './command.mjs';
import { Documents } from './documents.mjs';
import { judgeArchive, judgeStateFile } from './files.mjs';
import { Model, proveModel } from './model.mjs';

const seconds = Number(process.env.TORTURE_SECONDS ?? 45), seed = Number(process.env.TORTURE_SEED ?? Date.now() % 1e6);
const workers = Number(process.env.TORTURE_WORKERS ?? 5), without = (process.env.TORTURE_WITHOUT ?? '').split(',');
const person = resolve(process.argv[2], 'tests', 'person');

const top = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'handoff-torture-')), main = join(top, 'main');
const env = environment(join(top, 'home')), below = random(seed), model = new Model(), acts = new Acts(model, new Documents(random(seed + 1)), below);
const trees = new Map(); // path: {there, made: how often}
const journal = join(top, 'journal'), complaints = new Map(), durations = {};
const counts = {}; // of a command: how many answered, how many there were
let number = 0, over = false, judged = 0;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const note = (text) => appendFileSync(journal, `${text}\n`);

/** What is wrong is told once for each sentence without its numbers; the journal has all. */
function complain(text) {
  const kind = text.replace(/\(.*?\)|[nN]?[\d-]+|\/\S+/g, '#').slice(0, 60);
  note(`COMPLAINT ${text}`);
  complaints.set(kind, [...(complaints.get(kind) ?? []), text]);
}

// ---- One command

/** Runs an act and tells the model what came of it. */
async function perform(act, place, harm) {
  const command = { number: ++number, name: act.name, outcome: 'running', events: [], began: Date.now() }, made = trees.get(place)?.made;
  command.shown = `n${number} (${act.name} in ${basename(place)})`;
  model.begin(command);
  writeFiles(place, act.files);
  note(`begin ${command.shown}: ${act.args.join(' ').replaceAll('\n', ' ').slice(0, 200)}`);
  let r, out, tries = 0;
  do {
    r = await start(act, place, { ...env, ...act.env }, { person: act.person && person, harm });
    out = read(r.out);
  } while (r.status === 0 && act.again?.(out) && ++tries < 20);
  note(`end ${command.shown}: ${r.killed ? 'killed' : r.failed ? 'not started' : `exit ${r.status} ${r.signal ?? ''}`} ${r.out.slice(0, 300).trim()} ${r.err.slice(0, 300).trim()}`);
  if (!r.killed && r.ms) durations[act.name] = 0.8 * (durations[act.name] ?? r.ms) + 0.2 * r.ms;
  const treeLost = trees.has(place) && (!trees.get(place).there || trees.get(place).made !== made); // under its feet
  const answered = out && !out.error && (r.status === 0 || (r.killed && out.id)); // what it printed, it answered
  command.ended = Date.now();
  command.outcome = r.failed || treeLost ? 'killed' : answered ? 'answered' : r.killed ? 'killed' : 'refused';
  if (command.outcome === 'answered') {
    command.events = act.events(out);
    act.learn?.(out, command, complain);
  }
  act[command.outcome]?.();
  const [good, count] = counts[act.name] ?? [0, 0];
  counts[act.name] = [good + (command.outcome === 'answered'), count + 1];
  if (act.name === 'rebuild' && (command.outcome === 'killed' || out?.lost?.length)) model.historyMayGo = true;
  judgeEnd(command, r, treeLost ? [...act.may, 9] : act.may);
}

/** How a command may end. */
function judgeEnd(command, r, may) {
  const text = `${r.err}${r.out}`.trim().slice(0, 400);
  if (r.late) complain(`${command.shown} has not answered for ${LIMIT_MS / 1000} s`);
  else if (r.signal && !r.killed) complain(`${command.shown} was ended by ${r.signal}: ${text}`);
  else if (r.status && !may.includes(r.status)) complain(`${command.shown} failed: exit ${r.status}: ${text}`);
}

// ---- Worktrees

function git(...args) {
  return spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: main, encoding: 'utf8' }).status === 0;
}

/** Removes a worktree, by git or without, and makes it again. */
async function changeTree() {
  const path = [...trees.keys()][below(trees.size)], tree = trees.get(path);
  if (!tree.there) return;
  tree.there = false;
  note(`tree ${basename(path)} is removed`);
  for (let i = 0; i < 50 && existsSync(path); i++) {
    if (!(below(2) && git('worktree', 'remove', '--force', path))) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    await pause(20); // somebody may still write there
  }
  git('worktree', 'prune');
  await pause(below(2000));
  if (!git('worktree', 'add', '-q', '-f', '--detach', path)) complain('git could not add a worktree');
  trees.set(path, { there: true, made: tree.made + 1 });
  note(`tree ${basename(path)} is there again`);
}

// ---- Judging while it goes on

/** Asks for something that reads; {} if it failed. */
async function ask(args, may = []) {
  const command = { shown: `(${args.join(' ')})` }, r = await start({ args }, main, env);
  judgeEnd(command, r, may);
  return (r.status === 0 || may.includes(r.status)) && read(r.out) || {};
}

const log = async (...more) => (await ask(['log', '--limit', '1000000', ...more])).events;
const list = async (...more) => (await ask(['list', '--limit', '1000000', ...more], [1])).handoffs;

async function judge() {
  const verdict = await ask(['verify'], [1]);
  for (const item of verdict.differences ?? []) complain(`verify: ${item.part} ${item.name}: ${item.message}`);
  for (const item of verdict.drift ?? []) if (!mayDrift(item)) complain(`drift: ${item.name}: ${item.message}`);
  const asked = Date.now(), rows = await list(), later = Date.now(), events = await log();
  if (rows && events) {
    model.judgeList(rows, events, asked, complain);
    model.judgeLog(events, later, complain);
    judged++;
  }
  return { events, rows };
}

/** What may differ: a file in a worktree that was removed, and an artifact, which work goes on at; while it goes on, also
 *  a file that was not written since its writer was killed. */
function mayDrift({ name, message }) {
  return [...trees.keys()].some((path) => name.startsWith(path)) || /artifact/.test(message) || (!over && /could not be written yet/.test(message));
}

/** A backup is a whole store, and has what was answered before it was made. */
async function judgeBackup() {
  const backup = acts.backups.pop();
  if (!backup) return;
  const verdict = await ask(['verify', '--store', backup.path], [1]);
  for (const item of verdict.differences ?? []) complain(`verify of a backup: ${item.part} ${item.name}: ${item.message}`);
  const rows = await list('--store', backup.path), events = await log('--store', backup.path);
  if (rows && events) model.judgeList(rows, events, backup.before, (text) => complain(`in a backup, ${text}`));
  for (const suffix of ['', '-wal', '-shm']) rmSync(backup.path + suffix, { force: true });
}

async function watch() {
  while (!over) {
    await judge();
    await judgeBackup();
    await pause(500);
  }
}

// ---- Working

function choose() {
  const names = Object.keys(shares).filter((name) => !without.includes(name));
  let at = below(names.reduce((sum, name) => sum + shares[name], 0));
  return names.find((name) => (at -= shares[name]) < 0);
}

function chooseHarm(name) {
  const ms = durations[name] ?? 80, what = below(20);
  if (without.includes('kills') || what > 6) return {};
  return what > 4 ? { stop: (below(100) / 100) * ms, rest: 20 + below(1500) } : { kill: (below(100) / 80) * ms };
}

async function work() {
  while (!over) {
    if (!without.includes('trees') && below(150) === 0) await changeTree();
    const places = [main, main, ...[...trees].filter(([, tree]) => tree.there).map(([path]) => path)];
    const act = acts[choose()](number + 1, top);
    if (act) await perform(act, places[below(places.length)], chooseHarm(act.name));
    else await pause(1);
  }
}

// ---- The beginning and the end

function prepare() {
  mkdirSync(join(top, 'home'), { recursive: true });
  mkdirSync(join(main, 'docs'), { recursive: true });
  writeFileSync(join(main, 'docs/spec.md'), 'spec\n');
  git('init', '-q', '.');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  for (const name of ['one', 'two', 'three']) {
    trees.set(join(top, name), { there: true, made: 1 });
    git('worktree', 'add', '-q', '--detach', join(top, name));
  }
}

/** The events and rows of one moment: leases and deadlines go on running out, in whatever command comes next. */
async function judgeMoment() {
  for (;;) {
    const { events, rows } = await judge(), after = await list();
    if (!events || !rows || !after) return {};
    if (JSON.stringify(rows) === JSON.stringify(after)) return { events, rows };
  }
}

/** Everybody has ended: the next command finishes what the killed have begun, and then all agrees. */
async function judgeEnding() {
  await perform(acts.send(number + 1), main);
  const { events, rows } = await judgeMoment();
  if (!events) return;
  const states = model.states(events, complain);
  for (const row of rows) {
    const state = states.get(row.id);
    if (state !== null && state !== row.state) complain(`${row.id} is ${row.state}, but its events make it ${state}`);
  }
  judgeStateFile(main, rows, complain);
  judgeArchive(main, trees.keys(), rows, complain);
  proveModel(model, events, rows, complain);
}

function report() {
  const outcome = (kind) => [...model.commands.values()].filter((command) => command.outcome === kind).length;
  console.log(`${model.commands.size} commands: ${outcome('answered')} answered, ${outcome('refused')} refused, ${outcome('killed')} killed; judged ${judged} times`);
  console.log(Object.entries(counts).map(([name, [good, count]]) => `${name} ${good}/${count}`).join(', '));
  for (const texts of [...complaints.values()].slice(0, 30)) console.log(`FAILED (${texts.length} times): ${texts[0]}`);
  if (!complaints.size) return rmSync(top, { recursive: true, force: true });
  const lines = readFileSync(journal, 'utf8').split('\n').filter((line) => !line.startsWith('COMPLAINT'));
  console.log(`seed ${seed}; kept: ${top}, where "journal" has all commands and complaints; the last:`);
  for (const line of lines.slice(-12)) console.log(line.slice(0, 200));
}

console.log(`seed ${seed}, ${seconds} s, ${workers} workers`);
prepare();
await perform(acts.init(), main);
await perform(acts.send(number + 1), main);
setTimeout(() => (over = true), seconds * 1000);
await Promise.all([watch(), ...Array.from({ length: workers }, work)]);
await judgeEnding();
if (!judged) complain('nothing could be judged: does $HANDOFF start in another folder?');
report();
process.exit(complaints.size ? 1 : 0);
