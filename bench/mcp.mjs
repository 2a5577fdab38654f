// `handoff mcp` beside the reference memory server, both over stdio, in turns: how soon each answers after its start, what a
// search costs, how many calls it answers in a second if every tenth one writes, and the memory that it holds then. What
// `handoff` writes is synced, which the memory server does not do; writes alone are told without a limit, because they are as
// fast as the disk.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { handoff, median, report, reportSync, root, temporaryProject } from './lib_bench.mjs';

const rounds = 5, calls = 200;
const memory = join(root, 'tests/js/node_modules/@modelcontextprotocol/server-memory/dist/index.js');
if (!existsSync(memory)) {
  console.log('mcp      the reference memory server is not installed; run: make deps-test');
  process.exit(1);
}

/** A client of one server: what it answers, by request. */
function open(command, args, options) {
  const begin = process.hrtime.bigint();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], ...options });
  const waiting = new Map();
  let number = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const ask = (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++number, method, params })}\n`);
    return new Promise((resolve, reject) =>
      waiting.set(number, (m) => (m.error || m.result.isError ? reject(new Error(JSON.stringify(m))) : resolve(m.result))));
  };
  const since = (from) => Number(process.hrtime.bigint() - from) / 1e6;
  return {
    since, begin, ask,
    call: (name, args_) => ask('tools/call', { name, arguments: args_ }),
    hello: () => ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }),
    kilobytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]),
    end: () => new Promise((resolve) => { child.on('exit', resolve); child.stdin.end(); setTimeout(() => child.kill(), 500).unref(); }),
  };
}

/** One round with a server: milliseconds to the first answer, a search's median, calls and writes per second, kilobytes. */
async function measure(server, read, write) {
  await server.hello();
  await server.ask('tools/list', {});
  const start = server.since(server.begin), each = [];
  await write(server, 'first');
  for (let i = 0; i < calls; i++) {
    const from = process.hrtime.bigint();
    await read(server);
    each.push(server.since(from));
  }
  const rate = async (one) => {
    const from = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) await one(i);
    return (calls / server.since(from)) * 1000;
  };
  const mixed = await rate((i) => (i % 10 ? read(server) : write(server, i)));
  const written = await rate((i) => write(server, calls + i));
  const kilobytes = server.kilobytes();
  await server.end();
  return { start, read: median(each), mixed, written, kilobytes };
}

const ours = [], theirs = [];
for (let round = 0; round < rounds; round++) {
  ours.push(await measure(
    open(handoff, ['mcp'], { cwd: temporaryProject(), env: { ...process.env, HANDOFF_AGENT: 'bench' } }),
    (s) => s.call('search_knowledge', { query: 'station' }),
    (s, i) => s.call('report_progress', i === 'first'
      ? { action: 'start', objectives: ['The import reads all stations'], task: '1-import', phase: '1' }
      : { action: 'tried', text: `Reading station ${i} at once`, why: `Station ${i} sends 2 GB a year`, task: '1-import', phase: '1' })));
  const folder = mkdtempSync(join(tmpdir(), 'handoff-bench-'));
  theirs.push(await measure(
    open(process.execPath, [memory], { env: { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } }),
    (s) => s.call('search_nodes', { query: 'station' }),
    (s, i) => s.call('create_entities', { entities: [{ name: `station-${i}`, entityType: 'gotcha', observations: [`Station ${i} sends 2 GB a year`] }] })));
  rmSync(folder, { recursive: true, force: true });
}
const of = (list, key) => median(list.map((one) => one[key]));
const ratio = (key, more) => (more ? of(ours, key) / of(theirs, key) : of(theirs, key) / of(ours, key));
const line = (what, unit, key, more, least) =>
  report('mcp', `${what}: ${of(ours, key).toFixed(unit === 'ms' ? 2 : 0)} ${unit}, memory server ${of(theirs, key).toFixed(unit === 'ms' ? 2 : 0)} ${unit} (${ratio(key, more).toFixed(1)} ×, at least ${least} ×)`, ratio(key, more) >= least);
line('start to tools/list', 'ms', 'start', false, 30);
line('a search', 'ms', 'read', false, 1);
line('calls per second, every tenth writes', '/s', 'mixed', true, 5);
reportSync('mcp', temporaryProject(), of(theirs, 'mixed'), 5);
line('memory after them', 'kB', 'kilobytes', false, 10);
console.log(`mcp      writes alone, per second: ${of(ours, 'written').toFixed(0)} synced, memory server ${of(theirs, 'written').toFixed(0)} not synced`);
