// A story of durable commands, a step each, for the power cuts of power.mjs: {name, args, input, where, each}.
// `where` is the main worktree unless it says 'tree'; several `each` run at once; one with `stages` makes several changes.
// What a step learns is in `known`.
import { gateText, packageText } from '../lib/ledger.mjs';

const request = JSON.stringify({
  task_id: 'auth-001', phase: 'research', mode: 'code', context: { feature: 'jwt', relevant_files: [], constraints: ['No breaking changes'] },
  instructions: 'Find the existing login code and its patterns', expected_output: 'structured_findings',
});
const response = JSON.stringify({
  task_id: 'auth-001', phase: 'research', mode: 'code', status: 'complete', decision: 'PROCEED', findings: { existing_patterns: [], files_examined: [] },
  context_summary: 'The login is in docs/spec.md (sessions). No conflicts with the new one.', issues: [], tokens_used: 800,
});
const task = `outcome: completed
files_created:
  - path: src/login.c
    purpose: Signs people in
patterns_discovered:
  - pattern: Every handler takes the session first
gotchas:
  - issue: The cache is warm only after the second call
    severity: high
suggested_next_steps:
  - step: Measure the first call
`;
const back = (n) => packageText(n, 'planner').replace('agent: planner\n    step', 'agent: worker\n    step').replace('handoff:\n', 'handoff:\n  type: return\n');
const delegated = (n) => packageText(n).replace('handoff:\n', 'handoff:\n  type: delegation\n');
const phase = ['--task', '7', '--phase', '1'], understood = ['--task', 'Build it', '--constraint', 'No new dependencies'];

const teammate = `#!/bin/bash
cat >/dev/null
printf '{"status":"implemented","summary":"Phase %s is there","artifacts":[]}' "$HANDOFF_PHASE" >"$HANDOFF_META"
`;

/** Files that the story's commands read; they are there before it begins. */
export const files = {
  'docs/spec.md': '# Specification\n', 'package.yaml': packageText(20), 'back.yaml': back(21), 'learned.yaml': task, teammate,
  'specs/7_relay/plans/implementation-001.md': `# Implementation Plan: Relay\n\n- **Task**: 7 - relay\n- **Status**: [NOT STARTED]\n
### Phase 2: Build [NOT STARTED]\n\n**Dependencies**: None\n\n**Goal**: It is there.\n\n- [ ] do it\n`,
};

const send = (name, text, keep, more = {}) => ({ name, args: () => ['send', '-', '--as', 'planner', ...(more.to ? ['--to', more.to] : [])], input: text,
  learn: (out, known) => (known[keep] = out.id), ...more });
const next = (agent, keep, more = {}) => ({ name: `next ${keep}`, args: () => ['next', '--as', agent], learn: (out, known) => {
  known[keep] = out.id;
  known[`${keep}Token`] = out.token;
}, ...more });
const act = (name, words, keep, more = {}) => ({ name: `${name} ${keep}`, ...more,
  args: (known) => [name, known[keep], ...words(known), ...(known[`${keep}Token`] ? ['--token', known[`${keep}Token`]] : [])] });
const plain = (name, ...args) => ({ name, args: () => args });

export const story = [
  plain('init', 'init'),
  send('the first send', packageText(1), 'a'),
  { ...send('send a file', '', 'b'), args: () => ['send', 'package.yaml', '--as', 'planner'] },
  next('worker', 'a'),
  act('ack', () => understood, 'a'),
  act('renew', () => ['--lease', '80000'], 'a'),
  act('done', () => [], 'a'),
  send('send in a worktree', packageText(2), 'c', { where: 'tree' }),
  next('worker', 'b', { where: 'tree' }),
  act('ack', () => ['--task', 'Build it', '--blocker', 'Which format is read?'], 'b'),
  { name: 'answer', args: (known) => ['answer', known.b, '--note', 'CSV', '--as', 'planner'] },
  next('worker', 'b', { where: 'tree' }),
  act('ack', () => understood, 'b', { where: 'tree' }),
  act('reject', () => ['--note', 'The file is missing'], 'b', { where: 'tree' }),
  send('send a delegation', delegated(3), 'd'),
  { name: 'supersede', args: (known) => ['supersede', known.c, '--by', known.d, '--as', 'planner'] },
  next('worker', 'd'),
  act('ack', () => understood, 'd'),
  { name: 'return', args: (known) => ['return', known.d, 'back.yaml', '--token', known.dToken, '--as', 'worker'], learn: (out, known) => (known.e = out.id) },
  send('send a task', task, 'f', { to: 'tester' }),
  send('send a request', request, 'g', { to: 'researcher' }),
  next('researcher', 'g'),
  act('ack', () => understood, 'g'),
  { name: 'send a response', args: () => ['send', '-', '--as', 'researcher'], input: response },
  { name: 'gate raise', args: () => ['gate', 'raise', '-', '--as', 'planner'], input: gateText(), learn: (out, known) => (known.gate = out.gate) },
  { name: 'gate decide, a question', args: (known) => ['gate', 'decide', known.gate, 'question', '--note', 'What does it cost?'] },
  { name: 'gate answer', args: (known) => ['answer', known.gate, '--note', '5 days', '--as', 'planner'] },
  { name: 'gate decide', args: (known) => ['gate', 'decide', known.gate, 'approve', '--note', 'Fine'] },
  plain('archive', 'archive', '--completed'),
  { name: 'many at once', each: [30, 31, 32, 33].map((n) => ({ args: () => ['send', '-', '--as', 'planner'], input: packageText(n, `crew${n}`) })) },
  plain('progress start', 'progress', 'start', '--slug', 'relay', '--objective', 'Measure', '--objective', 'Halve', ...phase),
  plain('progress note', 'progress', 'note', 'half way', ...phase),
  plain('progress tried', 'progress', 'tried', 'Static linking', '--why', 'Plugins need a shared library', ...phase),
  plain('progress done', 'progress', 'done', '1', ...phase),
  plain('pass', 'pass', '--next', 'Run `make bench` and read its first line', '--decision', 'Measure first: guesses were wrong', ...phase),
  { name: 'pass in a worktree', where: 'tree', args: () => ['pass', '--next', 'Run `make bench` and read its second line', '--slug', 'apart', '--task', '8', '--phase', '1'] },
  { name: 'hook', args: () => ['hook', 'claude'], input: JSON.stringify({ session_id: 's1', transcript_path: '/none', cwd: '.', hook_event_name: 'PreCompact', trigger: 'auto' }) },
  plain('learn', 'learn', 'learned.yaml'),
  { ...plain('run', 'run', 'specs/7_relay/plans/implementation-001.md', '--agent', './teammate'), stages: true },
  plain('backup', 'backup', 'copy.db'),
  plain('prune', 'prune', '--before', '2999-01-01'),
  plain('state', 'state'),
  plain('rebuild', 'rebuild'),
  send('send after it', packageText(4), 'h'),
  plain('archive again', 'archive', '--completed'),
];
