// Shared by the tests here: packages of tests/mcp, a Node.js that is new enough for the official ones, and projects.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { skipTest } from '../../js/lib/test.mjs';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
export const program = process.env.HANDOFF;
export const fixtures = join(folder, 'fixtures.json');

/** A module of a package of tests/mcp, which the whole test needs. */
export async function wants(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return skipTest(`the npm package of ${name} is not installed in tests/mcp`);
  }
}

/** What runs a program of a package of tests/mcp: [node, file]. */
export function tool(file) {
  const node = join(folder, 'node_modules/node/bin/node'), path = join(folder, 'node_modules', file);
  if (!existsSync(node) || !existsSync(path)) skipTest(`${existsSync(node) ? file : 'node'} is not installed in tests/mcp`);
  return [node, path];
}

/** A project of its own, with a file to hand over. */
export function project() {
  const place = mkdtempSync(join(tmpdir(), 'handoff-mcp-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  environment.XDG_DATA_HOME = `${place}.data`; // where tokens are kept
  process.on('exit', () => rmSync(environment.XDG_DATA_HOME, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', place]);
  mkdirSync(join(place, 'src'));
  writeFileSync(join(place, 'src/import.py'), 'x\n');
  return place;
}

/** The environment of a server: nothing of the agent that runs the tests. */
export const environment = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR ?? '/tmp', ...(process.env.ASAN_OPTIONS && { ASAN_OPTIONS: process.env.ASAN_OPTIONS }) };

/** A server over HTTP for the project; it ends with the test. */
export async function serve(place, ...options) {
  const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', ...options], { cwd: place, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const at = /^listening on (http:\S+)/.exec(line)?.[1];
    if (at) return { child, url: new URL('/mcp', at) };
  }
  throw new Error('the server did not start');
}

/** A token that a person makes. */
export const token = (place, name, role) =>
  execFileSync(join(folder, 'lib/person'), [place, program, 'token', 'new', name, '--role', role],
    { env: { ...process.env, ...environment }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** For clients that cannot be told a token: the address of a proxy that adds it, and changes nothing else. */
export async function withToken(url, secret) {
  const proxy = http.createServer((request, response) => {
    const { hostname, port } = url, { method, url: path, headers } = request;
    const onwards = http.request({ hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${secret}` } }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    response.on('close', () => onwards.destroy());
    request.pipe(onwards);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${proxy.address().port}${url.pathname}`, close: () => proxy.close() };
}
