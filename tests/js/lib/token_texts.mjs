// Texts that try a tokenizer, from a seed: the same seed gives the same texts.

/** Numbers below n, from a seed. */
export function random(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const one = (below, list) => list[below(list.length)];
const between = (below, from, to) => String.fromCodePoint(from + below(to - from + 1));
const some = (below, max, make) => Array.from({ length: 1 + below(max) }, make).join('');

const words = `the of and to in a is that for it was on as with be by at this which from or have an they you were her all
  she there would their we him been has when who will no more if out so what up into do any your handoff agent summary
  decision because tokenizer unhappily antidisestablishmentarianism naïve Übergröße façade rôle coöperate straße Ærø
  internationalization lock-free re-entrant e.g. i.e. O'Brien rock'n'roll <|endoftext|> <|endofprompt|>`.split(/\s+/);

function prose(below) {
  const word = one(below, words);
  const cased = [word, word, word, word[0].toUpperCase() + word.slice(1), word.toUpperCase()];
  return one(below, cased) + one(below, [' ', ' ', ' ', ' ', ' ', ', ', '. ', '\n', '\n\n', ' — ', '; ', '?! ', ' (', ') ']);
}

function code(below) {
  const name = () => some(below, 3, () => one(below, ['get', 'User', 'HTTP', 'Id', '_x', 'parse', 'JSON', '2', 'buf', 'λ']));
  return one(below, [
    () => `${' '.repeat(below(9))}if (${name()} ${one(below, ['==', '!=', '<=', '&&', '>>'])} ${below(5000)}) {\n`,
    () => `${'\t'.repeat(below(4))}${name()}->${name()}(${name()}, "${name()}\\n");\n`,
    () => `${'  '.repeat(below(6))}"${name()}": [${below(1e6)}, ${below(100) / 7}, null],\r\n`,
    () => `// ${'/'.repeat(below(70))}\n#define ${name().toUpperCase()} 0x${below(1e9).toString(16)}\n`,
    () => `/usr/${name()}/${name()}.c:${below(999)}:${below(99)}: ${'-'.repeat(below(90))}\n`,
    () => `<div class="${name()}">&nbsp;{{ ${name()} }}</div>\n\n\n`,
  ])();
}

function cjk(below) {
  const ranges = [[0x4e00, 0x9fff], [0x4e00, 0x5fff], [0x3041, 0x3096], [0x30a1, 0x30fa], [0xac00, 0xd7a3], [0x3400, 0x4dbf]];
  const range = one(below, ranges);
  const tail = one(below, ['', '', '。', '、', '！', '\u3000', '「', '」', ' ', '\n', 'ー', '々', 'API', '2024年', '〜']);
  return some(below, 12, () => between(below, ...range)) + tail;
}

function emoji(below) {
  const face = () => between(below, ...one(below, [[0x1f600, 0x1f64f], [0x1f300, 0x1f5ff], [0x1f900, 0x1f9ff], [0x2600, 0x27bf]]));
  const join = one(below, ['', '', '\u200d', '\ufe0f', '\u{1f3fd}', '\u20e3', ' ', 'ok', '\u{1f1e9}\u{1f1ea}', '\n']);
  return face() + join;
}

function scripts(below) {
  const ranges = [
    [0x370, 0x3ff], [0x400, 0x52f], [0x5d0, 0x5f4], [0x5b0, 0x5f2], [0x620, 0x6d3], [0x900, 0x97f], [0xe01, 0xe5b], [0xc0, 0x24f],
    [0x1e00, 0x1fff], [0x10a0, 0x10ff], [0x13a0, 0x13ff], [0x1c90, 0x1cbf], [0x2c60, 0x2c7f], [0x300, 0x36f], [0x2b0, 0x2ff],
    [0xa720, 0xa7ff], [0x1c4, 0x1f3], [0x10400, 0x1044f], [0x1d400, 0x1d7ff],
  ];
  const range = one(below, ranges);
  return some(below, 10, () => between(below, ...range)) + one(below, [' ', '', '', '-', "'s ", '\u0301', '. ', ' «', '\n']);
}

function unicode(below) {
  for (;;) {
    const cp = below(one(below, [0x80, 0x800, 0x10000, 0x20000, 0x40000, 0x110000, 0x110000]));
    if (cp < 0xd800 || cp > 0xdfff) return String.fromCodePoint(cp);
  }
}

/** One or more of each class that the split pattern tells apart, so that any two meet often. */
function classes(below) {
  const each = ['A', 'Z', 'ǅ', 'Ω', 'a', 'z', 'ß', 'ʰ', 'ー', '中', 'ª', '\u0301', '\u0903', '\u20dd', '\u{e0100}', '1', '٣', 'Ⅷ', '½',
    ' ', ' ', '\t', '\n', '\r', '\u00a0', '\u0085', '\u2028', '\u3000', '\ufeff', '!', '/', "'", "'", '’', '_', '😀', '\u200d', '\0', 's',
    'ſ', 'S', 'L', 'l', 'K', '\u{10ffff}'];
  return one(below, each);
}

function whitespace(below) {
  const blank = ['\t', '\n', '\v', '\f', '\r', ' ', ' ', ' ', '\u0085', '\u00a0', '\u1680', '\u2000', '\u2009', '\u200a', '\u2028',
    '\u2029', '\u202f', '\u205f', '\u3000', '\u200b', '\ufeff', '\u180e', '\x1c', '\r\n'];
  return some(below, 8, () => one(below, blank)) + one(below, ['', '', '', 'a', 'B', '1', '!', '/', '\u0301', ' x', '中']);
}

function contractions(below) {
  const tail = one(below, ['s', 't', 're', 've', 'm', 'll', 'd', 'S', 'T', 'RE', 'Ve', 'M', 'lL', 'D', 'ſ', 'ſe', 'r', 'v', 'l', 'x', '']);
  const head = one(below, ['I', 'we', 'They', 'CAN', 'x', 'é', '中', 'ʰA', '1', ' ', '!', '\u0301', 'don', "'", 'Q', '\u0301A']);
  return head + one(below, ["'", "'", "'", "''", '’', 'ʼ']) + tail + one(below, [' ', '', '', "'s", 'a', 'A', '\n']);
}

function numbers(below) {
  const digit = () => one(below, ['0', '1', '9', '٣', '५', '½', 'Ⅷ', '²', '①', '\u{1d7d8}', '〇', '零']);
  return some(below, 9, one(below, [digit, () => String(below(10))])) + one(below, ['', '.', ',', ' ', 'e', 'px', '-', '/', '%', '\n']);
}

function longPiece(below) {
  const letters = one(below, ['a', 'ab', 'abc', 'aab', 'etaoin', 'é', '中文', 'ʰá', 'Aa', ' ', '\n ', '=', '-=', '!?', '\u0301', 'xyzzy', 'ACGT']);
  const list = [...letters];
  const period = 1 + below(200);
  const seed = Array.from({ length: period }, () => one(below, list)).join('');
  const wanted = 1500 + below(4500);
  if (below(2)) return seed.repeat(Math.ceil(wanted / period)).slice(0, wanted);
  return Array.from({ length: wanted }, () => one(below, list)).join('');
}

export const kinds = { prose, code, cjk, emoji, scripts, unicode, classes, whitespace, contractions, numbers };
export const hard = { longPiece };

/** Glues parts of one kind to a text of about so many UTF-16 units. */
export function text(kind, below, size) {
  const parts = [];
  for (let length = 0; length < size; length += parts.at(-1).length) parts.push(kind(below));
  return parts.join('').toWellFormed();
}
