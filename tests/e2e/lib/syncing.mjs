// Runs of `stockact sync` against the stub, and the stub's content.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { membersJson } from './invented_members.mjs';
import { OfficialSites } from './official_sites.mjs';
import { housePdf, scanPdf } from './house_pdf.mjs';
import { senateId, senatePage } from './senate_page.mjs';
import { makeSite } from './site.mjs';

export const CLOCK = '2026-03-10T12:00:00Z';
/** A member who files nothing. */
const NOBODY = {
  id: 'S000903',
  first: 'Nell',
  last: 'Sandover',
  chamber: 'house',
  state: 'ME',
  district: 1,
};
const FAST = { STOCKACT_SYNC_PACE_MS: '0' };
export const index = (year) => `GET /public_disc/financial-pdfs/${year}FD.zip`;
export const report = (id, year = 2026) => `GET /public_disc/ptr-pdfs/${year}/${id}.pdf`;
export const view = (n, kind = 'ptr') => `GET /search/view/${kind}/${senateId(n)}/`;
export const WAY_IN = ['GET /search/home/', 'POST /search/home/'];
export const SEARCH = 'POST /search/report/data/';

export async function makeSites(t, { database = 'sqlite', clock = CLOCK, env = {} } = {}) {
  const sites = await OfficialSites.start(t);
  const site = await makeSite(t, { database, clock, env: { ...FAST, ...env } });
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([NOBODY])); // without members, no report is fetched
  await site.stockact('members', 'import', members);
  return { sites, site };
}

/** The run's exit code, its lines, its last line, and the requests to the sites. */
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

/** A report on paper with distinct bytes. */
export const scan = (mark) => Buffer.concat([scanPdf({ pages: 1 }), Buffer.from(`% ${mark}\n`)]);

const BOUGHT = {
  date: '02/17/2026',
  notified: '02/20/2026',
  asset: 'Quillbrook Holdings [OT]',
  type: 'P',
  status: 'New',
  amount: '$1,001 - $15,000',
};

/** A report and its entry in the index: on paper, or electronic if the id says so. */
export const entry = (id, filed = '3/2/2026') => ({ DocID: id, Year: '2026', FilingDate: filed });
export const paper = (id) =>
  id.startsWith('2') ? housePdf({ id, signed: '03/02/2026', rows: [BOUGHT] }) : scan(id);

/** The Clerk has reports of 2026 with these ids, and one of 2025. */
export function fillHouse(sites, ids = ['20990001', '9000002', '9000003']) {
  sites.indexes.set(2025, {
    rows: [{ ...entry('8000009', '12/30/2025'), Year: '2025' }],
    etag: '"of-2025"',
    modified: 'Wed, 31 Dec 2025 23:00:00 GMT',
  });
  sites.indexes.set(2026, {
    rows: ids.map((id) => entry(id)),
    etag: '"of-2026-a"',
    modified: 'Mon, 09 Mar 2026 23:00:00 GMT',
  });
  sites.reports.set('2025/8000009', scan('8000009'));
  for (const id of ids) sites.reports.set(`2026/${id}`, paper(id));
}

/** A Senate page with one purchase. */
export const senateReport = ({ first, last, filed }) =>
  senatePage({
    reportDate: filed,
    filer: `The Honorable ${first} ${last}`,
    bracket: `${last}, ${first}`,
    filed: `${filed} @ 11:15 AM`,
    rows: [{ date: filed, asset: 'Quillbrook Holdings', amount: '$1,001 - $15,000' }],
  });

export function fillSenate(sites, count) {
  const people = ['Vale', 'Quince', 'Harrow'];
  for (let n = 1; n <= count; n++) {
    const filed = `01/${String((n % 28) + 1).padStart(2, '0')}/2026`;
    const row = { id: senateId(n), first: 'Robin', last: people[n % 3], filed };
    sites.rows.push(row);
    sites.pages.set(row.id, senateReport(row));
  }
}
