// 10,000 documents of 2 KB, half packages in YAML and half responses in JSON: `handoff check` against Node with the
// npm packages yaml and ajv, which parse and validate the same files against the schemas that handoff publishes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { handoff, median, packageYaml, report, responseJson, root, temporaryProject, timed, write, writeArtifacts } from './lib_bench.mjs';

const count = 10_000, size = 2048, rounds = 3, limit = 5;
const project = temporaryProject();
writeArtifacts(project);
for (let i = 0; i < count; i++)
  if (i % 2) write(project, `work/responses/response-${i}.json`, responseJson(i, size));
  else write(project, `work/packages/package-${i}.yaml`, packageYaml(i, size));
for (const format of ['package', 'response'])
  write(project, `schemas/${format}.json`, execFileSync(handoff, ['schema', format], { cwd: project }));

const peer = [join(root, 'bench/lib_check_peer.mjs'), join(project, 'work'), join(project, 'schemas')];
const ours = [], theirs = [];
for (let i = 0; i < rounds; i++) {
  ours.push(timed(handoff, ['check', 'work'], [0], { cwd: project }));
  theirs.push(timed(process.execPath, peer, [0]));
}
const rate = (values) => (count * 1000) / median(values);
const ratio = rate(ours) / rate(theirs);
report('check', `${rate(ours).toFixed(0)} documents/s, Node with yaml and ajv ${rate(theirs).toFixed(0)}: ` +
  `${ratio.toFixed(1)} times (at least ${limit})`, ratio >= limit);
