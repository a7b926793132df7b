// A guide's chapters as a test runs them: every `sh` block in order. A `text` block behind it is what
// the commands print; `...` is any text, or any lines if it is a whole line.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './child.mjs';
import { root } from './settings.mjs';

/** The chapters of docs/operate.md that run: those of one server, and of several. */
export const ONE_SERVER = [
  ...['The database', 'Install', 'Fill', 'Back up', 'Snapshots', 'Restore'],
  ...['Upgrade and rollback', 'Move'],
  ...['Keys and secrets', 'Logs', 'Sizes', 'PostgreSQL'],
];
export const SEVERAL_SERVERS = [
  ...['A database with a standby', 'Three servers', 'Upgrade several servers', 'Failover'],
  ...['Back to a point in time', 'Rotate the secrets'],
];

const MARK = '@@ block ';

/** All blocks of docs/operate.md that run: {chapter, commands, expected (or null)}, in order. */
function allBlocks() {
  const text = readFileSync(path.join(root, 'docs/operate.md'), 'utf8');
  const blocks = [];
  const code = /^```(\w*)\n(.*?)^```$\n*(?:(?=```text\n)```text\n(.*?)^```$)?/gms;
  for (const part of text.split(/^## /m).slice(1)) {
    const chapter = part.slice(0, part.indexOf('\n'));
    for (const [, language, commands, expected = null] of part.matchAll(code))
      if (language === 'sh') blocks.push({ chapter, commands, expected });
  }
  const chapters = [...new Set(blocks.map(({ chapter }) => chapter))];
  assert.deepEqual(chapters, [...ONE_SERVER, ...SEVERAL_SERVERS]);
  return blocks;
}

/** Those of some chapters. */
export const blocksOf = (chapters) => allBlocks().filter((one) => chapters.includes(one.chapter));

const tidy = (line) => line.replace(/\s+/g, ' ').trim();
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Line by line; a line `...` matches any number of lines. */
export function assertPrinted(block, printed) {
  const pattern = tidy(block.expected) && block.expected.trim().split('\n').map(tidy);
  const source = pattern
    .map((line) =>
      line === '...' ? '(?:.*\n)*?' : `${line.split('...').map(escaped).join('.*')}\n`,
    )
    .join('');
  const text = printed.trim().split('\n').map(tidy).join('\n');
  assert.match(`${text}\n`, new RegExp(`^${source}$`), block.commands);
}

/**
 * Runs the blocks in one shell, which must succeed, and returns what each printed. `then` maps the
 * number of a block to commands of the test that run after it.
 */
export async function runBlocks(blocks, options, then = {}) {
  const script = blocks
    .map(({ commands }, i) => `echo '${MARK}${i}'\n${commands}${then[i] ?? ''}`)
    .join('');
  const done = await run('bash', ['-e', '-c', script], options);
  const printed = done.stdout.split(MARK).slice(1);
  assert.equal(done.code, 0, `${blocks[printed.length - 1]?.commands}\n${done.stderr}`);
  return printed.map((part) => part.slice(part.indexOf('\n') + 1));
}
