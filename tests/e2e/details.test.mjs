// What was traded beyond the asset's name (decision 48): beside a trade, in lists that ask for it,
// in CSV, and in the log when it changes.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';

const FILED = '11111111-2222-4333-8444-555555555555';
const AMENDED = '22222222-3333-4444-8555-666666666666';
const FILING = `senate-${FILED}`;

const OPTION = {
  date: '01/09/2024',
  ticker: 'NWTB',
  asset: 'Northwind Turbines',
  assetType: 'Stock Option',
  option: { kind: 'Put', strike: '$1,250.00', expires: '01/17/2025' },
};
const ROWS = [
  OPTION,
  {
    date: '01/10/2024',
    asset: 'Harbor City Water',
    assetType: 'Municipal Security',
    bond: { rate: '2.41% - Variable', matures: '08/15/31' },
  },
  {
    date: '01/11/2024',
    asset: 'Quarry Lane LLC',
    assetType: 'Non-Public Stock',
    company: { name: 'Quarry Lane LLC', place: 'Dover, DE' },
    description: 'Stone, "cut", and gravel',
  },
  {
    date: '01/12/2024',
    ticker: ['NWTB', 'HRBC'],
    asset: 'Northwind Turbines',
    received: 'Harbor Co.',
    type: 'Exchange',
  },
  { date: '01/13/2024', ticker: 'NWTB', asset: 'Northwind Turbines' },
];

const NONE = {
  optionType: null,
  strike: null,
  expiry: null,
  coupon: null,
  couponType: null,
  maturity: null,
  given: null,
  received: null,
  receivedTicker: null,
  company: null,
  platform: null,
  description: null,
  capGainsOver200: null,
};

/** Of the rows, by the number that the page prints. */
const DETAILS = [
  { ...NONE, optionType: 'put', strike: '1250.00', expiry: '2025-01-17' },
  { ...NONE, coupon: '2.41', couponType: 'variable', maturity: '2031-08-15' },
  { ...NONE, company: 'Quarry Lane LLC (Dover, DE)', description: 'Stone, "cut", and gravel' },
  { ...NONE, given: 'Northwind Turbines', received: 'Harbor Co.', receivedTicker: 'HRBC' },
  null,
];

async function publish(site, uuid, html) {
  const file = path.join(site.folder, `${uuid}.html`);
  writeFileSync(file, html);
  await site.stockact('ingest', file);
  await site.stockact('review', 'accept', `senate-${uuid}`, ...BY);
  await site.stockact('publish', `senate-${uuid}`, ...BY);
}

async function prepare(site) {
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([HOLLIS, VALE]));
  await site.stockact('members', 'import', members);
  const server = await site.serve();
  await publish(site, FILED, senatePage({ rows: ROWS }));
  const key = await site.key({ plan: 'den' });
  return { server, key, api: await OpenApi.load(server) };
}

onEachDatabase('details', (kind) => {
  const shared = useSite({ database: kind, clock: '2024-03-01T12:00:00Z' }, prepare);

  async function get(target, options = {}) {
    const response = await shared.server.get(target, { key: shared.key, ...options });
    if (response.header('content-type')?.startsWith('application/json'))
      shared.api.check('GET', target.split('?')[0], response);
    return response;
  }
  const rowOf = (trade) => Number(trade.id.slice(-4));
  const expected = (trade) => DETAILS[rowOf(trade) - 1];

  test('a trade has its details beside it', async () => {
    for (let row = 1; row <= ROWS.length; row++) {
      const { data } = (await get(`/api/v1/trades/${FILING}-000${row}`)).json;
      assert.deepEqual(data.details, DETAILS[row - 1]);
      assert.ok(!('details' in data.trade), 'the Trade stays as it is');
    }
  });

  test('lists have details only where a request asks for them', async () => {
    for (const [target, list] of [
      ['/api/v1/trades', (body) => body.data],
      ['/api/v1/politicians/dana-hollis', (body) => body.data.recentTrades],
      ['/api/v1/tickers/NWTB', (body) => body.data.recentTrades],
    ]) {
      const plain = await get(target);
      const asked = await get(`${target}?fields=details`);
      const trades = list(asked.json);
      assert.ok(trades.length >= 3, target);
      for (const trade of trades) assert.deepEqual(trade.details, expected(trade), trade.id);
      const without = trades.map(({ details: _, ...trade }) => trade);
      assert.deepEqual(without, list(plain.json));
      assert.ok(!plain.text.includes('"details"'), target);
      assert.notEqual(asked.header('etag'), plain.header('etag'), 'another representation');
      const tag = { 'if-none-match': asked.header('etag') };
      assert.equal((await get(`${target}?fields=details`, { headers: tag })).status, 304);
      assert.equal((await get(target, { headers: tag })).status, 200);
    }
    for (const value of ['', 'detail', 'details,details']) {
      const { status, json } = await get(`/api/v1/trades?fields=${value}`);
      assert.deepEqual([status, json.error], [400, 'invalid_parameter'], value);
    }
    assert.equal((await get('/api/v1/filings?fields=details')).status, 400);
  });

  test('the next page has details too', async () => {
    const seen = [];
    let target = '/api/v1/trades?limit=2&fields=details';
    while (target) {
      const page = await get(target);
      seen.push(...page.json.data);
      const next = page.header('link')?.match(/^<([^>]*)>; rel="next"$/)?.[1];
      assert.ok(!next || next.includes('fields=details'), next);
      target = next && next.slice(next.indexOf('/api/'));
    }
    assert.equal(seen.length, ROWS.length);
    for (const trade of seen) assert.deepEqual(trade.details, expected(trade));
  });

  test('CSV has further columns at the end', async () => {
    const plain = (await get('/api/v1/trades?format=csv')).text.split('\r\n');
    const csv = (await get('/api/v1/trades?format=csv&fields=details')).text.split('\r\n');
    const columns = csv[0].split(',');
    const more = columns.slice(plain[0].split(',').length);
    const snake = (name) => name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
    assert.deepEqual(more, Object.keys(NONE).map(snake));
    const operation = shared.api.document.paths['/api/v1/trades'].get['x-csv-response'];
    assert.deepEqual(operation.columns, plain[0].split(','));
    assert.deepEqual(operation.columnsWithDetails, columns);
    csv.slice(1, -1).forEach((line, i) => {
      assert.ok(line.startsWith(`${plain[i + 1]},`), line);
      const details = DETAILS[Number(line.split(',')[0].slice(-4)) - 1] ?? NONE;
      const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const fields = Object.values(details).map((value) => quoted(value ?? ''));
      assert.equal(line.slice(plain[i + 1].length + 1), fields.join(','));
    });
  });

  test('a change of details is corrected, logged and shown', async () => {
    const { site } = shared;
    const changed = { ...OPTION, option: { ...OPTION.option, strike: '$1,200.00' } };
    await publish(
      site,
      AMENDED,
      senatePage({ rows: [changed, ...ROWS.slice(1)], amendment: 1, filed: '02/20/2024 @ 1 PM' }),
    );
    const why = [...BY, '--reason', 'The page says Call.'];
    const line = 'call, strike 1200.00, expires 2025-01-17';
    await site.stockact('correct', `${FILING}-0001`, 'details', line, ...why);
    const refused = await site.run(['correct', `${FILING}-0001`, 'details', 'a call', ...why]);
    assert.match(refused.stderr, /details: accepted is a list such as: put, strike 250\.00/);
    const trades = (await get('/api/v1/trades?fields=details')).json.data;
    const { details } = trades.find((trade) => trade.id === `${FILING}-0001`);
    assert.deepEqual(details, { ...DETAILS[0], optionType: 'call', strike: '1200.00' });
    const log = (await get('/api/v1/corrections')).json.data;
    assert.deepEqual(
      log.map(({ tradeId, field, old, new: now }) => [tradeId, field, old, now]),
      [
        [`${FILING}-0001`, 'details', line.replace('call', 'put'), line],
        [
          `${FILING}-0001`,
          'details',
          'put, strike 1250.00, expires 2025-01-17',
          line.replace('call', 'put'),
        ],
      ],
    );
    const [shown] = await site.stockact('review', 'show', FILING);
    assert.equal(shown.rows[0].read.details, 'put, strike 1250.00, expires 2025-01-17');
  });

  test('a House trade says whether its box for capital gains is checked', async () => {
    const { site } = shared;
    const file = path.join(site.folder, '20990001.pdf');
    const row = (cap_gains, type) => ({
      asset: 'Harbor Tools (HRBR) [ST]',
      type,
      date: '01/02/2024',
      notified: '01/03/2024',
      amount: '$1,001 - $15,000',
      status: 'New',
      cap_gains,
    });
    const rows = [row('checked', 'S'), row('not checked', 'P'), row(undefined, 'E')];
    writeFileSync(file, housePdf({ rows, signed: '01/16/2024' }));
    await site.stockact('ingest', file);
    const set = (value) =>
      site.run(['review', 'set', 'house-20990001', '3', 'capGainsOver200', value, ...BY]);
    const refused = await set('perhaps');
    assert.match(refused.stderr, /capGainsOver200: accepted values: true, false/);
    assert.equal((await set('true')).code, 0);
    assert.equal((await set('')).code, 0);
    await site.stockact('review', 'accept', 'house-20990001', ...BY);
    await site.stockact('publish', 'house-20990001', ...BY);
    const want = [true, false, null];
    for (const [i, gains] of want.entries()) {
      const { data } = (await get(`/api/v1/trades/house-20990001-000${i + 1}`)).json;
      assert.equal(data.source.capGainsOver200, gains);
      assert.deepEqual(data.details, gains === null ? null : { ...NONE, capGainsOver200: gains });
    }
    const sorted = (list) => list.sort((a, b) => (a.id < b.id ? -1 : 1));
    const target = '/api/v1/trades?ticker=HRBR&fields=details';
    const listed = sorted((await get(target)).json.data);
    assert.deepEqual(
      listed.map(({ details }) => details?.capGainsOver200 ?? null),
      want,
    );
    const csv = (await get(`${target}&format=csv`)).text.split('\r\n').slice(1, -1).sort();
    assert.deepEqual(
      csv.map((line) => line.split(',').at(-1)),
      ['true', 'false', ''],
    );
    const filing = (await get('/api/v1/filings/house-20990001?fields=details')).json.data.trades;
    assert.deepEqual(
      sorted(filing).map(({ details }) => details?.capGainsOver200 ?? null),
      want,
    );
    const owner = await signInOnPage(shared.server, await makeOwner(site, { plan: 'den' }));
    const facts = async (number) =>
      (await owner.open(`/trades/house-20990001-000${number}`)).text('main');
    assert.match(await facts(1), /Capital gain over \$200\s*box checked/);
    assert.match(await facts(2), /Capital gain over \$200\s*box not checked/);
    assert.doesNotMatch(await facts(3), /Capital gain over/);
  });
});
