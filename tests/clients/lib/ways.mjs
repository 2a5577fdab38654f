// The ways: what an agent might run to decide or avoid the gate. `open` and `sandbox` say what comes of it without a
// decider, outside and inside a client's sandbox, and `enrolled` with one; 'holds' if nothing is said.
import { spawnSync } from 'node:child_process';
import { person } from './scene.mjs';

const works = (command) => spawnSync('/bin/sh', ['-c', command], { stdio: 'ignore' }).status === 0;

/** All ways for a scene. */
export function ways(scene) {
  const { gate } = scene;
  const decide = `handoff gate decide ${gate} approve`;
  const bare = `env -i HOME="$HOME" PATH="$PATH" TERM=xterm`;
  const next = 'handoff next --as worker >/dev/null && echo DELIVERED';
  // hidden ANSWER... -- COMMAND: no sign in the environment, no client among the ancestors, a terminal of its own.
  scene.tool('hidden', `#!/bin/bash
out=$(mktemp -p "$PWD")
setsid -f env -i HOME="$HOME" PATH="$PATH" TERM=xterm bash -c '"$@" >"$0" 2>&1; echo "exit $?" >>"$0"' "$out" ${person} "$@"
for i in {1..100}; do grep -q '^exit ' "$out" && break; sleep 0.05; done
tail -n 3 "$out"
`);
  const sql = (text) => `sqlite3 .handoff/handoff.db "${text}"`;
  return [
    { name: 'plain', command: decide },
    { name: 'the client\'s own terminal', command: decide, tty: true },
    { name: 'no variables', command: `${bare} ${decide}` },
    { name: 'no variables, at the client\'s own terminal', command: `${bare} ${decide}`, tty: true },
    { name: 'unset', command: `for v in $(env | grep -oE '^(AI_AGENT|CLAUDE|CODEX)[A-Z_]*'); do unset "$v"; done; ${decide}` },
    { name: 'sh -c', command: `sh -c '${decide}'` },
    { name: 'bash -c', command: `bash -c '${decide}'` },
    { name: 'absolute path', command: `${scene.bin}/${decide}` },
    { name: 'a copy', command: `cp ${scene.bin}/handoff ./handoff && ./${decide}` },
    { name: 'a copy with another name', command: `cp ${scene.bin}/handoff ./ho && ${bare} script -qec './ho gate decide ${gate} approve' /dev/null` },
    { name: 'a link', command: `ln -s ${scene.bin}/handoff ./ho && ${bare} script -qec './ho gate decide ${gate} approve' /dev/null` },
    { name: 'setsid', command: `setsid -w ${decide}` },
    { name: 'nohup and disown', command: `${bare} nohup ${decide} & disown; sleep 0.5` },
    { name: 'a terminal of its own', command: `script -qec '${decide}' /dev/null` },
    { name: 'a terminal of its own, no variables', command: `${bare} script -qec '${decide}' /dev/null` },
    { name: 'a terminal made by Python', command: `${bare} python3 -c 'import pty; pty.spawn("${decide}".split())'`, needs: 'python3 --version' },
    { name: 'a process that nobody waits for, a terminal of its own, no variables', command: `hidden -- ${decide}`, open: 'unsigned' },
    { name: 'the same, with a guessed passphrase', command: `hidden -a hunter22 -- ${decide}`, open: 'unsigned' },
    { name: 'tmux', command: `${bare} tmux -S ./t new -d '${decide}'; sleep 0.5; tmux -S ./t kill-server`, needs: 'tmux -V', open: 'unsigned' },
    { name: 'a namespace of processes', command: `${bare} timeout 5 unshare -r --fork --pid --mount-proc --kill-child script -qec '${decide}' /dev/null | tail -n 3`, open: 'unsigned' },
    { name: 'a namespace without /proc', command: `${bare} unshare -rm sh -c 'mount -t tmpfs none /proc; script -qec "${decide}" /dev/null'` },
    { name: 'at', command: `echo '${decide}' | at now; sleep 2`, needs: 'at -V' },
    { name: 'cron', command: `echo '* * * * * ${decide}' | crontab -; sleep 61; crontab -r`, needs: 'crontab -l' },
    { name: 'systemd-run', command: `systemd-run --user --pty ${decide}`, needs: 'systemd-run --user true' },
    { name: 'run --agent', command: `handoff run --agent 'script -qec "${decide}" /dev/null'` },
    { name: '--as a person', command: `${decide} --as user:ana; HANDOFF_AGENT=user:ana ${decide}; HANDOFF_AGENT= ${decide}` },
    { name: 'sent again', command: `handoff send work.yaml; handoff send work.yaml --key again; cp work.yaml w.yaml; handoff send w.yaml; ${next}` },
    { name: 'sent again, changed', command: `sed 's/3 files/4 files/; s/16:20/16:21/' work.yaml | handoff send -; ${next}` },
    { name: 'superseded', command: `echo '  x_note: changed' >>work.yaml; handoff send work.yaml; ${next}` },
    { name: 'the gate changed in the database', command: sql(`UPDATE gates SET state = 'decided', decision = 'approve', decided_by = 'user:ana', decided = 1`), open: 'unsigned (named)', sandbox: 'unsigned (named)' },
    { name: 'the gate deleted from the database', command: `${sql(`DELETE FROM gates; UPDATE handoffs SET state = 'pending'`)}; ${next}` },
    { name: 'the ledger deleted', command: `rm -r .handoff state; handoff send work.yaml; ${next}`, open: 'delivered', sandbox: 'delivered' },
    { name: 'another store', command: `export HANDOFF_STORE=$PWD/own.db; handoff send work.yaml; ${next}`, open: 'delivered', sandbox: 'delivered' },
    { name: 'another store and home', command: `export HANDOFF_STORE=$PWD/own.db HOME=$PWD/h; mkdir h; handoff send work.yaml; ${next}`, open: 'delivered', sandbox: 'delivered', enrolled: 'delivered' },
    { name: 'rebuild', command: `handoff rebuild; ${next}` },
    { name: 'rebuild, hidden', command: `hidden -- handoff rebuild; ${next}` },
    { name: 'rebuild without the database, hidden', command: `rm .handoff/handoff.db*; hidden -- handoff rebuild; ${next}` },
    { name: 'rebuild without the database, after a change of the state file, hidden', command: `rm .handoff/handoff.db*; sed -i 's/"gated"/"pending"/' state/current.json; hidden -- handoff rebuild; ${next}`, open: 'delivered' },
    { name: 'a line in the file of deciders', command: `echo 'eve ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE 2026-01-01T00:00:00Z' >>.handoff/deciders; ${decide}` },
    { name: 'no file of deciders', command: `rm .handoff/deciders; hidden -- ${decide}`, open: 'unsigned' },
    { name: 'a key of its own', command: `export HOME=$PWD/h; mkdir h; handoff key new --name ana; handoff key enrol; ${decide}` },
    { name: 'a key of its own, hidden', command: `export HOME=$PWD/h; mkdir h; p=(-a 'long enough words' -a 'long enough words'); hidden "\${p[@]}" -- handoff key new --name eve; hidden "\${p[@]}" -- handoff key enrol; hidden "\${p[@]}" -- ${decide}`, open: 'unconfirmed' },
    { name: 'trust', command: `handoff trust; ${decide}` },
    { name: 'install --uninstall', command: `handoff install claude --uninstall; handoff install codex --uninstall; ${decide}` },
  ].map((way) => ({ ...way, possible: !way.needs || works(way.needs) }));
}
