// errors.mjs: of the C files named on standard input, prints the calls that pass NULL for an error, and the questions
// whether one is NULL. Run by errors.sh.
import { readFileSync } from "node:fs";

const names = readFileSync(0, "utf8").split("\n").filter(Boolean);
const texts = new Map(names.map((name) => [name, readFileSync(name, "utf8")]));
const everywhere = new Set(), inFile = new Map();
let bad = false;
// Functions whose last parameter is the error: those named ho_ are known to all, the others to their own file.
for (const [name, text] of texts) {
  const own = new Set();
  for (const [, called] of text.matchAll(/\b(\w+)\((?:[^;{}()]|\([^()]*\))*\bho_error \*\w+\)/g))
    (called.startsWith("ho_") ? everywhere : own).add(called);
  inFile.set(name, own);
}
// What stands between the parenthesis before `at` and the one that closes it.
function inside(text, at) {
  for (let i = at, depth = 1; i < text.length; i++) {
    if (text[i] === '"' || text[i] === "'") {
      const quote = text[i++];
      for (; text[i] !== quote && i < text.length; i++) if (text[i] === "\\") i++;
    } else if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return text.slice(at, i);
  }
  return "";
}
function complain(name, at, what) {
  console.log(`${name}:${texts.get(name).slice(0, at).split("\n").length}: ${what}`);
  bad = true;
}
for (const [name, text] of texts) {
  for (const m of text.matchAll(/\b(\w+)\(/g))
    if ((everywhere.has(m[1]) || inFile.get(name).has(m[1])) &&
        /(^|,)\s*NULL\s*$/.test(inside(text, m.index + m[0].length)))
      complain(name, m.index, `${m[1]} gets NULL for its error`);
  for (const m of text.matchAll(/((if|while) \(|&& |\|\| )!?err(\)| &&| \|\|)|[(= ]err \?/g))
    complain(name, m.index, "err is never NULL");
}
process.exit(bad ? 1 : 0);
