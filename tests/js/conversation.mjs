// Nobody waits for something that nobody's inbox shows. Three agents and a person do nothing but what their inboxes tell
// them, in every order: from each situation, every command that some inbox shows is run as it stands, and has to succeed.
// Situations are compared by what matters (states, holders, questions, gates, halted tasks, inboxes), so that every order of
// up to DEPTH actions is walked. CONVERSATION_DEPTH=N walks deeper.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, must, packageText, program, run, temporaryFolder, write } from './lib/ledger.mjs';
import { finish, judge } from './lib/test.mjs';

const depth = Number(process.env.CONVERSATION_DEPTH ?? 8);
const agents = ['planner', 'worker', 'other'], parties = [...agents, 'person'];
const top = temporaryFolder();
const envOf = (party) => (party === 'person' ? environment(top) : { ...environment(top), HANDOFF_AGENT: party, HANDOFF_SESSION: `s-${party}` });
let commands = 0, serial = 0;

const request = JSON.stringify({ task_id: 'auth-001', phase: 'research', mode: 'code',
  context: { feature: 'jwt', relevant_files: ['plan.md'], constraints: ['No breaking changes'] },
  instructions: 'Find the existing login code and its patterns', expected_output: 'structured_findings' });
const stop = JSON.stringify({ task_id: 'auth-001', phase: 'research', status: 'blocked', decision: 'STOP', findings: {},
  context_summary: 'The login code is not in this repository', tokens_used: 900, issues: ['No login code was found'] });

/** What is given back for a delegated handoff: a package to its sender, or a response. */
function answerTo(folder, id) {
  const { handoff } = must(folder, envOf('person'), ['show', id]);
  const name = handoff.kind === 'request' ? `answer-${id}.response.json` : `answer-${id}.yaml`;
  write(folder, name, handoff.kind === 'request' ? stop
    : packageText(id, handoff.from, '  type: return\n').replace('agent: planner', `agent: ${handoff.to}`));
  return name;
}

/** A shown command as arguments. What a reader has to fill in is filled in. */
function filled(folder, command) {
  const words = command.split(' ');
  judge(`'${command}' begins with the program's name`, words[0] === 'handoff');
  return words.slice(1).map((word) => (word === 'TEXT' ? `Said as number ${++serial}` : word === 'PATH' ? answerTo(folder, words[2]) : word));
}

function look(folder) {
  const inboxes = Object.fromEntries(parties.map((party) => [party, must(folder, envOf(party), ['inbox', '--peek']).items]));
  const { handoffs } = must(folder, envOf('person'), ['list', '--limit', '1000']);
  const { gates } = must(folder, envOf('person'), ['gate', 'list']);
  return { inboxes, handoffs, gates };
}

/** Two situations with the same key allow the same. Ids count by their order, words not at all. */
function keyOf({ inboxes, handoffs, gates }) {
  const order = [...handoffs.map((h) => h.id).sort(), ...gates.map((g) => g.id).sort()];
  const short = (id) => order.indexOf(id);
  return JSON.stringify([handoffs.map((h) => [short(h.id), h.kind, h.state, h.to, h.attempt > 0]).sort(),
    gates.map((g) => [short(g.id), g.state, g.decision]).sort(),
    parties.map((party) => inboxes[party].map((i) => [i.kind, short(i.id), i.new, i.commands.length]).sort())]);
}

const OPEN = ['draft', 'ready', 'claimed', 'acked', 'clarify', 'gated'];

/** Everything that waits is shown to somebody, with something to do. */
function shown(situation, path) {
  const all = parties.flatMap((party) => situation.inboxes[party].map((item) => ({ party, ...item })));
  const has = (...kinds) => (id) => all.some((i) => kinds.includes(i.kind) && i.id === id && i.commands.length > 0);
  const gateOf = (id) => situation.gates.find((g) => g.handoff === id && g.state === 'open');
  for (const h of situation.handoffs.filter((each) => OPEN.includes(each.state))) {
    const good = { draft: has('draft'), ready: (id) => all.some((i) => i.party === h.to && i.commands.some((c) => c.startsWith(`handoff claim ${id}`))),
      claimed: has('held'), acked: has('held'), clarify: has('question'), gated: (id) => gateOf(id) && has('gate', 'question')(gateOf(id).id) }[h.state](h.id);
    judge(`${h.id} is ${h.state}, and somebody's inbox shows it`, good, `after ${path.join(' | ')}\n${JSON.stringify(situation.inboxes)}`);
  }
}

/** Starts: what one of them hands over first. */
const starts = {
  delegation: (f) => must(f, envOf('planner'), ['send', '-'], packageText(1, 'worker', '  type: delegation\n')),
  sequential: (f) => must(f, envOf('planner'), ['send', '-'], packageText(2, 'worker')),
  escalation: (f) => must(f, envOf('planner'), ['send', '-'], packageText(3, 'human', '  type: escalation\n')
    .replace('open_questions: []', 'open_questions:\n      - question: May it begin?')),
  request: (f) => must(f, envOf('planner'), ['send', '-', '--format', 'request', '--to', 'worker'], request),
};

for (const [name, begin] of Object.entries(starts)) {
  const first = join(top, `${name}-0`);
  write(first, '.handoff/.keep', '');
  write(first, 'plan.md', 'A plan\n');
  begin(first);
  let edge = [{ folder: first, path: [name] }], ended = 0;
  const known = new Set([keyOf(look(first))]);
  for (let level = 0; level < depth && edge.length; level++) {
    const next = [];
    for (const { folder, path } of edge) {
      const situation = look(folder);
      shown(situation, path);
      if (!situation.handoffs.some((h) => OPEN.includes(h.state))) ended++;
      for (const party of parties)
        for (const command of situation.inboxes[party].flatMap((item) => item.commands)) {
          if (/ (show|gate show) /.test(command)) {
            const r = run(folder, envOf(party), filled(folder, command));
            judge(`${party}: ${command}`, r.status === 0, `after ${path.join(' | ')}: ${r.status} ${r.err}`);
            continue;
          }
          const copy = join(top, `${name}-${++commands}`);
          cpSync(folder, copy, { recursive: true });
          const r = run(copy, envOf(party), filled(copy, command));
          judge(`${party}: ${command}`, r.status === 0, `after ${path.join(' | ')}: ${r.status} ${r.err}`);
          const key = keyOf(look(copy));
          if (known.has(key)) rmSync(copy, { recursive: true });
          else next.push({ folder: copy, path: [...path, `${party}: ${command}`] });
          known.add(key);
        }
      rmSync(folder, { recursive: true });
    }
    edge = next;
  }
  for (const { folder, path } of edge) shown(look(folder), path);
  for (const { folder } of edge) rmSync(folder, { recursive: true });
  judge(`${name}: it comes to an end`, ended > 0 || depth < 4);
  console.log(`${name}: ${known.size} situations, ${edge.length} at the edge`);
}
finish(`${commands} commands of inboxes, ${depth} actions deep, with ${program.split('/').slice(-3).join('/')}`);
