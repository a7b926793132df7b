// Runs of `stockact sync` against the stand-in, and what the stand-in has for them.

import { OfficialSites } from './official_sites.mjs';
import { scan, senatePage } from './papers.mjs';
import { makeSite } from './site.mjs';

export const CLOCK = '2026-03-10T12:00:00Z';
const FAST = { STOCKACT_SYNC_PACE_MS: '0' };
export const index = (year) => `GET /public_disc/financial-pdfs/${year}FD.zip`;
export const report = (id, year = 2026) => `GET /public_disc/ptr-pdfs/${year}/${id}.pdf`;
export const uuid = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const view = (n, kind = 'ptr') => `GET /search/view/${kind}/${uuid(n)}/`;
export const WAY_IN = ['GET /search/home/', 'POST /search/home/'];
export const SEARCH = 'POST /search/report/data/';

export async function makeSites(t, { database = 'sqlite', clock = CLOCK, env = {} } = {}) {
  const sites = await OfficialSites.start(t);
  const site = await makeSite(t, { database, clock, env: { ...FAST, ...env } });
  return { sites, site };
}

/** The run's exit code, its lines, what it said last, and what was asked of the sites. */
export async function sync(site, sites, which, ...args) {
  const done = await site.run(['sync', which, '--base-url', sites.url, '--json', ...args]);
  const lines = done.stdout.split('\n').filter((line) => line !== '');
  const all = lines.map((line) => JSON.parse(line));
  const tally = all.find((line) => line.site);
  return { code: done.code, said: done.stderr.trim(), lines: all, tally, asked: sites.asked() };
}

export const states = async (site, kind) =>
  Object.fromEntries(
    (
      await site.database.query(
        `select source_id, state from document where kind = '${kind}' order by source_id`,
      )
    ).map((row) => [row.source_id, row.state]),
  );

/** The Clerk has reports of 2026 with these ids, and one of 2025. */
export function fillHouse(sites, ids = ['9000001', '9000002', '9000003']) {
  const row = (id) => ({ id, last: 'Vale', first: 'Robin', filed: '3/2/2026' });
  sites.indexes.set(2025, {
    rows: [{ ...row('8000009'), filed: '12/30/2025' }],
    etag: '"of-2025"',
    modified: 'Wed, 31 Dec 2025 23:00:00 GMT',
  });
  sites.indexes.set(2026, {
    rows: ids.map(row),
    etag: '"of-2026-a"',
    modified: 'Mon, 09 Mar 2026 23:00:00 GMT',
  });
  sites.reports.set('2025/8000009', scan('8000009'));
  for (const id of ids) sites.reports.set(`2026/${id}`, scan(id));
}

export function fillSenate(sites, count) {
  const people = ['Vale', 'Quince', 'Harrow'];
  for (let n = 1; n <= count; n++) {
    const filed = `01/${String((n % 28) + 1).padStart(2, '0')}/2026`;
    const row = { id: uuid(n), first: 'Robin', last: people[n % 3], filed };
    sites.rows.push(row);
    sites.pages.set(row.id, senatePage(row));
  }
}
