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

/** This case cannot run here; the test goes on. */
export const skip = (what, why) => console.log(`skipped: ${what}: ${why}`);

/** An npm package, which the whole test needs; `part` is a module of it. */
export async function needs(name, part = '') {
  try {
    return await import(name + part);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return skipTest(`the npm package ${name} is not installed`);
  }
}

/** Where a real document is; null if it is not there. */
export function shared(path) {
  const place = resolve(process.env.HANDOFF_TEST_SHARED ?? '../shared', path);
  return existsSync(place) ? place : null;
}
