// The files of the project that torture.mjs leaves, compared with its ledger.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const open = ['draft', 'ready', 'claimed', 'acked', 'clarify', 'gated'];
/** How the state file calls a state; of what is archived, that in which it ended. */
const shown = { ready: 'pending', claimed: 'pending', acked: 'in_progress', done: 'completed', finished: 'completed' };
const standing = (row) => (row.state === 'archived' ? row.outcome : row.state);

function walk(folder, found = []) {
  for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) walk(join(folder, entry.name), found);
    else found.push(join(folder, entry.name));
  }
  return found;
}

/** The state file has every open handoff, in its state, and none that is gone. */
export function judgeStateFile(main, rows, complain) {
  const state = JSON.parse(readFileSync(join(main, 'state/current.json'), 'utf8')).handoffs;
  const byId = new Map(rows.map((row) => [row.id, row])), there = new Set(state.map((item) => item.id));
  for (const { id, status } of state) {
    const row = byId.get(id);
    if (!row) complain(`the state file still has ${id}`);
    else if ((shown[standing(row)] ?? standing(row)) !== status) complain(`the state file says that ${id} is ${status}, but it is ${row.state}`);
  }
  for (const row of rows) if (open.includes(row.state) && !there.has(row.id)) complain(`the state file lacks ${row.id}`);
}

/** Copies are in the main worktree, one for each that has ended. What killed writers were about to rename does not pile up:
 *  the next writer of the file takes it over. */
export function judgeArchive(main, trees, rows, complain) {
  const copies = new Set();
  for (const folder of [main, ...trees])
    for (const path of walk(folder)) {
      if (/\.handoff-new\d\d+$/.test(path)) complain(`temporary files pile up: ${path}`);
      const [, id] = /\/\.project\/.*\/(HO-[^/]*)\.yaml$/.exec(path) ?? [];
      if (!id) continue;
      if (copies.has(id)) complain(`${id} has two copies in the archive`);
      if (folder !== main) complain(`a copy is in a linked worktree: ${id}`);
      copies.add(id);
    }
  for (const { id, state } of rows) if (['done', 'archived'].includes(state) && !copies.has(id)) complain(`${id} is ${state}, but has no copy in the archive`);
}
