// The npm tools that the tests run as programs, with the Node that runs the tests.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './child.mjs';
import { root } from './settings.mjs';

const packages = path.join(root, 'tests/e2e/node_modules');
// No tool uses the network.
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_COLOR: '1',
};

/** The command that runs the program `name` of an npm package in `cwd`, for `run`. */
function command(packageName, name, args, { cwd }) {
  const folder = path.join(packages, packageName);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const script = path.join(folder, typeof bin === 'string' ? bin : bin[name]);
  const env = { PATH: process.env.PATH, HOME: cwd, ...QUIET };
  return [process.execPath, [script, ...args], { cwd, env }];
}

/** Runs that program like `run`. */
export const tryTool = (...what) => run(...command(...what));

/** Runs it; it must exit 0. Returns its output. */
export async function runTool(packageName, name, args, { cwd }) {
  const done = await tryTool(packageName, name, args, { cwd });
  assert.equal(done.code, 0, `${name} ${args.join(' ')}:\n${done.stdout}${done.stderr}`);
  return done.stdout + done.stderr;
}

export const npmPackages = packages;
