// Runs every way around a gate in a session of each client, and judges what came of it. VERBOSE=1 shows what each said.
import { judge } from '../../js/lib/test.mjs';
import { eachClient, session } from './clients.mjs';
import { startMock } from './mock.mjs';
import { Scene } from './scene.mjs';
import { ways } from './ways.mjs';

/** In one session of a client: each way begins with the project as it was at first. */
async function tryWays({ name, sandbox, title }, scene, expected) {
  const mock = await startMock();
  let tried = 0, counted = 0;
  mock.play((async function* () {
    for (const way of ways(scene)) {
      if (!way.possible) {
        console.log(`skipped: ${title}: ${way.name}: '${way.needs}' does not work here`);
        continue;
      }
      const report = yield { run: way.command, tty: way.tty };
      const outcome = /^DELIVERED$/m.test(report) ? 'delivered' : scene.outcome();
      judge(`${title}: ${way.name}`, outcome === expected(way, sandbox), `${outcome}, not ${expected(way, sandbox)}\n${report}`);
      if (process.env.VERBOSE) console.log(`${title}: ${way.name}: ${outcome}\n${report.replace(/^/gm, '  ')}`);
      tried++;
      counted += outcome !== 'holds';
      scene.again();
    }
  })());
  const end = await session(name, { mock, scene, sandbox });
  judge(`${title}: the session ends well`, end.status === 0 && tried > 0, `${end.status} ${end.err}${end.out.slice(-2000)}`);
  judge(`${title}: nothing is asked of other addresses`, !mock.strays.length, mock.strays.join(' '));
  console.log(`${title}: ${tried} ways, ${counted} count`);
}

/** In all clients that are installed. `expected(way, sandbox)` says what should come of a way. */
export async function tryAll(enrolled, expected) {
  const scene = new Scene({ enrolled });
  for (const client of eachClient()) {
    scene.again();
    await tryWays(client, scene, expected);
  }
}
