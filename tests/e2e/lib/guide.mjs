// The commands of docs/review.md, so that tests run the guide as it is printed.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './settings.mjs';

const file = readFileSync(path.join(root, 'docs/review.md'), 'utf8');

/** The section with this heading, without the headings of its own level that follow. */
function sectionOf(heading) {
  const [section] = file.match(
    new RegExp(`^${heading}$.*?^(?=#{2,${heading.indexOf(' ')}} )`, 'ms'),
  );
  return section;
}

// Sections whose commands need a setting, or rows that other commands made, and the test file that
// runs them.
export const BATCHES = '### Batches of clean drafts'; // batches.test.mjs
export const DOUBLE_ENTRY = '## Two people type paper'; // double_entry.test.mjs
export const SAMPLE = '## Checking published rows again'; // desk_sample.test.mjs

function commandsOf(text) {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]);
  const lines = blocks.join('').split('\n').filter(Boolean);
  return lines.map((line) => {
    const words = line.match(/(?:[^\s"]|"[^"]*")+/g).map((word) => word.replaceAll('"', ''));
    assert.equal(words.shift(), 'stockact', line);
    return words;
  });
}

/** The commands of one of these sections, in order, each as its arguments. */
export function commandsOfSection(heading) {
  const commands = commandsOf(sectionOf(heading));
  assert.ok(commands.length > 0, heading);
  return commands;
}

/** Those of all other sections. */
export function commandsOfOthers() {
  const headings = [BATCHES, DOUBLE_ENTRY, SAMPLE];
  return commandsOf(headings.reduce((text, one) => text.replace(sectionOf(one), ''), file));
}

/** Runs them: each must succeed. */
export async function runCommands(site, commands) {
  for (const command of commands) {
    const done = await site.run(command);
    assert.equal(done.code, 0, `stockact ${command.join(' ')}: ${done.stderr}`);
  }
}
