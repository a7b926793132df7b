// A site whose trades can get conflict signals without reading a document: bulk history of
// cryptocurrency, which is its own industry, by two invented senators, and rosters that cause
// signals.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { committeesJson, membershipJson } from './invented_committees.mjs';
import { HOLLIS, membersJson } from './invented_members.mjs';
import { makeSite } from './site.mjs';
import { senateId } from './senate_page.mjs';

export const MARLOW = { ...HOLLIS, id: 'M000903', first: 'Kim', last: 'Marlow', state: 'ME' };
const LIST_DAY = '2015-01-05';

const BANKING = { id: 'SSBK', name: 'Senate Committee on Banking', type: 'senate' };

/** A filing of the bulk history with that many trades, made in June 2015. `asset`: its fields. */
export function bulkFiling(member, number, rows, asset = {}) {
  return {
    first_name: member.first,
    last_name: member.last,
    office: `${member.last}, ${member.first}`,
    date_recieved: '07/04/2015',
    ptr_link: `https://efdsearch.senate.gov/search/view/ptr/${senateId(number)}/`,
    transactions: Array.from({ length: rows }, (_, i) => ({
      transaction_date: `06/${String((i % 28) + 1).padStart(2, '0')}/2015`,
      owner: 'Self',
      ticker: 'JPM',
      asset_description: 'Quince Company',
      asset_type: 'Stock',
      type: 'Purchase',
      amount: '$15,001 - $50,000',
      comment: '--',
      ...asset,
    })),
  };
}

/** A coin is its own industry. */
const COIN = { ticker: 'QQZC', asset_description: 'Quince Coin', asset_type: 'Cryptocurrency' };

/**
 * The day's roster: HOLLIS on the committee with that title, or without a seat (null); MARLOW is
 * always on another committee.
 */
export async function importSeats(site, title) {
  const file = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  const other = { id: 'SSAP', name: 'Senate Committee on Appropriations', type: 'senate' };
  const seat = title === null ? [] : [{ member: HOLLIS, ...(title ? { title } : {}) }];
  const files = [
    file('committees.json', committeesJson([BANKING, other])),
    file('membership.json', membershipJson({ SSBK: seat, SSAP: [{ member: MARLOW }] })),
  ];
  return site.stockact('committees', 'import', ...files, '--as-of', LIST_DAY);
}

/**
 * `filings`: the numbers of trades in HOLLIS's filings. MARLOW has one filing with two trades. No
 * roster is imported yet.
 */
export async function makeSignalling(t, filings, options) {
  const site = await makeSite(t, options);
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([HOLLIS, MARLOW]));
  await site.stockact('members', 'import', members);
  const dump = path.join(site.folder, 'dump.json');
  const all = [
    bulkFiling(MARLOW, 0, 2, COIN),
    ...filings.map((rows, i) => bulkFiling(HOLLIS, i + 1, rows, COIN)),
  ];
  writeFileSync(dump, JSON.stringify(all));
  await site.stockact('backfill', 'senate-stock-watcher', dump, '--by', 'editor@example.org');
  return site;
}
