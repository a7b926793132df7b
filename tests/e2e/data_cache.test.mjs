// What a cache in front of the server may keep: pages of data for visitors without cookies, by entity
// tag and by the names of what they show.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const html = { Accept: 'text/html' };

test('a page of data has surrogate keys and an entity tag that changes only with its data', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 60, '--as-of', '2026-02-01');
  const server = await site.serve();
  const get = (target, headers = {}) => server.get(target, { headers: { ...html, ...headers } });
  const { data } = await server.json('/api/v1/trades?limit=60');
  const trade = data.find(({ ticker }) => ticker);
  const filing = trade.id.replace(/-\d+$/, '');
  const pages = {
    '/trades': ['list-trades', `f-${data[0].id.replace(/-\d+$/, '')}`],
    [`/trades/${trade.id}`]: [`t-${trade.ticker}`, `f-${filing}`, `p-${trade.politician.slug}`],
    [`/filings/${filing}`]: [`f-${filing}`, `p-${trade.politician.slug}`],
    [`/filings?politician_slug=${trade.politician.slug}`]: [
      'list-filings',
      `f-${filing}`,
      `p-${trade.politician.slug}`,
    ],
    [`/politicians/${trade.politician.slug}/filings`]: [`p-${trade.politician.slug}`],
    [`/tickers/${trade.ticker}`]: [`t-${trade.ticker}`],
    '/': ['list-trades', 'list-filings'],
  };
  const tags = {};
  for (const [target, names] of Object.entries(pages)) {
    const response = await get(target);
    assert.equal(response.status, 200, target);
    assert.match(response.header('cache-control'), /^public, max-age=0, s-maxage=\d+/, target);
    assert.match(response.header('vary'), /Cookie/);
    const keys = response.header('surrogate-key').split(' ');
    for (const name of names) assert.ok(keys.includes(name), `${target}: ${name} in ${keys}`);
    tags[target] = response.header('etag');
    const again = await get(target, { 'If-None-Match': tags[target] });
    assert.equal(again.status, 304, target);
    assert.equal(again.body.length, 0);
  }
  await site.clock.advance(60_000);
  for (const target of Object.keys(pages)) {
    assert.equal((await get(target)).header('etag'), tags[target], `${target} a minute later`);
  }
  await site.stockact('correct', trade.id, 'amountBucket', '5m_25m', ...because('misread'));
  const tagOf = async (target) => (await get(target)).header('etag');
  const target = `/trades/${trade.id}`;
  await until('the page shows the correction', async () => (await tagOf(target)) !== tags[target]);
});

test('no cache may keep a page for a session or a missing page', async (t) => {
  const site = await makeSite(t);
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const owner = await signInOnPage(server, await makeOwner(site, { plan: 'scout' }));
  for (const response of [
    await owner.request('GET', '/trades'),
    await newVisitor(server).request('GET', '/trades/none-0001'),
    await newVisitor(server).request('GET', '/trades?side=nothing'),
  ]) {
    assert.equal(response.header('cache-control'), 'no-store');
    assert.equal(response.header('surrogate-key'), null);
  }
});
