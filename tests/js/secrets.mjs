// Credentials of all common shapes, put into every field of every format and into every text that commands take: none
// reaches the database, its search index, a file or an output. secretlint with its recommended preset is the second
// judge. The credentials are made at run time; none stands here.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment, gateText, packageText, run, temporaryFolder, write } from './lib/ledger.mjs';
import { blocks, disguises, filledForms, random, shapes } from './lib/secrets.mjs';
import { needs, skipTest } from './lib/test.mjs';

const lint = resolve('tests/js/node_modules/.bin/secretlint'), tool = resolve(process.argv[2], 'tests', 'sql_tool');
if (!existsSync(lint)) skipTest('the npm package secretlint is not installed');
const YAML = await needs('yaml');

// ---- The credentials

const names = Object.keys(shapes), planted = [];
let turn = 0;
const remember = (text) => { planted.push(text); return text; };
/** The next shape in turn. */
const secret = (name = names[turn++ % names.length]) => {
  const { before, value, after } = shapes[name]();
  remember(value);
  return before + value + after;
};

// ---- Sending

const top = temporaryFolder(), env = environment(top), p = join(top, 'p'), inputs = join(p, 'in');
let outputs = '', sent = 0, refused = 0, failed = 0;
const fail = (text) => { if (++failed <= 30) console.log(`FAILED: ${text}`); };
write(p, '.handoff/.keep', '');
write(p, 'in/.keep', '');
function go(args, input = '', extra = {}) {
  const r = run(p, { ...env, ...extra }, args, input);
  outputs += r.out + r.err;
  if (r.signal || ![0, 1, 4, 5, 6, 7].includes(r.status)) fail(`${args.join(' ').slice(0, 60)}: exit ${r.status} ${r.signal}: ${r.err.slice(0, 300)}`);
  return r;
}
let number = 0;
function send(text, extension, args = []) {
  const name = `in/${++number}.${extension}`;
  write(p, name, text);
  const r = number % 2 ? go(['send', name, ...args]) : go(['send', '-', ...args], text);
  if (r.status === 0) sent++;
  else refused++;
}

/** Every text and key in a tree, as [holder, key]. */
function places(node, found = []) {
  for (const key of Object.keys(node)) {
    if (node[key] && typeof node[key] === 'object') places(node[key], found);
    else found.push([node, key]);
  }
  return found;
}
function plantTree(format, tree, text, extension, args) {
  const count = places(tree).length;
  for (let i = 0; i < count; i++) {
    const copy = structuredClone(tree), [holder, key] = places(copy)[i];
    const kept = /agent|phase|status|decision|outcome/.test(key) ? holder[key] + ' ' : `${holder[key]} see `;
    holder[key] = kept + secret();
    send(text(copy), extension, ['--format', format, ...args]);
  }
  const copy = structuredClone(tree);
  const holder = Object.values(copy).find((v) => v && typeof v === 'object' && !Array.isArray(v)) ?? copy;
  holder[`note ${secret()}`] = 'a credential as a key';
  copy.x_environment = { API_TOKEN: secret('github'), api_key: remember(random.alnum(20) + random.digit(2)), DB_PASSWORD: remember(random.alnum(12) + random.digit(3)) };
  send(text(copy), extension, ['--format', format, ...args]);
}

const yaml = (tree) => YAML.stringify(tree), json = (tree) => JSON.stringify(tree, null, 2), packed = (tree) => JSON.stringify(tree);
const read = (path) => (path.endsWith('json') ? JSON.parse(readFileSync(path, 'utf8')) : YAML.parse(readFileSync(path, 'utf8')));
plantTree('package', YAML.parse(packageText(1)), yaml, 'yaml', []);
plantTree('package', YAML.parse(packageText(1)), packed, 'json', []);
plantTree('gate', YAML.parse(gateText()), yaml, 'yaml', []);
plantTree('task', read('tests/cases/task/task-partial.good.yaml'), yaml, 'yaml', ['--to', 'worker']);
plantTree('request', read('tests/cases/request/request-findings-tokens.good.json'), json, 'json', ['--to', 'worker']);
plantTree('response', read('tests/cases/response/response-aggregation-count.good.json'), json, 'json', ['--to', 'worker']);
plantTree('ack', read('tests/cases/ack/ack-blocked-action.good.yaml'), yaml, 'yaml', []);
const artifact = readFileSync('tests/cases/artifact/artifact-agree.good.md', 'utf8').split('\n');
for (let i = 0; i < artifact.length; i++)
  if (artifact[i].trim()) send(artifact.map((l, k) => (k === i ? `${l} ${secret()}` : l)).join('\n'), 'md', ['--format', 'artifact', '--to', 'worker']);

// Every shape in each encoding, some to a document: in YAML as a block, quoted and escaped; in JSON escaped; in Markdown.
const groups = (list, n) => Array.from({ length: Math.ceil(list.length / n) }, (_, i) => list.slice(i * n, i * n + n));
const inPackage = (lines) => { const tree = YAML.parse(packageText(2)); tree.handoff.context.summary += `\n${lines.join('\n')}\n`; return tree; };
const escaped = (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/').replace(/[n-z]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
const inRequest = (text) => json(read('tests/cases/request/request-findings-tokens.good.json')).replace(/"instructions": "/, (t) => t + text + '\\n');
const next = artifact.findIndex((l) => l.startsWith('## Immediate')) + 1;
const inArtifact = (lines) => [...artifact.slice(0, next), artifact[next], ...lines, ...artifact.slice(next + 1)].join('\n');
for (const some of groups(names, 8)) {
  const make = () => some.map((name) => secret(name));
  send(yaml(inPackage(make())), 'yaml', ['--format', 'package']);
  send(packageText(3).replace('reason: The plan of part 3', `reason: "Also ${make().map(escaped).join('\\n')}\\nof part 3`).replace('ready to be built', 'ready to be built"'), 'yaml', ['--format', 'package']);
  send(packed(inPackage(make())), 'json', ['--format', 'package']);
  send(inRequest(make().map(escaped).join('\\n')), 'json', ['--format', 'request', '--to', 'worker']);
  send(inArtifact(make().map((text) => `- ${text}`)), 'md', ['--format', 'artifact', '--to', 'worker']);
  send(inArtifact(make().map((text) => '```\n' + text + '\n```')), 'md', ['--format', 'artifact', '--to', 'worker']);
}
// Hidden: a name before the value is disguised with it where that keeps it whole; what folds lines is for tokens alone.
for (const [how, disguise] of Object.entries(disguises)) {
  const alone = /line|end|mail/.test(how);
  for (const some of groups(names.filter((name) => !alone || !/named|huggingface/.test(name)), 12)) {
    const lines = some.map((name) => {
      for (;;) {
        const { before, value, after } = shapes[name](), half = value.slice(Math.floor(value.length / 2));
        if (alone && !(/[0-9]/.test(half) && /[a-zA-Z]/.test(half))) continue; /* as good as prose */
        remember(value);
        const hidden = /^base64|quoted/.test(how) ? disguise(before + value + after) : before + disguise(value) + after;
        if (/^base64/.test(how)) remember(hidden);
        else if (how === 'percent') remember(disguise(value));
        else if (half.length >= 16) remember(half);
        return alone ? `${hidden}\n\nThis is for the next one:` : hidden;
      }
    });
    send(yaml(inPackage(lines)), 'yaml', ['--format', 'package']);
    send(inArtifact(lines), 'md', ['--format', 'artifact', '--to', 'worker']);
  }
}
// Forms of files, statements and commands, each with several values: as they are, in JSON, and in Markdown.
const rounds = 4, forms = Array.from({ length: rounds }, filledForms).flat();
planted.push(...forms.flatMap(({ values }) => values));
for (const [i, some] of groups(forms, 12).entries()) {
  const texts = some.map(({ text }) => text), block = texts.join('\n\n').split('\n').map((l) => `      ${l}\n`).join('');
  send(packageText(5 + i).replace('summary: |\n', `summary: |\n      The forms:\n\n${block}\n`), 'yaml', ['--format', 'package']);
  send(packed(inPackage(texts)), 'json', ['--format', 'package']);
  send(inArtifact(texts.map((text) => '```\n' + text + '\n```')), 'md', ['--format', 'artifact', '--to', 'worker']);
}
for (const make of Object.values(blocks)) {
  const { text, lines } = make();
  planted.push(...lines);
  send(packageText(4).replace('summary: |\n', `summary: |\n      The key:\n${text.split('\n').map((l) => `      ${l}\n`).join('')}`), 'yaml', ['--format', 'package']);
  const tree = read('tests/cases/request/request-findings-tokens.good.json');
  tree.instructions += `\n${text}`;
  send(json(tree), 'json', ['--format', 'request', '--to', 'worker']);
  send(inArtifact([`- ${text}`]), 'md', ['--format', 'artifact', '--to', 'worker']);
}

// ---- What commands take
const clean = (n) => JSON.parse(go(['send', '-', '--json'], packageText(n, `agent${n}`)).out);
const claim = (n) => { const { id } = clean(n), r = go(['next', '--as', `agent${n}`, '--json']); return [id, '--token', JSON.parse(r.out).token]; };
go(['send', '-', '--format', 'artifact', '--to', secret('github'), '--key', secret('github')], artifact.join('\n'));
go(['send', '-', '--as', secret('github')], packageText(11), { HANDOFF_SESSION: secret('github') });
go(['next', '--as', secret('github')]);
const first = claim(12);
go(['ack', ...first, '--task', secret(), '--constraint', secret(), '--question', secret()]);
go(['done', ...first, '--note', secret()]);
const second = claim(13);
go(['ack', ...second, '--task', 'x', '--blocker', secret()]);
go(['answer', second[0], '--note', secret()]);
const third = claim(14);
go(['ack', ...third, '--task', 'build it', '--constraint', 'No new dependencies']);
go(['reject', ...third, '--note', secret()]);
const gate = JSON.parse(go(['gate', 'raise', '-', '--json'], gateText()).out).gate;
go(['gate', 'decide', gate, 'question', '--note', secret()]);
go(['answer', gate, '--note', secret()]);
go(['gate', 'decide', gate, 'reject', '--note', secret()]);

// ---- Looking at everything
go(['archive', '--completed']);
go(['know', 'what is to be built']); /* the search index and the knowledge are derived when somebody asks */
go(['search', 'part']);
for (const args of [['list', '--limit', '10000'], ['log', '--limit', '100000'], ['log', '--limit', '100000', '--json'], ['status'], ['state'], ['gate', 'list'], ['verify']]) go(args);
const ids = JSON.parse(run(p, env, ['list', '--limit', '100000', '--json']).out).handoffs.map((h) => h.id);
for (const id of ids.filter((_, i) => i % 7 === 0)) go(['show', id]);
const sql = (text) => spawnSync(tool, [join(p, '.handoff/handoff.db'), text], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
const dump = ['SELECT body FROM bodies', "SELECT actor || ' ' || data FROM events", 'SELECT sender || receiver || idem_key || session || marks || path FROM handoffs',
  'SELECT name || note || raised_by FROM gates', 'SELECT content FROM intents', 'SELECT value FROM meta'].map(sql).join('\n');
const terms = sql('CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, search, row); SELECT term FROM temp.v').split('\n');
if (terms.length < 50 || dump.length < 10_000) fail('there is nothing to look at');

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? files(join(folder, e.name)) : [join(folder, e.name)]));
}
const seen = [['an output', outputs], ['the database', dump], ...files(p).filter((f) => !f.startsWith(inputs)).map((f) => [f, readFileSync(f, 'latin1')])];
/** What the credential is shown as: its form, or its beginning. */
const shown = (value) => forms.find(({ values }) => values.includes(value))?.text.replace(value, '@') ?? `${value.slice(0, 5)}…`;
const kept = new Set(terms.map((t) => t.toLowerCase()));
// By their first letters, so that each text is gone through once.
const letters = 10, byFirst = new Map();
for (const value of planted) byFirst.set(value.slice(0, letters), [...(byFirst.get(value.slice(0, letters)) ?? []), value]);
for (const [where, text] of seen)
  for (let at = 0; at + letters <= text.length; at++)
    for (const value of byFirst.get(text.slice(at, at + letters)) ?? [])
      if (text.startsWith(value, at)) fail(`a credential (${shown(value)}, ${value.length} long) is in ${where}`);
for (const value of planted)
  for (const part of value.toLowerCase().split(/[^a-z0-9]+/)) if (part.length >= 16 && kept.has(part)) fail(`a part of ${value.slice(0, 5)}… is in the search index`);

// ---- The other judge
write(p, 'written/outputs.txt', outputs);
write(p, 'written/database.txt', dump);
writeFileSync(join(p, '.secretlintrc.json'), JSON.stringify({ rules: [{ id: '@secretlint/secretlint-rule-preset-recommend' }] }));
const judge = (...globs) => spawnSync(lint, ['--secretlintrc', '.secretlintrc.json', '--format', 'unix', ...globs], {
  cwd: p, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, NODE_PATH: resolve('tests/js/node_modules') } });
const guilty = judge('in/**/*');
if (guilty.status !== 1) fail(`secretlint finds nothing in what was planted: exit ${guilty.status} ${guilty.stderr.slice(0, 500)}`);
const verdict = judge('written/**/*', 'state/**/*', '.project/**/*', '.handoff/*.*');
if (verdict.status !== 0) fail(`secretlint: exit ${verdict.status}: ${(verdict.stdout + verdict.stderr).slice(0, 2000)}`);

console.log(`${planted.length} credentials of ${names.length + forms.length / rounds + Object.keys(blocks).length} shapes; ${sent} documents sent, ${refused} refused; ` +
  `secretlint found ${guilty.stdout.trim().split('\n').length} in what was given, ${verdict.status === 0 ? 'none' : 'some'} in what was written`);
console.log(`${failed} failed`);
process.exit(failed ? 1 : 0);
