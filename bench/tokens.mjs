// Counting tokens against npm tiktoken, in megabytes a second over texts of many kinds, and what a piece that never ends
// costs: one letter, 50 KB and 1 MB of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { kinds, random, text } from '../tests/js/lib/token_texts.mjs';
import { median, report, root, temporaryProject } from './lib_bench.mjs';

const limit = 5, hostileLimit = 20, rounds = 5;
const release = join(root, 'build/release');
const image = join(release, 'share/handoff/o200k_base.image');
if (!existsSync(image)) {
  console.log('tokens   skipped: the release has no token image');
  process.exit(0);
}
const tool = join(temporaryProject(), 'tokens_tool');
const libraries = ['libho_doc.a', 'libho_base.a'].map((name) => join(release, name));
execFileSync('gcc', ['-O2', '-D_GNU_SOURCE', `-I${root}/src`, `${root}/tests/tools/tokens_tool.c`, ...libraries, '-pthread', '-o', tool]);
const peer = createRequire(join(root, 'tests/js/package.json'))('tiktoken').get_encoding('o200k_base');

/** Seconds that counting takes here. */
function ours(string) {
  const bytes = Buffer.from(string);
  const input = Buffer.concat([Buffer.from(new Uint32Array([bytes.length]).buffer), bytes]);
  return median(Array.from({ length: rounds }, () => Number(spawnSync(tool, [image, '--time'], { input }).stdout)));
}

/** Seconds that it takes there. */
function theirs(string) {
  const start = performance.now();
  peer.encode_ordinary(string);
  return (performance.now() - start) / 1000;
}

const sources = execFileSync('git', ['ls-files', 'src/**/*.[ch]'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const texts = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, text(kind, random(1), 300_000)]));
texts.sources = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('');

const sum = { bytes: 0, ours: 0, theirs: 0 };
for (const [name, string] of Object.entries(texts)) {
  const one = { bytes: Buffer.byteLength(string), ours: ours(string), theirs: theirs(string) };
  for (const key in sum) sum[key] += one[key];
  const speed = (seconds) => (one.bytes / 1e6 / seconds).toFixed(1);
  console.log(`         ${name.padEnd(20)} ${speed(one.ours)} MB/s against ${speed(one.theirs)}`);
}
const ratio = sum.theirs / sum.ours;
const speed = (sum.bytes / 1e6 / sum.ours).toFixed(1);
report('tokens', `${speed} MB/s, ${ratio.toFixed(1)} times npm tiktoken (limit ${limit})`, ratio >= limit);

const usual = (sum.ours / sum.bytes) * 1e9;
for (const size of [50_000, 1 << 20]) {
  const spent = ours('a'.repeat(size));
  const times = (spent * 1e9) / size / usual;
  const beside = size > 50_000 ? '' : `, npm tiktoken ${(theirs('a'.repeat(size)) * 1000).toFixed(0)} ms`;
  report('tokens', `a piece of ${size} bytes: ${(spent * 1000).toFixed(1)} ms, ${times.toFixed(1)} times as long a byte as usual (limit ${hostileLimit})${beside}`, times <= hostileLimit);
}
