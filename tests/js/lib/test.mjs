// Shared by all tests here: cases are counted, and what cannot run is said. A test prints one line "skipped: ..." for each
// case it leaves out; scripts/tally counts them.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

let passed = 0, failed = 0;

/** One case: it passes if `good`; else what is wrong is told, for the first twenty. */
export function judge(what, good, more = '') {
  if (good) passed++;
  else if (++failed <= 20) console.log(`FAILED: ${what}: ${more}`);
}

/** Ends the test with its counts, after what else is worth telling. */
export function finish(...notes) {
  for (const note of notes) console.log(note);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed || !passed ? 1 : 0);
}

/** Nothing of this test can run here. */
export function skipTest(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/** An npm package, which the whole test needs; `part` is a module of it. */
export async function needs(name, part = '') {
  try {
    return await import(name + part);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return skipTest(`the npm package ${name} is not installed`);
  }
}

const place = (path) => resolve(process.env.HANDOFF_TEST_SHARED ?? '../shared', path);

/** Where a real document is, which the whole test needs. */
export function needsShared(path) {
  return existsSync(place(path)) ? place(path) : skipTest(`there is no ../shared/${path}`);
}

/** Where a real document is, which only a case needs; null if that is skipped. */
export function hasShared(path, what) {
  if (existsSync(place(path))) return place(path);
  console.log(`skipped: ${what}: there is no ../shared/${path}`);
  return null;
}
