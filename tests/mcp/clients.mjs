// The official TypeScript clients of both eras carry a handoff from create to done.
import { finish, judge } from '../js/lib/test.mjs';
import { environment, program, project, serve, token, wants } from './lib/suite.mjs';

const v1 = await wants('@modelcontextprotocol/sdk/client/index.js');
const v1Stdio = await wants('@modelcontextprotocol/sdk/client/stdio.js');
const v1Http = await wants('@modelcontextprotocol/sdk/client/streamableHttp.js');
const v2 = await wants('@modelcontextprotocol/client');
const v2Stdio = await wants('@modelcontextprotocol/client/stdio');

const data = (result) => result.structuredContent ?? JSON.parse(result.content[0].text);

/** What two agents do with each other's work; `connect` makes a client for an agent. */
async function carry(what, connect) {
  const folder = project();
  const importer = await connect(folder, 'importer'), reviewer = await connect(folder, 'reviewer');
  const call = async (client, name, args = {}) => client.callTool({ name, arguments: args });
  const tools = (await importer.listTools()).tools.map((tool) => tool.name);
  judge(`${what}: ten tools`, tools.length === 10, tools.join());
  const wrong = await call(importer, 'send_handoff', { to: 'reviewer', summary: "It's done", criteria: ['good'] });
  judge(`${what}: findings`, wrong.isError && data(wrong).findings.length > 1, JSON.stringify(wrong));
  const waiting = call(reviewer, 'next_handoff', { wait: 30 });
  const sent = data(await call(importer, 'send_handoff', {
    to: 'reviewer', type: 'delegation', key: 'review-1',
    summary: 'The CSV import of station readings is done: one streaming reader and a format page. 2 GB in 41 seconds.',
    deliverable: 'A review report that names each defect with file and line',
    criteria: ['An import of 2 GB needs less than 16 MB of memory'],
    artifacts: ['src/import.py: the reader'],
  }));
  judge(`${what}: sent`, sent.state === 'ready', JSON.stringify(sent));
  const taken = data(await waiting);
  judge(`${what}: taken`, taken.id === sent.id && taken.from === 'importer', JSON.stringify(taken));
  const shown = await importer.readResource({ uri: `handoff://handoff/${sent.id}` });
  judge(`${what}: read`, shown.contents[0].text.includes('station readings'), JSON.stringify(shown));
  const acked = data(await call(reviewer, 'reply_to_handoff', { task: 'Review the reader for memory and speed' }));
  judge(`${what}: accepted`, acked.state === 'acked', JSON.stringify(acked));
  const prompts = (await reviewer.listPrompts()).prompts.map((prompt) => prompt.name);
  judge(`${what}: prompts`, prompts.join() === 'teammate,successor,inject', prompts.join());
  const prompt = await reviewer.getPrompt({ name: 'successor', arguments: { id: sent.id } });
  judge(`${what}: prompt`, prompt.messages[0].content.text.includes("station readings"), JSON.stringify(prompt).slice(0, 500));
  const done = data(await call(reviewer, 'finish_handoff', { outcome: 'done', note: 'No defect was found in src/import.py' }));
  judge(`${what}: done`, done.state === 'done', JSON.stringify(done));
  const known = data(await call(importer, 'handoff_status', { id: sent.id }));
  judge(`${what}: the sender sees it`, known.state === 'done', JSON.stringify(known));
  await importer.close();
  await reviewer.close();
}

const identity = (name) => ({ name, version: '1.0.0' });
const server = (folder) => ({ command: program, args: ['mcp'], cwd: folder, env: environment });
await carry('initialize, stdio', async (folder, name) => {
  const client = new v1.Client(identity(name));
  await client.connect(new v1Stdio.StdioClientTransport(server(folder)));
  return client;
});
await carry('stateless, stdio', async (folder, name) => {
  const client = new v2.Client(identity(name), { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new v2Stdio.StdioClientTransport(server(folder)));
  return client;
});

// Over HTTP, whose token it is says who acts, whatever the client calls itself.
const servers = new Map();
async function address(folder, name) {
  if (!servers.has(folder)) servers.set(folder, await serve(folder));
  return [servers.get(folder).url, { requestInit: { headers: { Authorization: `Bearer ${token(folder, name, `agent:${name}`)}` } } }];
}
await carry('initialize, HTTP', async (folder, name) => {
  const client = new v1.Client(identity('some client'));
  await client.connect(new v1Http.StreamableHTTPClientTransport(...await address(folder, name)));
  return client;
});
await carry('stateless, HTTP', async (folder, name) => {
  const client = new v2.Client(identity('some client'), { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new v2.StreamableHTTPClientTransport(...await address(folder, name)));
  return client;
});
for (const { child } of servers.values()) child.kill();
finish();
