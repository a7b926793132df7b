// Programs of the machine that a test needs, and skips without.

import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Where a program is, also where a user's PATH does not look; null if it is not installed. */
export function programPath(name) {
  for (const folder of [...process.env.PATH.split(':'), '/usr/sbin', '/usr/local/sbin']) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // look on
    }
  }
  return null;
}
