// Which test files run when, on which build and on which kinds of database: what follows from the
// table tests/e2e/files.

import { readFileSync } from 'node:fs';
import path from 'node:path';

const COLUMNS = {
  databases: ['one', 'each', 'both'],
  needs: ['postgresql', 'real', 'redis', 'some-browser', 'browser', 'nodes', 'time', '-'],
  finds: ['answers', 'memory', 'threads', 'races'],
};
/** What only script/nightly has, or takes the time for. */
const AT_NIGHT = ['browser', 'nodes', 'time'];

const nameOf = (file) => path.basename(file, '.test.mjs');

/** A line of the table: {name, seconds, databases, needs, finds}. Throws if it is not valid. */
function readLine(line) {
  const [name, seconds, databases, needs, finds, ...words] = line.split(/ +/);
  const entry = { name, seconds: Number(seconds), databases };
  entry.needs = (needs ?? '').split(',');
  entry.finds = (finds ?? '').split(',');
  for (const [column, allowed] of Object.entries(COLUMNS)) {
    const unknown = [entry[column]].flat().filter((word) => !allowed.includes(word));
    if (unknown.length > 0) throw new Error(`tests/e2e/files: ${name}: ${column}: "${unknown}"`);
  }
  if (!(entry.seconds > 0) || words.length < 3) {
    throw new Error(`tests/e2e/files: "${line}" is not a line of this table`);
  }
  return entry;
}

/** The table: entries by name. */
export function readTable(text) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const table = new Map(lines.map(readLine).map((entry) => [entry.name, entry]));
  if (table.size !== lines.length) throw new Error('tests/e2e/files names a file twice');
  return table;
}

const own = readTable(readFileSync(path.join(import.meta.dirname, '../files'), 'utf8'));

/** Whether a file runs on a build (gcc, asan, tsan), in the gate or at night. */
function runsOn({ needs, finds }, build, gate) {
  if (gate && needs.some((need) => AT_NIGHT.includes(need))) return false;
  if (build === 'gcc') return true;
  if (build === 'asan') return !gate && finds.includes('memory');
  return finds.includes('races') || (!gate && finds.includes('threads'));
}

/** The files to run on a build, longest first, so that none of them runs alone at the end. Throws if
 *  the table lacks a file, or names one that is not there. */
export function selected(files, build, { gate = false, table = own } = {}) {
  const names = new Set(files.map(nameOf));
  const lacks = [...names].filter((name) => !table.has(name));
  const lost = [...table.keys()].filter((name) => !names.has(name));
  if (lacks.length > 0) throw new Error(`tests/e2e/files lacks ${lacks.join(', ')}`);
  if (lost.length > 0) throw new Error(`tests/e2e/files names no file: ${lost.join(', ')}`);
  const entryOf = (file) => table.get(nameOf(file));
  return files
    .filter((file) => runsOn(entryOf(file), build, gate))
    .sort((a, b) => entryOf(b).seconds - entryOf(a).seconds || (a < b ? -1 : 1));
}

/**
 * The kinds of database that a file runs on, if it is for each. What a sanitizer finds above the
 * store does not depend on the kind: the unit tests of the driver run on both. Several servers can
 * be at work in one PostgreSQL database, which is where threads matter.
 */
export function kindsFor(file, build, gate) {
  if (build === 'asan') return ['sqlite'];
  if (build === 'tsan') return ['postgresql'];
  const both = !gate || own.get(nameOf(file))?.databases !== 'each';
  return both ? ['sqlite', 'postgresql'] : ['sqlite'];
}
