// The official client of the Agent2Agent protocol hands work to an agent of the project: sends, streams, answers, reads the
// result, cancels; a person decides with it. The agent at the other end uses the command line.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { environment, must, program, run, temporaryFolder } from './lib/ledger.mjs';
import { finish, judge, needs } from './lib/test.mjs';

const sdk = await needs('@a2a-js/sdk', '/client');
const { Role, TaskState } = await needs('@a2a-js/sdk');
const home = temporaryFolder(), folder = join(home, 'project'), person = environment(home);
mkdirSync(folder);
const as = (agent) => ({ ...person, HANDOFF_AGENT: agent, HANDOFF_SESSION: `s-${agent}` });
const token = (name, role) => must(folder, person, ['token', 'new', name, '--role', role]).token;
run(folder, person, ['init']);
const tokens = { coder: token('coder', 'agent:coder'), other: token('other', 'agent:other'), alice: token('alice', 'decide:alice'), reader: token('reader', 'read') };

const server = spawn(program, ['serve', '--listen', '127.0.0.1:0'], { cwd: folder, env: person, stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => server.kill('SIGKILL'));
const at = await new Promise((resolve, reject) => {
  let said = '';
  server.stdout.on('data', (data) => { said += data; const line = /listening on (http:\S+)/.exec(said); if (line) resolve(line[1]); });
  server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
});

async function connect(name) {
  const fetchImpl = (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${tokens[name]}`);
    return fetch(url, { ...init, headers });
  };
  const options = sdk.ClientFactoryOptions.createFrom(sdk.ClientFactoryOptions.default, {
    transports: [new sdk.JsonRpcTransportFactory({ fetchImpl })], cardResolver: new sdk.DefaultAgentCardResolver({ fetchImpl }) });
  return new sdk.ClientFactory(options).createFromUrl(at);
}
const text = (value) => ({ content: { $case: 'text', value }, filename: '', mediaType: '' });
const message = (words, more = {}) => ({ message: { messageId: randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, extensions: [], referenceTaskIds: [], parts: [text(words)], metadata: undefined, ...more } });
const now = (params) => ({ ...params, configuration: { acceptedOutputModes: [], returnImmediately: true } });
const words = (message) => (message?.parts ?? []).filter((part) => part.content.$case === 'text').map((part) => part.content.value).join('\n');
async function fails(what, promise, name) {
  try { judge(what, false, JSON.stringify(await promise)); } catch (error) { judge(what, error.name === name, `${error.name}: ${error.message}`); }
}
const coder = await connect('coder'), alice = await connect('alice'), reader = await connect('reader'), other = await connect('other');

// ---- It sends a task; without a receiver, or one that says nothing, it is told so.
const review = 'Review the CSV import in src/import.py and name each defect with its file and line';
await fails('a message for nobody', coder.sendMessage(message(review)), 'RequestMalformedError');
await fails('a message that says nothing', coder.sendMessage(message(' ', { metadata: { skill: 'reviewer' } })), 'RequestMalformedError');
const first = message(review, { metadata: { skill: 'reviewer', criteria: ['Each defect names a file and a line'] }, contextId: 'import-csv' });
const sent = await coder.sendMessage(now(first));
judge('sent', sent.status?.state === TaskState.TASK_STATE_SUBMITTED && sent.contextId === 'import-csv', JSON.stringify(sent));
judge('its sender and receiver', sent.metadata.from === 'coder' && sent.metadata.to === 'reviewer', JSON.stringify(sent.metadata));
const again = await coder.sendMessage(now(first));
judge('the same message is the same task', again.id === sent.id, again.id);
await fails('another text with that messageId', coder.sendMessage(now({ message: { ...first.message, parts: [text(`${review}, by Friday at the latest`)] } })), 'UnsupportedOperationError');
const card = await (await connect('reader')).getAgentCard();
judge('the card', card.skills.map((skill) => skill.id).join() === 'reviewer' && card.capabilities.streaming && card.supportedInterfaces[0].protocolVersion === '1.0', JSON.stringify(card));

// ---- Its stream tells of every step, until it is asked something.
const told = [];
const streaming = (async () => {
  for await (const event of coder.sendMessageStream(message('Measure how much memory an import of 2 GB needs, with a table of the figures', { metadata: { skill: 'reviewer' } }))) told.push(event.payload);
})();
const until = async (done) => { for (let i = 0; i < 200 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 50)); return done(); };
await until(() => told.length > 0);
judge('a stream begins with its task', told[0].$case === 'task' && told[0].value.status.state === TaskState.TASK_STATE_SUBMITTED, JSON.stringify(told));
const id = told[0].value.id;
must(folder, as('reviewer'), ['claim', id]);
must(folder, as('reviewer'), ['ack', id, '--task', 'Measure the memory', '--blocker', 'On which machine?']);
await streaming;
const asked = told.at(-1).value.status;
judge('a stream ends with a question', asked.state === TaskState.TASK_STATE_INPUT_REQUIRED && words(asked.message) === 'On which machine?', JSON.stringify(told.at(-1)));

// ---- It answers the clarification, waits, and reads the result.
await fails('somebody else answers', other.sendMessage(message('On mine', { taskId: id })), 'UnsupportedOperationError');
await fails('an answer in another context', coder.sendMessage(message('On the small one', { taskId: id, contextId: 'elsewhere' })), 'RequestMalformedError');
const waiting = coder.sendMessage(message('On the small one, with 2 GB', { taskId: id }));
judge('answered', await until(() => must(folder, person, ['show', id]).handoff.state === 'ready'));
must(folder, as('reviewer'), ['claim', id, '--ack']);
const followed = [];
const following = (async () => { for await (const event of coder.resubscribeTask({ tenant: '', id })) followed.push(event.payload); })();
await until(() => followed.length > 0);
must(folder, as('reviewer'), ['return', id, '-'], `handoff:
  from: {agent: reviewer}
  to: {agent: coder}
  context:
    summary: An import of 2 GB needs 14 MB of memory on the small machine
  expectations:
    deliverable: A decision whether 14 MB are little enough
`);
const done = await waiting;
judge('the answer waits for the result', done.id === id && done.status.state === TaskState.TASK_STATE_COMPLETED, JSON.stringify(done.status));
await following;
judge('a subscription tells what came of it', followed.at(-1).value.status.state === TaskState.TASK_STATE_COMPLETED && followed.at(-2).$case === 'artifactUpdate', JSON.stringify(followed));
const read = await reader.getTask({ tenant: '', id });
judge('the result', words(read.artifacts[0]).includes('14 MB of memory') && read.artifacts[0].parts.some((part) => part.content.$case === 'data' && part.content.value.handoff.context.summary.includes('14 MB')), JSON.stringify(read.artifacts));
judge('what was said', read.history.length === 3 && words(read.history[1]) === 'On which machine?' && read.history[1].role === Role.ROLE_AGENT && words(read.history[2]).startsWith('On the small one') && read.history[2].role === Role.ROLE_USER, JSON.stringify(read.history));
judge('less of it', (await reader.getTask({ tenant: '', id, historyLength: 1 })).history.length === 1);
judge('none of it', (await reader.getTask({ tenant: '', id, historyLength: 0 })).history.length === 0);
await fails('a subscription to what has ended', (async () => { for await (const event of coder.resubscribeTask({ tenant: '', id })) void event; })(), 'UnsupportedOperationError');
await fails('a message to what has ended', coder.sendMessage(message('And now?', { taskId: id })), 'UnsupportedOperationError');

// ---- It cancels; only its sender may, and only once.
await fails('somebody else cancels', other.cancelTask({ tenant: '', id: sent.id, metadata: undefined }), 'UnsupportedOperationError');
const canceled = await coder.cancelTask({ tenant: '', id: sent.id, metadata: { note: 'Not needed any more' } });
judge('canceled', canceled.status.state === TaskState.TASK_STATE_CANCELED && words(canceled.status.message) === 'Not needed any more', JSON.stringify(canceled.status));
await fails('canceled twice', coder.cancelTask({ tenant: '', id: sent.id, metadata: undefined }), 'TaskNotCancelableError');
await fails('no such task', coder.getTask({ tenant: '', id: 'HO-2026-999' }), 'TaskNotFoundError');
await fails('no task by that name', coder.getTask({ tenant: '', id: '../etc/passwd' }), 'TaskNotFoundError');

// ---- A gate: its agent is told where, the person decides, and whoever followed is told.
const question = await coder.sendMessage(now(message('Delete the old station table before Friday?', { metadata: { skill: 'human' } })));
judge('gated, for an agent', question.status.state === TaskState.TASK_STATE_AUTH_REQUIRED && words(question.status.message).includes(`${at}/api/v1/gate/show/${question.metadata.gate}`), JSON.stringify(question));
await fails('an agent decides', coder.sendMessage(message('approve', { taskId: question.id })), 'UnsupportedOperationError');
await fails('a reader decides', reader.sendMessage(message('approve', { taskId: question.id })), 'UnsupportedOperationError');
await fails('a reader sends', reader.sendMessage(message(review, { metadata: { skill: 'reviewer' } })), 'UnsupportedOperationError');
await fails('a person sends', alice.sendMessage(message(review, { metadata: { skill: 'reviewer' } })), 'UnsupportedOperationError');
const open = await alice.getTask({ tenant: '', id: question.id });
judge('gated, for a person', open.status.state === TaskState.TASK_STATE_INPUT_REQUIRED && words(open.status.message).includes('old station table'), JSON.stringify(open.status));
await fails('no decision', alice.sendMessage(message('Yes, well', { taskId: question.id })), 'RequestMalformedError');
const awaited = [];
const deciding = (async () => { for await (const event of coder.resubscribeTask({ tenant: '', id: question.id })) awaited.push(event.payload); })();
await until(() => awaited.length > 0);
const decided = await alice.sendMessage(now(message('Approve: the copy is safe', { taskId: question.id })));
judge('decided', decided.status.state !== TaskState.TASK_STATE_INPUT_REQUIRED, JSON.stringify(decided.status));
judge('the agent is told', await until(() => awaited.length > 1), JSON.stringify(awaited));
const gate = must(folder, person, ['gate', 'show', question.metadata.gate]);
judge('recorded as whose it was', gate.decision === 'approve' && gate.decided_by === 'token:alice' && gate.note === 'the copy is safe', JSON.stringify(gate));

// ---- It lists, page by page.
const page = await reader.listTasks({ tenant: '', contextId: '', status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: '', pageSize: 2, statusTimestampAfter: undefined });
judge('a page', page.tasks.length === 2 && page.totalSize > 3 && page.nextPageToken === page.tasks[1].id, JSON.stringify(page));
const next = await reader.listTasks({ tenant: '', contextId: '', status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: page.nextPageToken, pageSize: 2, statusTimestampAfter: undefined });
judge('the next one', next.tasks.length > 0 && !page.tasks.some((task) => next.tasks.some((each) => each.id === task.id)), JSON.stringify(next));
const ended = await reader.listTasks({ tenant: '', contextId: 'import-csv', status: TaskState.TASK_STATE_CANCELED, pageToken: '', statusTimestampAfter: undefined });
judge('of a context, in a state', ended.tasks.length === 1 && ended.tasks[0].id === sent.id && ended.totalSize === 1, JSON.stringify(ended));
const none = await alice.listTasks({ tenant: '', contextId: '', status: TaskState.TASK_STATE_AUTH_REQUIRED, pageToken: '', statusTimestampAfter: undefined });
judge('no such state for a person', none.tasks.length === 0, JSON.stringify(none));

// ---- What there is not, it is told.
const post = (body, headers = {}) => fetch(`${at}/a2a`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { authorization: `Bearer ${tokens.coder}`, 'content-type': 'application/json', 'a2a-version': '1.0', ...headers } });
const refused = async (what, code, body, headers) => { const answer = await (await post(body, headers)).json(); judge(what, answer.error?.code === code, JSON.stringify(answer)); };
const request = (method, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
for (const method of ['Create', 'Get', 'Delete']) await refused('push notifications', -32003, request(`${method}TaskPushNotificationConfig`, { taskId: id }));
await refused('a message with push notifications', -32003, request('SendMessage', { message: {}, configuration: { taskPushNotificationConfig: {} } }));
await refused('another card', -32007, request('GetExtendedAgentCard'));
await refused('a method of an older version', -32601, request('message/send'));
await refused('an older version', -32009, request('GetTask', { id }), { 'a2a-version': '' });
await refused('a later version', -32009, request('GetTask', { id }), { 'a2a-version': '2.0' });
await refused('a file', -32005, request('SendMessage', { message: { messageId: '1', parts: [{ url: 'file:///etc/passwd' }] } }));
const ending = new Promise((resolve) => server.on('exit', resolve));
server.kill('SIGTERM');
await deciding; // whoever follows a task is told the end of the stream
judge('it ends', await ending === 0);
finish();
