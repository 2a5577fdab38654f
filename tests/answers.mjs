// Answers the shell tests' questions about JSON, one after the other, because starting a node for each would take longer
// than what they test (tests/json). A question is a folder, a JSON value and an expression about it, v; the answer is
// "ok" and the expression's value, or "bad" and what went wrong. All are texts that end in a NUL.
import { createRequire } from 'node:module';
import { readSync, writeSync } from 'node:fs';

const require = createRequire(import.meta.url); // for expressions
const piece = Buffer.alloc(1 << 16);
let texts = [], rest = [];

function take(bytes) {
  for (let at; (at = bytes.indexOf(0)) >= 0; bytes = bytes.subarray(at + 1)) {
    texts.push(Buffer.concat([...rest, bytes.subarray(0, at)]).toString());
    rest = [];
  }
  rest.push(Buffer.from(bytes));
}

function answer([folder, json, expression]) {
  try {
    process.chdir(folder);
    const v = JSON.parse(json), value = eval(expression);
    return `ok\0${value ?? ''}\0`;
  } catch (error) {
    return `bad\0${error}\0`;
  }
}

for (let n; (n = readSync(0, piece)) > 0;) {
  take(piece.subarray(0, n));
  while (texts.length >= 3) writeSync(1, answer(texts.splice(0, 3)));
}
