#!/usr/bin/env node
// rooms.mjs check DIR    what is wrong with the includes of DIR/src, a line each; exit status 1 if there is anything
// rooms.mjs picture DIR  the rooms and what they include, as Mermaid
//
// A room is a folder with source files. Its place is its row in the table of DIR/ARCHITECTURE.md: a room may include
// itself and the rooms that stand above it. A module is a .c and its .h; NAME_parts.h and NAME_inside.h, which the files
// NAME_*.c share, belong to the module NAME. A room's row names its modules: `NAME` stands for NAME and NAME_*. Those that
// are called as the room need no name, nor do those that a list X(NAME …) names: formats, harnesses, commands. No module
// may lead back to itself. A third-party header is included by at
// most two files, so that changing a library means changing those.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [task, root] = process.argv.slice(2);
const src = join(root, 'src');
const commands = 'command/commands.h';

const sources = readdirSync(src, { recursive: true })
  .filter((name) => /\.[ch]$/.test(name))
  .sort();
const roomOf = (file) => dirname(file);
const moduleOf = (file) => file.replace(/(_parts|_inside)?\.[ch]$/, '');

const includes = [];
for (const file of sources) {
  const lines = readFileSync(join(src, file), 'utf8').split('\n');
  lines.forEach((line, i) => {
    const found = /^\s*#\s*include\s*(["<])([^">]+)/.exec(line);
    if (found) includes.push({ file, line: i + 1, own: found[1] === '"', name: found[2] });
  });
}

// The rooms in the order of the table: `| src/base/proc | …`, with or without backquotes.
function readOrder() {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  return [...text.matchAll(/^\| `?src\/([\w/]+)`? \|/gm)].map((row) => row[1]);
}

function checkOrder(say) {
  const order = readOrder();
  const rank = new Map(order.map((room, i) => [room, i]));
  const rooms = new Set(sources.map(roomOf));
  for (const room of rooms) if (!rank.has(room)) say(`src/${room}: has no row in ARCHITECTURE.md`);
  for (const room of order) if (!rooms.has(room)) say(`ARCHITECTURE.md: there is no room src/${room}`);
  for (const { file, line, own, name } of includes) {
    if (own && rank.get(roomOf(name)) > rank.get(roomOf(file)))
      say(`src/${file}:${line}: ${roomOf(file)} may not include ${name}: src/${roomOf(name)} is below it in ARCHITECTURE.md`);
  }
}

// The rows of the table with the names they have in backquotes.
function readNames() {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  return new Map(
    [...text.matchAll(/^\| `?src\/([\w/]+)`? \| (.*) \|$/gm)].map(([, room, row]) => [
      room,
      [...row.matchAll(/`(\w+)(?:\.h)?`/g)].map((name) => name[1]),
    ]),
  );
}

// What the lists of headers name: X(NAME …), FIRST(NAME …), LAST(NAME …) of a room's own headers; HO_COMMANDS names the files cmd_NAME in all rooms.
function readLists(room) {
  const listed = (file) => [...readFileSync(join(src, file), 'utf8').matchAll(/\b(?:X|FIRST|LAST)\((\w+)/g)].map((found) => found[1]);
  const own = sources.filter((file) => file.endsWith('.h') && roomOf(file) === room && file !== commands);
  return [...own.flatMap(listed), ...(sources.includes(commands) ? listed(commands).map((name) => `cmd_${name}`) : [])];
}

function checkNames(say) {
  const rows = readNames();
  const stems = new Map();
  for (const file of sources) {
    if (!stems.has(roomOf(file))) stems.set(roomOf(file), new Set());
    stems.get(roomOf(file)).add(basename(file).replace(/\.[ch]$/, ''));
  }
  for (const [room, names] of rows) {
    const here = [...(stems.get(room) ?? [])];
    const known = [...names, ...readLists(room), basename(room)];
    const covers = (name, stem) => stem === name || stem.startsWith(`${name}_`);
    for (const stem of here)
      if (!known.some((name) => covers(name, stem) || (stem.startsWith('cmd_') && covers(stem, name))))
        say(`src/${room}/${stem}: is not named in the row of src/${room} in ARCHITECTURE.md`);
    for (const name of names)
      if (!here.some((stem) => covers(name, stem))) say(`ARCHITECTURE.md: there is no ${name} in src/${room}`);
  }
}

// Headers of the C library and the kernel: the C standard, POSIX, and these folders.
const system = new Set(
  `assert ctype dirent dlfcn endian errno fcntl float fnmatch glob inttypes langinfo libgen limits locale malloc math
  poll pthread pwd regex sched semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
  stdnoreturn string strings syslog termios threads time uchar unistd utime wchar wctype`
    .split(/\s+/)
    .map((name) => `${name}.h`),
);

function checkThirdParty(say) {
  const users = new Map();
  for (const { file, own, name } of includes) {
    if (own || system.has(name) || /^(sys|net|netinet|arpa|linux|asm)\//.test(name)) continue;
    if (!users.has(name)) users.set(name, new Set());
    users.get(name).add(file);
  }
  for (const [name, files] of users)
    if (files.size > 2) say(`<${name}> is included by more than two files: ${[...files].join(' ')}`);
}

// What leads to what, by a function that names the node of a file.
function graphBy(nodeOf) {
  const graph = new Map();
  for (const file of sources) graph.set(nodeOf(file), new Set());
  for (const { file, own, name } of includes)
    if (own && nodeOf(name) !== nodeOf(file) && graph.has(nodeOf(name))) graph.get(nodeOf(file)).add(nodeOf(name));
  return graph;
}

// A shortest way from a node back to itself, or null.
function findCycle(graph, start) {
  const before = new Map([[start, null]]);
  const queue = [start];
  for (let at; (at = queue.shift()) !== undefined; ) {
    for (const next of graph.get(at)) {
      if (next === start) {
        const way = [start];
        for (let node = at; node !== null && node !== start; node = before.get(node)) way.unshift(node);
        return [start, ...way];
      }
      if (!before.has(next)) {
        before.set(next, at);
        queue.push(next);
      }
    }
  }
  return null;
}

function checkCycles(say) {
  for (const nodeOf of [roomOf, moduleOf]) {
    const graph = graphBy(nodeOf);
    const told = new Set();
    for (const node of graph.keys()) {
      const cycle = told.has(node) ? null : findCycle(graph, node);
      if (!cycle) continue;
      cycle.forEach((each) => told.add(each));
      say(`includes lead in a circle: ${cycle.join(' → ')}`);
    }
  }
}

// Arrows that follow from others are left out: what a room reaches through another it may include as well.
function picture() {
  const graph = graphBy(roomOf);
  const reach = new Map();
  const reached = (room) => {
    if (!reach.has(room)) {
      reach.set(room, new Set());
      for (const next of graph.get(room)) {
        reach.get(room).add(next);
        for (const far of reached(next)) reach.get(room).add(far);
      }
    }
    return reach.get(room);
  };
  const id = (room) => room.replaceAll('/', '_');
  const out = ['graph TD'];
  const layers = new Map();
  for (const room of readOrder()) {
    const layer = room.split('/')[0];
    if (!layers.has(layer)) layers.set(layer, []);
    layers.get(layer).push(room);
  }
  for (const [layer, rooms] of [...layers].reverse())
    out.push(`  subgraph ${layer}_layer [${layer}]`, ...rooms.map((room) => `    ${id(room)}[${room}]`), '  end');
  for (const room of [...readOrder()].reverse()) {
    const direct = [...graph.get(room)];
    for (const next of direct.sort())
      if (!direct.some((other) => other !== next && reached(other).has(next))) out.push(`  ${id(room)} --> ${id(next)}`);
  }
  return out.join('\n');
}

if (task === 'picture') {
  console.log(picture());
} else {
  let wrong = 0;
  const say = (sentence) => {
    console.log(sentence);
    wrong = 1;
  };
  checkOrder(say);
  checkNames(say);
  checkThirdParty(say);
  checkCycles(say);
  process.exit(wrong);
}
