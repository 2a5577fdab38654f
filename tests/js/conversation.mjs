// Nobody waits for something that nobody's inbox shows, whatever the parties do. A sender, a receiver and a person run every
// command that an inbox shows, which has to work as it stands, and among their first FREE actions also every other command
// of the conversation on everything there is: in every order of up to DEPTH successful ones. What somebody waits for follows
// from the log alone: what was asked, answered, refused, taken back, decided and halted. Situations in which the same waits
// and the same is shown are one. CONVERSATION_DEPTH=N CONVERSATION_FREE=N walk further, CONVERSATION_START=NAME from one start.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, gateText, must, packageText, program, run, temporaryFolder, write } from './lib/ledger.mjs';
import { finish, judge } from './lib/test.mjs';

const depth = Number(process.env.CONVERSATION_DEPTH ?? 4), free = Number(process.env.CONVERSATION_FREE ?? 1), only = process.env.CONVERSATION_START;
const parties = ['planner', 'worker', 'person'];
const top = temporaryFolder();
const envOf = (party) => (party === 'person' ? environment(top) : { ...environment(top), HANDOFF_AGENT: party, HANDOFF_SESSION: `s-${party}` });
const nameOf = (actor) => (parties.includes(actor) ? actor : 'person');
let commands = 0, serial = 0;

const request = (n) => JSON.stringify({ task_id: 'auth-001', phase: 'research', mode: 'code',
  context: { feature: `jwt ${n}`, relevant_files: ['plan.md'], constraints: ['No breaking changes'] },
  instructions: `Find the existing login code ${n} and its patterns`, expected_output: 'structured_findings' });
const response = (decision) => JSON.stringify({ task_id: 'auth-001', phase: 'research', status: 'blocked', decision, findings: {},
  context_summary: 'The login code is not in this repository', tokens_used: 900, issues: ['Which login code is meant?'] });

/** What is given back for a handoff: a package, or a response. */
function answerTo(folder, id, decision = 'STOP') {
  const { handoff } = must(folder, envOf('person'), ['show', id]);
  const name = handoff.kind === 'request' ? `answer-${id}.response.json` : `answer-${id}.yaml`;
  write(folder, name, handoff.kind === 'request' ? response(decision)
    : packageText(id, handoff.from, '  type: return\n').replace('agent: planner', `agent: ${handoff.to}`));
  return name;
}

/** A shown command as arguments. What a reader has to fill in is filled in. */
const filled = (folder, command) => command.split(' ').slice(1).map((word, i, words) =>
  (word === 'TEXT' ? `Said as number ${++serial}` : word === 'PATH' ? answerTo(folder, words[1]) : word));

function look(folder) {
  const person = envOf('person');
  return { inboxes: Object.fromEntries(parties.map((party) => [party, must(folder, envOf(party), ['inbox', '--peek']).items])),
    handoffs: must(folder, person, ['list', '--limit', '1000']).handoffs, gates: must(folder, person, ['gate', 'list', '--all']).gates,
    events: must(folder, person, ['log', '--limit', '1000']).events.sort((a, b) => a.seq - b.seq) };
}

const OPEN = ['draft', 'ready', 'claimed', 'acked', 'clarify', 'gated'];
const ASKS = (e) => e.event === 'asked' || e.event === 'blocked' || (e.event === 'acked' && e.data.questions);

/** What is waited for: [what, of which handoff or gate, who has to be shown it]. */
function waits({ handoffs, gates, events }) {
  const all = [];
  for (const h of handoffs) {
    const mine = events.filter((e) => e.handoff === h.id), sender = nameOf(h.from);
    let asker = null, holder = null;
    for (const e of mine) {
      const actor = nameOf(e.actor), later = mine.filter((o) => o.seq > e.seq);
      const told = (who, kind, id, until) => who && who !== actor && !later.some((o) => nameOf(o.actor) === who && until(o)) && all.push([kind, id, who]);
      const claims = (o) => o.event === 'claimed', acts = () => true;
      if (e.event === 'claimed') holder = actor;
      if (ASKS(e)) asker = actor;
      if (['answered', 'answer'].includes(e.event)) { told(asker, 'answer', h.id, claims); asker = null; }
      if (e.event === 'rejected') told(sender, 'rejected', h.id, acts);
      if (e.event === 'done' && h.type === 'delegation' && !asker) told(sender, 'returned', h.id, acts);
      if (['withdrawn', 'released'].includes(e.event)) told(holder, 'stop', h.id, acts);
      if (e.event === 'withdrawn' && holder !== sender) told(sender, 'rejected', h.id, acts);
      if (['withdrawn', 'released', 'rejected', 'done', 'returned', 'blocked'].includes(e.event)) holder = null;
      if (['rejected', 'withdrawn', 'superseded', 'archived', 'gate_rejected', 'expired'].includes(e.event)) asker = null;
    }
    if (asker && h.state !== 'gated') all.push(['question', h.id, asker === sender ? 'person' : sender]); // nobody answers itself
    if (h.state === 'ready') all.push(['claim', h.id, nameOf(h.to)]);
    if (['claimed', 'acked'].includes(h.state)) all.push(['held', h.id, nameOf(h.claimed_by)]);
  }
  for (const g of gates)
    if (g.state === 'open' && g.decision === 'question') all.push(['question', g.id, nameOf(g.raised_by)]);
    else if (g.state === 'open') all.push(['gate', g.id, 'person']);
    else if (g.proof !== 'none' && nameOf(g.raised_by) !== 'person') {
      const decided = events.find((e) => e.data.gate === g.id && ['approved', 'gate_rejected', 'gate_decided'].includes(e.event));
      if (decided && nameOf(decided.actor) === 'person' && !events.some((e) => e.seq > decided.seq && e.handoff === g.handoff && nameOf(e.actor) === nameOf(g.raised_by) && ['claimed', 'withdrawn'].includes(e.event)))
        all.push(['decision', g.id, nameOf(g.raised_by)]);
    }
  return all;
}

const shows = (situation, [kind, id, who]) => situation.inboxes[who].some((i) => i.commands.length > 0 &&
  (kind === 'claim' ? i.commands.some((c) => c.startsWith(`handoff claim ${id}`)) || (i.id === id && i.text?.startsWith('waits: '))
    : i.id === id && i.kind === kind && (kind !== 'question' || i.commands.some((c) => c.startsWith(`handoff answer ${id} `)))));

function keyOf({ inboxes, handoffs, gates }, waiting) {
  const order = [...handoffs.map((h) => h.id).sort(), ...gates.map((g) => g.id).sort()];
  const short = (id) => order.indexOf(id);
  return JSON.stringify([handoffs.map((h) => [short(h.id), h.kind, h.type, h.state, h.to, h.claimed_by]).sort(),
    gates.map((g) => [short(g.id), g.state, g.decision]).sort(), [...new Set(waiting.map((w) => `${w[0]} ${short(w[1])} ${w[2]}`))].sort(),
    parties.map((party) => [...new Set(inboxes[party].map((i) => `${i.kind} ${short(i.id)} ${i.commands.map((c) => c.split(' ')[1])}`))].sort())]);
}

/** Every command of the conversation, whether an inbox shows it or not. */
function attempts(folder, party, { handoffs, gates }) {
  const list = [];
  for (const { id, state, kind } of handoffs.filter((h) => h.state !== 'archived')) {
    list.push(['answer', id, '--note', 'TEXT'], ['archive', id]);
    if (party === 'person') list.push(['release', id]);
    if (!OPEN.includes(state)) continue;
    if (party !== 'worker') list.push(['withdraw', id, '--note', 'TEXT']);
    if (gates.length < 2) list.push(['gate', 'raise', 'gate.yaml', '--for', id]);
    if (party === 'person') continue;
    list.push(['claim', id], ['release', id], ['ack', id, '--task', 'TEXT'], ['ack', id, '--question', 'TEXT'], ['ack', id, '--blocker', 'TEXT'],
      ['ack', id, '--task', 'TEXT', '--question', 'TEXT'], ['done', id, '--note', 'TEXT'], ['reject', id, '--note', 'TEXT']);
    if (handoffs.length < 3) list.push(['return', id, 'PATH']);
    if (handoffs.length < 3 && kind === 'request') list.push(['return', id, 'CLARIFY']);
  }
  for (const { id } of gates.filter((g) => g.state === 'open')) {
    list.push(['answer', id, '--note', 'TEXT']);
    if (party === 'person') list.push(['gate', 'decide', id, 'approve', '--note', 'TEXT'], ['gate', 'decide', id, 'reject', '--note', 'TEXT'], ['gate', 'decide', id, 'question', '--note', 'TEXT']);
  }
  return list.map((words) => words.map((word) => (word === 'TEXT' ? `Said as number ${++serial}` : word === 'PATH' ? answerTo(folder, words[1])
    : word === 'CLARIFY' ? answerTo(folder, words[1], word) : word)));
}

const starts = {
  delegation: (f) => must(f, envOf('planner'), ['send', '-'], packageText(1, 'worker', '  type: delegation\n')),
  sequential: (f) => must(f, envOf('planner'), ['send', '-'], packageText(2, 'worker')),
  person: (f) => must(f, envOf('person'), ['send', '-'], packageText(2, 'worker').replace('agent: planner', 'agent: human')),
  escalation: (f) => must(f, envOf('planner'), ['send', '-'], packageText(3, 'human', '  type: escalation\n')
    .replace('open_questions: []', 'open_questions:\n      - question: May it begin?')),
  request: (f) => must(f, envOf('planner'), ['send', '-', '--format', 'request', '--to', 'worker'], request(1)),
};

for (const [name, begin] of Object.entries(starts).filter(([each]) => !only || each === only)) {
  const first = join(top, `${name}-0`);
  write(first, '.handoff/config.yaml', 'lease: 86400\n'); // a walk may take longer than a lease
  write(first, 'plan.md', 'A plan\n');
  write(first, 'gate.yaml', gateText());
  begin(first);
  let edge = [{ folder: first, path: [name], situation: look(first) }];
  const known = new Set();
  let ended = 0;
  for (let level = 0; level <= depth && edge.length; level++) {
    const next = [];
    for (const { folder, path, situation } of edge) {
      if (!situation.handoffs.some((h) => OPEN.includes(h.state))) ended++;
      for (const wait of waits(situation))
        judge(`${wait[2]} is shown ${wait[0]} ${wait[1]}`, shows(situation, wait), `after ${path.join(' | ')}\n${JSON.stringify(situation.inboxes)}`);
      for (const party of level < depth ? parties : []) {
        const shown = situation.inboxes[party].flatMap((item) => item.commands).filter((c) => !c.startsWith('handoff gate wait'));
        for (const [i, args] of [...shown.map((c) => filled(folder, c)), ...(level < free ? attempts(folder, party, situation) : [])].entries()) {
          const copy = join(top, `${name}-${++commands}`);
          cpSync(folder, copy, { recursive: true });
          const r = run(copy, envOf(party), args);
          if (i < shown.length) judge(`${party}: ${shown[i]}`, r.status === 0, `after ${path.join(' | ')}: ${r.status} ${r.err}`);
          judge(`${party}: ${args.join(' ')} is answered`, r.status < 9 && !r.signal, `after ${path.join(' | ')}: ${r.status} ${r.err}`);
          const then = r.status === 0 ? look(copy) : null, key = then && keyOf(then, waits(then));
          if (!then || known.has(key)) rmSync(copy, { recursive: true });
          else next.push({ folder: copy, path: [...path, `${party}: ${args.join(' ')}`], situation: then });
          if (then) known.add(key);
        }
      }
      rmSync(folder, { recursive: true });
    }
    edge = next;
  }
  judge(`${name}: it comes to an end`, ended > 0 || depth < 4);
  console.log(`${name}: ${known.size} situations`);
}
finish(`${commands} commands tried, ${depth} actions deep, ${free} of them free, with ${program.split('/').slice(-3).join('/')}`);
