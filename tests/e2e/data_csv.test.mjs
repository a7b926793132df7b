// The lists of the pages as CSV: the whole filtered list, for plans that have it.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { REVIEWER } from './lib/reviewer.mjs';
import { useSite } from './lib/site.mjs';

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
