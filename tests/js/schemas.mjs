// The published JSON Schemas and `check` give the same verdict on the canonical JSON form of every case, and of every
// case with each of its values changed in turn. The other judge is ajv.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finish, judge, needs } from './lib/test.mjs';

const build = process.argv[2];
const { default: Ajv } = await needs('ajv', '/dist/2020.js');
const tool = [join(build, 'tests', 'schema_tool'), join(build, 'schema_tool')].find(existsSync);
const run = (...args) => execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 30 });
const lines = (text) => text.split('\n').filter(Boolean);

// Cases of a format: its folder, and those of general rules that name it.
const cases = (format) => {
  const own = join('tests/cases', format);
  const files = existsSync(own) ? readdirSync(own).filter((f) => !f.endsWith('.path')).map((f) => join(own, f)) : [];
  const general = readdirSync('tests/cases/general').filter((f) => f.includes(`.${format}.`));
  return files.concat(general.map((f) => join('tests/cases/general', f)));
};

let leftOut = 0;
for (const format of lines(run('formats'))) {
  const schema = JSON.parse(run('schema', format));
  const published = join('schemas', `${format}.json`);
  judge(`${published} is not what the table says; run: make generate`,
    existsSync(published) && JSON.stringify(JSON.parse(readFileSync(published, 'utf8'))) === JSON.stringify(schema));
  const ajv = new Ajv({ allErrors: true, strict: false });
  const validate = ajv.compile(schema);
  for (const line of lines(run('cases', format, ...cases(format)))) {
    const { name, document, rules, unsure } = JSON.parse(line);
    const valid = validate(JSON.parse(document));
    if (unsure) leftOut++;
    else judge(name, valid === (rules.length === 0),
      `check ${rules.length ? `finds ${rules}` : 'finds nothing'}, ajv says ${valid ? 'valid' : JSON.stringify(validate.errors.slice(0, 3))}\n${document}`);
  }
}
const rules = lines(run('rules')).map((line) => JSON.parse(line));
console.log(`in the schemas: ${rules.filter((r) => r.in_schema).map((r) => r.id).join(' ')}`);
console.log(`only in check: ${rules.filter((r) => !r.in_schema).map((r) => r.id).join(' ')}`);
finish(`${leftOut} documents with placeholders or a key twice were left out`);
