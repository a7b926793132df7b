// run.mjs [--tap FILE] [TEST FILE...]: runs the end-to-end tests (default: all that the build under
// test needs, see lib/selection.mjs) with one PostgreSQL cluster for the whole run. Exits like
// `node --test`, and with 1 if only a suite failed (lib/strict_reporter.mjs).

import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { selected } from './lib/selection.mjs';
import { build } from './lib/settings.mjs';
import { Shared } from './lib/shared.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const SLOWEST = 10; // so many files are named at the end
const FILES_AT_ONCE = 4; // they mostly wait: for timers, for children; see the last line of a run
const HANGS_MS = 300_000; // a file or a test; the longest take 100 s on a slow machine

function parseArguments(args) {
  const tap = args[0] === '--tap' ? args.splice(0, 2)[1] : null;
  const all = () => selected(globSync(path.join(here, '*.test.mjs')), build);
  const files = args.length > 0 ? args : all();
  return { tap, files };
}

function runTests({ tap, files }, env) {
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const strict = path.join(here, 'lib/strict_reporter.mjs');
  reporters.push(`--test-reporter=${strict}`, '--test-reporter-destination=stdout');
  if (tap) reporters.push('--test-reporter=tap', `--test-reporter-destination=${tap}`);
  const args = [
    '--disable-warning=ExperimentalWarning',
    `--import=${path.join(here, 'lib/cost.mjs')}`,
    '--test',
    ...reporters,
    `--test-concurrency=${FILES_AT_ONCE}`,
    `--test-timeout=${HANGS_MS}`,
    ...files,
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Milliseconds of all processors so far: idle and all. What runs beside the tests with the time that
 *  they leave (script/test) counts as idle. */
function processorTime() {
  const times = os.cpus().map((one) => one.times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0);
  return { idle: times.reduce((sum, one) => sum + one.idle + one.nice, 0), all };
}

/** How busy the machine was since `before`: if not, more files can run at once. */
function describeLoad(before, files) {
  const now = processorTime();
  const busy = 1 - (now.idle - before.idle) / (now.all - before.all);
  return `test files: ${files}; processors: ${Math.round(busy * 100)} % busy`;
}

/** The files that took most processor time, from the lines that lib/cost.mjs wrote. */
function describeCosts(file) {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1); // none of a killed file
  const costs = lines.map((line) => line.split(' ')).sort((a, b) => b[1] - a[1]);
  const total = costs.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
  return [
    `processor time of test files: ${Math.round(total)} s; most of it:`,
    ...costs
      .slice(0, SLOWEST)
      .map(
        ([name, seconds, wall]) =>
          `${seconds.padStart(8)} s in ${wall.padStart(6)} s  ${name}.test.mjs`,
      ),
  ].join('\n');
}

const wanted = parseArguments(process.argv.slice(2));
if (wanted.files.length === 0) throw new Error('no test files'); // node would look for its own
const before = processorTime();
const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-costs-'));
const costs = path.join(folder, 'costs');
writeFileSync(costs, '');
const shared = new Shared();
try {
  const prepared = await shared.prepare();
  const env = { ...process.env, ...prepared, STOCKACT_TEST_COSTS: costs };
  process.exitCode = await runTests(wanted, env);
  console.log(describeLoad(before, wanted.files.length));
  console.log(describeCosts(costs));
} finally {
  await shared.remove();
  rmSync(folder, { recursive: true, force: true });
}
