// Late, on time, or not known: one rule, and every place that shows it or counts by it. The store
// is counted beside it: each number of pages, JSON and CSV, for an owner and for a visitor.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { indexXml } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { text } from './lib/html.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { BY } from './lib/reviewer.mjs';
import { senateId, senatePage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { Stream } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const HOUSE = 'house-20990001';
const senate = (number) => `senate-${senateId(number)}`;
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
const RIGHT = {
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
const RIGHT_LATER = { ...RIGHT, [`${senate(3)}-0001`]: onTime, [`${senate(3)}-0002`]: late(11) };

const statusOf = (right, id) => right[id][0];
const filingOf = (id) => id.slice(0, -5);

/** Counts of some trades, as the API names them. */
const count = (right, ids) => ({
  trades: ids.length,
  late: ids.filter((id) => statusOf(right, id) === 'late').length,
  lateUnknown: ids.filter((id) => statusOf(right, id) === 'unknown').length,
});

async function prepare(site) {
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

onEachDatabase('lateness', (kind) => {
  const shared = useSite(
    {
      database: kind,
      clock: '2025-06-01T12:00:00Z',
      env: { STOCKACT_BENCH_UNLIMITED: '1' },
    },
    prepare,
  );

  async function get(target) {
    const response = await shared.server.get(target, { key: shared.key });
    if (response.header('content-type')?.startsWith('application/json'))
      shared.api.check('GET', target.split('?')[0], response);
    assert.equal(response.status, 200, `${target}: ${response.text}`);
    return response;
  }
  const json = async (target) => (await get(target)).json;

  /** Ids of the public trades that a reader sees, and whose they are, as the store has them. */
  async function stored(reader) {
    const rows = await shared.site.database.query(
      'SELECT t.id, t.disclosed_at, m.slug, t.ticker FROM trade t JOIN filing f' +
        ' ON f.no = t.filing_no JOIN member m ON m.no = f.member_no' +
        ' WHERE t.withdrawn_at IS NULL ORDER BY t.id',
    );
    const line = shared.site.clock.now - (reader === 'visitor' ? 48 * 3_600_000 : 0);
    return rows.filter((one) => Number(one.disclosed_at) <= line);
  }

  test('each trade says what is right, beside it and in its source', async () => {
    const { data } = await json('/api/v1/trades?limit=100&fields=dates');
    assert.deepEqual(data.map(({ id }) => id).sort(), Object.keys(RIGHT).sort());
    for (const { id, dates } of data) {
      const { source } = (await json(`/api/v1/trades/${id}`)).data;
      assert.deepEqual([dates.lateStatus, dates.lateReason, dates.daysLate], RIGHT[id], id);
      for (const [name, value] of Object.entries(dates)) assert.deepEqual(source[name], value, id);
      const doubted = dates.lateReason === 'date_doubted';
      if (doubted) assert.deepEqual([dates.dueDate, dates.daysToReport], [null, null], id);
      assert.equal(source.doubts.length > 0, doubted || id === `${senate(4)}-0002`, id);
    }
    const history = data.find(({ id }) => filingOf(id) === senate(9));
    assert.equal(history.disclosedAt, history.dates.filedAt);
    assert.equal(history.dates.filedOn, '2015-07-04');
    assert.equal(history.dates.firstPublishedAt, '2025-06-01T12:00:00.000Z');
  });

  test('dates are beside the Trade where a request asks for them', async () => {
    for (const [target, list] of [
      ['/api/v1/trades', (body) => body.data],
      ['/api/v1/politicians/dana-hollis', (body) => body.data.recentTrades],
      ['/api/v1/tickers/HRBR', (body) => body.data.recentTrades],
      [`/api/v1/filings/${HOUSE}`, (body) => body.data.trades],
    ]) {
      const plain = list(await json(target));
      for (const fields of ['dates', 'details,dates', 'dates,details', 'Dates']) {
        const asked = await get(`${target}?fields=${fields}`);
        const trades = list(asked.json);
        assert.ok(trades.length >= 3, target);
        for (const trade of trades) {
          assert.deepEqual([trade.dates.lateStatus], RIGHT[trade.id].slice(0, 1), trade.id);
          assert.equal('details' in trade, fields.includes('details'), `${target} ${fields}`);
        }
        const without = trades.map(({ dates: _, details: __, ...trade }) => trade);
        assert.deepEqual(without, plain, target);
        assert.notEqual(asked.header('etag'), (await get(target)).header('etag'));
      }
    }
    const query = '?since=2000-01-01T00:00:00Z&fields=details,dates';
    const stream = await Stream.open(shared.server, { query, key: shared.key });
    await until('all came', () => stream.trades.length >= Object.keys(RIGHT).length);
    stream.close();
    for (const { trade } of stream.trades)
      assert.deepEqual(trade.dates.lateReason, RIGHT[trade.id][1], trade.id);
  });

  test('CSV of the API has the dates as columns behind the others, and no conflict', async () => {
    const csv = async (query) =>
      parseCsv((await get(`/api/v1/trades?format=csv&limit=100${query}`)).text);
    const [names, ...lines] = await csv('&fields=dates');
    const [plain, ...plainLines] = await csv('');
    assert.deepEqual(names.slice(0, plain.length), plain);
    const [{ dates }] = (await json('/api/v1/trades?fields=dates')).data;
    const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    assert.deepEqual(names.slice(plain.length), Object.keys(dates).map(snake));
    assert.ok(!names.some((name) => name.includes('conflict')));
    const { data } = await json('/api/v1/trades?limit=100&fields=dates');
    lines.forEach((cells, i) => {
      assert.deepEqual(cells.slice(0, plain.length), plainLines[i]);
      const values = Object.values(data[i].dates).map((value) => String(value ?? ''));
      assert.deepEqual(cells.slice(plain.length), values, data[i].id);
    });
    const both = (await csv('&fields=dates,details'))[0];
    const operation = shared.api.document.paths['/api/v1/trades'].get['x-csv-response'];
    assert.deepEqual(operation.columnsWithDates, names);
    assert.deepEqual(both, [...operation.columnsWithDetails, ...names.slice(plain.length)]);
  });

  /** Compares every number that a reader finds with a count over the store. */
  async function walk(reader, right) {
    const visible = await stored(reader);
    const ids = visible.map(({ id }) => id);
    const visitor = shared.readers[reader];
    const open = (target) => visitor.open(target);
    const said = (line) => {
      const [, none, found, known, not] =
        /Reported late ?(?:not known ?of (\d+)|(\d+) ?of (\d+) known(?:, (\d+) not known)?):/.exec(
          line,
        ) ?? assert.fail(line);
      const lateUnknown = Number(none ?? not ?? 0);
      return { trades: Number(known ?? 0) + lateUnknown, late: Number(found ?? 0), lateUnknown };
    };
    const marks = (line) => ({
      late: Number(/(\d+) late/.exec(line)?.[1] ?? 0),
      lateUnknown: Number(/(\d+) not known if late/.exec(line)?.[1] ?? 0),
    });
    const all = count(right, ids);

    const front = (await open('/')).text('.total');
    const [, trades, , lates, known] =
      /([\d,]+) trades ([\d,]+) flagged ([\d,]+) reported late of (\d+) known/.exec(front);
    assert.deepEqual(
      { trades: Number(trades), late: Number(lates), lateUnknown: trades - known },
      all,
      `${reader}: ${front}`,
    );
    for (const slug of ['dana-hollis', 'robin-vale']) {
      const own = visible.filter((one) => one.slug === slug).map(({ id }) => id);
      const wanted = count(right, own);
      const page = await open(`/politicians/${slug}`);
      assert.deepEqual(said(page.text('.stats')), wanted, `${reader} ${slug}`);
      const years = page.all('.years tbody tr').map(text);
      assert.equal(years.length > 0, own.length > 0);
      const found = text((await open(`/search?q=${slug.split('-')[1]}`)).one('main'));
      assert.deepEqual(marks(found), { late: wanted.late, lateUnknown: wanted.lateUnknown }, found);
      const line = (await open('/politicians'))
        .all('table tbody tr')
        .map(text)
        .find((one) => one.includes(slug.split('-')[1].replace(/^./, (c) => c.toUpperCase())));
      assert.ok(line, slug);
      if (wanted.lateUnknown) assert.ok(line.includes(`${wanted.lateUnknown} not known`), line);
    }
    for (const filing of new Set(ids.map(filingOf))) {
      const page = await open(`/filings/${filing}`);
      const own = ids.filter((id) => filingOf(id) === filing);
      assert.deepEqual(said(page.text('.stats')), count(right, own), `${reader} ${filing}`);
    }
    for (const [value, status] of [
      ['true', 'late'],
      ['false', 'on_time'],
      ['unknown', 'unknown'],
    ]) {
      const page = await open(`/trades?late=${value}`);
      const wanted = ids.filter((id) => statusOf(right, id) === status);
      const links = page.all('table tbody tr td:first-child a').map((one) => one.attribs.href);
      assert.deepEqual(links.map((href) => href.slice('/trades/'.length)).sort(), wanted);
      assert.equal(page.all('table .late').length, status === 'late' ? wanted.length : 0);
    }
    for (const id of ids) {
      const page = await open(`/trades/${id}`);
      const [status, , days] = right[id];
      const stats = page.text('.stats');
      assert.equal(page.all('.stats .bad').length, Number(status === 'late'), id);
      if (status === 'late') assert.match(stats, new RegExp(`On time ?${days} days? late`), id);
      else assert.match(stats, status === 'on_time' ? /On time ?yes/ : /On time ?not known/, id);
    }
    const feed = JSON.parse((await visitor.request('GET', '/trades.json')).text);
    assert.equal(feed.items.length, ids.length);
    for (const item of feed.items) {
      const id = item.url.split('/').at(-1);
      assert.equal(item._stockact.lateStatus, statusOf(right, id), id);
      assert.equal(/days? late/.test(item.content_text), statusOf(right, id) === 'late', id);
    }
    const atom = (await visitor.request('GET', '/trades.atom')).text;
    const statuses = [...atom.matchAll(/<lateStatus xmlns="urn:stockact:facts">(\w+)</g)];
    assert.deepEqual(
      statuses.map(([, status]) => status).sort(),
      ids.map((id) => statusOf(right, id)).sort(),
    );
  }

  /** The API's counts, and the CSV of pages: they have no delay for an owner. */
  async function countEverywhere(right) {
    const visible = await stored('owner');
    const ids = visible.map(({ id }) => id);
    const pick = ({ trades, late: found, lateUnknown }) => ({ trades, late: found, lateUnknown });
    const csv = async (target) => {
      const [names, ...lines] = parseCsv((await shared.readers.owner.request('GET', target)).text);
      return lines.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i]])));
    };
    const numbers = (line) => ({
      trades: Number(line.trades),
      late: Number(line.late),
      lateUnknown: Number(line.late_unknown),
    });
    const ofSlug = (slug) => visible.filter((one) => one.slug === slug).map(({ id }) => id);
    for (const one of (await json('/api/v1/politicians')).data) {
      const profile = (await json(`/api/v1/politicians/${one.slug}`)).data;
      assert.deepEqual(pick(one.counts), count(right, ofSlug(one.slug)), one.slug);
      assert.deepEqual(profile.counts, one.counts);
    }
    for (const line of await csv('/politicians.csv'))
      assert.deepEqual(numbers(line), count(right, ofSlug(line.slug)), line.slug);
    for (const line of await csv('/tickers.csv')) {
      const own = visible.filter((one) => one.ticker === line.ticker).map(({ id }) => id);
      const { aggregates } = (await json(`/api/v1/tickers/${line.ticker}`)).data;
      assert.deepEqual(pick(aggregates), count(right, own), line.ticker);
      assert.deepEqual(numbers(line), count(right, own), line.ticker);
    }
    for (const line of await csv('/filings.csv')) {
      const own = ids.filter((id) => filingOf(id) === line.id);
      assert.deepEqual(numbers(line), count(right, own), line.id);
    }
    const listed = (await json('/api/v1/trades?limit=100&fields=dates')).data;
    const lines = await csv('/trades.csv');
    assert.deepEqual(
      lines.map(({ id }) => id),
      listed.map(({ id }) => id),
    );
    lines.forEach((line, i) => {
      const { id, dates } = listed[i];
      assert.equal(line.late_status, statusOf(right, id), id);
      assert.equal(line.first_published_at, dates.firstPublishedAt);
      assert.equal(line.filed_on, dates.filedOn);
      assert.equal(line.url, `${shared.server.url}/trades/${id}`);
      assert.equal(line.filing_id, filingOf(id));
      assert.equal(Number(line.row), Number(id.slice(-4)));
      assert.equal(line.page, filingOf(id) === HOUSE ? '1' : '');
      assert.equal(line.conflict_reason, listed[i].conflictReason ?? '');
    });
    for (const [value, status] of [
      ['true', 'late'],
      ['false', 'on_time'],
      ['unknown', 'unknown'],
    ]) {
      const { data } = await json(`/api/v1/trades?limit=100&late=${value}`);
      assert.deepEqual(
        data.map(({ id }) => id).sort(),
        ids.filter((id) => statusOf(right, id) === status),
      );
    }
  }

  test('every number of a page, of JSON and of CSV is a count over the store', async () => {
    assert.ok((await stored('visitor')).length < (await stored('owner')).length);
    await walk('owner', RIGHT);
    await walk('visitor', RIGHT);
    await countEverywhere(RIGHT);
  });

  test('the status follows when the original is published', async () => {
    await shared.publishPage(5);
    const { data } = await json(`/api/v1/trades/${senate(3)}-0001`);
    assert.equal(data.source.firstReportedOn, '2024-03-01');
    assert.equal(data.source.filedOn, '2024-03-20');
    assert.equal(data.source.daysToReport, 41);
    await walk('owner', RIGHT_LATER);
    await walk('visitor', RIGHT); // who sees it with the original
    await countEverywhere(RIGHT_LATER);
    await shared.site.clock.advance(49 * 3_600_000);
    await walk('visitor', RIGHT_LATER);
  });
});
