// install codex into a config.toml that is there: another reader finds the hooks and, beside them, what stood there
// before; taken out again the bytes are the former ones; what cannot be added to is refused and left as it is.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { environment, run, temporaryFolder } from './lib/ledger.mjs';
import { finish, judge, needs } from './lib/test.mjs';

const { parse } = await needs('smol-toml');

const folder = temporaryFolder(), env = environment(folder), project = join(folder, 'project');
mkdirSync(join(project, '.handoff'), { recursive: true });
mkdirSync(join(project, '.codex'));
const file = join(project, '.codex/config.toml');
const install = (...args) => run(project, env, ['install', 'codex', ...args]);
const events = ['SessionStart', 'PostToolUse', 'PreCompact', 'Stop', 'SubagentStop', 'SessionEnd'];
const isOurs = (group) => group.hooks?.some((h) => h.command === 'handoff hook codex');

const fine = [
  'model = "gpt-5-codex"\n',
  'model = "gpt-5-codex" # no line end',
  '# only a comment\n',
  '# for the team\nmodel = "x"\n\n[mcp_servers.docs]\ncommand = "docs" # quick\nargs = ["--stdio"]\n',
  'model = "x"\r\n\r\n[features]\r\nhooks = true\r\n',
  '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "make lint"\n\n[tui]\ntheme = "dark"\n',
  '[hooks]\n\n[hooks.state]\nx = 1\n',
  '[hooks]\n# Stop = []\nNotification = []\n',
  'text = """\n[[hooks]]\nhooks = 1\n"""\n[other]\nStop = 1\nhooks = 2\n',
  "text = '''\nhooks = 1\n'''\nhooks_dir = \"x\"\n",
  '[projects."/p"]\ntrust_level = "trusted"\n[other.hooks]\nStop = []\n',
];
for (const text of fine) {
  writeFileSync(file, text);
  const before = parse(text);
  judge('it installs', install().status === 0, text);
  const now = readFileSync(file, 'utf8');
  let value = {};
  try {
    value = parse(now);
  } catch (error) {
    judge('it can be read', false, `${error.message}\n${now}`);
  }
  for (const event of events) {
    const groups = (value.hooks?.[event] ?? []).filter(isOurs);
    judge(`${event} is there once`, groups.length === 1 && groups[0].hooks.length === 1 && groups[0].hooks[0].type === 'command' && groups[0].hooks[0].timeout > 0, now);
    if (value.hooks?.[event]) {
      value.hooks[event] = value.hooks[event].filter((group) => !isOurs(group));
      if (!value.hooks[event].length) delete value.hooks[event];
    }
  }
  if (!before.hooks && value.hooks && !Object.keys(value.hooks).length) delete value.hooks;
  judge('the rest is as before', isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(before))), now);
  judge('every line is still there, in order', now.startsWith(text), now);
  judge('the second time changes nothing', install().status === 0 && readFileSync(file, 'utf8') === now);
  judge('printing changes nothing', install('--print', '--uninstall').status === 0 && readFileSync(file, 'utf8') === now);
  judge('it is taken out', install('--uninstall').status === 0 && readFileSync(file, 'utf8') === text, JSON.stringify(readFileSync(file, 'utf8')));
}

// What the user adds behind the block stays when it is taken out.
writeFileSync(file, 'model = "x"\n');
install();
writeFileSync(file, `${readFileSync(file, 'utf8')}\n[tui]\ntheme = "dark"\n`);
install();
install('--uninstall');
judge('what was added since stays', JSON.stringify(parse(readFileSync(file, 'utf8'))) === JSON.stringify({ model: 'x', tui: { theme: 'dark' } }), readFileSync(file, 'utf8'));

for (const text of ['hooks = {}\n', 'hooks.Stop = []\n', '"hooks".Stop = []\n', '[hooks]\nStop = []\n', '[ hooks ]\n"Stop" = []\n', '[[hooks]]\nevent = "Stop"\n']) {
  parse(text);
  writeFileSync(file, text);
  const r = install();
  judge('it is refused', r.status === 4 && r.err.includes('config.toml') && r.err.includes('[[hooks.EVENT]]'), `${r.status} ${r.err} ${text}`);
  judge('it is left as it was', readFileSync(file, 'utf8') === text);
}
finish();
