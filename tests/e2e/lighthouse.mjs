// lighthouse.mjs [PATH...]: the program behind script/lighthouse. Default: every page of the list.
// A path is one of the table of pages (`stockact help --pages`) or one of its examples.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromiumPath } from './lib/browser.mjs';
import { run } from './lib/child.mjs';
import { root } from './lib/settings.mjs';
import { withShowcase } from './lib/showcase.mjs';

const PROGRAM = path.join(root, 'bench/lighthouse/node_modules/lighthouse/cli/index.js');
const TRIES = 3;
const DEVICES = { desktop: '--preset=desktop', mobile: '--form-factor=mobile' };
const CHROMIUM =
  '--headless=new --no-sandbox --host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"';

/** The report about one page. */
async function report(folder, address, visitor, device) {
  const file = path.join(folder, 'lighthouse.json');
  const cookie = visitor.cookies.header();
  const done = await run(
    process.execPath,
    [
      PROGRAM,
      address,
      DEVICES[device],
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      '--only-categories=performance,accessibility,best-practices',
      `--chrome-flags=${CHROMIUM}`,
      ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
    ],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, CHROME_PATH: chromiumPath },
    },
  );
  if (done.code !== 0) throw new Error(`${address}: ${done.stderr}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const performanceOf = ({ categories }) => categories.performance.score;

/** The best of up to TRIES reports: another program on the machine only lowers the score, and
 *  sometimes Chromium records nothing. */
async function bestReport(...asked) {
  let best = null;
  for (let tries = 1; tries <= TRIES && (!best || performanceOf(best) < 1); tries++) {
    try {
      const found = await report(...asked);
      if (!best || performanceOf(found) > performanceOf(best)) best = found;
    } catch (error) {
      if (tries === TRIES && !best) throw error;
    }
  }
  return best;
}

/** Prints the scores, and the audits of a category that is below 100. */
function print(target, device, { categories, audits }) {
  const scores = Object.values(categories).map(({ score }) => Math.round(score * 100));
  console.log(`${target} ${device}: ${scores.join(' / ')}`);
  for (const { score, auditRefs } of Object.values(categories)) {
    if (score === 1) continue;
    for (const { id, weight } of auditRefs) {
      const audit = audits[id];
      if (weight > 0 && audit.score !== null && audit.score < 1) {
        console.log(`  ${id}: ${audit.displayValue ?? audit.title}`);
      }
    }
  }
  return scores.every((score) => score === 100);
}

await withShowcase(async ({ site, server, pages, visitors }) => {
  const wanted = process.argv.slice(2);
  for (const { path: row, target, as } of pages) {
    if (wanted.length > 0 && !wanted.includes(target) && !wanted.includes(row)) continue;
    for (const device of Object.keys(DEVICES)) {
      const found = await bestReport(site.folder, server.url + target, visitors[as], device);
      if (!print(target, device, found)) process.exitCode = 1;
    }
  }
});
