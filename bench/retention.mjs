// What a chain of handoffs remembers: 50 hops of one phase, each with decisions, dead ends, facts and a goal of its own,
// some of the earlier ones taken back on the way. At every hop, everything that still holds must be in the successor's
// prompt or in a file that the prompt names, and nothing of what was taken back; and the prompt keeps its budget. Beside
// it, what a successor knows that reads the last handoff alone, as written, which is what most tools offer.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { handoff, numbers, report, sentence, temporaryProject } from './lib_bench.mjs';

const hops = 50, budget = 1500, folder = temporaryProject(), pick = numbers(50);
const where = ['--task', '7', '--phase', '2'];
function run(args, input) {
  const r = spawnSync(handoff, args, { cwd: folder, input, encoding: 'utf8', env: { ...process.env, HANDOFF_TASK: '', HANDOFF_PHASE: '' } });
  if (r.status !== 0) throw new Error(`handoff ${args.join(' ')}: exit ${r.status}: ${r.stderr}`);
  return r.stdout;
}

/** A text that nothing else contains, of up to `words` words. */
let serial = 0;
const planted = (kind, words) => `${kind} ${String(++serial).padStart(4, '0')} ${sentence(pick, words)}`.replace(/[.:,]/g, '');

run(['progress', 'start', ...where, '--slug', 'long_chain', '--objective', 'Reach the end', '--objective', 'Tell of it']);
let holds = [], revoked = [], least = 100, leastAlone = 100, leaked = 0, most = 0, reads = 0;
for (let hop = 1; hop <= hops; hop++) {
  const own = { decisions: [], dead: [], facts: [] };
  for (let i = 0; i < 1 + pick(3); i++) own.decisions.push(planted('Decision', 8));
  if (pick(2)) own.dead.push(planted('Approach', 6));
  for (let i = 0; i < 1 + pick(2); i++) own.facts.push(planted('Fact', 9));
  const goal = Array.from({ length: 1 + pick(20) }, (_, i) => `h${i} ${planted('Goal', 5)}`);
  const document = `## Immediate Next Action\nRun \`make step${hop}\` and read the \$first line\n\n## Current State\n- **File**: ${folder}/src/a.c\n- **Location**: Line ${hop}\n` +
    `- **Goal state**:\n  \`\`\`\n${goal.map((l) => `  ${l}\n`).join('')}  \`\`\`\n\n## Key Decisions Made\n${own.decisions.map((d, i) => `${i + 1}. ${d}: it was measured\n`).join('')}\n` +
    `## What NOT to Try\n${own.dead.map((d, i) => `${i + 1}. ${d}: it failed\n`).join('')}\n## Critical Context (max 5 items)\n${own.facts.map((f) => `- ${f}\n`).join('')}`;
  const back = [];
  if (hop % 4 === 0) { // something that holds is taken back, old or new
    const candidates = holds.filter((h) => !h.startsWith('Approach'));
    back.push(candidates[pick(candidates.length)]);
  }
  run(['pass', ...where, '--from', '-', ...back.flatMap((b) => ['--revoke', b])], document);
  holds = [...holds.filter((h) => !back.includes(h)), ...own.decisions, ...own.dead, ...own.facts];
  revoked.push(...back);

  const prompt = JSON.parse(run(['prompt', 'successor', ...where, '--budget', String(budget), '--json']));
  const named = [...prompt.text.matchAll(/`([^`\n]+)`/g)].map((m) => join(folder, m[1])).filter((path) => existsSync(path) && !path.endsWith('/'));
  const reached = [prompt.text, ...named.map((path) => readFileSync(path, 'utf8'))].join('\n');
  const now = [...holds, ...goal];
  least = Math.min(least, (100 * now.filter((h) => reached.includes(h)).length) / now.length);
  leastAlone = Math.min(leastAlone, (100 * now.filter((h) => document.includes(h)).length) / now.length);
  leaked += revoked.filter((h) => reached.includes(h)).length;
  most = Math.max(most, prompt.tokens);
  reads = Math.max(reads, named.length);
}
report('retention', `${hops} hops, ${holds.length} things hold and ${revoked.length} were taken back at the end: at every hop at least ${least.toFixed(1)} % of what holds is in the prompt or in one of the ${reads} files that it names (limit 100)`, least === 100);
report('retention', `${leaked} times something was there that had been taken back (limit 0)`, leaked === 0);
report('retention', `the longest prompt has ${most} tokens (limit ${budget})`, most <= budget);
report('retention', `with the last handoff alone it is ${leastAlone.toFixed(1)} % at the worst hop`, true);
