// /tickers and /tickers/{symbol}: who traded what, and when.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { attribute, one, text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const ROWS = '.table tbody tr';
const links = (page, selector) => page.all(selector).map(({ attribs }) => attribs.href);
/** The members with the most trades, as rows: [address, number]. */
function mostActive(trades) {
  const counts = new Map();
  for (const { politician } of trades)
    counts.set(politician.slug, (counts.get(politician.slug) ?? 0) + 1);
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, 20)
    .map(([slug, count]) => [`/politicians/${slug}`, String(count)]);
}

const numbers = (page) => page.all('.stats dd').map((node) => Number(node.children[0].data));

describe('tickers on pages', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 1500, '--as-of', '2026-02-01');
    return {
      server: await site.serve(),
      key: await site.key({ plan: 'den' }),
      wolf: await makeOwner(site, { plan: 'wolf' }),
    };
  });
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });
  const open = (target, options) => newVisitor(the.server).open(target, options);

  test('the list has each symbol with trades once, and finds it by symbol and company', async () => {
    const seen = [];
    for (let target = '/tickers'; target;) {
      const page = await open(target);
      seen.push(...links(page, `${ROWS} th a`));
      target = page.all('a[rel=next]')[0]?.attribs.href;
    }
    assert.ok(seen.length > 50);
    assert.match((await open('/tickers')).text('p.tally'), new RegExp(`^${seen.length}\\b`));
    const ranked = await open('/tickers?sort=trades');
    const [most] = (await api('tickers?sort=trades&limit=1')).data;
    assert.equal(links(ranked, `${ROWS} th a`)[0], `/tickers/${most.ticker}`);
    const more = ranked.all('a[rel=next]')[0].attribs.href;
    assert.match(more, /sort=trades&cursor=/);
    await open(more.replace('sort=trades', 'sort=late'), { status: 400 });
    assert.deepEqual(seen, [...new Set(seen)]);
    const symbol = seen[7].split('/').at(-1);
    const { companyName } = (await api(`tickers/${symbol}`)).data;
    for (const q of [symbol.toLowerCase(), companyName]) {
      const found = await open(`/tickers?q=${encodeURIComponent(q)}`);
      assert.equal(links(found, `${ROWS} th a`)[0], seen[7], q);
    }
    assert.deepEqual((await open('/tickers?q=nothinglikeit')).all(ROWS), []);
  });

  test('a symbol has the numbers, the trades and the members of the API', async () => {
    const { data } = await api('trades?limit=100');
    const withoutDate = data.find(({ ticker, tradeDate }) => ticker && !tradeDate);
    const symbols = [...new Set(data.map(({ ticker }) => ticker).filter(Boolean))].slice(0, 12);
    symbols.push(withoutDate.ticker);
    for (const symbol of symbols) {
      const page = await open(`/tickers/${encodeURIComponent(symbol)}`);
      const { aggregates } = (await api(`tickers/${encodeURIComponent(symbol)}`)).data;
      assert.deepEqual(numbers(page), [
        aggregates.trades,
        aggregates.buys,
        aggregates.sells,
        aggregates.politicians,
        aggregates.conflicts - aggregates.conflictsLater,
      ]);
      const counted = page.all('.chart tbody td').map((node) => Number(text(node)));
      const sum = counted.reduce((total, one) => total + one, 0);
      const dated = await api(`trades?ticker=${encodeURIComponent(symbol)}&limit=100`);
      const undated = dated.data.filter(({ tradeDate }) => !tradeDate).length;
      assert.equal(sum, dated.data.length - undated, symbol);
      const note = /leaves out trades without a plausible date \((\d+)\)/.exec(page.text('main'));
      assert.equal(Number(note?.[1] ?? 0), undated, symbol);
      const members = page
        .all('[aria-label="Members with trades"] tbody tr')
        .map((row) => [attribute(one('a', row), 'href'), text(one('td.number', row))]);
      assert.deepEqual(members, mostActive(dated.data), symbol);
    }
  });

  test('a symbol that two companies had says which one had it when', async () => {
    const { companies } = (await api('tickers/AA')).data;
    assert.equal(companies.length, 2);
    const page = await open('/tickers/AA');
    const told = page.all('section[aria-labelledby=companies] li').map((node) => text(node));
    assert.equal(told.length, 2);
    for (const [i, { name, from, to }] of companies.entries()) {
      assert.ok(told[i].startsWith(name), told[i]);
      const begin = to === null ? 'since' : 'from';
      assert.ok(from === null || told[i].includes(`${begin} ${from}`), told[i]);
      assert.ok(to === null || told[i].includes(`until ${to}`), told[i]);
    }
    const now = companies.find(({ to }) => to === null);
    assert.equal(page.text('h1'), now.name);
  });

  test('a period of a symbol is named by its first and last day', async () => {
    const { ticker } = (await api('trades?limit=30')).data.find((trade) => trade.ticker);
    const periods = {
      'traded_from=2025-01-17': 'since 2025-01-17',
      'traded_to=2025-02-03': 'until 2025-02-03',
      'traded_from=2025-01-17&traded_to=2025-02-03': '2025-01-17 to 2025-02-03',
    };
    for (const [query, name] of Object.entries(periods)) {
      const page = await open(`/tickers/${encodeURIComponent(ticker)}?${query}`);
      assert.equal(page.text('.choices [aria-current]'), name);
    }
  });

  test('another spelling leads to the address of the symbol, an unknown one to 404', async () => {
    const [{ ticker }] = (await api('trades?limit=30')).data.filter((trade) => trade.ticker);
    const response = await newVisitor(the.server).request(
      'GET',
      `/tickers/${encodeURIComponent(ticker.toLowerCase())}`,
    );
    assert.equal(response.status, 303);
    assert.equal(response.header('location'), `/tickers/${ticker}`);
    await open('/tickers/NOSUCHSYMBOL', { status: 404 });
  });

  test('numbers omit delayed trades', async () => {
    const wolf = await signInOnPage(the.server, the.wolf);
    const rows = await the.site.database.query('SELECT DISTINCT ticker FROM trade');
    const known = new Set(rows.map(({ ticker }) => ticker));
    await the.site.stockact('demo', '--publish', 1, '--rows', 40);
    const newest = async () => (await api('trades?limit=100')).data;
    await until('the trades are served', async () => (await newest())[0].disclosedAt > '2026-03');
    const fresh = (await newest()).filter(({ disclosedAt }) => disclosedAt > '2026-03');
    // A visitor gets no page of a symbol that only new trades have.
    const { ticker } = fresh.find((trade) => trade.ticker && known.has(trade.ticker));
    const count = fresh.filter((trade) => trade.ticker === ticker).length;
    const target = `/tickers/${encodeURIComponent(ticker)}`;
    const [now] = numbers(await wolf.open(target));
    const [then] = numbers(await open(target));
    assert.equal(now - then, count);
  });
});
