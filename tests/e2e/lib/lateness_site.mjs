// Reports of each kind of lateness: originals and amendments of the Senate, a House report with an
// amended row, dates that cannot be right, history, and one publication that visitors see later.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { indexXml } from './house_index.mjs';
import { housePdf } from './house_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './invented_rows.mjs';
import { OpenApi } from './openapi.mjs';
import { makeOwner, newVisitor, signInOnPage } from './people.mjs';
import { BY } from './reviewer.mjs';
import { senateId, senatePage } from './senate_page.mjs';

export const HOUSE = 'house-20990001';
export const senate = (number) => `senate-${senateId(number)}`;
const LARGER = { amount: '$15,001 - $50,000' };
const row = (date, more) => ({ ...SENATE_ROW, date, ...more });
const [IN_TIME, TOO_LATE, ADDED] = [
  row('01/10/2024'),
  row('12/01/2023'),
  row('12/20/2023', LARGER),
];

/** The pages of the Senate by number; 5 is the original of 3, which comes last. */
const PAGES = {
  1: { rows: [IN_TIME, TOO_LATE] },
  2: { rows: [IN_TIME, TOO_LATE, ADDED], amendment: 1, filed: '02/20/2024 @ 9:05 AM' },
  3: {
    rows: [row('01/20/2024'), row('01/05/2024')],
    reportDate: '03/01/2024',
    amendment: 1,
    filed: '03/20/2024 @ 9:05 AM',
  },
  4: {
    rows: ['05/08/3031', '13/45/2024', '05/30/2024', '05/01/2024'].map((date) => row(date)),
    reportDate: '05/28/2024',
    filed: '05/28/2024 @ 9:05 AM',
  },
  5: {
    rows: [row('01/20/2024'), row('01/05/2024')],
    reportDate: '03/01/2024',
    filed: '03/01/2024 @ 9:05 AM',
  },
};
const HOUSE_ROWS = [
  { ...HOUSE_ROW, date: '04/10/2025', notified: '04/12/2025' },
  { ...HOUSE_ROW, date: '05/01/2025', notified: '05/03/2025' },
  { ...HOUSE_ROW, date: '05/02/2025', notified: '05/01/2025' },
  { ...HOUSE_ROW, date: '04/11/2025', notified: '04/13/2025', status: 'Amended' },
];
const HISTORY = [
  {
    first_name: HOLLIS.first,
    last_name: HOLLIS.last,
    office: 'Hollis, Dana',
    date_recieved: '07/04/2015',
    ptr_link: `https://efdsearch.senate.gov/search/view/ptr/${senateId(9)}/`,
    transactions: [
      {
        transaction_date: '03/02/2015',
        owner: 'Self',
        ticker: 'HRBR',
        asset_description: 'Harbor Tools',
        asset_type: 'Stock',
        type: 'Purchase',
        amount: '$1,001 - $15,000',
        comment: '--',
      },
    ],
  },
];

const late = (days) => ['late', 'after_due_date', days];
const onTime = ['on_time', 'by_due_date', 0];
const unknown = (reason) => ['unknown', reason, null];

/** What is right of each trade: lateStatus, lateReason, daysLate. */
export const RIGHT = {
  [`${senate(1)}-0001`]: onTime,
  [`${senate(1)}-0002`]: late(14),
  [`${senate(2)}-0003`]: late(17),
  [`${senate(3)}-0001`]: unknown('original_missing'),
  [`${senate(3)}-0002`]: unknown('original_missing'),
  [`${senate(4)}-0001`]: unknown('date_doubted'),
  [`${senate(4)}-0002`]: unknown('no_trade_date'),
  [`${senate(4)}-0003`]: unknown('date_doubted'),
  [`${senate(4)}-0004`]: onTime,
  [`${senate(9)}-0001`]: late(79),
  [`${HOUSE}-0001`]: late(8),
  [`${HOUSE}-0002`]: onTime,
  [`${HOUSE}-0003`]: unknown('date_doubted'),
  [`${HOUSE}-0004`]: unknown('original_missing'),
};
/** And once the original of 3 is public, which has the same rows. */
export const RIGHT_LATER = {
  ...RIGHT,
  [`${senate(3)}-0001`]: onTime,
  [`${senate(3)}-0002`]: late(11),
};

export async function prepareLateness(site) {
  const file = (name, bytes) => {
    writeFileSync(path.join(site.folder, name), bytes);
    return path.join(site.folder, name);
  };
  await site.stockact('members', 'import', file('members.json', membersJson([VALE, HOLLIS])));
  const history = file('dump.json', JSON.stringify(HISTORY));
  await site.stockact('backfill', 'senate-stock-watcher', history, ...BY);
  const server = await site.serve();
  const release = async (id) => {
    await site.stockact('review', 'accept', id, ...BY);
    await site.stockact('publish', id, ...BY);
  };
  const publishPage = async (number) => {
    await site.stockact('ingest', file(`${senateId(number)}.html`, senatePage(PAGES[number])));
    await release(senate(number));
  };
  for (const number of [1, 2, 3]) await publishPage(number);
  const entry = { DocID: '20990001', FilingDate: '5/20/2025' };
  await site.stockact('ingest', file('2025FD.xml', indexXml([entry])));
  const pdf = housePdf({ id: '20990001', rows: HOUSE_ROWS, signed: '05/20/2025' });
  await site.stockact('ingest', file('20990001.pdf', pdf));
  await site.stockact('review', 'set', HOUSE, '4', 'trade', 'new', ...BY);
  await release(HOUSE);
  await site.clock.advance(72 * 3_600_000);
  await publishPage(4); // a visitor does not see it yet
  const key = await site.key({ plan: 'den' });
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const readers = { owner: wolf, visitor: newVisitor(server) };
  return { server, key, readers, publishPage, api: await OpenApi.load(server) };
}
