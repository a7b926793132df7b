// The lists of the pages as CSV: the whole filtered list, for plans that have it. The files of
// other projects, for everybody.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { decodedText } from './lib/client.mjs';
import { compatFile, DAILY_READERS, READERS } from './lib/compat_readers.mjs';
import { parseCsv } from './lib/csv.mjs';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { because, REVIEWER } from './lib/reviewer.mjs';
import { makeSite, useSite } from './lib/site.mjs';

const WHY = '=HYPERLINK("https://example.org","misread")';

describe('lists as CSV', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 1500, '--as-of', '2026-02-01');
    const server = await site.serve();
    const { data } = await server.json('/api/v1/trades?limit=1');
    const owner = data[0].ownerType === 'child' ? 'self' : 'child';
    const by = ['--by', REVIEWER, '--reason', WHY];
    const signIn = async (plan) => signInOnPage(server, await makeOwner(site, { plan }));
    await site.stockact('correct', data[0].id, 'ownerType', owner, ...by);
    return {
      site,
      server,
      corrected: data[0],
      key: await site.key({ plan: 'den' }),
      wolf: await signIn('wolf'),
      scout: await signIn('scout'),
    };
  });

  async function api(list) {
    const rows = [];
    for (let cursor = ''; cursor !== null;) {
      const target = `/api/v1/${list}&limit=100${cursor && `&cursor=${cursor}`}`;
      const page = await the.server.json(target, { key: the.key });
      rows.push(...page.data);
      cursor = page.nextCursor;
    }
    return rows;
  }

  /** Follows the link of the page; rows as objects. */
  async function download(target) {
    const page = await the.wolf.open(target);
    const link = page.all('main a[download]').find((a) => text(a) === 'CSV').attribs.href;
    const response = await the.wolf.request('GET', link);
    assert.equal(response.status, 200, link);
    const name = /^\/(\w+)/.exec(link)[1];
    const disposition = `attachment; filename="stockact-${name}-2026-03-10.csv"`;
    assert.equal(response.header('content-disposition'), disposition);
    const [header, ...rows] = parseCsv(response.text);
    return rows.map((row) => Object.fromEntries(row.map((value, i) => [header[i], value])));
  }

  test('filings have the counts of their trades', async () => {
    const rows = await download('/filings?chamber=house');
    const filings = await api('filings?chamber=house');
    assert.ok(filings.length > 100);
    assert.deepEqual(
      rows.map(({ id }) => id),
      filings.map(({ id }) => id),
    );
    for (const [i, filing] of filings.slice(0, 5).entries()) {
      const trades = await api(`trades?filing=${filing.id}`);
      assert.equal(Number(rows[i].trades), trades.length);
      assert.equal(Number(rows[i].bought), trades.filter(({ side }) => side === 'buy').length);
      assert.equal(rows[i].url, filing.url);
      assert.equal(rows[i].filed_at, filing.filedAt);
    }
  });

  test('filings are those of the member whose page links them', async () => {
    const ids = (await api('filings?chamber=senate')).map((filing) => filing.politicianId);
    const politicianId = ids.find((id, i) => ids.indexOf(id) < i);
    const { data } = await the.server.json(`/api/v1/politicians/${politicianId}`);
    const { slug } = data.profile;
    const rows = await download(`/politicians/${slug}/filings`);
    const filings = await api(`filings?politician_slug=${slug}`);
    assert.ok(filings.length > 1);
    assert.deepEqual(
      rows.map((row) => [row.id, row.politician_id]),
      filings.map(({ id }) => [id, politicianId]),
    );
  });

  test('members are those of the filters', async () => {
    const rows = await download('/politicians?has_trades=true&chamber=senate');
    const members = await api('politicians?has_trades=true&chamber=senate');
    assert.deepEqual(
      rows.map((row) => [row.slug, row.name, Number(row.trades), row.in_office === 'true']),
      members.map((one) => [one.slug, one.name, one.counts.trades, one.inOffice]),
    );
  });

  test('symbols are those of the search', async () => {
    const rows = await download('/tickers?q=group');
    const tickers = await api('tickers?q=group&has_trades=true');
    assert.ok(rows.length > 1);
    assert.deepEqual(
      rows.map((row) => [row.ticker, row.company_name, Number(row.politicians)]),
      tickers.map((one) => [one.ticker, one.companyName, one.aggregates.politicians]),
    );
  });

  test('corrections have the values of the API, and none is a formula', async () => {
    const [row] = await download('/corrections?kind=field');
    const [entry] = await api('corrections?kind=field');
    assert.deepEqual(
      [row.id, row.trade_id, row.at, row.field, row.old, row.new],
      [entry.id, entry.tradeId, entry.at, 'ownerType', entry.old ?? '', entry.new],
    );
    assert.equal(row.reason, `'${WHY}`);
  });

  test('corrections that a worker reads in several parts arrive whole and in order', async () => {
    await the.site.database.execute("UPDATE member_term SET party = 'Whig'");
    const why = ['--by', REVIEWER, '--reason', 'They were Whigs.'];
    await the.site.stockact('members', 'correct', ...why);
    const rows = await download('/corrections?kind=field');
    const entries = await api('corrections?kind=field');
    assert.ok(rows.length > 1000, rows.length);
    assert.deepEqual(
      rows.map((row) => [row.id, row.trade_id, row.field]),
      entries.map((one) => [one.id, one.tradeId, one.field]),
    );
  });

  test('a plan without CSV, and a visitor, get none; a faulty query is the page', async () => {
    for (const list of ['filings', 'politicians', 'tickers', 'corrections']) {
      assert.equal((await newVisitor(the.server).request('GET', `/${list}.csv`)).status, 303);
      assert.equal((await the.scout.request('GET', `/${list}.csv`)).status, 403);
      const page = await the.wolf.open(`/${list}.csv?colour=red`, { status: 400 });
      assert.match(page.text('.faults'), /These filters do not work.*no filter "colour"/s);
      const plan = await newVisitor(the.server).open(`/${list}`);
      assert.match(plan.text('main'), /CSV with the Wolf plan or higher/);
    }
  });
});

describe('lists as CSV with STOCKACT_OPEN_DATA', () => {
  const the = useSite(
    { clock: '2026-03-10T12:00:00Z', env: { STOCKACT_OPEN_DATA: 'on' } },
    async (site) => {
      await site.stockact('demo', '--trades', 4000, '--as-of', '2026-03-10');
      const server = await site.serve();
      const signIn = async (plan) => signInOnPage(server, await makeOwner(site, { plan }));
      return {
        server,
        wolf: await signIn('wolf'),
        scout: await signIn('scout'),
        den: await site.key({ plan: 'den' }),
      };
    },
  );
  const open = async (target, who = newVisitor(the.server)) => {
    const response = await who.request('GET', target);
    assert.equal(response.status, 200, target);
    return { response, rows: parseCsv(response.text).slice(1) };
  };

  test('visitors and Scout get each list at their line, whole; caches may keep it', async () => {
    const line = new Date(Date.parse('2026-03-10T12:00:00Z') - 48 * 3600e3).toISOString();
    const seen = await the.server.json(`/api/v1/stats?group_by=side&until=${line}`, {
      key: the.den,
    });
    const { response, rows } = await open('/trades.csv');
    assert.equal(rows.length, seen.totals.trades);
    const [header] = parseCsv(response.text);
    const at = header.indexOf('disclosed_at');
    for (const row of rows) assert.ok(row[at] < line, row[at]);
    assert.deepEqual((await open('/trades.csv', the.scout)).rows, rows);
    assert.ok((await open('/trades.csv', the.wolf)).rows.length > rows.length);
    for (const list of [
      'trades',
      'conflicts',
      'filings',
      'politicians',
      'tickers',
      'corrections',
    ]) {
      const link = (await newVisitor(the.server).open(`/${list}`)).one('main a[download]');
      const file = await open(link.attribs.href);
      assert.match(file.response.header('cache-control'), /^public, max-age=0, s-maxage=\d+/, list);
      assert.match(file.response.header('surrogate-key'), /\blist-trades\b/, list);
      const private_ = (await open(link.attribs.href, the.wolf)).response;
      assert.equal(private_.header('cache-control'), 'no-store', list);
    }
    const groups = await open('/explore.csv?group_by=side');
    assert.match(groups.response.header('cache-control'), /^public/);
    assert.ok(groups.rows.length >= 2);
  });

  test('the CSV of the API stays with its plans', async () => {
    const without = await the.server.get('/api/v1/trades?format=csv');
    assert.deepEqual([without.status, without.json.error], [403, 'csv_export_not_available']);
  });
});

describe('the files of projects that are gone, under /compat', () => {
  const HOUSE = '/compat/house-stock-watcher/data/all_transactions.json';
  const the = useSite(
    { clock: '2026-03-10T12:00:00Z', env: { STOCKACT_OPEN_DATA: 'on' } },
    async (site) => {
      await site.stockact('demo', '--trades', 900, '--as-of', '2026-02-01');
      const server = await site.serve();
      const trades = [];
      for await (const page of server.pages('/api/v1/trades?limit=100')) trades.push(...page.data);
      const count = (chamber) =>
        trades.filter(({ politician }) => politician.chamber === chamber).length;
      return { site, server, trades, counts: { house: count('house'), senate: count('senate') } };
    },
  );
  const open = async (path, options) => {
    const response = await compatFile(the.server, path, options);
    assert.equal(response.status, 200, path);
    return response.text;
  };

  test('twenty-two programs read them', async () => {
    assert.ok(the.counts.house > 100 && the.counts.senate > 100);
    for (const [name, chamber, path, read] of READERS)
      assert.equal(read(await open(path)).length, the.counts[chamber], name);
    for (const [name, chamber, list, files, read] of DAILY_READERS) {
      let rows = 0;
      for (const path of files(await open(list))) rows += read(await open(path)).length;
      assert.equal(rows, the.counts[chamber], name);
    }
    assert.equal(READERS.length + DAILY_READERS.length, 22);
  });

  test('rows have the values of the API, and the successor has each', async () => {
    const all = JSON.parse(await open('congress-trading-monitor/public/data/trades.json'));
    const keyOf = (url, row) => `${url} ${row}`;
    const found = new Map(all.map((row) => [keyOf(row.doc_url, /_t(\d+)$/.exec(row.id)[1]), row]));
    assert.equal(found.size, the.trades.length);
    assert.equal(new Set(all.map((row) => row.id)).size, all.length);
    for (const trade of the.trades) {
      const row = found.get(keyOf(trade.filingUrl, Number(trade.id.slice(-4)) - 1));
      assert.deepEqual(
        [row.transaction_date, row.ticker, row.amount_range_low, row.filer_name, row.state],
        [
          ...[trade.tradeDate, trade.ticker, trade.amountRange.min],
          ...[trade.politician.name, trade.politician.state],
        ],
      );
    }
    const [{ filer_id: id }] = all;
    const one = JSON.parse(await open(`congress-trading-monitor/public/data/filer/${id}.json`));
    assert.equal(one.filer.id, id);
    assert.deepEqual(
      one.trades,
      all.filter((row) => row.filer_id === id),
    );
  });

  test('caches keep them, and clients without gzip get the same', async () => {
    const { server } = the;
    const gzip = await server.get(HOUSE, { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await server.get(HOUSE, { headers: { 'Accept-Encoding': 'identity' } });
    assert.equal(gzip.header('content-encoding'), 'gzip');
    assert.equal(plain.header('content-encoding'), null);
    assert.equal(decodedText(gzip), plain.text);
    assert.equal(gzip.header('access-control-allow-origin'), '*');
    assert.match(gzip.header('cache-control'), /public/);
    for (const first of [gzip, plain]) {
      const headers = {
        'Accept-Encoding': first.header('content-encoding') ?? 'identity',
        'If-None-Match': first.header('etag'),
      };
      assert.equal((await server.get(HOUSE, { headers })).status, 304);
    }
    assert.notEqual(gzip.header('etag'), plain.header('etag'));
  });

  test('there are none unless the operator opens them', async (t) => {
    const site = await makeSite(t, {});
    const server = await site.serve();
    for (const path of [HOUSE, '/compat/senate-stock-watcher/', '/compat/house-stock-watcher/api'])
      assert.equal((await server.get(path)).status, 404, path);
    assert.equal((await the.server.get('/compat/senate-stock-watcher/data/none')).status, 404);
  });

  test('a young row is in no file, also after an account asked; a withdrawn one is gone', async () => {
    const { site, server } = the;
    const admin = await signInOnPage(server, await makeOwner(site, { plan: 'den' }));
    await site.stockact('demo', '--publish', 1, '--rows', 1);
    const young = (await server.json('/api/v1/trades?limit=1')).data[0];
    const path = 'congress-trading-monitor/public/data/trades.json';
    const urls = async () => JSON.parse(await open(path)).map((row) => row.doc_url);
    const before = await urls();
    const seen = await admin.request('GET', `/compat/${path}`);
    assert.equal(seen.status, 200);
    assert.deepEqual(
      JSON.parse(seen.text).map((row) => row.doc_url),
      before,
    );
    assert.deepEqual(await urls(), before);
    assert.ok(!before.includes(young.filingUrl));
    await site.clock.advance(48 * 3_600_000 + 1000);
    assert.ok((await urls()).includes(young.filingUrl));
    await site.stockact('withdraw', young.id, ...because('a duplicate'));
    assert.ok(!(await urls()).includes(young.filingUrl));
  });
});
