// The plugin for opencode (this file is not named after it: a script of that name is an agent's), called as opencode calls it: what the agent is told, what its commands know, what it may not run. Whatever
// goes wrong keeps it from nothing.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, must, program, run, temporaryFolder } from './lib/ledger.mjs';
import { finish, judge } from './lib/test.mjs';

const home = temporaryFolder(), folder = join(home, 'project'), bin = join(home, 'bin'), person = environment(home);
mkdirSync(folder);
mkdirSync(bin);
symlinkSync(program, join(bin, 'handoff'));
for (const name of Object.keys(process.env)) if (!/^(PATH|TMPDIR|ASAN_OPTIONS)$/.test(name)) delete process.env[name];
Object.assign(process.env, { HOME: home, LC_ALL: 'C.UTF-8', PATH: `${bin}:${process.env.PATH}`, OPENCODE: '1' });
run(folder, person, ['init']);
judge('installed', run(folder, person, ['install', 'opencode']).status === 0 && existsSync(join(folder, '.opencode/plugins/handoff.js')));
const { Handoff } = await import(join(folder, '.opencode/plugins/handoff.js'));
const hooks = await Handoff({ directory: folder }), session = 'ses_1';
const start = async (of = hooks, sessionID = session) => { const out = { system: ['first'] }; await of['experimental.chat.system.transform']({ sessionID, model: {} }, out); return out.system; };
const refused = async (command, tool = 'bash') => { try { await hooks['tool.execute.before']({ tool, sessionID: session, callID: '1' }, { args: { command } }); return false; } catch (error) { return error.message.includes('person'); } };

judge('nothing waits', (await start(hooks, 'ses_0')).length === 1);
const { id } = must(folder, { ...person, HANDOFF_AGENT: 'planner' }, ['send', '--to', 'opencode', 'Review the import of station readings']);
const told = await start();
judge('what waits is offered', told.length === 2 && told[1].includes(id), JSON.stringify(told));
judge('in front of every request', (await start()).join() === told.join());
judge('a request of no session', (await start(hooks, null)).length === 1);

const env = {};
await hooks['shell.env']({ cwd: folder, sessionID: session }, { env });
judge('commands know their session', env.OPENCODE_SESSION_ID === session);
for (const command of ['handoff gate decide G-2026-001 approve', 'cd x && /usr/bin/handoff --root . gate  decide 1 reject', 'handoff install claude', 'handoff trust'])
  judge(`refused: ${command}`, await refused(command));
for (const command of ['handoff inbox', 'handoff gate show 1', 'ls trust', undefined]) judge(`allowed: ${command}`, !(await refused(command)));
judge('another tool', !(await refused('handoff trust', 'read')));

const result = { title: '', output: 'done', metadata: {} };
await hooks['tool.execute.after']({ tool: 'bash', sessionID: session, callID: '1', args: { command: 'ls' } }, result);
judge('a tool says what it said', result.output.startsWith('done'), result.output);
must(folder, { ...person, HANDOFF_AGENT: 'opencode', HANDOFF_SESSION: session }, ['progress', 'start', '--task', '7', '--slug', 'review', '--phase', '1', '--objective', 'Read it']);
const compacting = { context: [] };
await hooks['experimental.session.compacting']({ sessionID: session }, compacting);
judge('a compaction is told of the draft', compacting.context.length === 1 && /draft HO-\d+-\d+ was saved/.test(compacting.context[0]), JSON.stringify(compacting));
await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: session } } });
judge('afterwards it is shown', (await start()).join().includes('Your latest handoff'), JSON.stringify(await start()));
for (const event of [{ type: 'session.idle', properties: { sessionID: session } }, { type: 'session.deleted', properties: { info: { id: session } } }, { type: 'message.updated', properties: {} }]) await hooks.event({ event });

for (const script of ['#!/bin/sh\nexit 1\n', '#!/bin/sh\necho nonsense\n', null]) { // a program that fails, that says anything, that is not there
  process.env.PATH = join(home, 'broken');
  mkdirSync(process.env.PATH, { recursive: true });
  const file = join(process.env.PATH, 'handoff');
  if (script) { writeFileSync(file, script); chmodSync(file, 0o755); } else process.env.PATH = join(home, 'none');
  const alone = await Handoff({ directory: folder }), kept = { output: 'done' };
  await alone['tool.execute.after']({ tool: 'bash', sessionID: session, args: {} }, kept);
  judge('the agent goes on', kept.output === 'done' && (await start(alone)).length === 1, JSON.stringify([script, kept]));
}
finish();
