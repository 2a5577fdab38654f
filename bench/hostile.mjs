// What hostile inputs cost: time per byte against that of an ordinary document of 2 KB. Both are measured on one core
// as folders of equal files, without the time of a process start; each input ends in a result or a limit error.
import { handoff, median, packageYaml, report, responseJson, temporaryProject, timed, write, writeArtifacts } from './lib_bench.mjs';

const limit = 20, rounds = 5, volume = 1 << 20, copies = 500;
const project = temporaryProject();
writeArtifacts(project);

function aliasBomb() {
  const levels = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 9; i++) {
    const [below, name] = 'abcdefghi'.slice(i - 1, i + 1);
    levels.push(`${name}: &${name} [${Array(9).fill(`*${below}`).join(', ')}]`);
  }
  return levels.join('\n') + '\n';
}

const keys = (line) => Array.from({ length: 20_000 }, (_, i) => line(i)).join('');
const hostile = {
  'json-brackets.json': '['.repeat(100_000),
  'yaml-brackets.yaml': '['.repeat(100_000),
  'alias-bomb.yaml': aliasBomb(),
  'yaml-keys.yaml': keys((i) => `key${i}: value\n`),
  'json-keys.json': `{${keys((i) => `"key${i}": 1, `)}"end": 1}`,
  'yaml-same-keys.yaml': keys(() => 'key: value\n'),
  'json-scalar.json': `{"task_id": "${'x'.repeat(10 << 20)}"}`,
  'yaml-scalar.yaml': `handoff:\n  id: ${'x'.repeat(10 << 20)}\n`,
  'quotes.md': '# Phase 1 Handoff\n\n' + '>'.repeat(50_000) + ' deep\n',
  'emphasis.md': '# Phase 1 Handoff\n\n' + '*a **a '.repeat(15_000) + '\n',
  'links.md': '# Phase 1 Handoff\n\n' + '['.repeat(50_000) + '\n',
  'line.md': '# Phase 1 Handoff\n\n## Immediate Next Action\n' + 'word '.repeat(200_000) + '\n',
  'line.yaml': `handoff:\n  context:\n    summary: ${'word '.repeat(200_000)}\n`,
  'invalid-utf8.yaml': Buffer.concat([Buffer.from('handoff:\n  id: x\n'), Buffer.alloc(1 << 20, 0xff)]),
  'nul.json': Buffer.concat([Buffer.from('{"task_id": "'), Buffer.alloc(1 << 20, 0)]),
};

/** Milliseconds of `check` over a folder, on one core; any exit status but a bug or a signal will do. */
function check(folder) {
  return timed('taskset', ['-c', '0', handoff, 'check', folder], [0, 1, 3, 4, 8], { cwd: project });
}

/** Nanoseconds per byte of a document, from as many copies as make a good volume. */
function cost(folder, name, texts, start) {
  const size = Buffer.byteLength(texts[0]);
  const files = Math.min(copies, Math.max(1, Math.ceil(volume / size)));
  for (let i = 0; i < files; i++) write(project, `${folder}/${i}-${name}`, texts[i % texts.length]);
  const spent = median(Array.from({ length: rounds }, () => check(folder))) - start;
  return (Math.max(spent, 0.01) * 1e6) / (files * size);
}

const start = median(Array.from({ length: 50 }, () => timed('taskset', ['-c', '0', handoff, 'version'], [0])));
const usual = median([
  cost('usual-yaml', 'package.yaml', [packageYaml(1, 2048)], start),
  cost('usual-json', 'response.json', [responseJson(1, 2048)], start),
  cost('usual-mixed', 'mixed.yaml', [packageYaml(2, 2048)], start),
]);
let worst = 0;
for (const [name, text] of Object.entries(hostile)) {
  const ratio = cost(`hostile-${name}`, name, [text], start) / usual;
  worst = Math.max(worst, ratio);
  console.log(`         ${name.padEnd(20)} ${ratio.toFixed(2)} times`);
}
report('hostile', `at most ${worst.toFixed(1)} times the ${usual.toFixed(0)} ns/byte of an ordinary document (limit ${limit})`, worst <= limit);
