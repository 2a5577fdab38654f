// Codex's published JSON Schemas accept every event that is sent here and every reply that `hook codex` gives to it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, temporaryFolder } from './lib/ledger.mjs';
import { finish, judge, needs, needsShared } from './lib/test.mjs';

const { default: Ajv } = await needs('ajv');
const schemas = needsShared('corpus/openai+codex/hooks-schema');

const folder = temporaryFolder();
const project = join(folder, 'project');
mkdirSync(join(project, '.handoff'), { recursive: true });
const full = join(folder, 'full.jsonl');
copyFileSync('tests/data/transcripts/codex-usage.jsonl', full);

const env = { PATH: process.env.PATH, HANDOFF_TOKENS: join(folder, 'none') };
const fits = (what, event, way, value) => {
  const path = join(schemas, `${event.replace(/(?<=.)[A-Z]/g, (c) => `-${c}`).toLowerCase()}.command.${way}.schema.json`);
  const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(path, 'utf8')));
  judge(what, validate(value), `${JSON.stringify(validate.errors)}\n${JSON.stringify(value)}`);
};
const common = (event, session) => ({ session_id: session, transcript_path: full, cwd: project, hook_event_name: event,
  model: 'gpt-5-codex', permission_mode: 'default' });
const subagent = { agent_id: 'a1', agent_type: 'worker' };
const tool = { turn_id: 't', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'u' };
const stop = { turn_id: 't', stop_hook_active: false, last_assistant_message: 'Done.' };
const own = {
  SessionStart: { source: 'startup' },
  PreToolUse: tool,
  PostToolUse: { ...tool, tool_response: 'x' },
  PreCompact: { turn_id: 't', trigger: 'auto' },
  Stop: stop,
  SubagentStop: { ...stop, ...subagent, agent_transcript_path: full },
  SessionEnd: { reason: 'other' },
};
const send = (event, input) => execFileSync(program, ['hook', 'codex'], { cwd: project, env, input: JSON.stringify(input), encoding: 'utf8' });

let spoke = 0;
const ask = (event, session, more) => {
  const input = { ...common(event, session), ...own[event], ...more };
  if (event === 'PreCompact' || event === 'SessionEnd') delete input.permission_mode;
  if (event === 'SessionEnd') delete input.model;
  fits(`the input of ${event}`, event, 'input', input);
  const reply = JSON.parse(send(event, input));
  if (event !== 'SessionEnd') fits(`the reply to ${event}`, event, 'output', reply); // nobody reads what SessionEnd is told
  spoke += Object.keys(reply).length > 0;
  return reply;
};
for (const event of Object.keys(own)) {
  ask(event, `first-${event}`);
  ask(event, `first-${event}`);
  ask(event, `none-${event}`, { transcript_path: null });
}
ask('SessionStart', 'first-PreCompact', { source: 'compact' });
writeFileSync(join(project, '.handoff/config.yaml'), 'without_handoff: block\n');
for (const event of ['Stop', 'SubagentStop']) {
  const reply = ask(event, `block-${event}`);
  judge(`the refusal of ${event}`, reply.decision === 'block' && reply.reason.length > 0, JSON.stringify(reply));
  const second = ask(event, `block-${event}`, { stop_hook_active: true });
  judge(`the second refusal of ${event}`, !('decision' in second), JSON.stringify(second));
}
judge('some replies say something', spoke >= 5, `only ${spoke} do`);
finish(`${spoke} replies say something`);
