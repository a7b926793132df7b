// The tests' environment: the tree, the program under test, the real data, and the databases to run
// on.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { kindsFor } from './selection.mjs';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The program under test; STOCKACT_BIN overrides it. */
export const binary = path.resolve(process.env.STOCKACT_BIN ?? path.join(root, 'build/stockact'));

/** Which of the three builds it is: gcc, asan or tsan. */
export const build = /build-(asan|tsan)\//.exec(binary)?.[1] ?? 'gcc';

/** A sanitizer's build is slower and uses more memory. */
export const instrumented = build !== 'gcc';

const besideIt = path.join(path.dirname(binary), '..', 'build', 'stockact');

/**
 * The program for commands that only prepare a test. A sanitizer takes three times as long to start,
 * and other tests look at what these commands do.
 */
export const preparing = instrumented && existsSync(besideIt) ? besideIt : binary;

/** The program for the other commands. They have one thread, in which TSan finds nothing. */
export const commanding = build === 'tsan' ? preparing : binary;

/** Whether script/test runs these tests: without browsers, and with the files and databases that
 *  tests/e2e/files leaves to script/nightly left out. */
export const gate = process.env.STOCKACT_TEST_GATE === '1';

/** The kinds of database for tests that use the store; STOCKACT_TEST_DATABASES replaces them. */
export const databaseKinds =
  process.env.STOCKACT_TEST_DATABASES?.split(' ') ?? kindsFor(process.argv[1] ?? '', build, gate);

/**
 * A path in the folder of real data, or null if it does not exist. Tests that need it skip:
 * `test(name, { skip: sharedData('senate') ? false : noSharedData }, ...)`.
 */
export function sharedData(...parts) {
  const folder = process.env.STOCKACT_SHARED ?? path.join(root, '..', 'shared');
  const file = path.join(folder, 'data', ...parts);
  return existsSync(file) ? file : null;
}

export const noSharedData = 'no real data here: STOCKACT_SHARED names no folder that has it';
