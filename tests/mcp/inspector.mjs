// The official inspector finds nothing to complain about, in either era: the schemas of all tools, strictly, every list, a
// call, a prompt and a resource.
import { spawnSync } from 'node:child_process';
import { finish, judge } from '../js/lib/test.mjs';
import { environment, program, project, tool } from './lib/suite.mjs';

const [node, inspector] = tool('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const folder = project();
const run = (...args) => {
  const ran = spawnSync(node, [inspector, '--cli', program, 'mcp', ...args], { cwd: folder, env: environment, encoding: 'utf8', timeout: 100_000 });
  return { status: ran.status, out: ran.stdout, all: `exit ${ran.status}: ${ran.stdout}${ran.stderr}`.slice(-1500) };
};
const json = (text) => { try { return JSON.parse(text); } catch { return {}; } };

for (const era of ['legacy', 'modern']) {
  const ask = (...args) => run('--protocol-era', era, ...args);
  const strict = ask('--method', 'tools/list', '--strict');
  judge(`${era}: --strict`, strict.status === 0 && json(strict.out).tools?.length === 10, strict.all);
  const asked = [
    [['resources/list'], (said) => said.resources?.length === 1], [['resources/templates/list'], (said) => said.resourceTemplates?.length === 3],
    [['prompts/list'], (said) => said.prompts?.length === 3],
    [['tools/call', '--tool-name', 'handoff_status'], (said) => said.content?.length === 1 && !said.isError],
    [['resources/read', '--uri', 'handoff://journal'], (said) => said.contents?.length === 1],
    [['prompts/get', '--prompt-name', 'inject', '--prompt-args', 'task=1'], (said) => said.messages?.length === 1],
  ];
  for (const [method, good] of asked) {
    const said = ask('--method', ...method);
    judge(`${era}: ${method.join(' ')}`, said.status === 0 && good(json(said.out)), said.all);
  }
}
finish();
