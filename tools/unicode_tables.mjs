// Writes src/doc/tokens/tokens_unicode.c: for every code point the class that the split pattern of o200k_base sees.
//
//   node tools/unicode_tables.mjs [--check]
//
// The classes are asked of the regex engine inside npm `tiktoken` (tests/js), not of Node: theirs is Unicode 16, Node's
// may be newer, and a count has to be the same as theirs. --check writes nothing and fails if the file would change.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const target = new URL('src/doc/tokens/tokens_unicode.c', root);
const require = createRequire(new URL('tests/js/package.json', root));
const { Tiktoken } = require('tiktoken');
const version = require('./package.json').dependencies.tiktoken;

// In the order of ho_token_class.
const patterns = [null, '\\s', '[\\r\\n]', '\\p{N}', '[\\p{Lu}\\p{Lt}]', '\\p{Ll}', '[\\p{Lm}\\p{Lo}]', '\\p{M}'];

/** An encoding whose only tokens are bytes, and which drops whatever the pattern does not match. */
function filter(pattern) {
  const bytes = Array.from({ length: 256 }, (_, i) => Buffer.from([i]).toString('base64'));
  const encoding = new Tiktoken(`! 0 ${bytes.join(' ')}`, {}, pattern);
  return (text) => Buffer.from(encoding.decode(encoding.encode(text, [], []))).toString();
}

function classes() {
  const table = new Uint8Array(0x110000);
  let all = '';
  for (let cp = 0; cp < table.length; cp++) if (cp < 0xd800 || cp > 0xdfff) all += String.fromCodePoint(cp);
  patterns.forEach((pattern, i) => {
    if (pattern) for (const c of filter(pattern)(all)) table[c.codePointAt(0)] = i;
  });
  return table;
}

/** Cuts the table into blocks of `size` and keeps each different block once; what lies behind the index is class 0. */
function blocks(table, size) {
  const seen = new Map();
  const index = [];
  for (let at = 0; at < table.length; at += size) {
    const key = table.subarray(at, at + size).join('');
    if (!seen.has(key)) seen.set(key, seen.size);
    index.push(seen.get(key));
  }
  while (index.at(-1) === seen.get('0'.repeat(size))) index.pop();
  return { index, unique: [...seen.keys()] };
}

function rows(items, width) {
  const lines = [];
  let line = ' ';
  for (const item of items) {
    if (line.length + item.length + 2 > width) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${item},`;
  }
  return [...lines, line].join('\n');
}

function render(table) {
  const { index, unique } = blocks(table, 256);
  if (unique.length > 256) throw new Error('a block number no longer fits into a byte');
  const packed = [...unique.join('').matchAll(/.{16}/g)].map(
    ([sixteen]) => `0x${BigInt(`0x${[...sixteen].reverse().join('')}`).toString(16)}`,
  );
  return `/* Written by tools/unicode_tables.mjs from the regex engine of npm tiktoken ${version}; not by hand. */
#include "doc/tokens/tokens_unicode.h"
/* clang-format off */

const uint32_t ho_token_blocks = ${index.length};

const uint8_t ho_token_block[${index.length}] = {
${rows(index.map(String), 120)}
};

const uint64_t ho_token_classes[${packed.length}] = {
${rows(packed, 120)}
};
`;
}

const text = render(classes());
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/doc/tokens/tokens_unicode.c is not what tools/unicode_tables.mjs writes');
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
