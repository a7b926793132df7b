// run.mjs [--result FILE] [TEST FILE...]: runs the end-to-end tests (default: all that the build
// under test needs, see lib/selection.mjs) with one PostgreSQL cluster for the whole run.
//
// A file that fails is run again alone, twice: its tests share what they write. It has passed if two
// of the three runs passed, and a line "flaky: NAME, 1 of 3" says so. It has failed if in any run a
// program under test crashed (lib/child.mjs), whatever its tests say. If more than ten files fail,
// none is run again. FILE gets "PASSED FAILED SKIPPED" and these lines. Exits 1 if a test failed.

import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { selected } from './lib/selection.mjs';
import { build, gate } from './lib/settings.mjs';
import { Shared } from './lib/shared.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const SLOWEST = 10; // so many files are named at the end
const FILES_AT_ONCE = 4; // they mostly wait: for timers, for children; see the last line of a run
const HANGS_MS = 900_000; // a file or a test; the longest take 300 s beside other work
const AGAIN = 2; // so often a file that failed is run again
const FAILED_MAX = 10; // if more fail, it is not by chance

const nameOf = (file) => path.basename(file, '.test.mjs');

function parseArguments(args) {
  const result = args[0] === '--result' ? args.splice(0, 2)[1] : null;
  const all = () => selected(globSync(path.join(here, '*.test.mjs')), build, { gate });
  const files = args.length > 0 ? args : all();
  return { result, files: files.map((file) => path.resolve(file)) };
}

function node(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Runs files: {file, passed, failed, skipped, crash} of each; `crash` is what crashed, or null. */
async function runFiles(files, folder, env) {
  const counts = path.join(folder, 'counts');
  const crashes = path.join(folder, 'crashes');
  for (const empty of [counts, crashes]) writeFileSync(empty, '');
  const args = [
    '--disable-warning=ExperimentalWarning',
    `--import=${path.join(here, 'lib/cost.mjs')}`,
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${path.join(here, 'lib/file_reporter.mjs')}`,
    `--test-reporter-destination=${counts}`,
    `--test-concurrency=${FILES_AT_ONCE}`,
    `--test-timeout=${HANGS_MS}`,
    ...files,
  ];
  const code = await node(args, { ...env, STOCKACT_TEST_CRASHES: crashes });
  const lines = (name) => readFileSync(name, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  const counted = new Map(lines(counts).map((count) => [path.resolve(count.file), count]));
  const crashed = new Map(lines(crashes));
  const runs = files.map((file) => ({
    ...(counted.get(file) ?? { passed: 0, failed: 1, skipped: 0 }),
    file,
    crash: crashed.get(file) ?? null,
  }));
  if (code !== 0 && runs.every((run) => run.failed === 0))
    throw new Error(`node ended with ${code}`);
  return runs;
}

/** Runs a file that failed again: the run that counts, and what to say. */
async function runAgain(first, runAlone) {
  const name = nameOf(first.file);
  const runs = [first];
  while (runs.length <= AGAIN && !runs.at(-1).crash) runs.push(await runAlone(first.file));
  const { crash } = runs.at(-1);
  if (crash) {
    const failed = Math.max(runs.at(-1).failed, 1);
    return { run: { ...runs.at(-1), failed }, line: `crashed: ${name}: ${crash.split('\n')[0]}` };
  }
  const bad = runs.filter((run) => run.failed > 0);
  const good = runs.filter((run) => run.failed === 0);
  const word = good.length > 0 ? 'flaky' : 'failed';
  return {
    run: bad.length > good.length ? bad[0] : good[0],
    line: `${word}: ${name}, ${bad.length} of ${runs.length}`,
  };
}

/** Runs all files: what became of each, and lines about those that failed. */
async function runTests(files, folder, env) {
  const runs = await runFiles(files, folder, env);
  const failed = (run) => run.failed > 0 || run.crash;
  const again = runs.filter(failed).length <= FAILED_MAX;
  const lines = [];
  for (const [i, first] of runs.entries()) {
    if (!failed(first) || (!again && !first.crash)) continue;
    const alone = async (file) => (await runFiles([file], folder, env))[0];
    const { run, line } = await runAgain(first, alone);
    runs[i] = run;
    lines.push(line);
  }
  return { runs, lines };
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
const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-run-'));
const costs = path.join(folder, 'costs');
writeFileSync(costs, '');
const shared = new Shared();
try {
  const prepared = await shared.prepare();
  const env = { ...process.env, ...prepared, STOCKACT_TEST_COSTS: costs };
  const { runs, lines } = await runTests(wanted.files, folder, env);
  const total = (name) => runs.reduce((sum, run) => sum + run[name], 0);
  process.exitCode = total('failed') > 0 ? 1 : 0;
  console.log(describeLoad(before, wanted.files.length));
  console.log(describeCosts(costs));
  for (const line of lines) console.log(line);
  const counts = ['passed', 'failed', 'skipped'].map(total).join(' ');
  if (wanted.result) writeFileSync(wanted.result, [counts, ...lines, ''].join('\n'));
} finally {
  await shared.remove();
  rmSync(folder, { recursive: true, force: true });
}
