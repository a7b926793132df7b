// Dates of documents that cannot be right: they are doubts for reviewers, and of published trades.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { REVIEWER } from './lib/reviewer.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite } from './lib/site.mjs';

const FILED = '11111111-2222-4333-8444-555555555555';
const FILING = `senate-${FILED}`;
const ROW = { ticker: 'NWTB', asset: 'Northwind Turbines', owner: 'Self' };

async function withHollis(t) {
  const site = await makeSite(t, { clock: '2024-03-01T12:00:00Z' });
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([HOLLIS]));
  await site.stockact('members', 'import', members);
  return site;
}

const sourceOf = async (server, id) => (await server.json(`/api/v1/trades/${id}`)).data.source;

test('impossible dates of a filer are doubts until they are corrected', async (t) => {
  const site = await withHollis(t);
  const by = ['--by', REVIEWER];
  const url = ['--url', `https://efdsearch.senate.gov/search/view/paper/${FILED}/`];
  const filer = ['--filer', 'dana-hollis', '--filed', '2024-01-29'];
  await site.stockact('review', 'new', 'senate', FILED, ...by, ...filer, ...url);
  const cells = ['assetName=Widget Works', 'side=buy', 'amountBucket=1k_15k'];
  for (const dates of [
    ['tradeDate=2024-02-01', 'notifiedDate=2024-01-20'],
    ['tradeDate=0205-12-01', 'notifiedDate=2024-01-30'],
  ])
    await site.stockact('review', 'add-row', FILING, ...cells, ...dates, ...by);
  await site.stockact('review', 'accept', FILING, ...by);
  await site.stockact('publish', FILING, ...by);
  const server = await site.serve();
  const doubts = async (row) => (await sourceOf(server, `${FILING}-000${row}`)).doubts;
  assert.deepEqual(await doubts(1), ['notified_before_traded', 'traded_after_filed']);
  assert.deepEqual(await doubts(2), ['notified_after_filed', 'traded_long_before_filed']);
  const reason = ['--reason', 'the filer meant 2023'];
  await site.stockact('correct', `${FILING}-0001`, 'tradeDate', '2024-01-05', ...by, ...reason);
  assert.deepEqual(await doubts(1), []);
});

test('a far-off year and a day that is none keep their doubts after publication', async (t) => {
  const site = await withHollis(t);
  const page = path.join(site.folder, `${FILED}.html`);
  const dates = ['05/08/3031', '05/08/2202', '13/45/2024'];
  writeFileSync(page, senatePage({ rows: dates.map((date) => ({ ...ROW, date })) }));
  await site.stockact('ingest', page);
  const [draft] = await site.stockact('review', 'show', FILING);
  const why = ['traded_after_filed: 05/08/3031', 'traded_after_filed: 05/08/2202'];
  why.push('date_unreadable: 13/45/2024');
  for (const row of draft.rows)
    assert.ok(row.doubts.includes(why[dates.indexOf(row.printed.date)]), row.printed.date);
  await site.stockact('review', 'accept', FILING, '--by', REVIEWER);
  await site.stockact('publish', FILING, '--by', REVIEWER);
  const server = await site.serve();
  for (const row of draft.rows) {
    const { doubts } = await sourceOf(server, `${FILING}-000${row.row}`);
    const unreadable = row.printed.date === '13/45/2024';
    assert.deepEqual(doubts, [unreadable ? 'date_unreadable' : 'traded_after_filed']);
  }
});

test('a symbol has bars of trades that were published years after they were made', async (t) => {
  const site = await withHollis(t);
  const page = path.join(site.folder, `${FILED}.html`);
  const dates = ['05/08/2014', '12/15/2015', '05/08/3031'];
  const rows = dates.map((date) => ({ ...ROW, date }));
  writeFileSync(page, senatePage({ filed: '01/10/2016 @ 9:14 AM', rows }));
  await site.stockact('ingest', page);
  await site.stockact('review', 'accept', FILING, '--by', REVIEWER);
  await site.stockact('publish', FILING, '--by', REVIEWER);
  await site.clock.advance(3 * 86_400_000);
  const server = await site.serve();
  const { text } = await server.get('/tickers/NWTB');
  const bars = [...text.matchAll(/<th scope="row"><a [^>]*>(\d+)<\/a><\/th><td[^>]*>(\d+)/g)];
  assert.deepEqual(
    bars.filter(([, , n]) => n > 0).map(([, year]) => year),
    ['2014', '2015'],
  );
  assert.match(text, /without a plausible date \(1\)/);
});
