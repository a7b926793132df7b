// What the environment tells the tests: where the tree, the program under test and the real data
// are, and which databases to run on.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The program under test; STOCKACT_BIN names another build of it. */
export const binary = path.resolve(process.env.STOCKACT_BIN ?? path.join(root, 'build/stockact'));

/** A sanitizer's build: slower, and with memory of its own. */
export const instrumented = /build-(asan|tsan)\//.test(binary);

/** The kinds that tests touching the store run on; STOCKACT_TEST_DATABASES narrows it. */
export const databaseKinds = (process.env.STOCKACT_TEST_DATABASES ?? 'sqlite postgresql').split(
  ' ',
);

/**
 * A path under the folder of real data, or null where there is none. Tests that need it skip:
 * `test(name, { skip: sharedData('senate') ? false : noSharedData }, ...)`.
 */
export function sharedData(...parts) {
  const folder = process.env.STOCKACT_SHARED ?? path.join(root, '..', 'shared');
  const file = path.join(folder, 'data', ...parts);
  return existsSync(file) ? file : null;
}

export const noSharedData = 'no real data here: STOCKACT_SHARED names no folder that has it';
