// The official conformance suite finds every scenario kept that it scores for servers, in both eras, and those of the tasks
// extension; with the fixtures that it calls, over HTTP.
import { spawn } from 'node:child_process';
import { finish, judge } from '../js/lib/test.mjs';
import { environment, fixtures, project, serve, token, tool, withToken } from './lib/suite.mjs';

const [node, suite] = tool('@modelcontextprotocol/conformance/dist/index.js');
const folder = project();
const server = await serve(folder, '--fixtures', fixtures);
const proxy = await withToken(server.url, token(folder, 'suite', 'agent:suite'));

const run = (...args) => new Promise((resolve) => {
  let all = '';
  const child = spawn(node, [suite, 'server', '--url', proxy.url, ...args], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'], timeout: 240_000 });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { all += text; });
  child.on('close', (status) => resolve({ status, all }));
});

// The version, how many scenarios it scores, and how many of the tasks extension there are.
const counts = [];
for (const [version, scored, tasks] of [['2025-11-25', 30, 0], ['2026-07-28', 37, 10]]) {
  const { status, all } = await run('--requirements', version);
  const summary = all.slice(all.indexOf('=== SUMMARY ==='));
  const unscored = new Set([...summary.matchAll(/^ {2}[✓✗] (\S+) \((?:extension|added-after-release|pending)\)/gm)].map((m) => m[1]));
  const results = [...summary.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gm)].map(([, sign, name]) => ({ name, kept: sign === '✓' }));
  const kept = (list) => list.filter((one) => one.kept).length;
  const required = results.filter((one) => !unscored.has(one.name)), extension = results.filter((one) => one.name.startsWith('tasks-'));
  for (const one of [...required, ...extension]) judge(`${version}: ${one.name}`, one.kept, all.split(`${one.name}'`)[1]?.slice(0, 500));
  judge(`${version}: exit ${status}`, status === 0, summary.slice(-1500));
  judge(`${version}: scenarios`, required.length === scored && extension.length === tasks, summary);
  counts.push(`${version}: ${kept(required)} of ${scored} scored scenarios${tasks ? `, ${kept(extension)} of ${tasks} of the tasks extension` : ''}`);
}
proxy.close();
server.child.kill();
finish(...counts);
