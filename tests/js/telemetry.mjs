// A collector is told of everything once, whatever it does: one that answers, one that is not there, one that is slow, one that has
// no time, one that wants nothing. A command waits for none of them, and does not fail because of them.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, must, program, run, temporaryFolder } from './lib/ledger.mjs';
import { finish, judge } from './lib/test.mjs';

const home = temporaryFolder();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (done, ms = 20_000) => { for (const end = Date.now() + ms; Date.now() < end && !done();) await sleep(50); return done(); };

/** A collector: what it got, and how it answers the next requests. */
async function collector(answers = []) {
  const got = { spans: [], requests: 0, resources: [] };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => { body += data; });
    request.on('end', async () => {
      got.requests++;
      const { status = 200, wait = 0, headers = {} } = answers.length > 1 ? answers.shift() : answers[0] ?? {};
      await sleep(wait);
      if (status === 200 && request.method === 'POST' && request.url === '/v1/traces' && request.headers['content-type'] === 'application/json')
        for (const resource of JSON.parse(body).resourceSpans) { got.resources.push(resource); got.spans.push(...resource.scopeSpans.flatMap((scope) => scope.spans)); }
      response.writeHead(status, headers).end('{}');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { got, at: `http://127.0.0.1:${server.address().port}`, answer: (next) => { answers = next; }, close: () => { server.closeAllConnections(); server.close(); } };
}

/** The command by hand, while the collectors of this process can answer; once nobody else is at it. */
async function tell(folder, env) {
  for (const end = Date.now() + 60_000; ;) {
    const r = await new Promise((resolve) => {
      const child = spawn(program, ['telemetry', '--json'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (data) => { out += data; });
      child.on('close', (status) => resolve({ status, ...JSON.parse(out) }));
    });
    if (!r.notes?.includes('another process is sending') || Date.now() > end) return r;
    await sleep(200);
  }
}

let projects = 0;
function project(to) {
  const folder = join(home, `p${++projects}`);
  mkdirSync(folder);
  const env = { ...environment(home), ...(to && { HANDOFF_OTLP: to }) };
  const as = (agent) => ({ ...env, HANDOFF_AGENT: agent, HANDOFF_SESSION: `s-${agent}` });
  run(folder, environment(home), ['init']);
  const carry = (n) => {
    const { id } = must(folder, as('planner'), ['send', '--to', 'worker', `Review part ${n} of the import and name each defect`]);
    must(folder, as('worker'), ['claim', id, '--ack']);
    must(folder, as('worker'), ['done', id, '--note', 'The secret of part 7']);
    return id;
  };
  return { folder, env, as, carry };
}
const value = (span, key) => { const v = span.attributes.find((each) => each.key === key)?.value; return v?.stringValue ?? v?.intValue; };
const ids = (spans) => spans.map((span) => value(span, 'handoff.id')).sort();

// ---- One that answers: handoffs and gates, in the background, each once.
{
  const c = await collector(), p = project(c.at);
  const sent = [p.carry(1), p.carry(2)];
  judge('told', await until(() => c.got.spans.length >= 2), JSON.stringify(c.got));
  const span = c.got.spans.find((each) => value(each, 'handoff.id') === sent[0]);
  judge('named', span.name === 'invoke_agent worker' && value(span, 'gen_ai.operation.name') === 'invoke_agent' && value(span, 'gen_ai.agent.name') === 'worker' && value(span, 'handoff.from') === 'planner' && value(span, 'handoff.state') === 'done', JSON.stringify(span));
  judge('ids', /^[0-9a-f]{32}$/.test(span.traceId) && /^[0-9a-f]{16}$/.test(span.spanId) && span.kind === 1 && span.status.code === 1, JSON.stringify(span));
  judge('times', BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano) && span.startTimeUnixNano.length === 19, JSON.stringify(span));
  judge('events', span.events.map((event) => event.name).join() === 'sent,claimed,acked,done', JSON.stringify(span.events));
  judge('its resource', JSON.stringify(c.got.resources[0].resource).includes('service.name'), JSON.stringify(c.got.resources[0].resource));
  const { gate, id } = must(p.folder, p.as('planner'), ['ask', 'Delete the old station table?']);
  must(p.folder, p.env, ['gate', 'decide', gate, 'approve']);
  judge('a gate', await until(() => c.got.spans.some((each) => value(each, 'handoff.gate.id') === gate)), JSON.stringify(c.got.spans));
  const asked = c.got.spans.find((each) => value(each, 'handoff.gate.id') === gate);
  judge('its decision', value(asked, 'handoff.gate.decision') === 'approve' && value(asked, 'handoff.id') === id && asked.parentSpanId.length === 16, JSON.stringify(asked));
  judge('nothing that a document says', !JSON.stringify(c.got).match(/secret|station|Review/), JSON.stringify(c.got));
  await sleep(3000);
  judge('by hand, nothing is left', (await tell(p.folder, p.env)).spans === 0);
  judge('each once', new Set(c.got.spans.map((each) => each.spanId)).size === c.got.spans.length, JSON.stringify(c.got.spans));
  judge('another one is told everything', (await tell(p.folder, { ...p.env, HANDOFF_OTLP: `${c.at}/` })).spans === 3 && c.got.spans.length === 6, c.got.spans.length);
  c.close();
}

// ---- None that is there, one that is slow, one that has no time: no command waits, and nothing is lost.
const silent = createSocket(() => {});
await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
for (const [what, to] of [['nobody', 'http://127.0.0.1:9'], ['a silent one', `http://127.0.0.1:${silent.address().port}`], ['a name', 'http://collector.invalid:4318'], ['no address', 'nonsense']]) {
  const p = project(to), plain = project();
  const begun = Date.now();
  const sent = [p.carry(1), p.carry(2), p.carry(3)];
  const took = Date.now() - begun, begunPlain = Date.now();
  [1, 2, 3].forEach((n) => plain.carry(n));
  const tookPlain = Date.now() - begunPlain;
  judge(`${what}: no command waits`, took < tookPlain * 3 + 3000, `${took} ms, without it ${tookPlain} ms`);
  const c = await collector();
  const told = await tell(p.folder, { ...p.env, HANDOFF_OTLP: c.at });
  judge(`${what}: nothing is lost`, told.spans === 3 && ids(c.got.spans).join() === sent.sort().join(), JSON.stringify(told));
  c.close();
}
silent.close();

{
  const c = await collector([{ status: 503, headers: { 'retry-after': '1' } }, { status: 503 }, { status: 200, wait: 1500 }]), p = project(c.at);
  const sent = [p.carry(1), p.carry(2)];
  judge('no time at first', await until(() => c.got.spans.length >= 2, 30_000) && ids(c.got.spans).join() === sent.join(), JSON.stringify(c.got));
  const mark = () => JSON.parse(readFileSync(join(p.folder, '.handoff/context/telemetry')));
  await until(() => mark().seq > 0);
  await sleep(3000);
  c.answer([{ status: 503 }]);
  const third = p.carry(3);
  const tried = await tell(p.folder, p.env);
  judge('by hand, it says why', tried.status === 9 && tried.error.message.includes('503'), JSON.stringify(tried));
  c.answer([{ status: 200 }]);
  judge('it is told later', (await tell(p.folder, p.env)).spans === 1 && ids(c.got.spans).includes(third), JSON.stringify(c.got.spans.length));
  await until(() => mark().seq >= 12);
  await sleep(3000);
  c.answer([{ status: 400 }]);
  p.carry(4);
  await until(() => mark().seq >= 16);
  c.answer([{ status: 200 }]);
  const fifth = p.carry(5);
  judge('what is refused holds up nothing', await until(() => ids(c.got.spans).includes(fifth)), JSON.stringify(ids(c.got.spans)));
  c.close();
}

// ---- What there was before is told as well; without the variable nothing is.
{
  const c = await collector(), p = project();
  p.carry(1);
  await sleep(500);
  judge('without the variable', c.got.requests === 0 && run(p.folder, p.env, ['telemetry']).status === 2);
  judge('from the beginning', (await tell(p.folder, { ...p.env, HANDOFF_OTLP: c.at })).spans === 1);
  c.close();
}
finish();
