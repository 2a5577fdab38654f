// Credentials of all common shapes, put into every field of every format and into every text that commands take: none
// reaches the database, its search index, a file or an output. secretlint with its recommended preset is the second
// judge. The credentials are made at run time; none stands here.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment, gateText, packageText, run, temporaryFolder, write } from './lib/ledger.mjs';
import { needs, skipTest } from './lib/test.mjs';

const lint = resolve('tests/js/node_modules/.bin/secretlint'), tool = resolve(process.argv[2], 'tests', 'sql_tool');
if (!existsSync(lint)) skipTest('the npm package secretlint is not installed');
const YAML = await needs('yaml');

// ---- The credentials

let state = 20260212;
const pick = (n) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), Math.floor((state / 2 ** 32) * n));
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', lower = upper.toLowerCase(), digits = '0123456789';
const from = (letters) => (n) => Array.from({ length: n }, () => letters[pick(letters.length)]).join('');
const alnum = from(upper + lower + digits), hex = from('0123456789abcdef'), big = from(upper + digits), alpha = from(upper + lower), digit = from(digits);
const pem = (kind) => `-----BEGIN ${kind}PRIVATE KEY-----\n${[1, 2, 3].map(() => alnum(64)).join('\n')}\n-----END ${kind}PRIVATE KEY-----`;
const web = () => ['{"alg":"HS256","typ":"JWT"}', `{"sub":"${alnum(20)}"}`].map((t) => Buffer.from(t).toString('base64url')).join('.') + '.' + alnum(43);
/** name: [what is planted, the part that must not be seen again] */
const whole = (text) => [text, text];
const shapes = {
  aws: () => whole('AK' + 'IA' + big(16)),
  'aws, temporary': () => whole('AS' + 'IA' + big(16)),
  'aws secret': () => { const s = alnum(40); return ['aws_secret_access_' + `key = ${s}`, s]; },
  github: () => whole('gh' + 'p_' + alnum(36)),
  'github app': () => whole('gh' + 's_' + alnum(36)),
  'github fine': () => whole('github' + '_pat_' + alnum(22) + '_' + alnum(59)),
  gitlab: () => whole('gl' + 'pat-' + alnum(20)),
  slack: () => whole('xo' + `xb-${digit(12)}-${digit(12)}-${alnum(24)}`),
  'slack webhook': () => { const s = alnum(24); return ['https://hooks.' + `slack.com/services/T${big(8)}/B${big(8)}/${s}`, s]; },
  anthropic: () => whole('sk-' + 'ant-api03-' + alnum(93) + 'AA'),
  openai: () => whole('sk-' + alnum(20) + 'T3Blbk' + 'FJ' + alnum(20)),
  'openai project': () => whole('sk-' + 'proj-' + alnum(74) + 'T3Blbk' + 'FJ' + alnum(74)),
  google: () => whole('AI' + 'za' + alnum(35)),
  npm: () => whole('np' + 'm_' + alnum(36)),
  'npm line': () => { const s = alnum(36); return ['//packages.example.org/:_auth' + `Token=${s}`, s]; },
  stripe: () => whole('sk_' + 'live_' + alnum(24)),
  'stripe restricted': () => whole('rk_' + 'test_' + alnum(24)),
  sendgrid: () => whole('SG' + `.${alnum(22)}.${alnum(43)}`),
  shopify: () => whole('shp' + 'at_' + hex(32)),
  linear: () => whole('lin' + '_api_' + alnum(40)),
  huggingface: () => whole('h' + 'f_' + alpha(34)),
  notion: () => whole('nt' + 'n_' + digit(11) + alnum(35)),
  figma: () => whole('fi' + 'gd_' + alnum(43)),
  groq: () => whole('gs' + 'k_' + alnum(52)),
  vercel: () => whole('vc' + 'p_' + alnum(24)),
  databricks: () => whole('da' + 'pi' + hex(32)),
  docker: () => whole('dckr' + '_pat_' + alnum(27)),
  pypi: () => whole('py' + 'pi-AgEI' + alnum(60)),
  '1password': () => whole('op' + 's_ey' + 'J' + alnum(120) + 'fQ'),
  grafana: () => whole('gl' + `sa_${alnum(32)}_${hex(8)}`),
  'grafana cloud': () => whole('gl' + 'c_' + alnum(80)),
  vault: () => whole('hv' + 's.' + alnum(95)),
  'vault batch': () => whole('hv' + 'b.' + alnum(140)),
  cloudflare: () => whole('cf' + 'ut_' + alnum(40) + hex(8)),
  tailscale: () => whole('ts' + `key-auth-${alnum(16)}-${alnum(32)}`),
  digitalocean: () => whole('do' + 'p_v1_' + hex(64)),
  'web token': () => whole(web()),
  bearer: () => { const s = alnum(30) + digit(4); return ['Authorization: ' + `Bearer ${s}`, s]; },
  'url password': () => { const s = alnum(16); return [`https://bob:${s}` + '@example.org/path', s]; },
  'url token': () => { const s = alnum(40); return [`https://${s}:x-oauth` + '-basic@github.com/a/b', s]; },
  mongodb: () => { const s = alnum(16); return ['mongodb+srv' + `://bob:${s}@cluster.example.org/shop`, s]; },
  postgres: () => { const s = alnum(16); return ['postgresql' + `://bob:${s}@db.example.org:5432/shop`, s]; },
  password: () => { const s = alnum(11) + digit(2); return ['MYSQL_ROOT_' + `PASSWORD=${s}`, s]; },
  'client secret': () => { const s = alnum(30) + digit(2); return ['client_' + `secret: ${s}`, s]; },
};
const blocks = { rsa: () => pem('RSA '), openssh: () => pem('OPENSSH '), ec: () => pem('EC '), pkcs8: () => pem('') };
const names = Object.keys(shapes), planted = [];
let turn = 0;
const remember = (text) => { planted.push(text); return text; };
/** The next shape in turn. */
const secret = (name = names[turn++ % names.length]) => {
  const [text, value] = shapes[name]();
  remember(value);
  return text;
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
  copy.x_environment = { API_TOKEN: secret('github'), api_key: remember(alnum(20) + digit(2)), DB_PASSWORD: remember(alnum(12) + digit(3)) };
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

// Every shape in each encoding: in YAML plain, quoted and as a block, in JSON escaped, in Markdown.
for (const name of names) {
  const summary = (text) => packageText(2).replace('3 files with', `3 files (${text}) with`);
  send(summary(secret(name)), 'yaml', ['--format', 'package']);
  const escaped = JSON.stringify(secret(name)).slice(1, -1).replace(/[a-m]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
  send(packageText(3).replace('reason: The plan of part 3', `reason: "Also ${escaped} of part 3`).replace('ready to be built', 'ready to be built"'), 'yaml', ['--format', 'package']);
  send(json(read('tests/cases/request/request-findings-tokens.good.json')).replace(/"instructions": "/, (t) => t + escapedOf(secret(name)) + ' '), 'json', ['--format', 'request', '--to', 'worker']);
  const lines = [...artifact];
  lines[lines.findIndex((l) => l.startsWith('## Immediate')) + 1] += ` with ${secret(name)}`;
  send(lines.join('\n'), 'md', ['--format', 'artifact', '--to', 'worker']);
}
function escapedOf(text) {
  return JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/').replace(/[n-z]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}
for (const make of Object.values(blocks)) {
  const key = make();
  for (const line of key.split('\n').slice(1, -1)) planted.push(line);
  send(packageText(4).replace('summary: |\n', `summary: |\n${key.split('\n').map((l) => `      ${l}\n`).join('')}`), 'yaml', ['--format', 'package']);
  const tree = read('tests/cases/request/request-findings-tokens.good.json');
  tree.instructions += `\n${key}`;
  send(json(tree), 'json', ['--format', 'request', '--to', 'worker']);
}

// ---- What commands take
const clean = (n) => JSON.parse(go(['send', '-', '--json'], packageText(n, `agent${n}`)).out);
const claim = (n) => { const { id } = clean(n), r = go(['next', '--as', `agent${n}`, '--json']); return [id, '--token', JSON.parse(r.out).token]; };
go(['send', '-', '--format', 'artifact', '--to', secret(), '--key', secret()], artifact.join('\n'));
go(['send', '-', '--as', secret()], packageText(11), { HANDOFF_SESSION: secret('github') });
go(['next', '--as', secret()]);
const first = claim(12);
go(['ack', ...first, '--task', secret(), '--constraint', secret(), '--question', secret()]);
go(['done', ...first, '--note', secret()]);
const second = claim(13);
go(['ack', ...second, '--task', 'x', '--blocker', secret()]);
go(['answer', second[0], '--note', secret()]);
const third = claim(14);
go(['ack', ...third, '--task', 'build it', '--constraint', 'No new dependencies']);
go(['reject', ...third, '--why', secret()]);
const gate = JSON.parse(go(['gate', 'raise', '-', '--json'], gateText()).out).gate;
go(['gate', 'decide', gate, 'question', '--note', secret()]);
go(['answer', gate, '--note', secret()]);
go(['gate', 'decide', gate, 'reject', '--note', secret()]);

// ---- Looking at everything
go(['archive', '--completed']);
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
const kept = new Set(terms.map((t) => t.toLowerCase()));
for (const value of planted) {
  for (const [where, text] of seen) if (text.includes(value)) fail(`a credential (${value.slice(0, 5)}…, ${value.length} long) is in ${where}`);
  for (const part of value.toLowerCase().split(/[^a-z0-9]+/)) if (part.length >= 16 && kept.has(part)) fail(`a part of ${value.slice(0, 5)}… is in the search index`);
}

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

console.log(`${planted.length} credentials of ${names.length + Object.keys(blocks).length} shapes; ${sent} documents sent, ${refused} refused; ` +
  `secretlint found ${guilty.stdout.trim().split('\n').length} in what was given, ${verdict.status === 0 ? 'none' : 'some'} in what was written`);
console.log(`${failed} failed`);
process.exit(failed ? 1 : 0);
