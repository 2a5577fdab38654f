// The tools of `mcp` as an agent sees them: the list costs few tokens, every error names the call that comes next, and that
// call, made as it stands there, succeeds.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finish, judge, needs } from './lib/test.mjs';

const { get_encoding: getEncoding } = await needs('tiktoken');
const { default: Ajv2020 } = await needs('ajv', '/dist/2020.js');
const program = process.env.HANDOFF;
const place = mkdtempSync(join(tmpdir(), 'handoff-mcp-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));

/** A server in a project of its own, and how it is called. */
function start(folder, agent, options = []) {
  const env = { ...process.env, HANDOFF_AGENT: agent };
  const child = spawn(program, ['mcp', ...options], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  let number = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const ask = (method, params = {}) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++number, method, params })}\n`);
    return new Promise((resolve) => waiting.set(number, resolve));
  };
  const call = async (name, args = {}) => {
    const { result, error } = await ask('tools/call', { name, arguments: args });
    return { ...(result?.structuredContent ?? { error }), failed: Boolean(error || result.isError), protocol: error };
  };
  return { ask, call, end: () => child.stdin.end(), hello: () => ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: agent, version: '1' } }) };
}

const document = `handoff:
  timestamp: "2026-03-01T10:00:00Z"
  from: {agent: tester, step: build}
  to: {agent: reviewer, reason: The import is done}
  context:
    summary: The CSV import of station readings is done, one streaming reader, 2 GB in 41 seconds.
    artifacts: [{path: src/import.py, type: code, description: the reader}]
  expectations:
    deliverable: A review report that names each defect with file and line
    success_criteria: [Every defect has a file and a line]
`;
function project(name) {
  const folder = join(place, name);
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/import.py'), 'x\n');
  writeFileSync(join(folder, 'package.yaml'), document);
  execFileSync('git', ['init', '-q', folder]);
  return folder;
}

// ---- What the list costs.
{
  const server = start(project('list'), 'reader');
  await server.hello();
  const { result } = await server.ask('tools/list');
  const tokens = getEncoding('o200k_base').encode(JSON.stringify(result.tools)).length;
  judge('the list of tools costs too much', tokens <= 1500, `${tokens} tokens`);
  console.log(`tools/list: ${tokens} tokens`);
  for (const { name, inputSchema, annotations } of result.tools) {
    const text = JSON.stringify(inputSchema);
    judge(`${name}: a schema that some clients refuse`, !/anyOf|oneOf|allOf|additionalProperties|\$ref/.test(text), text);
    judge(`${name}: hints`, annotations.openWorldHint === false && (annotations.readOnlyHint === true || annotations.destructiveHint === false));
  }
  server.end();
}

// ---- Errors.
const good = {
  to: 'tester', summary: 'The CSV import of station readings is done: one streaming reader, 2 GB in 41 seconds.',
  deliverable: 'A review report that names each defect with file and line', criteria: ['Every defect has a file and a line'],
  artifacts: ['src/import.py: the reader'],
};
const question = { question: 'Shall the old import be removed? Nobody has used it since May.' };
const send = (server) => server.call('send_handoff', good);
const take = async (server) => { await send(server); return server.call('next_handoff'); };
const accept = async (server) => { const taken = await take(server); await server.call('reply_to_handoff', { task: 'Review it' }); return taken; };
const begin = (server) => server.call('report_progress', { action: 'start', objectives: ['The reader is reviewed'], task: '7-review', phase: '1' });
const pass = (server) => server.call('pass_phase', { next: 'Run the tests of src/import.py', task: '7-review', phase: '2' });
const none = async () => {};

// tool, arguments, and what was there before; {id} is that of the handoff in it.
const cases = [
  ['handoff_status', { identifier: 'HO-1' }, none], ['handoff_status', { id: 'HO-1999-001' }, none], ['handoff_status', { id: 'G-1999-001' }, none],
  ['handoff_status', { page: 'x' }, none], ['handoff_status', { id: 'nothing.yaml' }, none], ['handoff_status', { id: ['a', 'b'] }, none],
  ['next_handoff', { wait: 'x' }, none], ['next_handoff', { wait: -1 }, none], ['next_handoff', { tasks: '7' }, none], ['next_handoff', { task: '../..' }, none],
  ['next_handoff', { phase: '1' }, none],
  ['reply_to_handoff', {}, none], ['reply_to_handoff', {}, take], ['reply_to_handoff', { answer: 'CSV' }, none], ['reply_to_handoff', { answer: 'CSV' }, take],
  ['reply_to_handoff', { answer: 'CSV', task: 'Review it' }, take], ['reply_to_handoff', { task: 'Review it' }, none],
  ['reply_to_handoff', { task: 'Review it', id: 'HO-1999-001' }, none], ['reply_to_handoff', { task: 'Review it', id: '{id}' }, accept],
  ['reply_to_handoff', { task: 'Review it', id: '{id}' }, send], ['reply_to_handoff', { answer: 'CSV', id: '{id}' }, take],
  ['reply_to_handoff', { task: 'ok' }, take], ['reply_to_handoff', { blockers: {} }, take],
  ['finish_handoff', {}, accept], ['finish_handoff', { outcome: 'done' }, accept], ['finish_handoff', { outcome: 'finished', note: 'No defect' }, accept],
  ['finish_handoff', { outcome: 'done', note: 'No defect' }, none], ['finish_handoff', { outcome: 'done', note: 'No defect', id: 'HO-1999-001' }, none],
  ['finish_handoff', { outcome: 'done', note: 'No defect' }, take], ['finish_handoff', { outcome: 'done', note: 'No defect', id: '{id}' }, send],
  ['finish_handoff', { outcome: 'return', note: 'No defect' }, accept], ['finish_handoff', { outcome: 'return', note: 'x', path: 'nothing.yaml' }, accept],
  ['finish_handoff', { outcome: 'return', note: 'No defect was found in src/import.py, 120 lines read', artifacts: ['nothing.md: it'] }, accept],
  ['send_handoff', {}, none], ['send_handoff', { path: 'nothing.yaml' }, none], ['send_handoff', { ...good, to: undefined, path: 'package.yaml' }, none],
  ['send_handoff', { ...good, summary: "It's done" }, none], ['send_handoff', { ...good, criteria: 'good' }, none], ['send_handoff', { ...good, type: 'parallel' }, none],
  ['send_handoff', { ...good, artifacts: ['nothing.py: it'] }, none], ['send_handoff', { ...good, recipient: 'x' }, none], ['send_handoff', { ...good, to: '../x' }, none],
  ['send_handoff', { path: '/etc/passwd' }, none], ['send_handoff', { path: 'src' }, none],
  ['pass_phase', {}, none], ['pass_phase', { next: 'Run the tests of the reader' }, none], ['pass_phase', { next: 'Continue' }, begin],
  ['pass_phase', { next: 'Run the tests of the reader', task: '../..', phase: '1' }, none], ['pass_phase', {}, begin], ['pass_phase', { nextstep: 'x' }, begin],
  ['report_progress', {}, none], ['report_progress', { action: 'show' }, none], ['report_progress', { action: 'start' }, none], ['report_progress', { action: 'begin' }, begin],
  ['report_progress', { action: 'start', objectives: ['x'] }, none], ['report_progress', { action: 'done' }, begin], ['report_progress', { action: 'done', objective: '9' }, begin],
  ['report_progress', { action: 'block', objective: '1' }, begin], ['report_progress', { action: 'note', objective: '1' }, begin], ['report_progress', { action: 'tried' }, begin],
  ['report_progress', { action: 'tried', text: 'Reading it at once' }, begin], ['report_progress', { action: 'finish' }, begin], ['report_progress', { action: 'done', objective: '1' }, none],
  ['report_progress', { action: 'show' }, pass], ['report_progress', { action: 'done', objective: '1' }, pass], ['report_progress', { action: 'note', text: 'x' }, pass],
  ['report_progress', { action: 'done', objective: '1', phase: '3' }, pass], ['report_progress', { action: 'show', task: '7-review', phase: '3' }, begin],
  ['report_progress', { action: 'start', objectives: ['Another one'] }, begin], ['report_progress', { action: 'start', objectives: [] }, begin],
  ['pass_phase', { next: 'Run the tests of src/import.py' }, pass], ['finish_handoff', { outcome: 'Returned', note: 'No defect was found in 120 lines' }, accept],
  ['ask_person', {}, none], ['ask_person', { question: ' ' }, none], ['ask_person', { gate: 'G-1999-001' }, none], ['ask_person', { question: 'ok?' }, none],
  ['ask_person', { ...question, options: ['a'] }, none], ['ask_person', { gate: 'HO-1999-001' }, none], ['ask_person', { gate: '7' }, none],
  ['search_knowledge', {}, none], ['search_knowledge', { query: 'x', kind: 'pitfall' }, none], ['search_knowledge', { query: 'x', in: 'files' }, none], ['search_knowledge', { query: '"' }, none],
  ['search_knowledge', { query: 'x', in: 'handoffs', file: 'a' }, none],
  ['check_document', {}, none], ['check_document', { path: 'nothing.yaml' }, none], ['check_document', { text: 'x: 1', format: 'parcel' }, none], ['check_document', { text: 'x: [' }, none],
  ['check_document', { path: 'src' }, none], ['check_document', { path: 'package.yaml' }, none], ['check_document', { text: document }, none],
];

/** What a call is corrected to: of each argument that a finding names, that which is right; of a document, the right one. */
const right = { ...good, note: 'No defect was found in src/import.py, 120 lines read', next: 'Run the tests of src/import.py', question: question.question };
const corrected = (args, findings) => ({ ...args, ...Object.fromEntries(findings.map(({ at }) => at.replace(/\[\d+\]$/, '')).map((name) => [name, right[name]])) });

// What each tool answers, if it answers, is what --output-schemas says, and nothing else.
const schemas = {};
{
  const server = start(project('schemas'), 'reader', ['--output-schemas']);
  await server.hello();
  const closed = (schema) => (schema.type === 'object' ? { ...schema, additionalProperties: false, properties: Object.fromEntries(Object.entries(schema.properties).map(([key, value]) => [key, closed(value)])) }
    : schema.items ? { ...schema, items: closed(schema.items) } : schema);
  for (const { name, outputSchema } of (await server.ask('tools/list')).result.tools) schemas[name] = new Ajv2020().compile(closed(outputSchema));
  server.end();
}
const judgeAnswer = (tool, { failed, protocol, ...said }) =>
  judge(`${tool}: not what its schema says`, failed || schemas[tool](said), JSON.stringify([schemas[tool].errors, said]));

let errors = 0, followed = 0, mended = 0;
for (const [i, [tool, given, prepare]] of cases.entries()) {
  const server = start(project(`case-${i}`), 'tester');
  await server.hello();
  const before = await prepare(server);
  const args = JSON.parse(JSON.stringify(given).replaceAll('{id}', before?.id ?? ''));
  const what = `${tool} ${JSON.stringify(args)} after ${prepare.name || 'nothing'}`;
  const got = await server.call(tool, args);
  judge(`${what}: an error of the protocol`, !got.protocol, JSON.stringify(got.protocol));
  judgeAnswer(tool, got);
  if (got.failed && !got.protocol) {
    errors++;
    judge(`${what}: an error without a message`, got.message && got.error && got.next, JSON.stringify(got));
    judge(`${what}: an option of a shell`, !/(^| )--[a-z]/.test(got.message), got.message);
    const next = /^(\w+) (\{.*\})$/s.exec(got.next ?? '');
    if (next) {
      followed++;
      const then = await server.call(next[1], JSON.parse(next[2]));
      judgeAnswer(next[1], then);
      judge(`${what}: what comes next fails: ${got.message} → ${got.next}`, !then.failed, JSON.stringify(then));
    } else if (got.findings && /^correct these fields and call \w+ again$/.test(got.next)) {
      mended++;
      const then = await server.call(tool, corrected(args, got.findings));
      judgeAnswer(tool, then);
      judge(`${what}: what was corrected fails`, !then.failed && got.findings.every(({ at }) => at.replace(/\[\d+\]$/, '') in right), JSON.stringify([got, then]));
    } else if (/^correct .* and call \w+ again$/.test(got.next)) {
      judge(`${what}: a document without findings`, got.findings?.every((one) => one.line && one.message), JSON.stringify(got));
      mended++;
    } else {
      judge(`${what}: what comes next is no call: ${got.next}`, false, JSON.stringify(got));
    }
  }
  server.end();
}

// ---- What is advised is what was meant: no other end of a handoff, and the phase that was asked about.
for (const [said, state] of [['rejected', 'rejected'], ['REJECT', 'rejected'], ['Done', 'done'], ['returned', 'ready']]) {
  const server = start(project(`ends-${said}`), 'tester');
  await server.hello();
  await accept(server);
  const { next } = await server.call('finish_handoff', { outcome: said, note: 'No defect was found in src/import.py, 120 lines read' });
  const then = await server.call('finish_handoff', JSON.parse(next.replace('finish_handoff ', '')));
  judge(`outcome ${said}: ${next}`, then.state === state, JSON.stringify(then));
  judge(`outcome ${said}: notes about a document that the tool wrote`, !then.notes?.some((note) => note.includes('warning')), JSON.stringify(then));
  server.end();
}
{
  const folder = project('open'), server = start(folder, 'tester'), other = start(folder, 'other');
  await server.hello();
  await other.hello();
  const passed = await pass(server);
  const started = await server.call('report_progress', { action: 'show', task: '7-review', phase: '3' });
  judge('a phase that was not started', started.next?.includes('"phase":"3"') && started.next.includes('"start"'), JSON.stringify(started));
  const open = await other.call('next_handoff');
  const [, args] = /next_handoff (\{[^}]*\})/.exec(open.next) ?? [];
  judge('work for whoever takes its task is not offered', args, JSON.stringify(open));
  judge('the call that takes it', args && (await other.call('next_handoff', JSON.parse(args))).id === passed.id, args);
  server.end();
  other.end();
}

// ---- With one tool only, no other one is advised; what is wrong with the machine is no matter of another call.
for (const [tool] of cases.filter(([name], i) => cases.findIndex(([other]) => other === name) === i)) {
  const server = start(project(`only-${tool}`), 'tester', ['--tools', tool]), folder = join(place, `only-${tool}`);
  await server.hello();
  for (const [, given] of cases.filter(([name]) => name === tool)) {
    const got = await server.call(tool, JSON.parse(JSON.stringify(given).replaceAll('{id}', 'HO-1999-001')));
    const [, named] = /^(\w+) \{/.exec(got.next ?? '') ?? [];
    judge(`${tool} alone: ${got.next}`, !got.failed || (got.next && (!named || named === tool)), JSON.stringify(got));
  }
  mkdirSync(join(folder, '.handoff'), { recursive: true });
  for (const name of ['handoff.db-wal', 'handoff.db-shm']) rmSync(join(folder, '.handoff', name), { force: true });
  writeFileSync(join(folder, '.handoff/handoff.db'), 'no database');
  const broken = await server.call(tool, { query: 'x', text: 'handoff: {}', outcome: 'done', note: 'x', next: 'Run the tests of src/import.py', action: 'show', ...(tool === 'send_handoff' && good) });
  judge(`${tool} with a broken store`, broken.error !== 'store' || broken.next === 'stop, and show this message to a person', JSON.stringify(broken));
  server.end();
}
finish(`${errors} errors, ${followed} of them with a call that was made as it stands, ${mended} with findings that were corrected`);
