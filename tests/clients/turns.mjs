// The bed itself: each kind of turn that the mock can play arrives in every client as what it is.
import { judge, finish } from '../js/lib/test.mjs';
import { eachClient, session } from './lib/clients.mjs';
import { startMock } from './lib/mock.mjs';
import { Scene } from './lib/scene.mjs';

/** The sums that a client reports at its end, which it has from the turns' usage: [input, cached, output]. */
const sums = {
  claude: ({ usage }) => [usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens],
  codex: ({ usage }) => [usage.input_tokens - usage.cached_input_tokens, usage.cached_input_tokens, usage.output_tokens],
};

const scene = new Scene();
for (const { name, sandbox, title } of eachClient()) {
  const mock = await startMock();
  let report = '';
  mock.play((function* () {
    yield { status: 500, error: 'api_error' };
    report = yield { run: 'echo $((6 * 7))', usage: { input: 1000, cached: 300, output: 20 } };
    yield { text: 'All is well.', usage: { input: 1100, cached: 400, output: 30 } };
  })());
  const end = await session(name, { mock, scene, sandbox });
  const last = JSON.parse(end.out.trim().split('\n').at(-1));
  judge(`${title}: it tries again after an error`, mock.requests.length >= 3, `${mock.requests.length} requests`);
  judge(`${title}: it runs a command`, /^42$/m.test(report), report);
  judge(`${title}: it ends with a text`, end.status === 0 && end.out.includes('All is well.'), `${end.status} ${end.err}`);
  judge(`${title}: usage`, sums[name](last).join() === '2100,700,50', JSON.stringify(last.usage));
}
finish();
