// Late, on time, or not known: one rule, and every place that shows it or counts by it. The store
// is counted beside it: each number of pages, JSON and CSV, for an owner and for a visitor.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { walkCsv, walkJson } from './lib/every_json_number.mjs';
import { storeOf, walkNumbers } from './lib/every_number.mjs';
import { text } from './lib/html.mjs';
import { HOUSE, RIGHT, RIGHT_LATER, prepareLateness, senate } from './lib/lateness_site.mjs';
import { senateId } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { Stream } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const statusOf = (right, id) => right[id][0];
const filingOf = (id) => id.slice(0, -5);

/** Counts of some trades, as the API names them. */
const count = (right, ids) => ({
  trades: ids.length,
  late: ids.filter((id) => statusOf(right, id) === 'late').length,
  lateUnknown: ids.filter((id) => statusOf(right, id) === 'unknown').length,
});

onEachDatabase('lateness', (kind) => {
  const shared = useSite(
    {
      database: kind,
      clock: '2025-06-01T12:00:00Z',
      env: { STOCKACT_BENCH_UNLIMITED: '1' },
    },
    prepareLateness,
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

  /** The filters and feeds that a reader gets; walkEverything compares the numbers of pages. */
  async function walk(reader, right) {
    const visible = await stored(reader);
    const ids = visible.map(({ id }) => id);
    const visitor = shared.readers[reader];
    const open = (target) => visitor.open(target);
    for (const [value, status] of [
      ['true', 'late'],
      ['false', 'on_time'],
      ['unknown', 'unknown'],
    ]) {
      const page = await open(`/trades?late=${value}`);
      const wanted = ids.filter((id) => statusOf(right, id) === status);
      const links = page.all('table tbody tr th a').map((one) => one.attribs.href);
      assert.deepEqual(links.map((href) => href.slice('/trades/'.length)).sort(), wanted);
      assert.equal(page.all('table .late').length, status === 'late' ? wanted.length : 0);
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

  async function walkEverything(reader, right) {
    const line = reader === 'visitor' ? shared.site.clock.now - 48 * 3_600_000 : Infinity;
    const store = await storeOf({ site: shared.site, json, statuses: right, line });
    const compared = await walkNumbers(shared.readers[reader], store, reader);
    assert.ok(compared > 300, `${compared} numbers`);
    if (reader === 'visitor') return; // the API and CSV have no delay
    assert.ok((await walkJson(json, store)) > 100);
    assert.ok((await walkCsv(shared.readers.owner, store)) > 50);
  }

  test('every number of a page, of JSON and of CSV is a count over the store', async () => {
    await walkEverything('owner', RIGHT);
    await walkEverything('visitor', RIGHT);
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
    await walkEverything('owner', RIGHT_LATER);
    await walkEverything('visitor', RIGHT);
    await walk('owner', RIGHT_LATER);
    await walk('visitor', RIGHT); // who sees it with the original
    await countEverywhere(RIGHT_LATER);
    await shared.site.clock.advance(49 * 3_600_000);
    await walkEverything('visitor', RIGHT_LATER);
    await walk('visitor', RIGHT_LATER);
  });
});
