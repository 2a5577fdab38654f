// Private keys each of whose lines stands inside something else (tests/js/lib/carriers.mjs): none of their lines is left,
// and what stands before and behind the key is. So it is if the key's first line or its last is missing. Certificates,
// public keys, digests and images in the same carriers stay.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { carriers, isMaterial, keys } from './lib/carriers.mjs';
import { finish, judge } from './lib/test.mjs';

const tool = resolve(process.argv[2], 'tests', 'secrets_tool'), before = 'Fact one.\n', after = '\nFact two, and no more.\n';
/** The texts as they are stored. */
function redacted(texts) {
  const r = spawnSync(tool, { input: texts.map((text) => `${text}\0`).join(''), maxBuffer: 1 << 28 });
  return r.stdout.toString().split('\0');
}

// ---- Keys

// What is cut off.
const cuts = { nothing: (key) => key, 'the last line': (key) => key.slice(0, -1), 'the first line': (key) => key.slice(1) };
const cases = Object.entries(keys).flatMap(([kind, make]) => Object.entries(cuts).flatMap(([what, cut]) => Object.entries(carriers).map(([name, write]) => {
  const key = cut(make.key ??= make());
  return { what: `${kind} without ${what}, ${name}`, text: before + write(key) + after, lines: key.filter(isMaterial) };
})));
const out = redacted(cases.map(({ text }) => text));
cases.forEach(({ what, lines }, i) => {
  const shown = out[i].replaceAll(/\\\/|%2F|&#47;/g, '/').replaceAll(/%2B|&#43;/g, '+'), full = lines[0].length;
  const left = lines.filter((line) => line.length === full && (shown.includes(line) || shown.includes(line.slice(0, 40)) || shown.includes(line.slice(-40))));
  judge(what, !left.length && shown.startsWith(before) && shown.endsWith(after), `${left.length} of ${lines.length} lines are left: ${out[i].slice(0, 300)}`);
});

// ---- What is none

// The same in each run: by chance, some would have the shape of a token.
const bytes = (n, seed) => Buffer.concat(Array.from({ length: Math.ceil(n / 64) }, (_, i) => createHash('sha512').update(`${seed} ${i}`).digest())).subarray(0, n);
const wrap = (bytes, n) => bytes.toString('base64').match(new RegExp(`.{1,${n}}`, 'g'));
const der = Buffer.concat([Buffer.from('3082030a308201f2a003020102', 'hex'), bytes(765, 'certificate')]);
const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), bytes(2000, 'image')]);
const others = {
  'a public key': ['-----BEGIN PUBLIC KEY-----', ...wrap(Buffer.concat([Buffer.from('30820122300d06092a864886f70d01010105000382010f00', 'hex'), bytes(271, 'public')]), 64), '-----END PUBLIC KEY-----'],
  'a certificate': ['-----BEGIN CERTIFICATE-----', ...wrap(der, 64), '-----END CERTIFICATE-----'], 'a certificate without its first line': wrap(der, 64),
  'a signature': ['-----BEGIN PGP SIGNATURE-----', '', ...wrap(bytes(400, 'signature'), 64), '-----END PGP SIGNATURE-----'], 'an image': wrap(image, 76),
  'digests': Array.from({ length: 8 }, (_, i) => createHash('sha256').update(String(i)).digest('hex')),
  'digests in base64': Array.from({ length: 8 }, (_, i) => `sha384-${createHash('sha384').update(String(i)).digest('base64')}`),
  'digests of npm': Array.from({ length: 8 }, (_, i) => `sha512-${createHash('sha512').update(String(i)).digest('base64')}`),
};
const harmless = Object.entries(others).flatMap(([kind, lines]) => Object.entries(carriers).map(([name, write]) => ({ what: `${kind}, ${name}`, text: before + write(lines) + after })));
let touched = 0;
redacted(harmless.map(({ text }) => text)).slice(0, -1).forEach((text, i) => { if (text !== harmless[i].text) { touched++; if (touched < 5) console.log(`touched: ${harmless[i].what}`); } });
judge('what is no private key', touched * 100 <= harmless.length, `${touched} of ${harmless.length} are touched`);
finish(`${cases.length} keys: ${Object.keys(carriers).length} carriers, ${Object.keys(keys).length} kinds; ${touched} of ${harmless.length} other texts touched`);
