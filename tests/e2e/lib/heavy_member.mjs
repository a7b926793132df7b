// An invented senator with 2,600 trades in eight years and 32 seats, more than nearly all real
// members have: for the size of pages. The seats are on real committees, because their names are
// long; the companies are invented.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOLLIS, membersJson } from './invented_members.mjs';
import { BY } from './reviewer.mjs';
import { senateId } from './senate_page.mjs';
import { root } from './settings.mjs';

const HEAVY = { ...HOLLIS, id: 'B000904', first: 'Ada', last: 'Brightwater', state: 'NM' };
export const HEAVY_SLUG = 'ada-brightwater';

const FILINGS = 130;
const ROWS = 20;
const SEATS = [
  ...['SSAF', 'SSAF13', 'SSAF14', 'SSAF15', 'SSAF16', 'SSAF17', 'SSAP', 'SSAP01', 'SSAP02'],
  ...['SSAP08', 'SSAP14', 'SSAP16', 'SSAP17', 'SSAP18', 'SSAP19', 'SSAP20', 'SSAP22', 'SSAP23'],
  ...['SSAP24', 'SSBK', 'SSBK04', 'SSBK05', 'SSBK08', 'SSBK09', 'SSBK12', 'SSCM', 'SSCM01'],
  ...['SSCM20', 'SSCM24', 'SSCM25', 'SSCM26', 'SSFI'],
];
const PERIODS = [
  ['2013-01-24', '2015-01-03'],
  ['2015-02-24', '2017-01-03'],
  ['2017-01-10', '2021-01-03'],
];

const FIRST = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elder', 'Fir', 'Hawthorn', 'Juniper'];
const SECOND = [
  ['Bancorp', 'Diversified Banks'],
  ['Pharmaceuticals', 'Pharmaceuticals'],
  ['Farm Products', 'Agricultural Products & Services'],
  ['Air Lines', 'Passenger Airlines'],
  ['Semiconductor Devices', 'Semiconductors'],
  ['Telecom Holdings', 'Integrated Telecommunication Services'],
  ['Motors', 'Automobile Manufacturers'],
];
const ENDINGS = ['Inc.', 'Corporation', 'Company - Common Stock', 'Holdings, Inc. Class A'];
const COMPANIES = FIRST.flatMap((first, i) =>
  SECOND.map(([second, industry], k) => ({
    symbol: `QQ${String.fromCharCode(65 + i, 65 + k)}`,
    name: `${first} ${second} ${ENDINGS[(i + k) % ENDINGS.length]}`,
    industry,
  })),
);
const AMOUNTS = [
  ...['$1,001 - $15,000', '$1,001 - $15,000', '$1,001 - $15,000', '$15,001 - $50,000'],
  ...['$50,001 - $100,000', '$100,001 - $250,000'],
];

const DAY = 24 * 3_600_000;
const american = (ms) => {
  const [year, month, day] = new Date(ms).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
};

/** Numbers that look drawn, and are the same in every run. */
function draw(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function filings() {
  const pick = draw(17);
  const first = Date.parse('2013-02-10');
  return Array.from({ length: FILINGS }, (_, number) => {
    const received = first + (number * 22 + pick(12)) * DAY;
    return {
      first_name: HEAVY.first,
      last_name: HEAVY.last,
      office: `${HEAVY.last}, ${HEAVY.first}`,
      date_recieved: american(received),
      ptr_link: `https://efdsearch.senate.gov/search/view/ptr/${senateId(1000 + number)}/`,
      transactions: Array.from({ length: ROWS }, () => {
        const company = COMPANIES[pick(COMPANIES.length)];
        return {
          transaction_date: american(received - (8 + pick(55)) * DAY),
          owner: ['Self', 'Spouse', 'Joint', 'Child'][pick(4)],
          ticker: company.symbol,
          asset_description: company.name,
          asset_type: 'Stock',
          type: ['Purchase', 'Sale (Full)', 'Sale (Partial)', 'Purchase', 'Exchange'][pick(5)],
          amount: AMOUNTS[pick(AMOUNTS.length)],
          comment: '--',
        };
      }),
    };
  });
}

/** Fills the site with the member. */
export async function furnishHeavyMember(site) {
  const write = (name, text) => {
    const file = path.join(site.folder, name);
    writeFileSync(file, text);
    return file;
  };
  const companies = COMPANIES.map(
    ({ symbol, name, industry }) => `${symbol},"${name}",Any,${industry},Nowhere`,
  );
  const symbols = `Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location\n${companies.join('\n')}\n`;
  const seats = SEATS.flatMap((committee, i) =>
    PERIODS.filter((_, k) => k === i % 3 || (i + k) % 4 > 0).map(
      ([from, to]) => `${committee},${HEAVY.id},${from},${to},${i % 9 === 2 ? 'Chair' : ''}`,
    ),
  );
  await site.stockact('members', 'import', write('heavy.json', membersJson([HEAVY])));
  await site.stockact('tickers', 'import', write('heavy-symbols.csv', symbols));
  await site.stockact(
    ...['committees', 'import', '--names', path.join(root, 'data/committees.csv')],
    ...[
      '--spans',
      write('seats.csv', `committee,bioguide,seen_from,seen_to,title\n${seats.join('\n')}\n`),
    ],
  );
  const dump = write('heavy-dump.json', JSON.stringify(filings()));
  await site.stockact('backfill', 'senate-stock-watcher', dump, ...BY);
}
