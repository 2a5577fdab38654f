// In real clients: an agent is asked to hand off, once per level, by a command that works as it stands; the next session is
// offered what it left; a compaction does not lose it; `run` relays phases and says why a model did not answer; and
// `install --uninstall` leaves the user's settings as they were, to the byte.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../js/lib/ledger.mjs';
import { judge, finish } from '../js/lib/test.mjs';
import { eachClient, lead, session } from './lib/clients.mjs';
import { startMock } from './lib/mock.mjs';
import { Scene } from './lib/scene.mjs';

/** What differs: tokens at three levels above a threshold of 40 %, the second just above the first, all below the client's own
 * compaction; how it is made to compact; settings that a user has, and what `install` adds beside them. */
const own = {
  claude: {
    levels: [84_000, 84_500, 145_000, 172_000], compacts: { prompt: '/compact', more: ['--continue'] },
    files: { '.claude/settings.json': '{\n\t"model": "sonnet",  "env": {},\n\t"permissions": {"deny": ["Read(./.env)"]}\n}', 'CLAUDE.md': '# Mine\n' },
  },
  codex: {
    levels: [116_000, 117_000, 194_000, 225_000], compacts: { input: 250_000 },
    files: { '.codex/hooks.json': '{ "hooks": {"Stop": [ {"hooks": [{"type": "command", "command": "true"}]} ]} }', 'AGENTS.md': 'Mine.' },
  },
};
const allowed = ['Bash(ls:*)', 'Bash(sleep:*)', 'Bash(false)', 'Bash(handoff pass:*)', 'Bash(handoff progress:*)'];

/** What the hooks have told the agent, by the messages of a request. */
function told(body) {
  const texts = [];
  JSON.stringify(body.messages ?? body.input, (_, value) => {
    if (typeof value === 'string') texts.push(...value.split('[handoff] ').slice(1));
    return value;
  });
  return texts;
}
const nudges = (body) => told(body).filter((text) => /^Your context is .* full/.test(text));
const inOrder = (mock) => mock.requests.filter((body) => body.tools?.length);

/** Levels, a tool that fails, the command of the nudge as it is printed, and one reminder. */
async function asked(client, scene) {
  const mock = await startMock(), { levels } = own[client.name];
  // Transcripts are written while tools run; one that takes no time is over before its message is there.
  const at = (n, command) => ({ run: `sleep 0.3; ${command}`, usage: { input: levels[n] } });
  let report = '';
  writeFileSync(join(scene.project, '.handoff/config.yaml'), 'threshold: 40\n');
  mock.play((async function* () {
    yield at(0, 'ls');
    yield at(1, 'ls');
    yield at(2, 'false');
    yield at(3, 'ls');
    const command = /handoff pass --from - <<'EOF'\n[^]*?\nEOF/.exec(nudges(inOrder(mock).at(-1)).at(-1))?.[0] ?? 'false';
    report = yield { run: command.replace('the next step', 'Sort the `list` of $7.'), usage: { input: levels[3] } };
    yield at(3, 'ls');
    yield at(3, 'ls');
  })());
  const end = await session(client.name, { ...client, mock, scene, allowed, env: { DISABLE_AUTO_COMPACT: '1' }, prompt: 'Sort things.' });
  const counts = inOrder(mock).map((body) => nudges(body).length).join();
  judge(`${client.title}: asked once per level, after a tool that fails, too`, counts === '0,1,1,2,3,3,3,3', `${counts} ${end.err}`);
  judge(`${client.title}: the command of the nudge works as it stands`, /^specs\/1_\S+\/handoffs\/phase-1-handoff-\S+\.md$/m.test(report), report);
  const reminded = told(inOrder(mock).at(-1)).filter((text) => text.startsWith('You have handed off.')).length;
  judge(`${client.title}: reminded once`, reminded === 1, `${reminded} times`);
  judge(`${client.title}: no hook failed`, !existsSync(join(scene.project, '.handoff/hook.log')));
}

/** A new session is offered the handoff; after a compaction it is told again, with a draft of what it did since. */
async function offered(client, scene) {
  const mock = await startMock(), { compacts } = own[client.name];
  mock.play((async function* () {
    yield { run: 'ls' };
    if (compacts.input) yield { run: 'ls', usage: { input: compacts.input } };
    if (compacts.input) yield { run: 'ls' };
  })());
  await session(client.name, { ...client, mock, scene, allowed });
  const [first] = inOrder(mock), offer = told(first).find((text) => text.startsWith('An open handoff')) ?? '';
  judge(`${client.title}: a new session is offered the handoff`, offer.includes('Sort the `list` of $7.') && offer.includes('handoff next --task 1 --phase 1'), offer);
  let after = inOrder(mock).at(-1), all = mock.requests;
  if (compacts.prompt) {
    const [second, third] = [await startMock(), await startMock()];
    await session(client.name, { ...client, mock: second, scene, allowed, ...compacts });
    await session(client.name, { ...client, mock: third, scene, allowed, more: compacts.more });
    after = inOrder(third).at(-1);
    all = second.requests;
  }
  const all_told = told(after), again = all_told.slice(all_told.findIndex((text) => text.startsWith('Your context was compacted.'))).join('');
  judge(`${client.title}: a compacted one is told again`, /^Your context was compacted\..*state draft/.test(again) && again.includes('Sort the `list` of $7.'), again || JSON.stringify(all_told));
  judge(`${client.title}: hooks add nothing to the compaction's instructions`, !JSON.stringify(all).includes('Additional Instructions'));
}

const plan = 'specs/7_relay/plans/implementation-001.md';
const phase = (n) => `\n### Phase ${n}: Part ${n} [NOT STARTED]\n\n**Dependencies**: ${n > 1 ? n - 1 : 'None'}\n\n**Goal**: Part ${n} is there.\n\n- [ ] do it\n`;
/** A plan of two phases. */
function makePlan(scene) {
  mkdirSync(join(scene.project, dirname(plan)), { recursive: true });
  writeFileSync(join(scene.project, plan), `# Implementation Plan: Relay\n\n- **Task**: 7 - relay\n- **Status**: [NOT STARTED]\n${phase(1)}${phase(2)}`);
}

/** `run` with the client's own permissions: an agent hands off by a here-document, its successor finishes, and so does the
 * agent of the second phase. */
async function relayed(client, scene) {
  const mock = await startMock();
  const reports = [];
  makePlan(scene);
  mock.play((async function* () {
    reports.push(yield { run: "handoff pass --task 7 --phase 1 --from - <<'EOF'\n## Immediate Next Action\nSort the `list` of $7.\nEOF" });
    yield { text: 'partial' };
    for (const n of [1, 2]) {
      reports.push(yield { run: `handoff finish --task 7 --phase ${n}` });
      yield { text: 'implemented' };
    }
  })());
  const end = await lead(client.name, ['run', plan, '--agent', client.name], { ...client, mock, scene });
  judge(`${client.title}: run relays`, end.status === 0 && end.out.includes('2 of 2 phases done by 3 teammates'), `${end.status} ${end.out}${end.err}${reports}`);
  const prompt = JSON.stringify(inOrder(mock)[2]?.messages ?? inOrder(mock)[2]?.input ?? '');
  judge(`${client.title}: the successor gets the handoff once`, prompt.split('Sort the `list` of $7.').length === 2, prompt.slice(-3000));
}

/** Why a model did not answer, if a person has to set it right. */
async function failed(client, scene) {
  const errors = [[{ status: 401, error: 'authentication_error' }, 'the model refused the login', 'log in with']];
  if (client.name === 'claude') errors.push([{ status: 400, error: 'invalid_request_error', message: 'prompt is too long: 250000 tokens > 200000 maximum' }, 'context', '']);
  for (const [turn, reason, advice] of errors) {
    const mock = await startMock();
    makePlan(scene);
    mock.play((async function* () { for (;;) yield turn; })());
    const end = await lead(client.name, ['run', plan, '--agent', client.name, '--max-successors', '1'], { ...client, mock, scene, patient: false });
    judge(`${client.title}: the reason of a ${turn.status}`, end.status === 7 && end.out.includes(reason) && end.out.includes(advice), `${end.status} ${end.out}`);
    const drafts = run(scene.project, scene.env, ['list', '--state', 'draft', '--json']);
    judge(`${client.title}: no draft of an agent that did nothing (${turn.status})`, JSON.parse(drafts.out).handoffs.length === 0, drafts.out);
    scene.again();
  }
}

/** What passes by itself: a rate limit and an overload are said and waited for, and count no successor. */
async function limited(client, scene) {
  const mock = await startMock();
  makePlan(scene);
  mock.play((async function* () {
    yield { status: 429, error: 'rate_limit_error', message: 'This request would exceed your rate limit' };
    yield { status: client.name === 'claude' ? 529 : 503, error: 'overloaded_error', message: 'Overloaded' };
    for (const n of [1, 2]) {
      yield { run: `handoff finish --task 7 --phase ${n}` };
      yield { text: 'implemented' };
    }
  })());
  const end = await lead(client.name, ['run', plan, '--agent', client.name, '--max-successors', '1', '--json'], { ...client, mock, scene, patient: false });
  const result = end.status === 0 ? JSON.parse(end.out) : {};
  const why = (result.teammates ?? []).map((mate) => mate.why ?? '');
  judge(`${client.title}: limits pass`, why.length === 4 && why[0].startsWith('a rate limit was reached') && why[1].startsWith('the model was overloaded'), `${end.status} ${end.out}${end.err}`);
  const drafts = run(scene.project, scene.env, ['list', '--state', 'draft', '--json']);
  judge(`${client.title}: no draft of an agent that was not answered`, JSON.parse(drafts.out).handoffs.length === 0, drafts.out);
}

/** A folder that the client does not trust, in an agent of the project's own that does not skip the question. */
async function untrusted(client, scene) {
  const mock = await startMock();
  makePlan(scene);
  rmSync(join(scene.project, '.git'), { recursive: true });
  mkdirSync(join(scene.project, '.handoff'), { recursive: true });
  writeFileSync(join(scene.project, '.handoff/config.yaml'), 'agents:\n  - name: careful\n    command: [codex, exec, --json, "-"]\n    harness: codex\n');
  scene.asPerson(['trust'], ['yes']);
  mock.play((async function* () { yield { text: 'implemented' }; })());
  const end = await lead(client.name, ['run', plan, '--agent', 'careful'], { ...client, mock, scene });
  judge(`${client.title}: a folder that is not trusted`, end.status === 7 && end.out.includes('does not trust this folder'), `${end.status} ${end.out}${end.err}`);
}

/** All files of the project below what a harness reads, with their bytes. */
function settings(scene) {
  const names = readdirSync(scene.project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)).filter((path) => /\/(\.claude|\.codex)\/|\/(CLAUDE|AGENTS)\.md/.test(path)).sort();
  return JSON.stringify(names.map((path) => [path, readFileSync(path, 'latin1')]));
}

const scene = new Scene();
for (const client of eachClient()) {
  if (client.name === 'codex' && !client.sandbox) continue; // nothing of this depends on the sandbox, and `run` uses it
  scene.again();
  for (const [path, text] of Object.entries(own[client.name].files)) {
    mkdirSync(dirname(join(scene.project, path)), { recursive: true });
    writeFileSync(join(scene.project, path), text);
  }
  const before = settings(scene);
  scene.asPerson(['install', client.name, '--instructions']);
  judge(`${client.title}: install changes the settings`, settings(scene) !== before);
  await asked(client, scene);
  await offered(client, scene);
  scene.asPerson(['install', client.name, '--uninstall']);
  judge(`${client.title}: uninstall leaves them as they were`, settings(scene) === before, settings(scene));
  scene.again();
  await relayed(client, scene);
  scene.again();
  await failed(client, scene);
  await limited(client, scene);
  scene.again();
  if (client.name === 'codex') await untrusted(client, scene); // Claude Code asks nobody if it has no terminal
}
finish();
