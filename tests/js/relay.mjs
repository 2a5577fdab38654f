// A relay of teammates over one task, each knowing only what its hook and its prompt told it: sessions start, work, are
// asked to hand off, hand off and end; one is idle, one dies. No objective is lost, nothing that failed is tried twice.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, run, temporaryFolder } from './lib/ledger.mjs';
import { finish, judge } from './lib/test.mjs';

const teammates = Number(process.env.HANDOFF_TEST_RELAY ?? 50), idle = Math.ceil(teammates / 2), dies = idle + 3;
const folder = temporaryFolder(), home = environment(folder), project = join(folder, 'project');
mkdirSync(join(project, '.handoff'), { recursive: true });

class Teammate {
  constructor(name) {
    this.session = `session-${name}`;
    this.transcript = join(folder, `${this.session}.jsonl`);
    this.env = { ...home, HANDOFF_TASK: '9', HANDOFF_PHASE: '1', HANDOFF_AGENT: `coder/${name}`, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: this.session };
    this.fill(30);
  }
  /** The context is so full, by the usage that the harness reports. */
  fill(percent) {
    writeFileSync(this.transcript, `${JSON.stringify({ type: 'assistant', isSidechain: false, message: { id: `m${percent}`, role: 'assistant',
      model: 'claude-opus-4-1', content: [{ type: 'text', text: 'Working.' }], usage: { input_tokens: percent * 2000, output_tokens: 0 } } })}\n`);
  }
  command(status, ...args) {
    const r = run(project, this.env, args);
    judge(`handoff ${args.join(' ')} exits with ${status}`, r.status === status, `${r.status} ${r.err}`);
    return r.out;
  }
  /** What the hook says to the agent about this event. */
  event(name, more = {}) {
    const input = { session_id: this.session, transcript_path: this.transcript, cwd: project, hook_event_name: name, ...more };
    const r = run(project, this.env, ['hook', 'claude'], JSON.stringify(input));
    judge(`${name} goes on`, r.status === 0 && r.err === '', r.err);
    const reply = JSON.parse(r.out);
    judge(`${name} does not block`, !('decision' in reply) && !('continue' in reply), r.out);
    return reply.hookSpecificOutput?.additionalContext ?? '';
  }
  /** Reads its prompt, and what that says is cut where it says that something is. */
  start() {
    this.prompt = this.event('SessionStart', { source: 'startup' });
    judge('the prompt keeps within 10,000 characters', [...this.prompt].length <= 10000, `${this.prompt.length}`);
    this.known = this.prompt;
    if (/of the failed approaches/.test(this.prompt))
      for (const path of this.prompt.match(/specs\/9_relay\/[\w./-]+\.(md|json)/g)) this.known += readFileSync(join(project, path), 'utf8');
  }
  /** Tries the first way that it does not know to fail. */
  work() {
    const failedWays = new Set(this.known.match(/Way \d+/g));
    let n = 1;
    while (failedWays.has(`Way ${n}`)) n++;
    this.command(0, 'progress', 'tried', `Way ${n}`, '--why', `It is ${n} times too slow`, '--task', '9', '--phase', '1');
  }
  finishObjective() {
    const id = /Objective (\d+) \(/.exec(this.prompt)?.[1] ?? '1';
    this.command(0, 'progress', 'done', id, '--task', '9', '--phase', '1');
    return Number(id);
  }
  pass(status, next) {
    this.command(status, 'pass', '--task', '9', '--phase', '1', '--next', next);
  }
}

const objectives = Array.from({ length: teammates }, (_, i) => `Step ${i + 1}`);
const lead = new Teammate('lead');
lead.command(0, 'progress', 'start', '--task', '9', '--phase', '1', '--slug', 'relay', ...objectives.flatMap((o) => ['--objective', o]));
let next = '', largest = 0, deaths = 0;
for (let i = 1; i <= teammates; i++) {
  let mate = new Teammate(i);
  mate.start();
  if (i > 1) {
    judge(`teammate ${i} is offered and claims the handoff`, mate.prompt.includes('It is claimed for this session') && mate.prompt.includes(next), mate.prompt);
    judge(`teammate ${i} is told the objectives`, mate.prompt.includes(`${i - 1} of ${teammates} done`), mate.prompt);
  }
  if (i === idle) mate.pass(8, `Do step ${i} of the plan again`);
  if (i === dies) { // it works, and is gone; the next one goes on from the same handoff, and from what is known of it
    mate.work();
    mate.event('SessionEnd', { reason: 'other' });
    deaths++;
    mate = new Teammate(`${i}-again`);
    mate.start();
    judge('the handoff of the dead one is claimed again', mate.prompt.includes('It is claimed for this session') && mate.prompt.includes(next), mate.prompt);
    judge('its successor is told of the draft', /## Since that handoff\n[^]*`handoff show HO-/.test(mate.prompt), mate.prompt);
  }
  mate.work();
  if (i % 10 === 0) judge('nothing is asked below the threshold', mate.event('PostToolUse', { tool_name: 'Bash' }) === '');
  judge('the current objective is the next one', mate.finishObjective() === i);
  mate.fill(85);
  judge(`teammate ${i} is asked`, mate.event('PostToolUse', { tool_name: 'Bash' }).includes('handoff pass --next'), '');
  next = `Do step ${i + 1} of the plan`;
  mate.pass(0, next);
  if (i % 10 === 0) judge('who has handed off may stop', mate.event('Stop', { stop_hook_active: false }) === '');
  const prompt = JSON.parse(lead.command(0, 'prompt', 'successor', '--task', '9', '--phase', '1', '--json'));
  largest = Math.max(largest, prompt.tokens);
  judge('the prompt keeps within its budget', prompt.tokens <= 1500 && [...prompt.text].length <= 10000 && prompt.text.includes(next), `${prompt.tokens}`);
  if (i % 2) mate.event('SessionEnd', { reason: 'other' });
}

const progress = JSON.parse(readFileSync(join(project, 'specs/9_relay/progress/phase-1-progress.json'), 'utf8'));
judge('no objective is lost', JSON.stringify(progress.objectives.map((o) => o.description)) === JSON.stringify(objectives));
judge('all of them are done', progress.objectives.every((o) => o.status === 'done'));
const tried = progress.approaches_tried.map((a) => a.approach);
judge('nothing that failed was tried twice', new Set(tried).size === tried.length && tried.length === teammates + deaths, tried.join());
judge('the handoffs are counted', progress.handoff_count === teammates && readdirSync(join(project, 'specs/9_relay/handoffs')).filter((n) => /Z\.md$/.test(n)).length === teammates);
const rows = JSON.parse(lead.command(0, 'list', '--task', '9', '--limit', '1000', '--json')).handoffs;
judge('one handoff waits, the others are answered', rows.filter((r) => r.state === 'ready').length === 1 && rows.every((r) => ['ready', 'superseded'].includes(r.state)),
  JSON.stringify(rows.map((r) => r.state)));
lead.command(0, 'check', 'specs/9_relay');
lead.command(0, 'verify');
finish(`${teammates} teammates, the largest prompt has ${largest} tokens`);
