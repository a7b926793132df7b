// Sites for the tests of what can be undone: a desk with invented members and Senate pages.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOLLIS, VALE, membersJson } from './invented_members.mjs';
import { senatePage } from './senate_page.mjs';
import { makeSite } from './site.mjs';
import { BY } from './reviewer.mjs';

/** Another senator, with another party and state. */
export const WREN = {
  id: 'W000903',
  first: 'Alex',
  last: 'Wren',
  chamber: 'senate',
  state: 'VT',
  party: 'Democrat',
};

export const uuid = (letter) => `${letter.repeat(8)}-2222-4333-8444-555555555555`;
export const filing = (letter) => `senate-${uuid(letter)}`;

export const row = (asset, ticker = null) => ({ date: '01/10/2024', asset, ticker, owner: 'Self' });

/** HOLLIS, who joined another party on 5 July 2015. */
export function membersWithASwitch() {
  const people = JSON.parse(membersJson([HOLLIS]));
  const [term] = people[0].terms;
  const { start, end, party } = term;
  term.party_affiliations = [
    { start, end: '2015-07-04', party },
    { start: '2015-07-05', end, party: 'Democrat' },
  ];
  term.party = 'Democrat';
  return JSON.stringify(people);
}

/** A filing in the format of the Senate's bulk history. */
export const dumped = (letter, date, transactions, page = 'ptr') => ({
  first_name: HOLLIS.first,
  last_name: HOLLIS.last,
  office: 'Hollis, Dana',
  date_recieved: date,
  ptr_link: `https://efdsearch.senate.gov/search/view/${page}/${uuid(letter)}/`,
  transactions,
});

export const dumpedRow = {
  transaction_date: '05/20/2015',
  owner: 'Self',
  ticker: '--',
  asset_description: 'Widget Works Inc.',
  asset_type: 'Stock',
  type: 'Purchase',
  amount: '$1,001 - $15,000',
  comment: '--',
};

/** A site with members, `ingest`: a Senate page, and `publish`: the page as a public filing, or what was ingested before. */
export async function makeDesk(t, { members = [HOLLIS, VALE, WREN], ...options }) {
  const site = await makeSite(t, { clock: '2024-03-01T12:00:00Z', ...options });
  const put = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  await site.stockact('members', 'import', put('members.json', membersJson(members)));
  const ingest = (letter, page) =>
    site.stockact('ingest', put(`${uuid(letter)}.html`, senatePage(page)));
  const publish = async (letter, page) => {
    if (page) await ingest(letter, page);
    await site.stockact('review', 'accept', filing(letter), ...BY);
    await site.stockact('publish', filing(letter), ...BY);
    await site.clock.advance(60_000);
  };
  const refused = async (args, says, status = 1) => {
    const done = await site.run(args);
    assert.equal(done.code, status, `stockact ${args.join(' ')}: ${done.stdout}`);
    assert.match(done.stderr, says);
  };
  return { site, put, ingest, publish, refused };
}

/** What callers see: the text and the tag of every page. */
export async function seen(server) {
  const pages = [
    '/api/v1/trades?limit=100',
    '/api/v1/trades?limit=100&format=csv',
    '/api/v1/trades?politician=dana-hollis&chamber=senate',
    '/api/v1/trades?ticker=NWTB',
    '/api/v1/filings?limit=100',
    '/api/v1/filings?chamber=senate',
    '/api/v1/politicians/dana-hollis',
    '/api/v1/tickers/NWTB',
    `/api/v1/trades/${filing('a')}-0001`,
    `/api/v1/trades/${filing('a')}-0002`,
  ];
  return Promise.all(
    pages.map(async (page) => {
      const response = await server.get(page, { key: server.key });
      const { status } = response;
      // a trade says how many entries of the log are about it, and the log keeps them
      const text = response.text.replace(/"corrections":\d+/, '"corrections":"of the log"');
      const etag = text === response.text ? response.header('etag') : text;
      return { page, status, text, etag: status === 200 ? etag : null };
    }),
  );
}

export async function log(server, query = '') {
  const { data } = await server.json(`/api/v1/corrections?limit=100${query}`, { key: server.key });
  return data.map((entry) => [entry.kind, entry.tradeId ?? entry.filingId, entry.reason]);
}
