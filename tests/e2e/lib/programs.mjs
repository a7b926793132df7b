// Programs of the machine that a test needs; without them it is skipped.

import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The path of a program, also outside a user's PATH; null if it is not installed. */
export function programPath(name) {
  for (const folder of [...process.env.PATH.split(':'), '/usr/sbin', '/usr/local/sbin']) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // try the next folder
    }
  }
  return null;
}
