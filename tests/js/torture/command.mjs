// One command of torture.mjs: a process, which may be killed or stopped on its way.
import { spawn } from 'node:child_process';
import { program } from '../lib/ledger.mjs';

/** A command waits for the store for 30 s at most, and the machine may be busy. */
export const LIMIT_MS = 60_000;

/** Runs it in `cwd`. person: the tool that gives it a terminal, for what a person does; harm: {kill} or {stop, rest}, in
 *  ms. {status, signal, out, err, ms}; killed: by us; late: it had not answered within the limit; failed: it could not
 *  be started. */
export function start({ args, input = '' }, cwd, env, { person, harm = {} } = {}) {
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const [file, all] = person ? [person, ['--', 'env', '-i', ...set, program, ...args, '--json']] : [program, [...args, '--json']];
  return new Promise((done) => {
    const began = performance.now(), child = spawn(file, all, { cwd, env: person ? { PATH: env.PATH } : env });
    const result = { out: '', err: '', killed: false, late: false }, timers = [];
    const later = (ms, act) => ms !== undefined && timers.push(setTimeout(act, ms));
    later(LIMIT_MS, () => (result.late = result.killed = child.kill('SIGKILL')));
    later(harm.kill, () => (result.killed = child.kill('SIGKILL')));
    later(harm.stop, () => child.kill('SIGSTOP') && setTimeout(() => child.kill('SIGCONT'), harm.rest));
    child.stdout.on('data', (data) => (result.out += data));
    child.stderr.on('data', (data) => (result.err += data));
    child.stdin.on('error', () => {}); // it may have ended before it read
    child.stdin.end(input);
    child.on('error', (error) => done({ ...result, failed: error }));
    child.on('close', (status, signal) => {
      timers.forEach(clearTimeout);
      done({ ...result, killed: result.killed && signal === 'SIGKILL', status, signal, ms: performance.now() - began });
    });
  });
}

/** The JSON value that was printed, or null if it is not whole. */
export function read(text) {
  try {
    return JSON.parse(text.slice(text.indexOf('{')));
  } catch {
    return null;
  }
}
