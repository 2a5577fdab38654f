// Sessions of each harness, replayed entry by entry: at every step the figure is right to the token, the agent is asked at
// the very step where a level is reached and not a token before, once a level; and the same again gives the same.
// Recorded transcripts are followed line by line beside a reader of our own.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, run, temporaryFolder } from './lib/ledger.mjs';
import { finish, hasShared, judge } from './lib/test.mjs';

const folder = temporaryFolder(), env = { ...environment(folder), HANDOFF_TOKENS: join(folder, 'none') };
const line = (value) => `${JSON.stringify(value)}\n`;

// What each harness writes when the context has come to hold `used` tokens, and when it was compacted.
const harnesses = {
  claude: {
    event: 'PostToolUse', window: 200000, file: 'session.jsonl',
    write(path, used, n) {
      const message = (output, content) => ({ id: `m${n}`, role: 'assistant', model: 'claude-opus-4-1-20250805', content: [content],
        usage: { input_tokens: 4, cache_creation_input_tokens: 900, cache_read_input_tokens: used - 904 - 100, output_tokens: output } });
      const entry = (isSidechain, value) => line({ type: 'assistant', sessionId: 's', isSidechain, requestId: `r${n}`, message: value });
      appendFileSync(path, entry(false, message(1, { type: 'text', text: 'I look.' })));
      appendFileSync(path, entry(false, message(100, { type: 'tool_use', id: `t${n}`, name: 'Bash', input: { command: `make ${n}` } })));
      appendFileSync(path, entry(true, { ...message(7, { type: 'text', text: 'A subagent.' }), id: `side${n}` }));
      appendFileSync(path, line({ type: 'user', isSidechain: false, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: 'x' }] } }));
    },
    compact: (path, before, after) => appendFileSync(path, line({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted',
      isSidechain: false, compactMetadata: { trigger: 'auto', preTokens: before, postTokens: after } })),
  },
  codex: {
    event: 'PostToolUse', window: 258400, file: 'rollout-1.jsonl',
    write(path, used, n) {
      const entry = (type, payload) => appendFileSync(path, line({ timestamp: '2026-08-22T10:00:00.000Z', type, payload }));
      if (n === 0) entry('turn_context', { cwd: '/p', model: 'gpt-5-codex' });
      entry('event_msg', { type: 'token_count', info: null, rate_limits: null });
      entry('response_item', { type: 'function_call', name: 'shell', arguments: JSON.stringify({ command: ['make', `${n}`] }), call_id: `c${n}` });
      const last = { input_tokens: n % 2 ? `${used - 300}` : used - 300, cached_input_tokens: 4000, output_tokens: 300, reasoning_output_tokens: null, total_tokens: used };
      entry('event_msg', { type: 'token_count', info: { total_token_usage: { ...last, total_tokens: used * 9 }, last_token_usage: last, model_context_window: 258400 } });
    },
    compact: (path) => appendFileSync(path, line({ timestamp: '2026-08-22T10:00:00.000Z', type: 'compacted', payload: { message: 'short', replacement_history: [] } })),
  },
  gemini: {
    event: 'AfterTool', window: 1048576, file: 'chat.jsonl',
    write(path, used, n) {
      if (n === 0) appendFileSync(path, line({ sessionId: 'g', projectHash: 'abc', startTime: 'x' }));
      const tokens = { input: used - 860, output: 800, cached: 100, thoughts: 60, tool: 0, total: used };
      appendFileSync(path, line({ id: `${n}`, timestamp: 't', type: 'gemini', content: 'Done', model: 'gemini-2.5-pro', tokens }));
    },
  },
};

/** The tokens at which the context holds so much, in percent; above it the first level is reached. */
const tokens = (window, percent) => Math.ceil((window * percent) / 100);
const steps = (window) => [20, 50, 79].map((p) => tokens(window, p)).concat([tokens(window, 80) - 1, tokens(window, 80), tokens(window, 85), tokens(window, 90) - 1,
  tokens(window, 90), tokens(window, 94), tokens(window, 95), tokens(window, 97)]);
const levelOf = (used, window) => [80, 90, 95].filter((p) => used * 100 >= p * window).length;

function replay(name, round) {
  const h = harnesses[name], project = join(folder, `${name}${round}`), path = join(project, h.file), said = [];
  mkdirSync(join(project, '.handoff'), { recursive: true });
  writeFileSync(path, '');
  let asked = 0;
  const step = (used, n, known = true) => {
    const input = { session_id: 's', transcript_path: path, cwd: project, hook_event_name: h.event, tool_name: 'Bash', tool_input: { command: 'ls' } };
    const reply = run(project, env, ['hook', name], JSON.stringify(input)).out;
    said.push(reply.replaceAll(project, ''));
    const level = known ? levelOf(used, h.window) : 0;
    judge(`${name}, step ${n}: ${level > asked ? 'asked' : 'silent'} at ${used} of ${h.window}`, (reply !== '{}\n') === level > asked && (level <= asked || reply.includes(`Your context is ${(Math.floor((used * 1000) / h.window) / 10).toFixed(1)} % full`)), reply);
    asked = Math.max(asked, level);
    if (round) return;
    const shown = JSON.parse(run(project, env, ['context', path, '--harness', name, '--json']).out);
    judge(`${name}, step ${n}: to the token`, !known || (shown.used === used && shown.window === h.window && shown.evidence === 'usage'), JSON.stringify(shown));
    judge(`${name}, step ${n}: the trigger`, shown.triggers[0].fires === level > 0, JSON.stringify(shown.triggers[0]));
  };
  steps(h.window).forEach((used, n) => {
    h.write(path, used, n);
    step(used, n);
  });
  if (h.compact) {
    h.compact(path, tokens(h.window, 97), 12000);
    step(0, 'compaction', false);
    asked = 3; // nothing is reached again below
    h.write(path, tokens(h.window, 30), 90);
    step(tokens(h.window, 30), 'after the compaction');
  }
  return said;
}
for (const name of Object.keys(harnesses)) judge(`${name}: replayed twice, the same`, JSON.stringify(replay(name, 0)) === JSON.stringify(replay(name, 1)));

// The other triggers, each at its point: the third read of the same without an edit between, a completed objective, and a
// read that does not fit any more. `call` writes a tool call of the harness, [name, input].
const calls = {
  claude: {
    before: 'PreToolUse', tool: 'Read', read: (file) => ['Read', { file_path: file }], edit: (file) => ['Edit', { file_path: file, old_string: 'a', new_string: 'b' }],
    call: (path, n, [name, input], used = 1000) => appendFileSync(path, line({ type: 'assistant', isSidechain: false, message: { id: `k${n}`, role: 'assistant', model: 'claude-opus-4-1',
      content: [{ type: 'tool_use', id: `k${n}`, name, input }], usage: { input_tokens: used } } })),
  },
  codex: {
    read: (file) => ['shell', { command: ['bash', '-lc', `cat ${file}`] }], edit: (file) => ['apply_patch', `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`],
    call(path, n, [name, input], used = 1000) {
      const entry = (type, payload) => appendFileSync(path, line({ timestamp: '2026-08-22T10:00:00.000Z', type, payload }));
      entry('response_item', typeof input === 'string' ? { type: 'custom_tool_call', name, input, call_id: `k${n}` } : { type: 'function_call', name, arguments: JSON.stringify(input), call_id: `k${n}` });
      entry('event_msg', { type: 'token_count', info: { last_token_usage: { input_tokens: used, output_tokens: 0, total_tokens: used }, model_context_window: 258400 } });
    },
  },
  gemini: {
    before: 'BeforeTool', tool: 'read_file', read: (file) => ['read_file', { file_path: file }], edit: (file) => ['replace', { file_path: file, old_string: 'a', new_string: 'b' }],
    call: (path, n, [name, args], used = 1000) => appendFileSync(path, line({ id: `k${n}`, type: 'gemini', content: '', model: 'gemini-2.5-pro', toolCalls: [{ id: `k${n}`, name, args }],
      tokens: { input: used, output: 0, cached: 0, thoughts: 0, tool: 0, total: used } })),
  },
};
for (const [name, h] of Object.entries(calls)) {
  const project = join(folder, `${name}-triggers`), path = join(project, harnesses[name].file), event = harnesses[name].event;
  mkdirSync(join(project, '.handoff'), { recursive: true });
  const own = { ...env, HANDOFF_TASK: '7', HANDOFF_PHASE: '1' };
  const ask = (session, hook = event, more = {}) => run(project, own, ['hook', name], JSON.stringify({ session_id: session, transcript_path: path, cwd: project,
    hook_event_name: hook, tool_name: 'Bash', tool_input: {}, ...more })).out;
  run(project, own, ['progress', 'start', '--task', '7', '--slug', 'triggers', '--phase', '1', '--objective', 'A', '--objective', 'B']);
  writeFileSync(path, name === 'gemini' ? line({ sessionId: 'g', projectHash: 'abc', startTime: 'x' }) : '');
  const read = h.read('/p/one.c'), edit = h.edit('/p/one.c');
  [read, read, edit, read, h.read('/p/two.c'), read].forEach((step, n) => {
    h.call(path, n, step);
    judge(`${name}: silent until the third read`, ask("r") === "{}\n", `${n}`);
  });
  h.call(path, 9, read);
  const third = ask('r');
  judge(`${name}: the third read of the same`, /You read one\.c 3 times without an edit/.test(third), third);
  judge(`${name}: once`, ask('r') === '{}\n');

  const empty = () => writeFileSync(path, name === 'gemini' ? line({ sessionId: 'g', projectHash: 'abc', startTime: 'x' }) : '');
  empty();
  h.call(path, 0, read);
  judge(`${name}: nothing was completed yet`, ask('o') === '{}\n' && ask('low') === '{}\n');
  run(project, own, ['progress', 'done', '1', '--task', '7', '--phase', '1']);
  judge(`${name}: below half of the threshold an objective is no reason`, ask('low') === '{}\n');
  h.call(path, 1, read, Math.floor(harnesses[name].window / 2));
  const completed = ask('o');
  judge(`${name}: an objective was completed`, completed.includes('objective'), completed);
  judge(`${name}: once`, ask('o') === '{}\n');
  judge(`${name}: what predecessors completed is nothing new`, ask('p') === '{}\n');

  if (!h.before) continue; // there is no tool that reads files
  empty();
  h.call(path, 0, read);
  const left = harnesses[name].window - 1000, fits = join(project, 'fits.txt'), large = join(project, 'large.txt');
  writeFileSync(fits, 'x'.repeat(left * 4));
  writeFileSync(large, 'x'.repeat(left * 4 + 1));
  judge(`${name}: what just fits is read`, ask('f', h.before, { tool_name: h.tool, tool_input: { file_path: fits } }) === '{}\n');
  const overflow = ask('f', h.before, { tool_name: h.tool, tool_input: { file_path: large } });
  judge(`${name}: what does not fit is said before`, /needs about \d+ tokens, but \d+ are left/.test(overflow), overflow);
}

// Recorded by others: the newest usage of the main chain so far, whatever stands around it.
function follow(source) {
  const path = join(folder, 'recorded.jsonl');
  writeFileSync(path, '');
  let used = null;
  for (const text of readFileSync(source, 'utf8').split('\n').filter(Boolean)) {
    appendFileSync(path, `${text}\n`);
    let entry = {};
    try {
      entry = JSON.parse(text);
    } catch { /* read leniently */ }
    const usage = entry.type === 'assistant' && !entry.isSidechain ? entry.message?.usage : null;
    const total = usage ? ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'].reduce((sum, key) => sum + (usage[key] ?? 0), 0) : 0;
    if (!total) continue;
    used = total;
    const shown = JSON.parse(run(folder, env, ['context', path, '--harness', 'claude', '--json']).out);
    judge(`${source}: to the token`, shown.used === used && shown.evidence === 'usage', `${shown.used} not ${used}`);
  }
}
const recorded = ['daaain+claude-code-log/test/test_data/representative_messages.jsonl', 'daaain+claude-code-log/test/test_data/session_b.jsonl',
  'daaain+claude-code-log/test/test_data/todowrite_examples.jsonl', 'daaain+claude-code-log/test/test_data/edge_cases.jsonl',
  'simonw+claude-code-transcripts/tests/sample_session.jsonl'];
const corpus = hasShared('corpus', 'recorded transcripts');
if (corpus) for (const path of recorded) follow(join(corpus, path));
finish();
