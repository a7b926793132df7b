// run.mjs [--tap FILE] [TEST FILE...]: runs the end-to-end tests (default: all that the build under
// test needs, see lib/selection.mjs) with one PostgreSQL cluster for the whole run. Exits like
// `node --test`.

import { globSync } from 'node:fs';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Cluster } from './lib/postgres.mjs';
import { selected } from './lib/selection.mjs';
import { build, databaseKinds } from './lib/settings.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const FILES_AT_ONCE = 4; // they mostly wait: for timers, for children; see the last line of a run

function parseArguments(args) {
  const tap = args[0] === '--tap' ? args.splice(0, 2)[1] : null;
  const all = () => selected(globSync(path.join(here, '*.test.mjs')), build);
  const files = args.length > 0 ? args : all();
  return { tap, files };
}

function runTests({ tap, files }, env) {
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  if (tap) reporters.push('--test-reporter=tap', `--test-reporter-destination=${tap}`);
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--test',
    ...reporters,
    `--test-concurrency=${FILES_AT_ONCE}`,
    '--test-timeout=120000',
    ...files,
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Milliseconds of all processors so far: idle and all. */
function processorTime() {
  const times = os.cpus().map((one) => one.times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0);
  return { idle: times.reduce((sum, one) => sum + one.idle, 0), all };
}

/** How busy the machine was since `before`: if not, more files can run at once. */
function describeLoad(before, files) {
  const now = processorTime();
  const busy = 1 - (now.idle - before.idle) / (now.all - before.all);
  return `test files: ${files}; processors: ${Math.round(busy * 100)} % busy`;
}

const wanted = parseArguments(process.argv.slice(2));
if (wanted.files.length === 0) throw new Error('no test files'); // node would look for its own
const before = processorTime();
const cluster = databaseKinds.includes('postgresql') ? await Cluster.start() : null;
const env = { ...process.env };
if (cluster) env.STOCKACT_TEST_POSTGRES = cluster.url('{name}');
try {
  process.exitCode = await runTests(wanted, env);
  console.log(describeLoad(before, wanted.files.length));
} finally {
  await cluster?.stop();
}
