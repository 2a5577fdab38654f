// How full a context is, asked of a transcript of 1 MB and of one of 1 GB: the time must hardly differ, since only the
// end is read. The large one is a hole with the small one at its end, which the program cannot tell from text. Beside
// it, what reading the whole file with a line reader in Node costs.
import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { handoff, median, numbers, report, sentence, temporaryProject, timed, write } from './lib_bench.mjs';

const limit = 1.5, rounds = 60, large = 1 << 30;
const folder = temporaryProject();
const pick = numbers(7);

/** Messages, tool calls and their results, until there is a megabyte of them. */
function transcript() {
  let text = '';
  for (let i = 0; text.length < 1 << 20; i++) {
    const usage = { input_tokens: 4, cache_creation_input_tokens: 900, cache_read_input_tokens: 20000 + 100 * i, output_tokens: 60 };
    const content = [{ type: 'tool_use', id: `t${i}`, name: 'Read', input: { file_path: `/p/src/${pick(40)}.c` } }];
    text += JSON.stringify({ type: 'assistant', isSidechain: false, message: { id: `m${i}`, role: 'assistant', model: 'claude-opus-4-1', content, usage } }) + '\n';
    const result = [{ type: 'tool_result', tool_use_id: `t${i}`, content: sentence(pick, 300) }];
    text += JSON.stringify({ type: 'user', isSidechain: false, message: { role: 'user', content: result } }) + '\n';
  }
  return text;
}

const text = transcript();
const small = write(folder, 'small.jsonl', text), huge = join(folder, 'huge.jsonl');
const fd = openSync(huge, 'w');
ftruncateSync(fd, large - text.length - 1);
writeSync(fd, `\n${text}`, large - text.length - 1);
closeSync(fd);
if (statSync(huge).size !== large) throw new Error('the large transcript is not as large as it should be');

const times = { [small]: [], [huge]: [] };
for (let i = 0; i < rounds; i++)
  for (const path of [small, huge]) times[path].push(timed(handoff, ['context', path, '--json'], [0], { cwd: folder }));
const [one, thousand] = [median(times[small]), median(times[huge])];
report('context', `1 GB ${thousand.toFixed(2)} ms, 1 MB ${one.toFixed(2)} ms, ${(thousand / one).toFixed(2)} times (limit ${limit})`, thousand / one <= limit);

const script = write(folder, 'peer.mjs', `import { readFileSync } from 'node:fs';
let usage; for (const line of readFileSync(process.argv[2], 'utf8').split('\\n')) {
  try { usage = JSON.parse(line).message?.usage ?? usage; } catch {} }
console.log(usage);`);
const peer = median(Array.from({ length: 5 }, () => timed('node', [script, small], [0])));
report('context', `1 MB with a line reader in Node ${peer.toFixed(1)} ms, ${(peer / one).toFixed(1)} times as long`, peer > one);

const status = write(folder, 'status.json', JSON.stringify({
  session_id: 's', transcript_path: huge, model: { id: 'claude-opus-4-1' },
  context_window: { context_window_size: 200000, used_percentage: 40, current_usage: { input_tokens: 80000, output_tokens: 10 } },
}));
const lines = median(Array.from({ length: rounds }, () => {
  const input = openSync(status, 'r');
  const spent = timed(handoff, ['statusline'], [0], { cwd: folder, stdio: [input, 'ignore', 'pipe'] });
  closeSync(input);
  return spent;
}));
report('context', `statusline ${lines.toFixed(2)} ms, the figure kept`, JSON.parse(readFileSync(join(folder, '.handoff/context/s.json'))).used === 80010);
