// Every command of the ledger with each of its writes, syncs and renames failing in turn (EIO, ENOSPC), and killed
// before and after each: the old state is there or the new one, a failure is told, and the next command finishes what
// was begun, so that `verify` finds nothing.
// LEDGER_FAULTS=K tries every K-th call; 1 tries all.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment, gateText, must, packageText, run, temporaryFolder, write } from './lib/ledger.mjs';
import { skipTest } from './lib/test.mjs';

const shim = resolve(process.argv[2], 'tests', 'libfail_io.so');
if (!existsSync(shim)) skipTest('the library that makes calls fail is not built');
const stride = Number(process.env.LEDGER_FAULTS ?? 97);
const top = temporaryFolder(), person = environment(top);
const faulty = (at, how, count) => ({
  ...person, LD_PRELOAD: shim, ASAN_OPTIONS: 'verify_asan_link_order=0', FAIL_IO_AT: String(at), FAIL_IO_HOW: how,
  FAIL_IO_COUNT: count,
});

// ---- What is tried: how the project comes about, then the command. Each step adds what it learned to `known`.

const steps = {
  send: (p, known) => (known.id = must(p, person, ['send', '-'], packageText(1)).id),
  other: (p, known) => (known.other = must(p, person, ['send', '-'], packageText(2)).id),
  next: (p, known) => (known.token = must(p, person, ['next', '--as', 'worker']).token),
  ack: (p, k) => must(p, person, ['ack', k.id, '--token', k.token, '--task', 'build part 1', '--constraint', 'No new dependencies']),
  clarify: (p, k) => must(p, person, ['ack', k.id, '--token', k.token, '--task', 'build part 1', '--blocker', 'Which format is read?']),
  done: (p, k) => must(p, person, ['done', k.id, '--token', k.token]),
  archive: (p) => must(p, person, ['archive', '--completed']),
  gate: (p, known) => (known.gate = must(p, person, ['gate', 'raise', '-'], gateText()).gate),
  answerFile: (p) => write(p, 'answer.yaml', packageText(3, 'planner').replace('agent: planner\n    step', 'agent: worker\n    step')),
  file: (p) => write(p, 'package.yaml', packageText(4)),
};
const trials = {
  'send, first': [[], () => ['send', '-'], packageText(9)],
  send: [['send'], () => ['send', '-'], packageText(9)],
  'send, file': [['send', 'file'], () => ['send', 'package.yaml']],
  next: [['send'], () => ['next', '--as', 'worker']],
  ack: [['send', 'next'], (k) => ['ack', k.id, '--token', k.token, '--task', 'build part 1', '--constraint', 'No new dependencies']],
  clarify: [['send', 'next'], (k) => ['ack', k.id, '--token', k.token, '--task', 'build part 1', '--blocker', 'Which format?']],
  answer: [['send', 'next', 'clarify'], (k) => ['answer', k.id, '--note', 'CSV']],
  renew: [['send', 'next'], (k) => ['renew', k.id, '--token', k.token]],
  done: [['send', 'next', 'ack'], (k) => ['done', k.id, '--token', k.token]],
  return: [['send', 'next', 'ack', 'answerFile'], (k) => ['return', k.id, 'answer.yaml', '--token', k.token]],
  reject: [['send', 'next', 'ack'], (k) => ['reject', k.id, '--token', k.token, '--note', 'The file is missing']],
  supersede: [['send', 'other'], (k) => ['supersede', k.id, '--by', k.other]],
  'gate raise': [['send'], () => ['gate', 'raise', '-'], gateText()],
  'gate decide': [['send', 'gate'], (k) => ['gate', 'decide', k.gate, 'approve', '--note', 'Fine']],
  archive: [['send', 'next', 'ack', 'done'], () => ['archive', '--completed']],
  prune: [['send', 'next', 'ack', 'done', 'archive'], () => ['prune', '--before', '2999-01-01']],
  state: [['send', 'next'], () => ['state']],
  backup: [['send', 'next'], () => ['backup', 'copy.db']],
  rebuild: [['send', 'next', 'ack', 'done', 'archive', 'other'], () => ['rebuild']],
};

// ---- Judging

let failures = 0, count = 0, said = {};
const fail = (what, text) => {
  if (++failures <= 20) console.log(`FAILED: ${what}: ${text}`);
};

/** What the ledger says, without times and numbers that differ between runs. */
function standing(p) {
  if (!existsSync(join(p, '.handoff/handoff.db'))) return 'nothing';
  const list = run(p, person, ['list', '--json']);
  if (list.status === 5) return 'nothing';
  const log = run(p, person, ['log', '--limit', '1000', '--json']), gates = run(p, person, ['gate', 'list', '--json']);
  for (const r of [list, log]) if (r.status > 1 || r.status === null) return `unreadable: ${r.err}`;
  const handoffs = JSON.parse(list.out).handoffs.map((h) => `${h.kind} ${h.state} ${h.from}>${h.to}`).sort();
  if (handoffs.length === 0) return 'nothing';
  const states = gates.status === 0 ? JSON.parse(gates.out).gates.map((g) => `${g.state} ${g.decision}`) : [];
  return JSON.stringify([handoffs, JSON.parse(log.out).events.map((e) => e.event), states, existsSync(join(p, 'copy.db'))]);
}

function fresh(template) {
  const p = mkdtempSync(join(top, 'p-'));
  cpSync(template, p, { recursive: true });
  return p;
}

/** A rebuild of a sound store loses nothing, finished or not, and what was begun is finished by the next command. */
function judgeRebuild(what, p, r, how, before, after) {
  const now = standing(p);
  if (before !== after || now !== before) return fail(what, `something is lost: ${now}\n  old ${before}\n  new ${after}`);
  if (r.status && how !== 'before' && how !== 'after' && !r.err) return fail(what, 'failed without a word');
  const verify = run(p, person, ['verify']);
  if (verify.status !== 0) fail(what, `verify afterwards: exit ${verify.status}: ${verify.out}${verify.err}`);
}

function judge(what, p, r, how, before, after) {
  const killed = how === 'before' || how === 'after';
  if (killed ? r.signal !== 'SIGKILL' : r.signal || ![0, 8, 9, 10].includes(r.status))
    return fail(what, `exit ${r.status} ${r.signal ?? ''}: ${r.err}`);
  if (r.status && !r.err.trim()) return fail(what, `exit ${r.status} without a word`);
  if (what.startsWith('rebuild')) return judgeRebuild(what, p, r, how, before, after);
  const now = standing(p);
  if (now !== before && now !== after) return fail(what, `neither old nor new: ${now}\n  old ${before}\n  new ${after}`);
  if (!killed && r.status === 0 && now !== after) return fail(what, `succeeded, but the state is the old one\n  ${now}\n  ${after}`);
  const unsure = r.err.includes('recorded, but the disk did not confirm it'); // the truth: it is there, and may not last
  if (!killed && r.status !== 0 && now !== (unsure ? after : before)) return fail(what, `failed (${r.err.trim()}), but the state is the ${now === after ? 'new' : 'old'} one`);
  if (!killed && r.status) said[r.err.replace(/[^ ]*\/handoff-test-[^ ]*/g, 'PATH').trim().slice(0, 100)] = (said[r.err] ?? 0) + 1;
  if (now !== 'nothing') finishUp(what, p, now);
}

/** The next command finishes what was begun; nothing else changes by that. */
function finishUp(what, p, now) {
  const next = run(p, person, ['next', '--as', 'nobody']);
  if (next.status !== 1) return fail(what, `the next command: exit ${next.status}: ${next.err}`);
  const verify = run(p, person, ['verify']);
  if (verify.status !== 0) return fail(what, `verify afterwards: exit ${verify.status}: ${verify.out}${verify.err}`);
  if (standing(p) !== now) return fail(what, 'the next command changed the state');
  const state = run(p, person, ['state', '--json']);
  if (state.status !== 0) return fail(what, `state afterwards: exit ${state.status}: ${state.err}`);
  const shown = JSON.parse(readFileSync(join(p, 'state/current.json'), 'utf8')).handoffs.length;
  const listed = JSON.parse(run(p, person, ['list', '--json']).out).handoffs.length;
  if (shown !== listed) fail(what, `the state file has ${shown} handoffs, the ledger ${listed}`);
}

function sweep(name, [setup, command, input = '']) {
  const template = join(top, 'template'), known = {}, counts = join(top, 'counts');
  rmSync(template, { recursive: true, force: true });
  rmSync(counts, { force: true });
  write(template, '.handoff/.keep', '');
  for (const step of setup) steps[step](template, known);
  const before = standing(template);
  let p = fresh(template);
  const good = run(p, faulty(0, '0', counts), command(known), input);
  if (good.status !== 0) return fail(name, `exit ${good.status}: ${good.err}`);
  const after = standing(p), calls = Number(readFileSync(counts, 'utf8').trim().split('\n').at(-1));
  rmSync(p, { recursive: true });
  let tried = 0;
  for (const [i, how] of ['5', '28', 'before', 'after'].entries())
    for (let at = 1 + ((i * 7 + name.length) % stride); at <= calls; at += stride) {
      p = fresh(template);
      judge(`${name}, call ${at} of ${calls}, ${how}`, p, run(p, faulty(at, how, counts), command(known), input), how, before, after);
      rmSync(p, { recursive: true });
      tried++;
    }
  console.log(`${name}: ${calls} calls, ${tried} tried`);
  count += tried;
}

const only = process.argv.slice(3);
for (const [name, trial] of Object.entries(trials)) if (!only.length || only.includes(name)) sweep(name, trial);
if (process.env.LEDGER_FAULTS) for (const text of Object.keys(said)) console.log(`said: ${text}`);
console.log(`${count} faults, ${failures} failed`);
process.exit(failures ? 1 : 0);
