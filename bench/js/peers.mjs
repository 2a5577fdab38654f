// peers.mjs FOLDER PROGRAM: our ledger beside LangGraph's SQLite checkpointer and the MCP memory server, in one run.
// PROGRAM is bench/ledger_gates_bench.c, compiled. The peers are measured in process where ours is.
import { spawn, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handoff, median, packageYaml, syncMs } from '../lib_bench.mjs';

const [, , folder, program] = process.argv;
const rounds = Number(process.env.PEERS_ROUNDS ?? 300), processes = 4, writes = Number(process.env.PEERS_WRITES ?? 50);
const document = packageYaml(1, 2000).replace(/agent: builder-\d/, 'agent: estimation').replace(/agent: reviewer-\d/, 'agent: human')
  .replace(/    artifacts:\n(      .*\n)*?(?=    open_questions)/, '');

const row = (what, ours, theirs, unit) =>
  console.log(`${what.padEnd(41)} ours ${ours.padStart(9)} ${unit}   peer ${theirs.padStart(9)} ${unit}   ` +
    `peer/ours ${(Number(theirs) / Number(ours)).toFixed(2)}`);

/** The graph stops at a gate in its only node, with our document in its state, and goes on with the decision. As it is
 * shipped, its last commits can be lost when the machine stops; `durable` makes them as safe as ours. */
async function measureLangGraph(durable) {
  const { Annotation, Command, END, START, StateGraph, interrupt } = await import('@langchain/langgraph');
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  const file = join(folder, `langgraph-${durable}.db`), saver = SqliteSaver.fromConnString(file);
  saver.db.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`); // the second is what it is built with
  const State = Annotation.Root({ document: Annotation(), decision: Annotation() });
  const graph = new StateGraph(State)
    .addNode('ask', (state) => ({ decision: interrupt({ question: 'Approve?', of: state.document.length }) }))
    .addEdge(START, 'ask').addEdge('ask', END)
    .compile({ checkpointer: saver });
  const toGate = [], toResume = [];
  for (let i = 0; i < rounds; i++) {
    const config = { configurable: { thread_id: `thread-${i}` } };
    const begin = process.hrtime.bigint();
    await graph.invoke({ document: `${document}  x_number: ${i}\n` }, config);
    const raised = process.hrtime.bigint();
    const end = await graph.invoke(new Command({ resume: 'approve' }), config);
    toResume.push(Number(process.hrtime.bigint() - raised) / 1e3);
    toGate.push(Number(raised - begin) / 1e3);
    if (end.decision !== 'approve' || !end.document) throw new Error('it did not resume');
  }
  const bytes = [file, `${file}-wal`].filter(existsSync).reduce((sum, path) => sum + statSync(path).size, 0);
  return { gate: median(toGate), resume: median(toResume), bytes };
}

/** One server process and its client: `writes` entities, one after the other; how many were answered. */
function writeMemories(server, file, number) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [server], { env: { ...process.env, MEMORY_FILE_PATH: file }, stdio: ['pipe', 'pipe', 'ignore'] });
    let sent = 0, answered = 0;
    const put = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
    const next = () => {
      if (sent === writes) return child.stdin.end(), child.kill();
      const entities = [{ name: `p${number}-${sent}`, entityType: 'handoff', observations: [document] }];
      put({ id: ++sent, method: 'tools/call', params: { name: 'create_entities', arguments: { entities } } });
    };
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.id === 0) put({ method: 'notifications/initialized' }), next();
      else if (message.id) {
        if (message.result && !message.result.isError) answered++;
        next();
      }
    });
    child.on('error', fail).on('exit', () => done(answered));
    put({ id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'bench', version: '1' } } });
  });
}

/** How many of the names stand in the file, which may not even be readable any more. */
function countMemories(file) {
  const names = new Set();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    try {
      const entity = JSON.parse(line);
      if (entity.type === 'entity') names.add(entity.name);
    } catch {
      continue; // two writers left half a line
    }
  }
  return names.size;
}

async function measureMemory() {
  const here = dirname(fileURLToPath(import.meta.url));
  const server = resolve(here, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'), file = join(folder, 'memory.json');
  const begin = Date.now();
  const answered = await Promise.all(Array.from({ length: processes }, (_, i) => writeMemories(server, file, i)));
  return { answered: answered.reduce((a, b) => a + b, 0), kept: countMemories(file), ms: Date.now() - begin };
}

/** The same number of `handoff send`, each a process of its own, four at a time. */
function sendMany(project, number) {
  return new Promise((done, fail) => {
    let sent = 0, answered = 0;
    const next = () => {
      if (sent === writes) return done(answered);
      const child = spawn(handoff, ['send', '-'], { cwd: project, stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(`${document.replace('agent: human', 'agent: reviewer')}  x_number: ${number}-${sent++}\n`);
      child.on('error', fail).on('exit', (code) => {
        if (code === 0) answered++;
        next();
      });
    };
    next();
  });
}

async function measureSends() {
  const project = join(folder, 'project'), begin = Date.now();
  mkdirSync(join(project, '.handoff'), { recursive: true });
  const answered = await Promise.all(Array.from({ length: processes }, (_, i) => sendMany(project, i)));
  const ms = Date.now() - begin;
  const list = JSON.parse(execFileSync(handoff, ['list', '--limit', '1000000', '--json'], { cwd: project, maxBuffer: 1 << 28 }));
  return { answered: answered.reduce((a, b) => a + b, 0), kept: list.handoffs.length, ms };
}

const path = join(folder, 'document.yaml');
writeFileSync(path, document);
const ours = JSON.parse(execFileSync(program, [folder, path, String(rounds)], { encoding: 'utf8' }));
console.log(`a state of ${document.length} bytes through a gate, ${rounds} times, against LangGraph's SQLite checkpointer`);
for (const durable of [true, false]) {
  const graph = await measureLangGraph(durable), how = durable ? 'peer made durable' : 'peer as it is shipped';
  row(`  state to gate, ${how}`, ours.gate.toFixed(0), graph.gate.toFixed(0), 'us');
  row(`  gate to resume, ${how}`, ours.resume.toFixed(0), graph.resume.toFixed(0), 'us');
  if (!durable) {
    const sync = syncMs(folder, rounds) * 1000, bounds = [graph.gate, graph.resume].map((us) => us / sync);
    console.log(`  the limit is 1.00 of the peer as it is shipped, which waits for no sync; one takes ${sync.toFixed(0)} us here, so that ` +
      `whoever waits has at most ${bounds.map((x) => x.toFixed(2)).join(' and ')} of its speed` +
      (Math.min(...bounds) < 1 ? ': it cannot be met here' : ''));
  }
  if (durable) row('  stored a round', (ours.bytes / rounds).toFixed(0), (graph.bytes / rounds).toFixed(0), 'B ');
}
const kept = await measureSends(), memory = await measureMemory();
console.log(`${processes} processes, ${writes} writes each, against the MCP reference memory server (a server each, one file)`);
console.log(`  kept of those that were answered   ours ${kept.kept} of ${kept.answered}   peer ${memory.kept} of ${memory.answered}` +
  `   ratio ${(kept.kept / kept.answered).toFixed(2)} : ${(memory.kept / memory.answered).toFixed(2)}`);
console.log(`  time a write                       ours ${(kept.ms / kept.answered).toFixed(2)} ms (a process each)   ` +
  `peer ${(memory.ms / memory.answered).toFixed(2)} ms (start included)`);
if (kept.kept !== processes * writes || kept.answered !== kept.kept) {
  console.log('MISSED: a write that was answered is not there');
  process.exitCode = 1;
}
