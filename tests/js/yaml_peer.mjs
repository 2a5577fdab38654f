// Our YAML and that of npm yaml say the same: yaml_peer.mjs BUILD_DIR [SEED]
//
// What we write, npm yaml reads as the same value by the rules of YAML 1.1 and of 1.2; what npm yaml writes in any of
// its styles, we read as the same value.
import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { finish, judge, needs } from './lib/test.mjs';
import { random } from './lib/token_texts.mjs';

const build = process.argv[2] ?? 'build/dev';
const seed = Number(process.argv[3] ?? 20260111);
const tool = `${build}/tests/yaml_tool`;

const YAML = await needs('yaml');

const nasty = ['', ' ', '  x', 'x  ', '- a', '-', '--', '---', '--- a', '...', 'a: b', 'a:', ':', ': a', ':a', 'a:b', '#x',
  'a #b', 'a# b', 'no', 'No', 'NO', 'yes', 'y', 'Y', 'n', 'on', 'OFF', 'true', 'True', 'false', 'null', 'Null', '~', '~a', '0', '-1',
  '+1', '0x1F', '0o17', '017', '0b11', '1_000', '1.', '.5', '1e3', '1E+3', '-.inf', '.inf', '.NaN', '+.INF', '12:30:45', '1:30',
  '190:20:30.15', '2026-01-11', '2026-01-11T10:00:00Z', '2026-1-1 1:1:1 +1', '\t', 'a\tb', '\ta', 'a\t', '\n', '\n\n', 'a\n',
  'a\n\n', 'a\nb', '\na', ' a\nb', 'a\n b', 'a\n\tb', '\ta\nb', 'a\n \nb', 'a\n ', 'a \nb', 'a\n  \n', 'a\rb', 'a\r\nb', '\r',
  'a\u0085b', 'a\u2028b', 'a\u2029b', '\u0000', '\u0001', 'a\u001b[0m', '\u007f', '\u0080', '\ufeff', 'a\ufeff', '\ufffe',
  '\ufffd', '😀', '😀\nb', '\u{10ffff}', '\u00a0', '? x', '?', '?x', '!tag', '!', '!!str x', '&a', '&', '*a', '*', '**b**', '%d', '%',
  '@', '@a', '`', '`a`', ',', ', a', '[', ']', '[]', '[a]', '{', '}', '{}', '{a}', '"', "'", '"a"', "'a'", "it's", '\\', 'a\\',
  '\\n', '|', '|-', '>', '> a', '<<', '=', '=a', '<a>', 'a, b', 'a [b]', 'key: |', '- - a', '? a\n: b', '# a\nb', 'a\n# b',
  'a\n---\nb', 'a\n...\n', '--- |\n a', 'a\n\n\nb\n\n\n', '\n a', 'a:\nb', 'a: \n', 'x\n- y', '1.2.3', '1,000', '0x', '-a', './a',
  '..', '.a', 'k'.repeat(249), 'k'.repeat(251), 'é'.repeat(600), 'x '.repeat(700) + 'x'];
const pieces = ['a', 'b c', ' ', '\n', ':', '#', '-', '"', "'", '\\', '\t', '1', '.', 'e', 'é', '😀', '\r', '[', '}', ',', '|', '~'];
const numbers = [0, -1, 1.5, 1e300, 123456789012, -0.000001, 1e-7];

const below = random(seed);
const one = (list) => list[below(list.length)];

function text() {
  return below(3) ? one(nasty) : Array.from({ length: below(8) }, () => one(pieces)).join('');
}

function tree(depth) {
  const kind = below(depth ? 7 : 4);
  if (kind === 0) return null;
  if (kind === 1) return below(2) === 1;
  if (kind === 2) return one(numbers);
  if (kind === 3) return text();
  const items = Array.from({ length: below(6) }, () => tree(depth - 1));
  return kind === 4 ? items : Object.fromEntries(items.map((item) => [text(), item]));
}

function run(args, input) {
  const done = spawnSync(tool, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) console.log(`yaml_tool ${args} ended with ${done.status}: ${done.stderr.slice(0, 300)}`);
  return { text: done.stdout, clean: done.status === 0 && !done.stderr.includes('yaml-') };
}

const check = (same, what) => judge('it differs', same, what.replace(/(.)\1{50,}/g, '$1…'));

/** The items that differ are named one by one. */
function compare(wanted, got, what) {
  wanted.forEach((item, i) => check(isDeepStrictEqual(got?.[i], item), `${what}: ${JSON.stringify(item).slice(0, 500)}`));
}

const readings = [
  ['1.2', { version: '1.2', schema: 'core' }],
  ['1.1', { version: '1.1', schema: 'yaml-1.1' }],
];
const items = [...nasty, ...nasty.map((key) => ({ [key]: key })), ...Array.from({ length: 2000 }, () => tree(4))];

const ours = run(['-w'], JSON.stringify(items));
for (const [name, options] of readings) {
  let got = null;
  try {
    got = YAML.parse(ours.text, { ...options, maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    console.log(error.message);
  }
  compare(items, got, `our YAML read by ${name}`);
}
check(isDeepStrictEqual(JSON.parse(run([], ours.text).text), items), 'our YAML read by ourselves');

// libyaml reads YAML 1.1: it ends lines at more characters, allows fewer, and knows fewer plain texts inside [ ].
const unfit = /[\u0000-\u0008\u000b-\u001f\u007f-\u0085\u2028\u2029\ufeff\ufffe]|^[:?]|:\n|^\s*\t|.{500}/;
function fits(value) {
  if (typeof value === 'string') return !unfit.test(value);
  return value === null || typeof value !== 'object' || Object.entries(value).flat().every(fits);
}
const theirs = items.filter(fits);
const styles = [
  {},
  { lineWidth: 0 },
  { lineWidth: 30, defaultStringType: 'QUOTE_DOUBLE' },
  { defaultStringType: 'QUOTE_SINGLE', indentSeq: false },
  { collectionStyle: 'flow', lineWidth: 0 },
  { blockQuote: 'folded', lineWidth: 40 },
];
for (const style of styles) {
  const read = run([], YAML.stringify(theirs, style));
  check(read.clean, `${JSON.stringify(style)} is read without findings`);
  compare(theirs, read.clean ? JSON.parse(read.text) : null, `their YAML in ${JSON.stringify(style)}`);
}

finish();
