// same.mjs OLD NEW: the program behind script/same. Each is a build folder. Fills a database with the
// old build, stops its clock, and compares what both builds say on copies of it: every page for
// every kind of visitor, as HTML and JSON, with each choice of its forms; every request of the API
// with each value of each parameter, as JSON and CSV; tools; commands, help, manual pages; then
// every form, sent as it stands, and what the actions left. Prints the lines that differ. Exits 1 if any
// does.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

const [oldBuild, newBuild] = process.argv.slice(2).map((one) => path.resolve(one));
if (!newBuild) throw new Error('usage: same.mjs OLD NEW');
const program = (build) => path.join(build, 'stockact');
process.env.STOCKACT_BIN = program(oldBuild);

const LINES_MAX = 12; // of one difference are shown
const DIFFERENCES_MAX = 60;

const { everyPage, pageSite } = await import('./lib/every_page.mjs');
const { Site } = await import('./lib/site.mjs');
const { readBuild, summary } = await import('./lib/same_site.mjs');

const ends = [];
const beside = await pageSite({ after: (end) => ends.push(end) });
const site = await Site.open({ ...beside.options, clock: new Date().toISOString() });

/** What both builds are asked about. */
async function prepare() {
  const all = await everyPage(site, beside);
  const table = (await site.stockact('help', '--pages')).filter(({ get }) => get);
  const plain = table.map((one) => one.path).filter((one) => !one.includes('{'));
  const trade = (await all.server.json('/api/v1/trades?limit=1')).data[0];
  const ids = {
    '/trades/{id} id': trade.id,
    '/filings/{id} id': trade.id.replace(/-\d+$/, ''),
    id: trade.id,
    slug: trade.politician.slug,
    symbol: trade.ticker,
    politician: trade.politician.slug,
    ticker: trade.ticker,
    trade_id: trade.id,
  };
  const below = all.pages
    .filter(({ path: one }) => one === '/trades/{id}' || one === '/filings/{id}')
    .flatMap(({ target }) => [`${target}/row.png`, `${target}/pages/1`]);
  const pages = [...new Set([...all.pages.map(({ target }) => target), ...plain, ...below])];
  const unused = await site.key({ email: all.reviewer.email });
  const the = { ...all, trade: trade.id };
  return { pages, visitors: all.visitors, key: all.key.key, unused, ids, the, server: all.server };
}

/** The files of the site's folder as they were when `work` began. */
async function onCopy(work) {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'stockact-same-'));
  cpSync(site.folder, copy, { recursive: true });
  const result = await work();
  rmSync(site.folder, { recursive: true });
  cpSync(copy, site.folder, { recursive: true });
  rmSync(copy, { recursive: true });
  return result;
}

/** The lines that differ, as `diff` prints them. */
function difference(before, after) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-same-'));
  const files = { before, after };
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, name), text.replaceAll('><', '>\n<').replaceAll(',"', ',\n"'));
  const done = spawnSync('diff', ['before', 'after'], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const lines = done.stdout.trimEnd().split('\n');
  const more = lines.length > LINES_MAX ? [`... ${lines.length - LINES_MAX} more lines`] : [];
  return [...lines.slice(0, LINES_MAX), ...more]
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');
}

let unlike = 0;
try {
  const known = await prepare();
  const { host, port } = known.server;
  const listen = `${host}:${port}`;
  await known.server.stop();
  const [before, after] = [
    await onCopy(() => readBuild(site, program(oldBuild), known, listen)),
    await onCopy(() => readBuild(site, program(newBuild), known, listen)),
  ];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(name) ?? '', after.get(name) ?? ''];
    if (one === other) continue;
    if (++unlike <= DIFFERENCES_MAX) console.log(`${name}\n${difference(one, other)}`);
  }
  console.log(summary(before));
  console.log(`${before.size} answers, ${unlike} differ`);
} finally {
  await site.close();
  for (const end of ends) end();
}
process.exitCode = unlike > 0 ? 1 : 0;
