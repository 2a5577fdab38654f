// lib_check_peer FOLDER SCHEMAS: reads and validates every document below FOLDER with yaml and ajv; exits 1 where one
// is not valid, so that both sides of the benchmark reach the same verdict.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './lib_bench.mjs';

const require = createRequire(join(root, 'tests/js/package.json'));
const YAML = require('yaml');
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;

const [folder, schemas] = process.argv.slice(2);
const ajv = new Ajv({ allErrors: true, strict: false });
addFormats(ajv);
const validators = Object.fromEntries(
  ['package', 'response'].map((name) => [name, ajv.compile(JSON.parse(readFileSync(join(schemas, `${name}.json`), 'utf8')))]),
);
let invalid = 0;
for (const path of readdirSync(folder, { recursive: true })) {
  if (!/\.(yaml|json)$/.test(path)) continue;
  const text = readFileSync(join(folder, path), 'utf8');
  const [value, validate] = path.endsWith('.json') ? [JSON.parse(text), validators.response] : [YAML.parse(text), validators.package];
  if (!validate(value) && invalid++ === 0) console.error(path, JSON.stringify(validate.errors.slice(0, 3)));
}
process.exit(invalid ? 1 : 0);
