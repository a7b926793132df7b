// Real members and the real Senate history become trades; every row is counted (sources.md 2 and
// 4). Without the folder of real data these tests are skipped.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import test, { describe } from 'node:test';
import { compatFile } from './lib/compat_readers.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';

const legislators = sharedData('congress-legislators');
const dump = sharedData('senate', 'stock-watcher', 'all_daily_summaries.json');
const skip = legislators && dump ? false : noSharedData;
const MEMBERS = ['legislators-current.json', 'legislators-historical.csv'];

async function importMembers(site) {
  return site.stockact('members', 'import', ...MEMBERS.map((name) => `${legislators}/${name}`));
}

const backfill = (site) =>
  site.stockact('backfill', 'senate-stock-watcher', dump, '--by', 'editor@example.org');

if (skip) {
  test('the real Senate history', { skip }, () => {});
} else {
  onEachDatabase('the real Senate history', (kind) => {
    const shared = useSite(
      { database: kind, env: { STOCKACT_BENCH_UNLIMITED: '1', STOCKACT_OPEN_DATA: 'on' } },
      async (site) => {
        await importMembers(site);
        const report = await backfill(site);
        return { report, server: await site.serve(), key: await site.key({ plan: 'den' }) };
      },
    );

    test('every filing and row is imported, or has a reason', async () => {
      const source = JSON.parse(readFileSync(dump, 'utf8'));
      const rows = source.reduce((sum, filing) => sum + filing.transactions.length, 0);
      const { server, key, report } = shared;
      const refusedRows = report.filter((line) => line.reason && line.row);
      const refusedFilings = report.filter((line) => line.reason && !line.row);
      const trades = [];
      for await (const page of server.pages('/api/v1/trades?limit=100', { key }))
        trades.push(...page.data);
      const filings = [];
      for await (const page of server.pages('/api/v1/filings?limit=100', { key }))
        filings.push(...page.data);
      assert.equal(source.length, 1442);
      assert.equal(rows, 8030);
      const papers = source.filter((filing) => filing.transactions.length === 0).length;
      assert.equal(papers, 463, 'their trades are not entered yet');
      assert.equal(filings.length + papers + refusedFilings.length, source.length);
      const counts = (await server.json('/api/v1/coverage', { key })).data.counts;
      const inState = (state) =>
        counts.reduce((sum, one) => sum + (one.state === state ? one.count : 0), 0);
      assert.equal(inState('needs_manual'), papers);
      assert.equal(inState('published'), filings.length);
      const drafts = await shared.site.stockact('review', 'list');
      assert.equal(drafts.filter((one) => one.member && one.filedAt).length, papers);
      assert.ok(refusedFilings.length === 0, JSON.stringify(refusedFilings.slice(0, 3)));
      assert.equal(trades.length + refusedRows.length, rows);
      assert.equal(new Set(trades.map((trade) => trade.id)).size, trades.length);
      assert.equal(new Set(trades.map((trade) => trade.politician.slug)).size, 51);
      const filers = new Set(filings.map((filing) => filing.politicianId));
      assert.equal(filers.size, 51, 'seven more filed on paper only');
      for (const trade of trades) {
        assert.ok(!/<|&amp;|&nbsp;|text-muted/.test(trade.assetName), trade.assetName);
        assert.ok(trade.ticker === null || /^[A-Z0-9.\-/^$]+$/.test(trade.ticker), trade.ticker);
        assert.equal(trade.politician.chamber, 'senate');
        assert.match(trade.politician.state, /^[A-Z]{2}$/);
      }
    });

    test("rows keep the page's numbers, and identical rows stay separate lots", async () => {
      const source = JSON.parse(readFileSync(dump, 'utf8'));
      const { server, key } = shared;
      const byId = new Map();
      for await (const page of server.pages('/api/v1/trades?limit=100', { key })) {
        for (const trade of page.data) byId.set(trade.id, trade);
      }
      let same = 0;
      for (const filing of source) {
        const uuid = filing.ptr_link.split('/').at(-2).toLowerCase();
        const seen = new Set();
        filing.transactions.forEach((row, index) => {
          const number = String(filing.transactions.length - index).padStart(4, '0');
          const trade = byId.get(`senate-${uuid}-${number}`);
          if (!trade) return;
          const [month, day, year] = row.transaction_date.split('/');
          assert.equal(trade.tradeDate, `${year}-${month}-${day}`);
          assert.equal(trade.ownerType, row.owner.toLowerCase());
          const text = JSON.stringify(row);
          if (seen.has(text)) same += 1;
          seen.add(text);
        });
      }
      assert.ok(same > 100, `${same} rows equal another of their report, and all are there`);
    });

    test('the files under /compat have every row, but for white space and double entities', async () => {
      const source = JSON.parse(readFileSync(dump, 'utf8'));
      const file = 'senate-stock-watcher/aggregate/all_daily_summaries.json';
      const reports = JSON.parse((await compatFile(shared.server, file)).text);
      const byLink = new Map(reports.map((one) => [one.ptr_link, one]));
      const faults = { ticker: 0, asset_description: 0, comment: 0 };
      const folded = (text) =>
        text
          .replace(/\s+/g, ' ')
          .replace(/&amp;apos;/g, "'")
          .replace(/&amp;amp;/g, '&amp;')
          .replace(/(&nbsp;[^<]*) <\/div>$/, '$1</div>');
      let rows = 0;
      for (const filing of source.filter((one) => one.transactions.length)) {
        const report = byLink.get(filing.ptr_link);
        assert.equal(report.date_recieved, filing.date_recieved);
        assert.deepEqual(Object.keys(report), Object.keys(filing));
        assert.equal(report.transactions.length, filing.transactions.length);
        filing.transactions.forEach((was, index) => {
          const is = report.transactions[index];
          assert.deepEqual(Object.keys(is), Object.keys(was));
          rows += 1;
          for (const [name, value] of Object.entries(was)) {
            if (is[name] === value) continue;
            faults[name] += 1;
            assert.equal(is[name], folded(value));
          }
        });
      }
      assert.equal(rows, 8030);
      assert.deepEqual(faults, { ticker: 42, asset_description: 8, comment: 5 });
    });

    test('a second import changes nothing', async () => {
      const { server, key, site } = shared;
      const before = await server.get('/api/v1/trades?limit=100', { key });
      await importMembers(site);
      await backfill(site);
      const after = await server.get('/api/v1/trades?limit=100', { key });
      assert.equal(after.header('etag'), before.header('etag'));
    });

    test('well-known members are found by slug and by id', async () => {
      const { server, key } = shared;
      const { data } = await server.json('/api/v1/politicians/nancy-pelosi', { key });
      assert.equal(data.profile.id, 'P000197');
      assert.equal(data.profile.chamber, 'house');
      assert.equal(data.profile.state, 'CA');
      assert.equal(data.counts.trades, 0);
      assert.equal(data.lastActivity, null);
      assert.deepEqual((await server.json('/api/v1/politicians/P000197', { key })).data, data);
    });

    test('a symbol finds the trades filed under its former name', async () => {
      const { server, key } = shared;
      const old = await server.json('/api/v1/tickers/FB', { key });
      const now = await server.json('/api/v1/tickers/meta', { key });
      assert.ok(old.data.aggregates.trades > 0);
      assert.ok(now.data.aggregates.trades >= old.data.aggregates.trades);
      assert.match(
        old.data.companyName,
        /^Facebook/,
        "the company of the trades, not today's fund",
      );
      assert.match(now.data.companyName, /^Meta Platforms/);
      assert.deepEqual(
        old.data.companies.map(({ name, to }) => [name.split(/[ ,]/)[0], to]),
        [
          ['Facebook', '2022-06-08'],
          ['ProShares', null],
        ],
      );
      const page = await server.json('/api/v1/trades?ticker=META&limit=5', { key });
      assert.ok(page.data.some((trade) => trade.ticker === 'FB'));
    });
  });

  describe('imports that must fail', () => {
    test('a demonstration database rejects real data, and vice versa', async (t) => {
      const site = await makeSite(t);
      await site.stockact('demo', '--trades', 100);
      const refused = await site.run(['members', 'import', `${legislators}/${MEMBERS[0]}`]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /demo|invented/i);
      const other = await makeSite(t);
      await importMembers(other);
      assert.equal((await other.run(['demo'])).code, 1);
    });
  });
}
