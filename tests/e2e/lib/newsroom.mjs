// A small site with everything that a journalist asks about: a report with its document, a flagged
// and late purchase, a symbol that was another one before, a correction, and a publication of this
// week. The people, the companies and the reports are invented; the change of a symbol is one that
// the program knows (data/ticker_renames.csv).

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { committeesJson, membershipJson } from './invented_committees.mjs';
import { housePdf } from './house_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './invented_members.mjs';
import { HOUSE_ROW } from './invented_rows.mjs';
import { BY, because } from './reviewer.mjs';
import { senateId, senatePage } from './senate_page.mjs';

const BANK = 'QQBK';
const SYMBOLS = `Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location
${BANK},Alder Bank,Financials,Diversified Banks,"Larkspur Hollow, Maine"
`;
const SEATS_AS_OF = '2025-01-20';

/** BHI became BHGE on 2017-07-05. */
export const RENAMED = { symbol: 'BHGE', former: 'BHI', day: '2017-07-05' };

const HOUSE = '20990001';
const row = (asset, date, rest = {}) => ({ ...HOUSE_ROW, asset, date, notified: date, ...rest });

/** Robin Vale bought Alder Bank on 2025-02-03, which was to be reported by 2025-03-05. */
const REPORT = {
  id: HOUSE,
  signed: '03/20/2025',
  rows: [
    row('Harbor Tools (HRBR) [ST]', '03/03/2025'),
    row(`Alder Bank (${BANK}) [ST]`, '02/03/2025', { amount: '$15,001 - $50,000' }),
    row('Harbor Tools (HRBR) [ST]', '03/04/2025', { type: 'S' }),
  ],
};
/** Two trades before the change of the symbol, three after it. */
const RENAMED_REPORT = {
  id: '20990002',
  signed: '02/20/2018',
  rows: [
    row(`Quince Drilling (${RENAMED.former}) [ST]`, '03/02/2017'),
    row(`Quince Drilling (${RENAMED.former}) [ST]`, '03/03/2017', { type: 'S' }),
    row(`Quince Drilling (${RENAMED.symbol}) [ST]`, '01/17/2018'),
    row(`Quince Drilling (${RENAMED.symbol}) [ST]`, '01/18/2018'),
    row(`Quince Drilling (${RENAMED.symbol}) [ST]`, '02/01/2018', { type: 'S' }),
  ],
};
const SENATE = senateId(1);
const SENATE_ROWS = [
  { date: '02/10/2026', ticker: 'HRBR', asset: 'Harbor Tools', amount: '$1,001 - $15,000' },
  { date: '02/11/2026', ticker: BANK, asset: 'Alder Bank', amount: '$100,001 - $250,000' },
  { date: '02/12/2026', ticker: 'HRBR', asset: 'Harbor Tools', amount: '$50,001 - $100,000' },
];

export const NEWSROOM_CLOCK = '2026-03-08T12:00:00Z';

async function publish(site, id, ...options) {
  await site.stockact('review', 'accept', id, ...BY);
  await site.stockact('publish', id, ...BY, ...options);
}

/** Fills the site, whose clock is NEWSROOM_CLOCK: three days later all is visible to everybody. */
export async function furnishNewsroom(site) {
  const inbox = path.join(site.folder, 'inbox');
  const write = (name, text) => {
    const file = path.join(site.folder, name);
    writeFileSync(file, text);
    return file;
  };
  mkdirSync(inbox);
  await site.stockact('members', 'import', write('members.json', membersJson([VALE, HOLLIS])));
  await site.stockact('tickers', 'import', write('symbols.csv', SYMBOLS));
  const committee = { id: 'HSBA', name: 'House Committee on Financial Services' };
  await site.stockact(
    ...['committees', 'import', write('committees.json', committeesJson([committee]))],
    ...[write('membership.json', membershipJson({ HSBA: [{ member: VALE }] }))],
    ...['--as-of', SEATS_AS_OF],
  );
  write(`inbox/${HOUSE}.pdf`, housePdf(REPORT));
  write(`inbox/${RENAMED_REPORT.id}.pdf`, housePdf(RENAMED_REPORT));
  const filed = { reportDate: '03/06/2026', filed: '03/06/2026 @ 6:23 PM' };
  write(`inbox/${SENATE}.html`, senatePage({ ...filed, rows: SENATE_ROWS }));
  await site.stockact('ingest', inbox);
  await publish(site, `house-${HOUSE}`, '--backfill');
  await publish(site, `house-${RENAMED_REPORT.id}`, '--backfill');
  await publish(site, `senate-${SENATE}`);
  await site.stockact(
    ...['correct', `house-${RENAMED_REPORT.id}-0004`, 'side', 'sell_full'],
    ...because('the letter was misread'),
  );
}
