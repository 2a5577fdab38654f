// The commands of torture.mjs: each act makes one, from what the model knows; null if there is nothing to do it with.
//   {name, args, input, files, env, person: at a terminal, may: exit statuses besides 0, events(out): what the log then has,
//    learn(out), answered(), refused(), killed(); again(out): is it to be run once more, because nothing was done yet?}
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const agents = ['alpha', 'beta', 'gamma'];
/** Refusals that any command may meet: nothing there, somebody was first, a person must decide first. */
const REFUSALS = [1, 5, 6, 7];

export class Acts {
  constructor(model, documents, below) {
    Object.assign(this, { model, documents, below });
    this.held = []; // {id, token, agent, state, delegated, request}
    this.gates = []; // ids of those that may be open
    this.asked = []; // ids of handoffs whose receiver waits for an answer
    this.ids = []; // of handoffs
    this.sides = new Map(); // of an id: {from, to}
    this.backups = []; // {path, before: ids that it must have}
    this.killedSends = []; // sends with a key that were killed, to be tried again
    this.phases = 0;
  }

  one(list) {
    return list.length ? list[this.below(list.length)] : null;
  }

  soon(seconds) {
    return new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+/, '');
  }

  /** What a command that sends has learned. */
  #sending(act) {
    const events = act.events ?? ((out) => (out.same ? [] : [[out.id, 'sent']]));
    return { ...act, events, learn: (out, command, complain) => {
      command.sent = { id: out.id, digest: out.digest };
      if (out.digest) this.model.answeredSend(out.id, out.digest, complain);
      this.ids.push(out.id);
      this.sides.set(out.id, { from: out.from, to: out.to });
      if (out.gate) this.gates.push(out.gate);
    } };
  }

  #send(n, text, more = [], as = 'alpha', extension = 'yaml') {
    const args = ['send', '-', '--as', `${as}/n${n}`, ...more];
    if (this.below(3)) return this.#sending({ name: 'send', args, input: text, may: REFUSALS });
    const path = `handed/n${n}.${extension}`;
    args[1] = path;
    return this.#sending({ name: 'send', args, may: REFUSALS, files: { [path]: text } });
  }

  send(n) {
    const [from, to] = [this.one(agents), this.one(agents)];
    const deadline = this.below(8) === 0 ? this.soon(1 + this.below(4)) : null;
    const type = [null, null, 'delegation', 'sequential'][this.below(4)];
    return this.#send(n, this.documents.package({ from, to, type, deadline }), [], from);
  }

  sendKeyed(n) {
    const again = this.killedSends.pop();
    const input = again?.input ?? this.documents.package({ from: 'alpha', to: this.one(agents) });
    const key = again?.key ?? `key-${n}`;
    return this.#sending({ name: 'send --key', args: ['send', '-', '--as', `alpha/n${n}`, '--key', key], input, may: REFUSALS,
      killed: () => this.killedSends.push({ input, key }) });
  }

  sendToPerson(n) {
    return this.#send(n, this.documents.package({ from: 'beta', to: 'human', type: 'escalation' }), [], 'beta');
  }

  sendGate(n) {
    return this.#send(n, this.documents.gate({ from: 'beta', deadline: this.below(3) ? null : this.soon(5) }), [], 'beta');
  }

  sendArtifact(n) {
    return this.#send(n, this.documents.artifact(), ['--format', 'artifact', '--to', this.one(agents)], 'gamma', 'md');
  }

  sendTask(n) {
    return this.#send(n, this.documents.task(), ['--format', 'task', '--to', this.one(agents)], 'gamma');
  }

  /** Every fourth asks for a task that is halted, or was. */
  sendRequest(n) {
    const task = this.below(4) ? null : this.one([...this.model.halts.keys()]), began = Date.now();
    const act = this.#send(n, this.documents.request(task ?? undefined), ['--format', 'request', '--to', this.one(agents)], 'alpha', 'json');
    return { ...act, learn: (out, command, complain) => {
      act.learn(out, command, complain);
      if (task && !out.same) this.model.judgeRequest(task, out.id, began, complain);
    } };
  }

  sendResponse(n) {
    const held = this.#take((h) => h.state === 'acked' && h.request), stop = this.below(2) === 0;
    const act = held && this.#sending({ name: 'send a response', args: ['send', '-', '--format', 'response', '--as', `${held.agent}/n${n}`, '--token', held.token],
      input: this.documents.response(held.request, stop ? 'STOP' : 'PROCEED'), may: REFUSALS, events: (out) => [[out.id, 'sent']] });
    return act && { ...act, learn: (out, command, complain) => {
      act.learn(out, command, complain);
      if (stop) this.model.halts.set(held.request.task_id, { id: out.id, to: held.sender, since: Date.now() });
    } };
  }

  /** Whoever asked says how a task that was stopped goes on. */
  resume(n) {
    const [task, halt] = this.one([...this.model.halts].filter(([, h]) => !h.resuming)) ?? [];
    if (!task) return null;
    halt.resuming = true; // from now on it may be resumed at any moment
    return { name: 'answer a STOP', args: ['answer', halt.id, '--note', this.documents.text(3), '--as', `${halt.to}/n${n}`], may: REFUSALS,
      events: () => [[halt.id, 'resumed']] };
  }

  sendAck(n) {
    const held = this.#take((h) => h.state === 'claimed');
    return held && { name: 'send an ack', args: ['send', '-', '--format', 'ack', '--as', `${held.agent}/n${n}`, '--token', held.token],
      input: this.documents.ack(held.id), may: REFUSALS, events: () => [[held.id, 'acked']], learn: (out) => this.#hold(held, out, 'acked') };
  }

  /** What a command that claims has learned. */
  #claiming(n, agent, act) {
    const ack = this.below(4) === 0;
    return { ...act, args: [...act.args, '--as', `${agent}/n${n}`, '--lease', String(1 + this.below(this.below(3) ? 60 : 3)), ...(ack ? ['--ack'] : [])],
      events: (out) => (out.item ? [] : [[out.id, 'claimed'], ...(ack ? [[out.id, 'acked']] : [])]), learn: (out) => {
        if (out.item) return; // an answer, a rejection: nothing is claimed
        const document = out.handoff.document ?? {};
        this.model.leases.set(out.token, { id: out.id, until: out.lease_until, at: new Date().toISOString(), number: n });
        this.held.push({ id: out.id, token: out.token, agent, state: ack ? 'acked' : 'claimed', sender: out.handoff.from, delegated: out.handoff.type === 'delegation',
          request: out.handoff.kind === 'request' ? document : null });
      } };
  }

  next(n) {
    const wait = this.below(5) ? [] : ['--wait', '1'];
    return this.#claiming(n, this.one(agents), { name: 'next', args: ['next', ...wait], may: [1], again: (out) => out?.item });
  }

  claim(n) {
    const id = this.one(this.ids.slice(-30)), to = this.sides.get(id)?.to;
    return id && this.#claiming(n, agents.includes(to) ? to : this.one(agents), { name: 'claim', args: ['claim', id], may: REFUSALS });
  }

  /** What waits for an agent, or has happened. */
  inbox(n) {
    const agent = this.one(agents), began = Date.now();
    return { name: 'inbox', args: ['inbox', '--as', `${agent}/n${n}`, ...[[], ['--peek'], ['--all']][this.below(3)]], may: [1], events: () => [],
      learn: (out, command, complain) => this.model.judgeInbox(out.items, began, complain) };
  }

  /** Takes something held out of the list, so that others leave it alone for now. */
  #take(wanted) {
    const found = this.held.map((h, i) => (wanted(h) ? i : -1)).filter((i) => i >= 0);
    return found.length ? this.held.splice(found[this.below(found.length)], 1)[0] : null;
  }

  #hold(held, out, state) {
    const lease = this.model.leases.get(held.token);
    if (lease && out.lease_until) Object.assign(lease, { until: out.lease_until, at: new Date().toISOString() });
    this.held.push({ ...held, state });
  }

  #respond(n, wanted, name, more, events, state) {
    const held = this.#take(wanted);
    return held && { name, args: [name, held.id, '--token', held.token, '--as', `${held.agent}/n${n}`, ...more], may: REFUSALS,
      events: () => events.map((event) => [held.id, event]), learn: (out) => state && this.#hold(held, out, state),
      killed: () => state && this.held.push(held) };
  }

  ack(n) {
    return this.#respond(n, (h) => h.state === 'claimed', 'ack', ['--task', this.documents.text(4)], ['acked'], 'acked');
  }

  block(n) {
    const act = this.#respond(n, (h) => h.state === 'claimed', 'ack', ['--task', 'Build it', '--blocker', this.documents.text(4)], ['blocked']);
    return act && { ...act, name: 'ack --blocker', learn: () => this.asked.push(act.args[1]) };
  }

  done(n) {
    return this.#respond(n, (h) => h.state === 'acked', 'done', [], ['done']);
  }

  reject(n) {
    return this.#respond(n, (h) => h.state === 'acked', 'reject', ['--note', this.documents.text(4)], ['rejected']);
  }

  release(n) {
    return this.#respond(n, () => true, 'release', ['--note', this.documents.text(3)], ['released']);
  }

  withdraw(n) {
    const id = this.one(this.ids), from = this.sides.get(id)?.from;
    return from && { name: 'withdraw', args: ['withdraw', id, '--note', this.documents.text(3), '--as', `${from}/n${n}`], may: REFUSALS,
      events: () => [[id, 'withdrawn']], learn: () => this.model.withdrawn.set(id, Date.now()) };
  }

  renew(n) {
    const held = this.#take(() => true);
    if (!held) return null;
    return { name: 'renew', args: ['renew', held.id, '--token', held.token, '--lease', String(2 + this.below(60)), '--as', `${held.agent}/n${n}`], may: REFUSALS,
      events: () => [], learn: (out) => this.#hold(held, out, held.state), killed: () => {
        this.model.leases.delete(held.token); // it ends at either time
        this.held.push(held);
      } };
  }

  return(n) {
    const held = this.#take((h) => h.state === 'acked' && h.delegated);
    return held && this.#sending({ name: 'return', args: ['return', held.id, '-', '--token', held.token, '--as', `${held.agent}/n${n}`], may: REFUSALS,
      input: this.documents.package({ from: held.agent, to: held.sender, type: 'return' }), events: (out) => [[held.id, 'returned'], [out.id, 'sent']] });
  }

  answer(n) {
    const id = this.below(4) ? this.asked.shift() : this.one(this.ids);
    const sender = this.sides.get(id)?.from ?? 'beta';
    for (const halt of this.model.halts.values()) if (halt.id === id && halt.to === sender) halt.resuming = true;
    return id && { name: 'answer', args: ['answer', id, '--note', this.documents.text(3), '--as', `${sender}/n${n}`], may: REFUSALS, events: () => [] };
  }

  supersede(n) {
    const [old, by] = [this.one(this.ids), this.one(this.ids)];
    return old && old !== by && { name: 'supersede', args: ['supersede', old, '--by', by, '--as', `alpha/n${n}`], may: REFUSALS, events: () => [[old, 'superseded']] };
  }

  gateRaise(n) {
    const id = this.below(2) && this.one(this.ids);
    return { name: 'gate raise', args: ['gate', 'raise', '-', ...(id ? ['--for', id] : []), '--as', `gamma/n${n}`], may: REFUSALS,
      input: this.documents.gate({ from: 'gamma', deadline: this.below(3) ? null : this.soon(5) }),
      events: () => [], learn: (out) => this.gates.push(out.gate) };
  }

  gateDecide(n) {
    const gate = this.one(this.gates), decision = ['approve', 'approve', 'reject', 'question'][this.below(4)];
    if (!gate) return null;
    const close = () => (this.gates = this.gates.filter((other) => other !== gate));
    this.model.decisions.set(n, decision);
    return { name: 'gate decide', person: true, refused: close, answered: () => decision !== 'question' && close(), args: ['gate', 'decide', gate, decision, '--note', `n${n} ${this.documents.text(2)}`], may: REFUSALS, events: () => [] };
  }

  gateAnswer(n) {
    const gate = this.one(this.gates);
    return gate && { name: 'answer at a gate', args: ['answer', gate, '--note', this.documents.text(3), '--as', `gamma/n${n}`], may: REFUSALS, events: () => [] };
  }

  archive(n) {
    const id = this.below(3) && this.one(this.ids);
    return { name: 'archive', env: { HANDOFF_AGENT: `keeper/n${n}` }, args: ['archive', ...(id ? [id] : ['--completed'])], may: REFUSALS,
      events: (out) => out.archived.map((item) => [item.id, 'archived']) };
  }

  prune() {
    const prune = { ids: null };
    this.model.prunes.push(prune);
    return { name: 'prune', args: ['prune', '--before', '2999-01-01'], may: [1], events: () => [], learn: (out) => (prune.ids = out.pruned),
      refused: () => (prune.ids = []) };
  }

  progress(n) {
    const phase = ['--task', '7', '--slug', 'relay', '--phase', String(1 + this.below(3))];
    const what = [['start', '--objective', 'Measure', '--objective', 'Halve'], ['note', `n${n}`], ['tried', this.documents.text(3), '--why', this.documents.text(3)], ['done', '1'], ['block', '2', '--note', 'n']][this.below(5)];
    return { name: `progress ${what[0]}`, args: ['progress', ...what, ...phase], may: [...REFUSALS, 8], events: () => [] };
  }

  pass(n) {
    const phase = this.below(3) ? 1 + this.below(3) : 100 + this.phases++;
    return this.#sending({ name: 'pass', args: ['pass', '--task', '7', '--slug', 'relay', '--phase', String(phase), '--as', `alpha/n${n}`, '--next', `Run \`make ${this.documents.text(1)}\` and read line ${n}`,
      '--context', this.documents.text(6)], may: [...REFUSALS, 8] });
  }

  hook(n) {
    const event = ['SessionStart', 'PreToolUse', 'PostToolUse', 'PreCompact', 'Stop', 'SessionEnd'][this.below(6)];
    const text = { session_id: `session-${n}`, transcript_path: '/none.jsonl', cwd: '.', hook_event_name: event, tool_name: 'Bash', trigger: 'auto', source: 'startup' };
    return { name: `hook ${event}`, env: { HANDOFF_AGENT: `alpha/n${n}` }, args: ['hook', ['claude', 'codex', 'gemini'][this.below(3)]], input: JSON.stringify(text), may: [], events: () => [] };
  }

  learn(n) {
    const path = `handed/learned-n${n}.yaml`;
    return this.below(2) ? { name: 'learn --all', args: ['learn', '--all'], may: [1], events: () => [] }
      : { name: 'learn', args: ['learn', path], files: { [path]: this.documents.task() }, may: [1], events: () => [] };
  }

  state() {
    return { name: 'state', args: ['state'], may: [], events: () => [] };
  }

  init() {
    return { name: 'init', args: ['init'], may: [], events: () => [] };
  }

  backup(n, top) {
    const path = join(top, `copy-${n}.db`), before = Date.now();
    return { name: 'backup', args: ['backup', path], may: [], events: () => [], learn: () => this.backups.push({ path, before }) };
  }

  rebuild() {
    return { name: 'rebuild', args: ['rebuild'], may: [1], events: () => [] };
  }
}

/** How often each is done, of the sum of all. */
export const shares = {
  send: 14, sendKeyed: 5, sendToPerson: 2, sendGate: 1, sendArtifact: 2, sendTask: 2, sendRequest: 3, sendResponse: 2, sendAck: 2, next: 14, claim: 4, inbox: 2, ack: 10,
  block: 2, release: 2, withdraw: 1, resume: 2, done: 7, reject: 2, renew: 3, return: 3, answer: 4, supersede: 2, gateRaise: 3, gateDecide: 6, gateAnswer: 2, archive: 3, prune: 1,
  progress: 4, pass: 3, hook: 4, learn: 2, state: 2, init: 1, backup: 1, rebuild: 1,
};

/** Writes what an act reads. */
export function writeFiles(place, files = {}) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
}
