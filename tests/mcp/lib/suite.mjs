// Shared by the tests here: packages of tests/mcp, a Node.js that is new enough for the official ones, and projects.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  execFileSync('git', ['init', '-q', place]);
  mkdirSync(join(place, 'src'));
  writeFileSync(join(place, 'src/import.py'), 'x\n');
  return place;
}

/** The environment of a server: nothing of the agent that runs the tests. */
export const environment = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR ?? '/tmp', ...(process.env.ASAN_OPTIONS && { ASAN_OPTIONS: process.env.ASAN_OPTIONS }) };
