// The agents' programs, and how each is run headless against the mock. They are installed by `make test-clients` and
// reach nothing but loopback: telemetry, updates and feature switches are off, and the mock is the proxy for the rest.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { skipTest } from '../../js/lib/test.mjs';

const installed = resolve(import.meta.dirname, '../node_modules/.bin');

/** What a client has to know: {args, env}. `settings` is a folder of its own for its settings; what is in the user's home
 * and in the project is the test's. `sandbox` is the client's own, if it has one; `patient`: it tries
 * again when the model does not answer. */
const clients = {
  claude: {
    title: 'Claude Code',
    start: ({ mock, settings, tmp, prompt, patient, allowed = ['Bash'] }) => ({
      args: ['-p', prompt, '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-5', '--allowedTools', ...allowed],
      env: {
        ANTHROPIC_BASE_URL: mock.url, ANTHROPIC_API_KEY: 'none', CLAUDE_CONFIG_DIR: settings, CLAUDE_CODE_TMPDIR: tmp, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1', DISABLE_ERROR_REPORTING: '1', DISABLE_TELEMETRY: '1', BASH_DEFAULT_TIMEOUT_MS: '30000',
        ...patient ? {} : { CLAUDE_CODE_MAX_RETRIES: '0' },
      },
    }),
  },
  codex: {
    title: 'Codex',
    sandboxes: ['workspace-write', null],
    start({ mock, settings, project, prompt, patient, sandbox }) {
      writeFileSync(join(settings, 'config.toml'), `model = "gpt-5"
model_provider = "mock"
check_for_update_on_startup = false
analytics.enabled = false
features = { apps = false, plugins = false, daemon_auto_start = false }
projects."${project}".trust_level = "trusted"
model_providers.mock = { name = "mock", base_url = "${mock.url}/v1", wire_api = "responses", env_key = "MOCK_KEY"${patient ? '' : ', request_max_retries = 0, stream_max_retries = 0'} }
`);
      return { args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', '-s', sandbox ?? 'danger-full-access', prompt], env: { CODEX_HOME: settings, MOCK_KEY: 'none' } };
    },
  },
};

/** Where a client is, or null. */
export function findClient(name) {
  const program = join(installed, name);
  return existsSync(program) ? program : null;
}

/** The clients that are installed, with each of their sandboxes: {name, sandbox, title}. Says which are not; without any,
 * the test is skipped. */
export function* eachClient() {
  if (!Object.keys(clients).some(findClient)) skipTest('no client is installed');
  for (const [name, { title, sandboxes = [null] }] of Object.entries(clients)) {
    if (!findClient(name)) console.log(`skipped: ${title}: it is not installed`);
    else for (const sandbox of sandboxes) yield { name, sandbox, title: sandboxes.length > 1 ? `${title}, ${sandbox ? 'sandbox' : 'no sandbox'}` : title };
  }
}

/** Runs a program in the scene's project as if `name` were the user's client, and closes the mock; {status, out, err}. It is
 * stopped after `seconds`, or killed as soon as `dies` is settled. `command(own)` gives the program and its arguments, `own` being what the client has to know. */
async function perform(name, { mock, scene, sandbox, allowed, patient = true, env = {}, prompt = 'Go on.', seconds = 100, dies }, command) {
  const settings = join(scene.folder, `${name}-settings`);
  mkdirSync(settings, { recursive: true });
  const own = clients[name].start({ mock, settings, tmp: scene.env.TMPDIR, project: scene.project, prompt, patient, sandbox, allowed });
  const proxy = { HTTP_PROXY: mock.url, HTTPS_PROXY: mock.url, NO_PROXY: '127.0.0.1' };
  const [program, args] = command(own);
  const child = spawn(program, args, { cwd: scene.project, env: { ...scene.env, ...proxy, ...own.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => { said.out += text; });
  child.stderr.on('data', (text) => { said.err += text; });
  dies?.then(() => child.kill('SIGKILL'));
  const late = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  const status = await new Promise((ended) => child.on('exit', ended));
  clearTimeout(late);
  scene.stop();
  mock.close();
  if (mock.failure) throw mock.failure;
  return { status, ...said };
}

/** Runs a session of a client, with the turns that the mock plays. `allowed`: what it may do without asking, if it can be
 * told; `more`: further arguments. */
export function session(name, { program = findClient(name), more = [], ...rest }) {
  return perform(name, rest, (own) => [program, [...own.args, ...more]]);
}

/** Runs `handoff` with these arguments, and with the client on PATH for the teammates that it starts. */
export function lead(name, args, { scene, env = {}, ...rest }) {
  const PATH = `${scene.env.PATH}:${installed}`;
  return perform(name, { scene, env: { PATH, ...env }, ...rest }, () => [join(scene.bin, 'handoff'), args]);
}
