// Power cuts: a story of durable commands is recorded (tests/preload/record_io.c); then the project is made to look as it
// could after a cut at many points of it (power/disk.mjs), the machine seems to have been restarted, and the next commands
// find: every command that had answered; the one that was under way, or not, but no half of it; no file half written;
// and nothing that `verify` objects to.
// HANDOFF_CUTS=N makes so many cuts (2000 is the full set), POWER_SEED=N others, POWER_ONLY=I,J only those of these
// numbers, and keeps the folder as it was cut and as it was found afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { environment, program, run, temporaryFolder, write } from '../lib/ledger.mjs';
import { Disk, readLog } from './disk.mjs';
import { compare, standing } from './standing.mjs';
import { files, story } from './story.mjs';
import { skipTest } from '../lib/test.mjs';
import { random } from '../lib/token_texts.mjs';

const library = resolve(process.argv[2], 'tests', 'librecord_io.so');
const wanted = Number(process.env.HANDOFF_CUTS ?? 150), seed = Number(process.env.POWER_SEED ?? 1);
const only = process.env.POWER_ONLY?.split(',').map(Number);
const systems = ['lenient', 'strict'];
if (!existsSync(library)) skipTest('the library that records changes is not built');

// ---- Recording

const quick = { ASAN_OPTIONS: 'verify_asan_link_order=0:detect_leaks=0:malloc_context_size=0:quarantine_size_mb=1' };
const preloaded = (env, more) => ({ ...env, LD_PRELOAD: library, ...more });

function git(cwd, ...args) {
  const r = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' });
  if (r.status !== 0) throw new Error(`git ${args.join(' ')}: ${r.stderr}`);
}

/** A project with a linked worktree, where everything is on the disk. */
function prepare(top) {
  const root = join(top, 'disk'), main = join(root, 'main'), tree = join(root, 'tree');
  for (const [name, text] of Object.entries(files)) write(main, name, text);
  chmodSync(join(main, 'teammate'), 0o755);
  git(main, 'init', '-q', '.');
  git(main, 'add', '-A');
  git(main, 'commit', '-q', '-m', 'first');
  git(main, 'worktree', 'add', '-q', tree);
  write(main, '.handoff/config.yaml', 'lease: 86400\n');
  return { root, main, tree };
}

/** The steps with what each left: {name, number, results: [{number, status, out, err}], after}. */
function record(places, top, env) {
  const log = join(top, 'log'), known = {}, steps = [];
  let number = 0;
  for (const step of story) {
    const results = (step.each ?? [step]).map((one) => ({ number: number++, args: [...one.args(known), '--json'], input: one.input ?? '' }));
    const shell = results.map((r) => [preloaded(env, { RECORD_LOG: log, RECORD_COMMAND: String(r.number) }), r]);
    const cwd = places[step.where ?? 'main'];
    if (step.each) Object.assign(results, together(cwd, shell));
    else Object.assign(results[0], run(cwd, shell[0][0], results[0].args, results[0].input));
    for (const r of results) {
      if (r.status !== 0) throw new Error(`${step.name}: exit ${r.status} ${r.signal ?? ''}: ${r.err}${r.out}`);
      appendFileSync(log, `O ${r.number}\n`);
    }
    if (step.learn) step.learn(JSON.parse(results[0].out), known);
    const copy = join(top, 'copy');
    rmSync(copy, { recursive: true, force: true });
    cpSync(places.root, copy, { recursive: true });
    steps.push({ ...step, results, after: standing(places, env, join(copy, 'main')) });
  }
  return { steps, changes: readLog(log) };
}

/** Several commands at once; they are started by one shell, which waits for all of them. */
function together(cwd, commands) {
  const lines = commands.map(([env, r], i) => {
    writeFileSync(join(cwd, '..', '..', `in.${i}`), r.input);
    const set = Object.entries(env).map(([name, value]) => `${name}='${value}'`).join(' ');
    return `env -i ${set} '${program}' ${r.args.join(' ')} <../../in.${i} >../../out.${i} & pids="$pids $!"`;
  });
  const r = spawnSync('bash', ['-c', `${lines.join('\n')}\nfor pid in $pids; do wait $pid || exit; done; cat ../../out.*`], { cwd, encoding: 'utf8' });
  const outs = r.stdout.trim().split('\n');
  return commands.map(([, c], i) => ({ ...c, status: r.status, out: outs[i] ?? '', err: r.stderr }));
}

// ---- Cutting

/** Points of the log with what is cut there, spread over the commands; all that is not a write of bytes counts more. */
function choosePoints(changes, count) {
  const below = random(seed), points = [];
  changes.forEach((change, i) => {
    const near = change.what !== 'W' || changes[i + 1]?.what !== 'W' || changes[i - 1]?.what !== 'W';
    if (near || i % 9 === 0) points.push(i);
  });
  const kinds = Object.keys(losses), cuts = [];
  for (let n = 0; n < count; n++) {
    const part = (points.length * n) / count, width = Math.max(1, Math.ceil(points.length / count));
    const at = points[Math.min(points.length - 1, Math.floor(part) + below(width))];
    cuts.push({ number: n, at, loss: kinds[below(kinds.length)], system: systems[below(systems.length)], seed: below(1 << 30) });
  }
  return cuts;
}

const all = (list, value) => list.map(() => value);
/** What becomes of what was not synced: of the bytes of a file, and of names. */
const losses = {
  'everything is lost': () => (kind, list) => all(list, 0),
  'nothing is lost': () => (kind, list) => all(list, 1),
  'bytes are lost': () => (kind, list) => all(list, kind === 'bytes' ? 0 : 1),
  'names are lost': () => (kind, list) => all(list, kind === 'names' ? 0 : 1),
  'the newest is lost': (below) => (kind, list) => {
    const end = below(list.length + 1);
    return list.map((_, i) => (i < end ? 1 : i === end ? below(100) / 100 : 0));
  },
  'some is lost': (below) => (kind, list) => list.map(() => below(2)),
  'some is lost or torn': (below) => (kind, list) => list.map(() => [0, 1, below(100) / 100][below(3)]),
};

/** What the next commands find after a cut; a list of complaints. */
function judge(cut, context) {
  const { places, env, top, steps } = context;
  const boot = join(top, 'boot'), inodes = join(top, 'inodes');
  writeFileSync(boot, '11111111-2222-3333-4444-555555555555\n');
  writeFileSync(inodes, cut.inodes);
  const after = preloaded(env, { RECORD_BOOT: boot, RECORD_INODES: inodes });
  const under = steps[cut.step], before = cut.step ? steps[cut.step - 1].after : context.first;
  const unanswered = under.results.filter((r) => !cut.answered.has(r.number));
  const allowed = unanswered.length ? [before, under.after] : [under.after];
  return compare(standing(places, after), allowed, under, cut.answered, before);
}

function cutAll(part, parts) {
  const top = temporaryFolder(), env = { ...environment(top), ...quick }, places = prepare(top);
  const disks = Object.fromEntries([...systems, 'lying'].map((kind) => [kind, new Disk(places.root, kind)]));
  const first = standing(places, env);
  const { steps, changes } = record(places, top, env);
  const cuts = choosePoints(changes, wanted).filter((c) => (only ? only.includes(c.number) : c.number % parts === part));
  const answered = new Set(), failures = [];
  let at = 0, step = 0;
  for (const cut of cuts) {
    for (; at <= cut.at; at++) {
      for (const disk of Object.values(disks)) disk.apply(changes[at]);
      if (changes[at].what === 'O') answered.add(changes[at].command);
      // The step is over once its driver has said so, after the command itself.
      while (changes[at].what === 'O' && step < steps.length && finished(changes, at, steps[step])) step++;
    }
    const disk = disks[cut.system];
    const now = { ...cut, step: Math.min(step, steps.length - 1), answered: new Set(answered) };
    now.inodes = disk.restore(disk.cut(losses[cut.loss](random(cut.seed))));
    if (only) keep(places.root, cut.number, 'cut');
    const bad = judge(now, { places, env, top, steps, first });
    const where = `cut ${cut.number} of ${wanted}, in "${steps[now.step].name}" (change ${cut.at} of ${changes.length}), ${cut.loss}, ${cut.system}`;
    failures.push(...bad.map((text) => ({ cut: cut.number, where, text })));
    if (only) keep(places.root, cut.number, 'after');
  }
  if (!only) failures.push(...prove(disks.lying, answered, { places, env, top, steps, first }, Math.min(step, steps.length - 1)));
  return { cuts: cuts.length, failures, changes: changes.length };
}

/** A disk that has not synced what it was asked to is noticed. */
function prove(disk, answered, context, step) {
  const inodes = disk.restore(disk.cut(losses['everything is lost']()));
  const bad = judge({ inodes, answered, step }, context);
  return bad.length ? [] : [{ where: 'a proof', text: 'a disk that syncs nothing is not noticed' }];
}

function keep(root, number, when) {
  const folder = join(tmpdir(), `power-${number}-${when}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(root, folder, { recursive: true });
  console.error(`kept: ${folder}`);
}

/** The last of a step's commands has ended: each says "printed", and its driver so once more. */
function finished(changes, at, step) {
  const last = step.results.at(-1).number;
  return changes[at].command === last && !changes.slice(at + 1).some((c) => c.what === 'O' && c.command === last);
}

/** What differs only in numbers and names is told once, with how often. */
function kinds(failures) {
  const all = new Map();
  for (const failure of failures) {
    const kind = failure.text.replace(/\S*[/.\d]\S*/g, '#').slice(0, 50);
    all.set(kind, [all.get(kind)?.[0] ?? failure, (all.get(kind)?.[1] ?? 0) + 1]);
  }
  return all.values();
}

// ---- Two at a time

const share = process.argv[3];
if (share) {
  const [part, parts] = share.split('/').map(Number);
  console.log(JSON.stringify(cutAll(part, parts)));
} else {
  const parts = only ? 1 : Math.min(2, cpus().length), started = Date.now();
  const outs = await Promise.all(Array.from({ length: parts }, (_, part) => new Promise((done) => {
    const child = spawn('nice', ['-n', '5', process.execPath, ...process.argv.slice(1, 3), `${part}/${parts}`], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (data) => (text += data));
    child.on('close', (status) => done(status === 0 ? JSON.parse(text) : { cuts: 0, failures: [{ where: `part ${part}`, text: `ended with ${status}` }] }));
  })));
  const failures = outs.flatMap((o) => o.failures), cuts = outs.reduce((n, o) => n + o.cuts, 0);
  for (const [first, count] of kinds(failures)) console.log(`FAILED (${count} times): ${first.where}: ${first.text}`);
  if (failures.length) console.log(`seed ${seed}: POWER_SEED=${seed} HANDOFF_CUTS=${wanted} POWER_ONLY=NUMBER shows one cut`);
  console.log(`${cuts} cuts in ${outs[0].changes} changes, ${new Set(failures.map((f) => f.cut)).size} failed, ${Math.round((Date.now() - started) / 1000)} s`);
  process.exit(failures.length || !cuts ? 1 : 0);
}
