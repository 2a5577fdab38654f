// Codex's published JSON Schemas accept every event that is sent here and every reply that `hook codex` gives to it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const schemas = resolve('..', 'shared/corpus/openai+codex/hooks-schema');
const handoff = process.env.HANDOFF;
let Ajv;
try {
  Ajv = (await import('ajv')).default;
} catch {
  console.log('skipped: the npm package ajv is not installed');
  process.exit(77);
}
if (!existsSync(schemas)) {
  console.log('skipped: the schemas of Codex are not there');
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'hooks-'));
const project = join(folder, 'project');
mkdirSync(join(project, '.handoff'), { recursive: true });
const full = join(folder, 'full.jsonl');
copyFileSync('tests/data/transcripts/codex-usage.jsonl', full);

const env = { PATH: process.env.PATH, HANDOFF_TOKENS: join(folder, 'none') };
let passed = 0, failed = 0;
const schema = (event, way) => {
  const path = join(schemas, `${event.replace(/(?<=.)[A-Z]/g, (c) => `-${c}`).toLowerCase()}.command.${way}.schema.json`);
  return existsSync(path) ? new Ajv({ strict: false }).compile(JSON.parse(readFileSync(path, 'utf8'))) : null;
};
const judge = (what, validate, value) => {
  if (!validate || validate(value)) {
    passed++;
  } else {
    failed++;
    console.log(`${what}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(value)}`);
  }
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
const send = (event, input) => execFileSync(handoff, ['hook', 'codex'], { cwd: project, env, input: JSON.stringify(input), encoding: 'utf8' });

let spoke = 0;
const ask = (event, session, more) => {
  const input = { ...common(event, session), ...own[event], ...more };
  if (event === 'PreCompact' || event === 'SessionEnd') delete input.permission_mode;
  if (event === 'SessionEnd') delete input.model;
  judge(`the input of ${event}`, schema(event, 'input'), input);
  const reply = JSON.parse(send(event, input));
  judge(`the reply to ${event}`, schema(event, 'output'), reply);
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
  judge(`the refusal of ${event}`, (r) => r.decision === 'block' && r.reason.length > 0, reply);
  judge(`the second refusal of ${event}`, (r) => !('decision' in r), ask(event, `block-${event}`, { stop_hook_active: true }));
}
rmSync(folder, { recursive: true });
if (spoke < 5) {
  failed++;
  console.log(`only ${spoke} replies say something`);
}
console.log(`${passed} passed, ${failed} failed; ${spoke} replies say something`);
process.exit(failed ? 1 : 0);
