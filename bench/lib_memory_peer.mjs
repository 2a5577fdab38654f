// lib_memory_peer FACTS EACH: the MCP reference memory server over stdio; create_entities with EACH facts a call until it
// knows FACTS. Prints the facts a second. Exits 77 where the server is not installed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './lib_bench.mjs';

const server = join(root, 'tests/js/node_modules/@modelcontextprotocol/server-memory/dist/index.js');
if (!existsSync(server)) process.exit(77);
const [facts, each] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'handoff-peer-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const child = spawn(process.execPath, [server], {
  stdio: ['pipe', 'pipe', 'ignore'],
  env: { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
});
const waiting = new Map();
createInterface({ input: child.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});
let number = 0;
function call(method, params) {
  const id = ++number;
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  return new Promise((resolve, reject) => waiting.set(id, (m) => (m.error || m.result?.isError ? reject(new Error(JSON.stringify(m))) : resolve(m.result))));
}
await call('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
const begin = process.hrtime.bigint();
for (let n = 0; n < facts; n += each) {
  const entities = Array.from({ length: each }, (_, i) => ({
    name: `gotcha-${n + i}`,
    entityType: 'gotcha',
    observations: [`Component ${n + i} of word${(n + i) % 4000} needs word${(n + i) % 997} before step ${(n + i) % 977}`, `Call word${(n + i) % 613} first`],
  }));
  await call('tools/call', { name: 'create_entities', arguments: { entities } });
}
console.log(Math.round(facts / (Number(process.hrtime.bigint() - begin) / 1e9)));
child.kill();
process.exit(0);
