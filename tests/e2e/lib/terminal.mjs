// Runs a command on a pseudo-terminal of a known width, as a person has it.

import { Child } from './child.mjs';
import { binary } from './settings.mjs';

const quoted = (word) => `'${String(word).replaceAll("'", `'\\''`)}'`;

/** Starts `stockact ARGS` of a site on a terminal; the child's `stdout` is what the terminal gets,
 * from both streams. Options: `columns`, `env` (added). */
export function startOnTerminal(site, args, { columns = 80, env = {} } = {}) {
  const command = `stty cols ${columns}; exec ${[binary, ...args].map(quoted).join(' ')}`;
  return new Child('script', ['-qec', command, '/dev/null'], {
    cwd: site.folder,
    env: { ...site.env, LC_ALL: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/sh', ...env },
  });
}

/** Runs it to its end: {code, text, lines}. */
export async function onTerminal(site, args, options) {
  const child = startOnTerminal(site, args, options);
  const { code } = await child.exited;
  const text = child.stdout.replaceAll('\r\n', '\n');
  return { code, text, lines: text.split('\n').slice(0, -1) };
}
