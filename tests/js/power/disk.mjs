// What a disk could hold after a power cut, from the changes that tests/preload/record_io.c wrote down.
//
// A file's contents and a folder's names are separate things. What was synced is there. Of what was not, the cut decides:
// each write is there, is not, or is torn (its first sectors are there); each name was made, changed or removed, or not,
// independently of all others and of the contents. A rename is one change. Two kinds of file system are tried: on a
// lenient one, syncing a file also keeps its own new names and the folders above it, as ext4 does; on a strict one,
// only syncing the folder keeps its names.
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECTOR = 512;

/** The changes in a log, in order: {what, ...}; `bytes` of a write are a part of the log. */
export function readLog(path) {
  const log = readFileSync(path), changes = [];
  for (let at = 0; at < log.length; ) {
    const end = log.indexOf(10, at), line = log.toString('utf8', at, end), [head, ...tabs] = line.split('\t');
    const [what, ...rest] = head.split(' '), [a, b, c] = rest.map(Number);
    at = end + 1;
    if (what === 'W') {
      changes.push({ what, inode: a, at: b, bytes: log.subarray(at, at + c) });
      at += c + 1;
    } else if (what === 'T') changes.push({ what, inode: a, size: b });
    else if (what === 'S') changes.push({ what, inode: a });
    else if (what === 'O') changes.push({ what, command: a });
    else if (what === 'R') changes.push({ what, inode: b, folder: a, name: tabs[0], to: c, newName: tabs[1] });
    else changes.push({ what, folder: a, inode: b, name: rest.slice(2).join(' ') });
  }
  return changes;
}

function grown(bytes, size) {
  if (bytes.length >= size) return bytes.subarray(0, size);
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}

/** The contents after a write or a new size; `part` of the bytes are there. */
function changed(bytes, change, part = change.bytes?.length) {
  if (change.what === 'T') return Buffer.from(grown(bytes, change.size));
  const size = Math.max(bytes.length, change.at + part), out = Buffer.from(grown(bytes, size));
  change.bytes.copy(out, change.at, 0, part);
  return out;
}

/** Everything below a folder that changes are recorded of. What is there at first is on the disk for good; git's own
 *  files are not looked at, and the folders that were there are never removed. */
export class Disk {
  constructor(root, kind) {
    this.root = root;
    this.kind = kind; // lenient, strict, or lying: it says that it has synced, and has not
    this.files = new Map(); // inode: {bytes: as synced, changes: since}
    this.folders = new Map(); // inode: Map of names to inodes, as synced
    this.names = []; // changes of names that are not synced
    this.above = new Map(); // folder: the folder that it is in
    this.first = new Set(); // the folders that were there
    this.top = this.#scan(root);
  }

  #scan(path) {
    const inode = lstatSync(path).ino, names = new Map();
    this.folders.set(inode, names);
    this.first.add(inode);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.name === '.git') continue;
      const below = join(path, entry.name), number = lstatSync(below).ino;
      names.set(entry.name, number);
      if (entry.isDirectory()) this.#scan(below);
      else this.files.set(number, { bytes: readFileSync(below), changes: [] });
      if (entry.isDirectory()) this.above.set(number, inode);
    }
    return inode;
  }

  /** A change happens. */
  apply(change) {
    const { what, inode } = change;
    if (what === 'W' || what === 'T') this.files.get(inode)?.changes.push(change);
    else if (what === 'S') this.kind !== 'lying' && this.#sync(inode);
    else if (what !== 'O' && this.folders.has(change.folder)) {
      if (what === 'C') this.files.set(inode, { bytes: Buffer.alloc(0), changes: [] });
      if (what === 'D') {
        this.folders.set(inode, new Map());
        this.above.set(inode, change.folder);
      }
      this.names.push(change);
    }
  }

  #sync(inode) {
    const file = this.files.get(inode);
    if (inode === 0) return [...this.files.keys(), ...this.folders.keys()].forEach((each) => this.#sync(each));
    if (file) {
      file.bytes = file.changes.reduce((bytes, change) => changed(bytes, change), file.bytes);
      file.changes = [];
    }
    const kept = new Set(this.folders.has(inode) ? [inode] : []), own = new Set();
    if (this.kind === 'lenient') {
      own.add(inode);
      for (const change of this.names) if (change.inode === inode) own.add(change.folder).add(change.to);
      for (const folder of own) for (let up = folder; up; up = this.above.get(up)) own.add(up);
    }
    const safe = (change) => kept.has(change.folder) || kept.has(change.to) || own.has(change.inode);
    const over = overtaken(this.names, safe);
    for (const change of this.names.filter(safe)) rename(this.folders, change);
    this.names = this.names.filter((change) => !safe(change) && !over.has(change));
  }

  /** What the disk could hold now. choose(kind, list): a list of numbers between 0 (not there) and 1 (there), for the
   *  changes of one file ('bytes') or for those of all names ('names'). */
  cut(choose) {
    const folders = new Map([...this.folders].map(([inode, names]) => [inode, new Map(names)]));
    const there = choose('names', this.names);
    this.names.forEach((change, i) => there[i] >= 0.5 && rename(folders, change));
    const contents = (inode) => {
      const { bytes, changes } = this.files.get(inode), parts = choose('bytes', changes);
      return changes.reduce((now, change, i) => {
        if (parts[i] === 0 || (change.what === 'T' && parts[i] < 1)) return now;
        const size = change.bytes?.length, part = parts[i] === 1 ? size : Math.floor((parts[i] * size) / SECTOR) * SECTOR;
        return part === 0 ? now : changed(now, change, part);
      }, bytes);
    };
    return { folders, contents };
  }

  /** Makes the folder hold what a cut left. Answers the lines of RECORD_INODES. */
  restore(image) {
    const lines = [], placed = new Map();
    const clear = (path) => {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const below = join(path, entry.name);
        if (entry.name === '.git') continue;
        if (entry.isDirectory() && this.first.has(lstatSync(below).ino)) clear(below);
        else rmSync(below, { recursive: true });
      }
    };
    const fill = (path, inode) => {
      for (const [name, number] of image.folders.get(inode)) {
        const below = join(path, name);
        if (image.folders.has(number)) {
          mkdirSync(below, { recursive: true, mode: 0o755 });
          fill(below, number);
        } else if (placed.has(number)) linkSync(placed.get(number), below);
        else if (!name.endsWith('-shm') && this.files.has(number)) {
          writeFileSync(below, image.contents(number));
          placed.set(number, below);
        } else continue;
        const now = lstatSync(below).ino;
        if (now !== number) lines.push(`${now} ${number}\n`);
      }
    };
    clear(this.root);
    fill(this.root, this.top);
    return lines.join('');
  }
}

/** The changes of a name that a later, safe one has overtaken: they are never seen again. */
function overtaken(names, safe) {
  const later = new Set(), over = new Set();
  for (const change of [...names].reverse()) {
    const name = change.what === 'R' ? `${change.to} ${change.newName}` : `${change.folder} ${change.name}`;
    if (safe(change)) later.add(name);
    else if (later.has(name)) over.add(change);
  }
  return over;
}

/** One change of a name, in the names of all folders. */
function rename(folders, change) {
  const from = folders.get(change.folder);
  if (change.what === 'U') from.delete(change.name);
  else if (change.what !== 'R') from.set(change.name, change.inode);
  else {
    if (from.get(change.name) === change.inode) from.delete(change.name);
    folders.get(change.to)?.set(change.newName, change.inode);
  }
}
