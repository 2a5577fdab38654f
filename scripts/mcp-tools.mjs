#!/usr/bin/env node
// mcp-tools PROGRAM: the table of tools of docs/mcp.md, as the program says it itself.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

const ask = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n';
const input = ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'docs', version: '1' } }) +
  ask(2, 'tools/list');
const said = spawnSync(process.argv[2], ['mcp', '--tools', 'all', '--root', tmpdir()], { input, encoding: 'utf8' });
const tools = said.stdout.trim().split('\n').map((line) => JSON.parse(line)).find((m) => m.id === 2).result.tools;
const plain = (text) => text.replaceAll('|', '\\|');

console.log('| tool | arguments | what it does |\n| --- | --- | --- |');
for (const { name, description, inputSchema, annotations } of tools) {
  const args = Object.keys(inputSchema.properties)
    .map((key) => ((inputSchema.required ?? []).includes(key) ? `**${key}**` : key));
  console.log(`| \`${name}\` | ${args.join(', ')} | ${plain(description)}${annotations.readOnlyHint ? ' Changes nothing.' : ''} |`);
}
