// The most memory that `handoff check` holds for a document of 64 KB, in each encoding.
import { spawnSync } from 'node:child_process';
import { handoff, numbers, packageYaml, report, responseJson, sentence, temporaryProject, write, writeArtifacts } from './lib_bench.mjs';

const size = 64 << 10, limit = 12;

/** An implementation plan of about `size` bytes, as Markdown. */
function planMarkdown() {
  const pick = numbers(3);
  let text = '# Implementation Plan: Import of measurements\n\n- **Task**: 12 - import measurements\n- **Status**: [NOT STARTED]\n\n## Implementation Phases\n';
  for (let phase = 1; text.length < size; phase++)
    text += `\n### Phase ${phase}: ${sentence(pick, 3)} [NOT STARTED]\n\n**Dependencies**: None\n\n**Goal**: ${sentence(pick, 12)}\n\n` +
      `**Tasks**:\n- [ ] ${sentence(pick, 8)}\n- [ ] ${sentence(pick, 8)}\n\n**Timing**: 2 hours\n\n**Files to modify**:\n- \`src/a.c\` - ${sentence(pick, 6)}\n\n` +
      `**Verification**:\n- ${sentence(pick, 7)}\n`;
  return text;
}

const project = temporaryProject();
writeArtifacts(project);
const documents = [
  write(project, 'package.yaml', packageYaml(1, size)),
  write(project, 'response.json', responseJson(1, size)),
  write(project, 'plans/implementation-001.md', planMarkdown()),
];
let most = 0;
for (const path of documents) {
  const run = spawnSync('/usr/bin/time', ['-f', '%M', '-o', `${project}/rss`, handoff, 'check', path], { cwd: project });
  const kilobytes = Number(spawnSync('tail', ['-n', '1', `${project}/rss`]).stdout);
  if (run.error || run.signal || !kilobytes) throw new Error(`${path}: ${run.error ?? run.stderr}`);
  most = Math.max(most, kilobytes);
}
report('memory', `at most ${(most / 1024).toFixed(1)} MB resident for documents of 64 KB (under ${limit})`, most / 1024 < limit);
