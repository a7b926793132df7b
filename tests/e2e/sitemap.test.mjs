// What crawlers read: the sitemap has the members and symbols with trades that visitors see, and
// robots.txt says what is not for them.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { because } from './lib/reviewer.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** {address: lastmod or undefined} of a sitemap. */
function addressesOf(text) {
  assert.ok(text.includes(`<urlset xmlns="${NAMESPACE}">`));
  const rows = text.matchAll(/<url><loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?<\/url>/g);
  return Object.fromEntries([...rows].map(([, address, changed]) => [address, changed]));
}

async function openSite(t, env = {}) {
  const site = await makeSite(t, {
    clock: '2026-03-10T12:00:00Z',
    env: { STOCKACT_BASE_URL: 'https://trades.example.org', ...env },
  });
  await site.stockact('demo', '--trades', 60, '--as-of', '2026-02-01');
  return { site, server: await site.serve() };
}

test('the sitemap has lists, documents, and members and symbols with visible trades', async (t) => {
  const { site, server } = await openSite(t);
  const response = await server.get('/sitemap.xml');
  assert.equal(response.header('content-type'), 'application/xml');
  assert.ok(response.header('surrogate-key').split(' ').includes('list-trades'));
  const found = addressesOf(response.text);
  const has = (path) => `https://trades.example.org${path}` in found;
  for (const path of ['/', '/trades', '/politicians', '/coverage', '/docs', '/docs/mcp'])
    assert.ok(has(path), path);
  for (const path of ['/search', '/account', '/trades.atom']) assert.ok(!has(path), path);
  const { data } = await server.json('/api/v1/trades?limit=100');
  const paths = (rows) => [
    ...new Set(rows.map(({ politician }) => `/politicians/${politician.slug}`)),
    ...new Set(rows.filter(({ ticker }) => ticker).map(({ ticker }) => `/tickers/${ticker}`)),
  ];
  for (const path of paths(data)) {
    assert.ok(has(path), path);
    assert.match(found[`https://trades.example.org${path}`], /^20\d\d-\d\d-\d\d$/);
    assert.equal((await server.get(path, { headers: { Accept: 'text/html' } })).status, 200, path);
  }
  const listed = Object.keys(found).filter((address) =>
    /\/(politicians|tickers)\//.test(address),
  ).length;
  assert.equal(listed, paths(data).length);
  assert.equal((await server.get('/sitemap/1')).text, response.text);
  for (const path of ['/sitemap/0', '/sitemap/2', '/sitemap/x'])
    assert.equal((await server.get(path)).status, 404, path);

  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const changed = async () => addressesOf((await server.get('/sitemap.xml')).text);
  assert.deepEqual(await changed(), found);
  await site.clock.advance(48 * 3_600_000);
  const days = Object.values(await changed());
  assert.ok(days.includes('2026-03-12'), 'the day on which visitors see the trade');
  await site.stockact('correct', data[0].id, 'ticker', 'ZZNEW', ...because('misread'));
  const hasNew = async () => 'https://trades.example.org/tickers/ZZNEW' in (await changed());
  await until('the sitemap has a corrected symbol', hasNew);
});

test('robots.txt closes the pages of data if visitors may not read them', async (t) => {
  const lines = async (server) => (await server.get('/robots.txt')).text.split('\n');
  const open = await lines((await openSite(t)).server);
  assert.ok(open.includes('Disallow: /account'));
  assert.ok(open.includes('Sitemap: https://trades.example.org/sitemap.xml'));
  assert.ok(!open.some((line) => /^Disallow: \/(trades|politicians|tickers|filings)/.test(line)));
  const { server } = await openSite(t, { STOCKACT_PUBLIC_PAGES: 'off' });
  const closed = await lines(server);
  for (const path of ['trades', 'politicians', 'tickers', 'filings', 'search', 'coverage'])
    assert.ok(closed.includes(`Disallow: /${path}`), path);
  const addresses = Object.keys(addressesOf((await server.get('/sitemap.xml')).text));
  assert.ok(addresses.includes('https://trades.example.org/docs'));
  assert.ok(!addresses.some((address) => /org\/(trades|politicians|tickers)/.test(address)));
});
