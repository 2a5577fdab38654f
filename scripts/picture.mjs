#!/usr/bin/env node
// picture.mjs LINEAGE WAVES GATE: an SVG of a relay, from what the program says of a run: `lineage TASK --json`,
// `run PLAN --dry-run --json` before it began, and `gate show G --json` of the decision that a phase waited for. A row per phase,
// a box per agent; a phase stands right of those that it had to wait for. Nothing in it depends on the time.
import { readFileSync } from 'node:fs';

const [lineage, plan, gate] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const run = lineage.runs[0];
const LEFT = 190;
const TOP = 62;
const COLUMN = 98;
const ROW = 62;
const BOX = { width: 80, height: 40 };
const outcomes = {
  handoff: ['full', 'context full'],
  died: ['died', 'died'],
  blocked: ['asks', 'asks'],
  done: ['done', 'done'],
};

const text = (value) => String(value).replace(/&/g, '&amp;').replace(/</g, '&lt;');
const lines = [];
const put = (line) => lines.push(line);
const put_text = (x, y, kind, value, anchor = 'start') =>
  put(`<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${text(value)}</text>`);

// What happens in a phase, in order: agents, and before the successor of one that asked, a person.
function steps_of(step) {
  const steps = [];
  for (const mate of step.teammates) {
    const [kind, word] = outcomes[mate.outcome] ?? ['died', mate.outcome];
    steps.push({ kind, name: mate.id.split('/')[1], word });
    if (mate.outcome === 'blocked') steps.push({ kind: 'person', name: 'a person', word: 'decides' });
  }
  return steps;
}

const rows = run.steps.map((step) => ({ id: step.step, name: step.name, steps: steps_of(step) }));
let begin = 0;
for (const wave of plan.waves) {
  const now = rows.filter((row) => wave.includes(row.id));
  for (const row of now) row.column = begin;
  begin += Math.max(...now.map((row) => row.steps.length));
}
const width = LEFT + begin * COLUMN + 12;
const height = TOP + rows.length * ROW + 40;

put_text(24, 34, 'title', `$ handoff run`);
rows.forEach((row, i) => {
  const y = TOP + i * ROW;
  put_text(24, y + 18, 'phase', `Phase ${row.id}`);
  put_text(24, y + 35, 'small', row.name);
  if (row.column) put(`<path class="wait" d="M${LEFT} ${y + 20}H${LEFT + row.column * COLUMN - 12}"/>`);
  row.steps.forEach((step, k) => {
    const x = LEFT + (row.column + k) * COLUMN;
    if (k) put(`<path class="arrow" d="M${x - 15} ${y + 20}h9m-4 -4l4 4l-4 4"/>`);
    put(`<rect class="${step.kind}" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="${step.kind === 'person' ? 20 : 7}"/>`);
    put_text(x + BOX.width / 2, y + 17, 'name', step.kind === 'person' ? step.name : `agent ${step.name}`, 'middle');
    put_text(x + BOX.width / 2, y + 32, 'word', step.word, 'middle');
  });
});
const agents = run.steps.reduce((sum, step) => sum + step.teammates.length, 0);
const done = run.steps.filter((step) => step.state === 'done').length;
put_text(24, height - 20, 'small', `${done} of ${run.steps.length} phases done by ${agents} agents. A person said: “${gate.note}”`);

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>A relay of ${agents} agents</title>
<style>
svg { --page: #ffffff; --edge: #d0d7de; --ink: #1f2328; --dim: #59636e; --full: #fff4d6; --fulledge: #bf8700; --died: #ffe8e6; --diededge: #cf222e; --asks: #f3e9ff; --asksedge: #8250df; --done: #e2f7e6; --doneedge: #1a7f37 }
@media (prefers-color-scheme: dark) { svg { --page: #0d1117; --edge: #30363d; --ink: #e6edf3; --dim: #9198a1; --full: #33270a; --fulledge: #d29922; --died: #3a1518; --diededge: #f85149; --asks: #271a40; --asksedge: #ab7df8; --done: #10301a; --doneedge: #3fb950 } }
text { font: 12px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: var(--ink) }
.title { font: 600 15px ui-monospace, SFMono-Regular, Menlo, monospace } .phase { font-weight: 600; font-size: 13px }
.small { fill: var(--dim) } .name { font-weight: 600; font-size: 11px } .word { font-size: 11px }
rect { stroke-width: 1.2 } .page { fill: var(--page); stroke: var(--edge) }
.full { fill: var(--full); stroke: var(--fulledge) } .died { fill: var(--died); stroke: var(--diededge) }
.asks, .person { fill: var(--asks); stroke: var(--asksedge) } .person { stroke-dasharray: 3 2 } .done { fill: var(--done); stroke: var(--doneedge) }
.arrow { fill: none; stroke: var(--dim); stroke-width: 1.4 } .wait { fill: none; stroke: var(--edge); stroke-dasharray: 2 5 }
</style>
<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
${lines.join('\n')}
</svg>`);
