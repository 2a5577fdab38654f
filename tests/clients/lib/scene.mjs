// The scene of the tests with real clients: a user's home and a project in which a handoff for the agent "worker" waits
// for a person. The home is not below /tmp, which sandboxes let agents write.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gateText, packageText, program, run, must } from '../../js/lib/ledger.mjs';
import { skipTest } from '../../js/lib/test.mjs';

const passphrase = 'correct horse battery';
export const person = resolve('build/dev/tests/person');

/** Puts a folder's contents in the place of another's; the folder itself stays, since a client works in it. */
function replace(from, to) {
  for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

export class Scene {
  constructor({ enrolled = false } = {}) {
    this.folder = mkdtempSync('/var/tmp/handoff-clients-');
    for (const above of ['/', '/var', '/var/tmp']) // one way deletes the project's, and then that would count
      if (existsSync(join(above, '.handoff'))) skipTest(`there is a project around the scene: ${join(above, '.handoff')}`);
    process.on('exit', () => rmSync(this.folder, { recursive: true, force: true }));
    for (const name of ['home', 'project', 'kept', 'bin', 'tmp']) mkdirSync(join(this.folder, name));
    [this.home, this.project, this.bin] = ['home', 'project', 'bin'].map((name) => join(this.folder, name));
    this.env = { PATH: `${this.bin}:/usr/bin:/bin`, HOME: this.home, LC_ALL: 'C.UTF-8', SHELL: '/bin/bash', TERM: 'xterm', TMPDIR: join(this.folder, 'tmp') };
    cpSync(program, join(this.bin, 'handoff'));
    // Login shells, which some clients start, set PATH anew.
    writeFileSync(join(this.home, '.bash_profile'), `PATH=${this.env.PATH}\n`);
    this.raise(enrolled);
    for (const name of ['home', 'project']) cpSync(join(this.folder, name), join(this.folder, 'kept', name), { recursive: true });
  }

  /** The gate, and the person who decides it, with a key or without one. */
  raise(enrolled) {
    spawnSync('git', ['init', '-q', this.project]);
    writeFileSync(join(this.project, 'work.yaml'), packageText(1));
    writeFileSync(join(this.project, 'gate.yaml'), gateText());
    must(this.project, this.env, ['init']);
    if (enrolled) {
      this.asPerson(['key', 'new', '--name', 'ana'], [passphrase, passphrase]);
      this.asPerson(['key', 'enrol'], [passphrase]);
      this.asPerson(['trust'], ['yes']);
    }
    this.id = must(this.project, this.env, ['send', 'work.yaml']).id;
    this.gate = must(this.project, this.env, ['gate', 'raise', 'gate.yaml', '--for', this.id]).gate;
  }

  /** A person at a terminal; it has to succeed. */
  asPerson(args, answers = []) {
    const r = spawnSync(person, [...answers.flatMap((text) => ['-a', text]), '--', program, ...args], { cwd: this.project, env: this.env, encoding: 'utf8' });
    if (r.status !== 0) throw new Error(`handoff ${args.join(' ')}: exit ${r.status}\n${r.stdout}${r.stderr}`);
  }

  /** Home and project as they were at first. */
  again() {
    for (const name of ['home', 'project']) replace(join(this.folder, 'kept', name), join(this.folder, name));
  }

  /** What came of the gate, as a person sees it: 'holds'; 'unsigned', 'unconfirmed' or 'signed', if it counts as approved; 'delivered', if
   * its handoff can be claimed without that; ' (named)' behind it, if `verify` names something. */
  outcome() {
    const ask = (...args) => run(this.project, this.env, args);
    const shown = ask('gate', 'show', this.gate, '--json');
    const gate = shown.status === 0 ? JSON.parse(shown.out) : {};
    const approved = gate.decision === 'approve';
    if (!approved && ask('next', '--as', 'worker').status !== 0) return 'holds';
    return `${approved ? gate.proof : 'delivered'}${ask('verify').status === 0 ? '' : ' (named)'}`;
  }

  /** Ends what was started in the scene and left behind. */
  stop() {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${this.folder}/`)) process.kill(Number(pid), 'SIGKILL');
      } catch { /* it has ended, or is somebody else's */ }
    }
  }

  /** A file that agents can run, `name` on their PATH. */
  tool(name, text) {
    writeFileSync(join(this.bin, name), text);
    chmodSync(join(this.bin, name), 0o755);
  }
}
