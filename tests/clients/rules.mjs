// In real clients: an agent is recognised by its variables, by the processes above it and by its sandbox, and the rules
// that `handoff install` writes stop the commands that only people may run before the program has to.
import { realpathSync } from 'node:fs';
import { judge, finish } from '../js/lib/test.mjs';
import { eachClient, findClient, session } from './lib/clients.mjs';
import { startMock } from './lib/mock.mjs';
import { Scene } from './lib/scene.mjs';

const variables = { claude: 'AI_AGENT is set', codex: 'CODEX_THREAD_ID is set' };

/** `doctor` names every sign there is; `program` is how the client was started. */
async function recognised({ name, sandbox, title }, scene, program) {
  const mock = await startMock();
  const bare = `env -i HOME="$HOME" PATH="$PATH"`;
  mock.play((async function* () {
    const all = yield { run: 'handoff doctor' };
    judge(`${title}: by its variables`, all.includes(variables[name]), all);
    const processes = yield { run: `${bare} handoff doctor` };
    judge(`${title}, as ${program}: by its process`, new RegExp(`started by process \\d+ \\(${name}\\)`).test(processes), processes);
    judge(`${title}: by its sandbox`, processes.includes('no_new_privs is set') === !!sandbox, processes);
  })());
  await session(name, { mock, scene, sandbox, program });
}

/** What the client itself says of a command that a rule forbids, and whether its rules see a command inside another. */
const rules = {
  claude: { stopped: /Permission to use Bash with command .* has been denied/s, inside: true },
  codex: { stopped: /rejected: .*Only people may run this/s, inside: false },
};

/** Commands for people, plain and inside other commands, and commands for agents. */
function commands({ gate, bin }, name) {
  const decide = `gate decide ${gate} approve`;
  return {
    plain: [
      `handoff ${decide}`, `handoff --json ${decide}`, `${bin}/handoff ${decide}`, `cd . && handoff ${decide}`, `true; handoff ${decide}`, `echo | handoff ${decide}`,
      'handoff trust', 'handoff rebuild', 'handoff key new --name eve', 'handoff key enrol', 'handoff key revoke ana', 'handoff prune --before 2099-01-01', `handoff install ${name} --uninstall`,
    ],
    inside: [
      `bash -c 'handoff ${decide}'`, `bash -lc 'handoff ${decide}'`, `sh -c 'handoff ${decide}'`, `(handoff ${decide})`, `env -i PATH="$PATH" handoff ${decide}`, `setsid -w handoff ${decide}`,
      `nohup handoff ${decide}`, `handoff --root . ${decide}`,
    ],
    agents: ['handoff status', 'handoff gate list', `handoff gate show ${gate}`, 'handoff key list', 'handoff next --as nobody', `echo "handoff: sort by key newest first"`, `handoff progress note 'let the gate decide'`],
  };
}

/** The rules stop the plain forms of commands for people; inside other commands, the rules or the program do. */
async function ruled({ name, sandbox, title }, scene) {
  const mock = await startMock(), { stopped, inside } = rules[name], all = commands(scene, name);
  mock.play((async function* () {
    for (const command of [...all.plain, ...all.inside]) {
      const report = yield { run: command };
      const wanted = inside || all.plain.includes(command) ? stopped : /only a person may run/;
      judge(`${title}: refused: ${command}`, wanted.test(report) && scene.outcome() === 'holds', report);
    }
    for (const command of all.agents) {
      const report = yield { run: command };
      judge(`${title}: not refused: ${command}`, !stopped.test(report), report);
    }
  })());
  const end = await session(name, { mock, scene, sandbox });
  judge(`${title}: nothing is asked of other addresses`, !mock.strays.length && end.status === 0, `${end.status} ${mock.strays.join(' ')}`);
}

const scene = new Scene();
for (const client of eachClient()) {
  for (const program of [findClient(client.name), realpathSync(findClient(client.name))]) await recognised(client, scene, program);
  scene.asPerson(['install', client.name]);
  await ruled(client, scene);
  scene.again();
}
finish();
