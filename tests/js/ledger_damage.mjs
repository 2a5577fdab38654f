// What was changed behind the program's back is found and named: every part of the database that says what happened,
// the files, the seal. A truncated or bit-flipped database is said to be damaged and never replaced; `rebuild` restores
// every handoff that has a file, says what it could not, and keeps the old database.
// LEDGER_FLIPS=N flips so many bits.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment, gateText, must, packageText, run, temporaryFolder, write } from './lib/ledger.mjs';
import { finish, judge } from './lib/test.mjs';

const tool = resolve(process.argv[2], 'tests', 'sql_tool');
const flips = Number(process.env.LEDGER_FLIPS ?? 40);
const top = temporaryFolder(), env = environment(top), model = join(top, 'model'), p = join(top, 'p');

// ---- A project with a bit of everything: archived, done, claimed, gated, ready; some with their own file, some without

function build() {
  const ids = {}, take = (name, id) => (ids[name] = id);
  write(model, '.handoff/.keep', '');
  write(model, 'own.yaml', packageText('own'));
  take('archived', must(model, env, ['send', '-'], packageText('archived')).id);
  take('done', must(model, env, ['send', '-'], packageText('done')).id);
  take('claimed', must(model, env, ['send', '-'], packageText('claimed')).id);
  for (const name of ['archived', 'done', 'claimed']) {
    const { token } = must(model, env, ['next', '--as', 'worker']);
    if (name !== 'claimed') {
      must(model, env, ['ack', ids[name], '--token', token, '--task', 'build it', '--constraint', 'No new dependencies']);
      must(model, env, ['done', ids[name], '--token', token]);
    }
    if (name === 'archived') must(model, env, ['archive', ids[name]]);
  }
  take('own', must(model, env, ['send', 'own.yaml']).id);
  take('gated', must(model, env, ['gate', 'raise', '-'], gateText()).id);
  const decided = must(model, env, ['gate', 'raise', '-'], gateText());
  must(model, env, ['gate', 'decide', decided.gate, 'approve', '--note', 'Fine']);
  take('decided', decided.id);
  must(model, env, ['archive', '--completed']);
  sql(model, 'SELECT 1');
  return ids;
}

function sql(folder, text) {
  const r = spawnSync(tool, [join(folder, '.handoff/handoff.db'), text], { encoding: 'utf8' });
  if (r.status !== 0) throw new Error(`${text}: ${r.stderr}`);
  return r.stdout.trim();
}

const database = join(p, '.handoff/handoff.db');
function begin() {
  rmSync(p, { recursive: true, force: true });
  cpSync(model, p, { recursive: true });
}

const ids = build();
begin();
let r = run(p, env, ['verify', '--json']);
judge('a sound ledger', r.status === 0, r.out + r.err);

// ---- Tampering

/** After `change`, verify finds something, and names `part` and `name`. */
function tampered(what, part, name, change) {
  begin();
  change();
  const v = run(p, env, ['verify', '--json']);
  const found = v.status === 1 ? JSON.parse(v.out).differences : [];
  judge(what, found.some((d) => part.split('|').includes(d.part) && d.name.includes(name)), `exit ${v.status}, found ${JSON.stringify(found)}${v.err}`);
}

const text = (column) => `${column} = ${column} || 'x'`, number = (column) => `${column} = ${column} + 1`;
for (const set of [text('actor'), text('kind'), number('at'), text('data'), text('row'), text('prev'), text('hash')])
  tampered(`event: ${set}`, 'event|handoff', ids.claimed, () => sql(p, `UPDATE events SET ${set} WHERE handoff = '${ids.claimed}' AND n = 1`));
tampered('event: emptied', 'event|handoff', ids.claimed, () => sql(p, `UPDATE events SET data = '' WHERE handoff = '${ids.claimed}' AND n = 1`));
tampered('event: the newest removed', 'event|handoff|seal', '', () => sql(p, 'DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)'));
tampered('event: one removed', 'event', ids.archived, () => sql(p, `DELETE FROM events WHERE handoff = '${ids.archived}' AND n = 2`));
tampered('event: moved to another', 'event|handoff', ids.claimed,
  () => sql(p, `UPDATE events SET handoff = '${ids.claimed}', n = 9 WHERE handoff = '${ids.own}' AND n = 1`));
for (const column of ['kind', 'type', 'sender', 'task', 'phase', 'session', 'idem_key', 'parent', 'state', 'receiver', 'path',
  'token', 'claimed_by', 'claim_session', 'gate', 'superseded_by', 'marks', 'head'])
  tampered(`handoff: ${column}`, 'handoff', ids.claimed, () => sql(p, `UPDATE handoffs SET ${text(column)} WHERE id = '${ids.claimed}'`));
for (const column of ['created', 'attempt', 'deadline', 'events'])
  tampered(`handoff: ${column}`, 'handoff', ids.claimed, () => sql(p, `UPDATE handoffs SET ${number(column)} WHERE id = '${ids.claimed}'`));
tampered('handoff: removed', 'handoff', ids.claimed, () => sql(p, `DELETE FROM handoffs WHERE id = '${ids.claimed}'`));
const digest = sql(model, `SELECT digest FROM handoffs WHERE id = '${ids.claimed}'`);
tampered('handoff: another body', 'handoff|body', ids.claimed,
  () => sql(p, `UPDATE handoffs SET digest = (SELECT digest FROM handoffs WHERE id = '${ids.own}') WHERE id = '${ids.claimed}'`));
tampered('body: changed', 'body', digest, () => sql(p, `UPDATE bodies SET body = replace(body, '14', '15') WHERE digest = '${digest}'`));
tampered('body: size', 'body', digest, () => sql(p, `UPDATE bodies SET size = size + 1 WHERE digest = '${digest}'`));
tampered('body: removed', 'body', digest, () => sql(p, `DELETE FROM bodies WHERE digest = '${digest}'`));
for (const set of [number('upto'), number('at'), text('hash'), text('prev')])
  tampered(`seal: ${set}`, 'seal', '1', () => sql(p, `UPDATE seals SET ${set} WHERE n = 1`));
tampered('seal: the newest removed', 'seal', '', () => sql(p, 'DELETE FROM seals WHERE n = (SELECT max(n) FROM seals)'));
tampered('seal: its file changed', 'seal', '', () => {
  const path = join(p, '.handoff/seal'), old = readFileSync(path, 'utf8');
  writeFileSync(path, old.replace(/"hash":"(.)/, (_, c) => `"hash":"${c === 'a' ? 'b' : 'a'}`));
});
tampered('seal: its file removed', 'seal', '', () => rmSync(join(p, '.handoff/seal')));
for (const set of [text('decision'), text('decided_by'), text('note'), text('verified'), text('digest'), text('raised_by'), number('decided')])
  tampered(`gate: ${set}`, 'gate|handoff|event', '', () => sql(p, `UPDATE gates SET ${set} WHERE handoff = '${ids.decided}'`));
tampered('gate: removed', 'gate|handoff|event', '', () => sql(p, `DELETE FROM gates WHERE handoff = '${ids.decided}'`));
tampered('search: a word that is not there', 'search', 'search',
  () => sql(p, "INSERT INTO search (rowid, body) VALUES (1, 'planted words')"));
const archive = (name) => sql(model, `SELECT path FROM files WHERE handoff = '${ids[name]}' AND kind = 'archive'`);
for (const name of ['archived', 'done', 'claimed']) {
  tampered(`file of ${name}: changed`, 'file', archive(name), () => appendFileSync(join(p, archive(name)), '# more\n'));
  tampered(`file of ${name}: removed`, 'file', archive(name), () => rmSync(join(p, archive(name))));
}
tampered('own file of an open handoff: changed', 'file', 'own.yaml', () => appendFileSync(join(p, 'own.yaml'), '# more\n'));

// ---- Damage

const sound = readFileSync(join(model, '.handoff/handoff.db'));
const contents = () => JSON.stringify(Object.values(ids).map((id) => run(p, env, ['show', id, '--as', 'yaml']).out)) +
  run(p, env, ['list', '--json']).out + run(p, env, ['log', '--limit', '1000', '--json']).out;
begin();
const whole = contents();

/** Restores what has a file, and says what it could not. */
function rebuilds(what) {
  const done = run(p, env, ['rebuild', '--json']);
  judge(`${what}: rebuild`, [0, 1].includes(done.status), `exit ${done.status}: ${done.err}`);
  if (![0, 1].includes(done.status)) return;
  const { lost, kept, handoffs } = JSON.parse(done.out);
  const listed = run(p, env, ['list', '--limit', '1000', '--json']).out;
  const missing = Object.entries(ids).filter(([, id]) => !listed.includes(`"${id}"`));
  judge(`${what}: rebuild restores what it can`, !missing.length, `missing ${missing}, lost ${JSON.stringify(lost)}`);
  judge(`${what}: rebuild says what is lost`, (done.status === 1) === lost.length > 0, JSON.stringify(lost));
  judge(`${what}: rebuild loses nothing unsaid`, handoffs > 0 || lost.some((l) => l.what === 'history'), JSON.stringify(lost));
  judge(`${what}: rebuild keeps the old database`, kept && existsSync(resolve(p, kept)), String(kept));
  const v = run(p, env, ['verify']);
  judge(`${what}: verify after rebuild`, v.status === 0, v.out + v.err);
}

/** The damage is told by every command that meets it, and the file stays as it is. */
function damaged(what, bytes) {
  begin();
  writeFileSync(database, bytes);
  const replies = [['list'], ['verify'], ['send', 'own.yaml'], ['next', '--as', 'worker'], ['status']].map((args) => [args, run(p, env, args)]);
  for (const [args, reply] of replies) {
    judge(`${what}: ${args[0]}`, reply.status === 10 || (args[0] === 'verify' && reply.status === 1), `exit ${reply.status}: ${reply.out}${reply.err}`);
    if (args[0] !== 'verify') judge(`${what}: ${args[0]} gives advice`, /rebuild|damaged/.test(reply.err), reply.err);
  }
  judge(`${what}: the database was touched`, readFileSync(database).equals(bytes));
  rebuilds(what);
}

damaged('no database', Buffer.from('this was a database once, and it is none any more\n'));
damaged('cut to nothing', Buffer.alloc(0));
for (const size of [1, 99, 100, 512, 4096]) damaged(`cut to ${size} bytes`, sound.subarray(0, size));
damaged('zeroed head', Buffer.concat([Buffer.alloc(4096), sound.subarray(4096)]));

// Cut in the middle: what is still readable may be read, but verify says so.
for (const part of [0.3, 0.6, 0.95]) {
  begin();
  truncateSync(database, Math.floor((sound.length * part) / 4096) * 4096);
  const v = run(p, env, ['verify']);
  judge(`cut to ${part}: verify`, [1, 10].includes(v.status), `exit ${v.status}: ${v.out}`);
  const s = run(p, env, ['send', 'own.yaml']);
  judge(`cut to ${part}: send hides it`, s.status !== 0 || run(p, env, ['verify']).status !== 0, s.out);
  rebuilds(`cut to ${part}`);
}

// One bit: it is found, or it was in a place that holds nothing, and then nothing is different.
let seed = 20260309, found = 0, harmless = 0;
const below = (n) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0), Math.floor((seed / 2 ** 32) * n));
for (let i = 0; i < flips; i++) {
  const at = below(sound.length), bit = below(8), bytes = Buffer.from(sound), what = `bit ${bit} of byte ${at} flipped`;
  bytes[at] ^= 1 << bit;
  begin();
  writeFileSync(database, bytes);
  const v = run(p, env, ['verify', '--json']);
  if (v.status === 0) {
    harmless++;
    judge(`${what}: not found, but it matters`, contents() === whole);
  } else {
    found++;
    judge(`${what}: verify`, [1, 10].includes(v.status), `exit ${v.status} ${v.signal ?? ''}: ${v.err}`);
    if (i % 8 === 0) rebuilds(what);
  }
}
console.log(`${flips} flipped bits: ${found} found, ${harmless} where nothing is`);

// ---- A file that is lost or unreadable: rebuild says so
begin();
rmSync(database);
rmSync(join(p, archive('claimed')));
writeFileSync(join(p, archive('done')), 'no copy of anything\n');
r = run(p, env, ['rebuild', '--json']);
judge('rebuild without database', r.status === 1, r.err);
if (r.status === 1) {
  const { restored, lost } = JSON.parse(r.out);
  judge('rebuild: the archived one', restored.some((h) => h.id === ids.archived && h.state === 'archived'), r.out);
  judge('rebuild: one without a file', !restored.some((h) => h.id === ids.claimed) && lost.some((l) => l.what.includes(ids.claimed)), r.out);
  judge('rebuild: an unreadable copy', lost.some((l) => l.what.includes(ids.done)), r.out);
}
// Twice in a row: the first one's database is not overwritten.
begin();
for (let i = 0; i < 3; i++) must(p, env, ['rebuild']);
const kept = readdirSync(join(p, '.handoff')).filter((name) => /before-rebuild-[^.]*$/.test(name) && !/-(wal|shm)$/.test(name));
judge('three rebuilds keep three databases', kept.length === 3, String(kept));

finish();
