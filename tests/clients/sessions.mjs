// In real clients: an agent is known by its harness to the command that it is taught; what a session held that was killed is
// offered to the next one at once, since its process is gone; and what is for another agent is not.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, packageText } from '../js/lib/ledger.mjs';
import { judge, finish } from '../js/lib/test.mjs';
import { eachClient, session } from './lib/clients.mjs';
import { startMock } from './lib/mock.mjs';
import { Scene } from './lib/scene.mjs';

/** What the hooks told the agent before its first turn. */
function told(mock) {
  const first = mock.requests.find((body) => body.tools?.length);
  return JSON.stringify(first?.messages ?? first?.input ?? '');
}

/** A session that runs these commands, one per turn; their reports, and what it was told at first. */
async function commands(client, scene, list, more = {}) {
  const mock = await startMock(), reports = [];
  mock.play((async function* () {
    for (const command of list) reports.push(yield { run: command });
    more.then?.();
    if (more.then) yield { run: 'sleep 60' };
  })());
  const end = await session(client.name, { ...client, mock, scene, dies: more.dies });
  return { reports, told: told(mock), end };
}

/** One that is killed while it holds the phase's handoff. */
function killed(client, scene, list) {
  let then;
  const dies = new Promise((resolve) => { then = resolve; });
  return commands(client, scene, list, { then, dies });
}

const scene = new Scene();
for (const client of eachClient()) {
  const { name, title } = client;
  scene.asPerson(['install', name]);
  const [mine, theirs] = [name, 'reviewer'].map((to, n) => {
    writeFileSync(join(scene.project, `${to}.yaml`), packageText(n + 2, to));
    return must(scene.project, scene.env, ['send', `${to}.yaml`]).id;
  });
  const first = await commands(client, scene, ["handoff progress start --objective Sort --objective Test && handoff progress done 1 && handoff pass --next 'Write test two in `list.c`'", 'handoff next --json']);
  judge(`${title}: what is for it is offered, what is for another agent not`, first.told.includes(mine) && !first.told.includes(theirs), first.told);
  judge(`${title}: it is known to 'handoff next'`, first.reports[1].includes(`"to":"${name}"`), first.reports[1]);
  const second = await killed(client, scene, ['handoff next --task 1 --phase 1 --ack']);
  judge(`${title}: it takes the phase, and is killed`, second.reports[0].includes('# state: acked') && second.end.status === null, `${second.end.status} ${second.reports[0]}`);
  const third = await commands(client, scene, ['handoff next --task 1 --phase 1']);
  judge(`${title}: the next session is offered it at once`, third.told.includes('Write test two') && !third.told.includes('phase 1): another session of yours'), third.told);
  judge(`${title}: and takes it`, third.reports[0].includes('# state: claimed'), third.reports[0]);
  scene.again();
}
finish();
