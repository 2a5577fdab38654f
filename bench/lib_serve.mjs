// lib_serve FOLDER: what bench/serve.sh measures, with http_load and http_bare in that folder.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { handoff, median, report, root, temporaryProject } from './lib_bench.mjs';

const [tools] = process.argv.slice(2);
const rounds = 5, calls = 200, clients = 8;
process.setMaxListeners(0);
const env = { ...process.env, XDG_DATA_HOME: mkdtempSync(join(tmpdir(), 'handoff-bench-data-')) };
process.on('exit', () => rmSync(env.XDG_DATA_HOME, { recursive: true, force: true }));
for (const name of Object.keys(env)) if (/^(HANDOFF_AGENT|HANDOFF_SESSION|AI_AGENT)$/.test(name)) delete env[name];

/** The first line that a program says, and how it is ended. */
async function started(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env, ...options });
  process.on('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) return { child, line };
  throw new Error(`${command} ${args.join(' ')} did not start`);
}
const run = (folder, ...args) => execFileSync(handoff, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const token = (folder, name, role) => run(folder, 'token', 'new', name, '--role', role).trim();
async function serve(folder) {
  const { child, line } = await started(handoff, ['serve', '--listen', '127.0.0.1:0'], { cwd: folder });
  return { child, port: Number(/:(\d+)$/.exec(line)[1]) };
}
const ended = (child) => new Promise((resolve) => { child.on('exit', resolve); child.kill(); });
const status = (pid, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const ticks = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).reduce((sum, n) => sum + Number(n), 0);
const since = (from) => Number(process.hrtime.bigint() - from) / 1e6;

/** Answers per second to one request, again and again, on 8 connections. */
function load(port, path, bearer) {
  const file = join(tools, 'request');
  writeFileSync(file, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${bearer ? `Authorization: Bearer ${bearer}\r\n` : ''}\r\n`);
  return Number(execFileSync(join(tools, 'http_load'), [String(port), '8', '1000', file], { encoding: 'utf8' }));
}

// ---- Reads, in turns with a server that does nothing but answer.
{
  const folder = temporaryProject(), reader = token(folder, 'reader', 'read');
  for (let i = 0; i < 20; i++) run(folder, 'ask', `CSV or JSON for export ${i} of the station readings?`, '--option', 'CSV', '--option', 'JSON', '--as', 'bench');
  const { child, port } = await serve(folder), bare = await started(join(tools, 'http_bare'), []);
  const reads = [], least = [];
  for (let i = 0; i < rounds; i++) {
    reads.push(load(port, '/api/v1/list?limit=1', reader));
    least.push(load(Number(bare.line), '/'));
  }
  const ratio = median(reads) / median(least);
  report('serve', `GET /api/v1/list, per second: ${median(reads)}, a bare reply ${median(least)} (${ratio.toFixed(2)} ×, at least 0.5 ×)`, ratio >= 0.5);
  bare.child.kill();
  await ended(child);
}

// ---- Tools over HTTP beside the memory server, which has a pipe only.
const memory = join(root, 'tests/js/node_modules/@modelcontextprotocol/server-memory/dist/index.js');
if (!existsSync(memory)) {
  console.log('serve    the reference memory server is not installed; run: make deps-test');
  process.exit(1);
}
function overHttp(port, bearer, session) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  let id = 0;
  return (name, args) => new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { _meta, name, arguments: args } });
    const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name, 'Handoff-Session': session };
    const request = http.request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => (answer.statusCode === 200 && !text.includes('"isError":true') ? resolve(text) : reject(new Error(text)))).on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
function overPipe(child) {
  const waiting = new Map();
  let number = 0;
  createInterface({ input: child.stdout }).on('line', (line) => { const message = JSON.parse(line); waiting.get(message.id)?.(message); });
  const ask = (method, params) => new Promise((resolve) => { waiting.set(++number, resolve); child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: number, method, params })}\n`); });
  return { ask, call: (name, args) => ask('tools/call', { name, arguments: args }) };
}
/** A search's median, and how many calls of eight clients are answered in a second, each of whom writes with every tenth. */
async function measure(read, write, pid) {
  await write(0, 0);
  const each = [];
  for (let i = 0; i < calls; i++) { const from = process.hrtime.bigint(); await read(0); each.push(since(from)); }
  const from = process.hrtime.bigint();
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let i = 1; i <= calls; i++) await (i % 10 ? read(client) : write(client, client * calls + i));
  }));
  return { read: median(each), mixed: (clients * calls / since(from)) * 1000, kilobytes: status(pid, 'VmRSS') };
}
{
  const ours = [], theirs = [];
  for (let round = 0; round < rounds; round++) {
    const folder = temporaryProject(), { child, port } = await serve(folder), bearer = token(folder, 'bench', 'agent:bench');
    const call = Array.from({ length: clients }, (_, i) => overHttp(port, bearer, `bench-${i}`));
    const phase = (client) => ({ task: `${client + 1}-import`, phase: '1' });
    for (let client = 1; client < clients; client++) await call[client]('report_progress', { action: 'start', objectives: ['The import reads all stations'], ...phase(client) });
    ours.push(await measure((client) => call[client]('search_knowledge', { query: 'station' }),
      (client, i) => call[client]('report_progress', i ? { action: 'tried', text: `Reading station ${i} at once`, why: `Station ${i} sends 2 GB a year`, ...phase(client) } : { action: 'start', objectives: ['The import reads all stations'], ...phase(client) }), child.pid));
    await ended(child);
    const place = mkdtempSync(join(tmpdir(), 'handoff-bench-'));
    const peer = spawn(process.execPath, [memory], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, MEMORY_FILE_PATH: join(place, 'memory.jsonl') } }), pipe = overPipe(peer);
    await pipe.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    theirs.push(await measure(() => pipe.call('search_nodes', { query: 'station' }),
      (client, i) => pipe.call('create_entities', { entities: [{ name: `station-${i}`, entityType: 'gotcha', observations: [`Station ${i} sends 2 GB a year`] }] }), peer.pid));
    await ended(peer);
    rmSync(place, { recursive: true, force: true });
  }
  const of = (list, key) => median(list.map((one) => one[key]));
  const line = (what, unit, key, ratio, least) => report('serve', `${what}: ${of(ours, key).toFixed(unit === 'ms' ? 2 : 0)} ${unit} over HTTP, memory server at a pipe ${of(theirs, key).toFixed(unit === 'ms' ? 2 : 0)} ${unit} (${ratio.toFixed(1)} ×, at least ${least} ×)`, ratio >= least);
  line('a tool that searches', 'ms', 'read', of(theirs, 'read') / of(ours, 'read'), 1);
  line('tools per second, eight clients, every tenth writes', '/s', 'mixed', of(ours, 'mixed') / of(theirs, 'mixed'), 5);
  line('memory after them', 'kB', 'kilobytes', of(theirs, 'kilobytes') / of(ours, 'kilobytes'), 10);
}

// ---- A thousand streams, and nothing happens.
{
  const folder = temporaryProject(), reader = token(folder, 'reader', 'read'), seconds = 5;
  run(folder, 'ask', 'Is there a store in this project already?', '--as', 'bench');
  const { child, port } = await serve(folder);
  const streams = [], open = () => new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/api/v1/events', agent: false, headers: { Authorization: `Bearer ${reader}` } }, (answer) => answer.once('data', resolve));
    request.on('error', reject);
    streams.push(request);
  });
  while (streams.length < 1000) await Promise.all(Array.from({ length: 20 }, open));
  await new Promise((resolve) => { setTimeout(resolve, 2000); });
  const before = ticks(child.pid);
  await new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
  const used = ticks(child.pid) - before;
  report('serve', `idle with 1,000 streams: ${used * 10} ms of processor in ${seconds} s (at most 0), ${status(child.pid, 'VmRSS')} kB`, used === 0);
  for (const request of streams) request.on('error', () => {}).destroy();
  await ended(child);
}

// ---- Killed again and again while clients write: what was acknowledged is there.
{
  const folder = temporaryProject(), bearer = token(folder, 'bench', 'agent:bench'), acknowledged = [];
  for (let kill = 0; kill < rounds; kill++) {
    const { child, port } = await serve(folder);
    const client = async (who) => {
      const call = overHttp(port, bearer, `bench-${who}`);
      for (let i = 0; ; i++) {
        const text = `Kill ${kill}, client ${who}, question ${i}: CSV or JSON for the export?`;
        const answer = await call('ask_person', { question: text }).catch(() => null);
        if (!answer) return;
        acknowledged.push(/G-\d+-\d+/.exec(answer)[0]);
      }
    };
    const all = Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
    await new Promise((resolve) => { setTimeout(resolve, 1000 + kill * 130); });
    child.kill('SIGKILL');
    await all;
  }
  const gates = new Set(JSON.parse(run(folder, 'gate', 'list', '--all', '--limit', '100000', '--json')).gates.map((gate) => gate.id));
  const lost = acknowledged.filter((id) => !gates.has(id)).length;
  report('serve', `killed ${rounds} times under load: ${acknowledged.length} writes acknowledged, ${lost} lost (at most 0)`, lost === 0 && acknowledged.length > 0);
}
process.exit();
