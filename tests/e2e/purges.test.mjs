// A cache in front of the server is told what changed for visitors, by the names of the pages
// (docs/operate.md, "A cache in front"). Varnish runs with the file of deploy/.

import { strict as assert } from 'node:assert';
import path from 'node:path';
import test, { describe } from 'node:test';
import { assertPromise } from './lib/measured.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { because } from './lib/reviewer.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { hasVarnish, Varnish } from './lib/varnish.mjs';

const HOUR = 3_600_000;
const PROMISE_MS = 1000;
const html = { headers: { Accept: 'text/html' } };

const filingOf = (trade) => trade.id.replace(/-\d+$/, '');
const keysOf = ({ headers }) => headers['surrogate-key'].split(' ');

async function makeData(t, env = {}) {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z', env });
  await site.stockact('demo', '--trades', 60, '--as-of', '2026-02-01');
  return site;
}

/** Two trades that share no member, symbol or filing. */
function twoTrades(trades) {
  const first = trades.find(({ ticker }) => ticker);
  const differ = (a, b) =>
    a.ticker !== b.ticker && a.politician.slug !== b.politician.slug && filingOf(a) !== filingOf(b);
  return [first, trades.find((trade) => trade.ticker && differ(trade, first))];
}

const maxAge = (response) => /s-maxage=(\d+)/.exec(response.header('cache-control'))?.[1];

const skip = hasVarnish() ? false : 'varnish is not installed';
describe('behind Varnish', { skip }, () => {
  /** Varnish in front of a server on a socket, whose first purge has succeeded. */
  async function behind(t) {
    const site = await makeData(t, { STOCKACT_TRUSTED_PROXIES: 'unix' });
    const socket = path.join(site.folder, 'http.sock');
    const varnish = await Varnish.make(t, socket);
    await varnish.start();
    site.env.STOCKACT_PURGE_URL = varnish.purgeUrl;
    const server = await site.serve({ listen: `unix:${socket}` });
    await until(
      'the first purge',
      async () => maxAge(await server.get('/trades', html)) === '86400',
    );
    return { site, server, varnish };
  }

  const cacheOf = async (varnish, target, headers) =>
    (await varnish.get(target, headers)).header('x-cache');

  test('visitors get copies of pages; the API and visitors with cookies get none', async (t) => {
    const { varnish, server } = await behind(t);
    const first = await varnish.get('/trades');
    assert.equal(first.status, 200);
    assert.equal(first.header('x-cache'), 'miss');
    const copy = await varnish.get('/trades');
    assert.equal(copy.header('x-cache'), 'hit');
    assert.equal(copy.text, (await server.get('/trades', html)).text);
    for (const name of ['surrogate-key', 'x-request-id', 'ratelimit', 'x-ratelimit-limit']) {
      assert.equal(copy.header(name), null, name);
    }
    const tag = copy.header('etag');
    assert.equal((await varnish.get('/trades', { 'If-None-Match': tag })).status, 304);
    for (const [target, headers] of [
      ['/api/v1/trades', {}],
      ['/trades', { Cookie: 'a=b' }],
      ['/sign-in', {}],
      ['/trades?side=nothing', {}],
    ]) {
      assert.equal(await cacheOf(varnish, target, headers), 'miss');
      assert.equal(await cacheOf(varnish, target, headers), 'miss', target);
    }
    assert.equal((await varnish.get('/metrics')).status, 404);
  });

  test('a correction is visible within a second, and no other page is fetched again', async (t) => {
    const { site, varnish, server } = await behind(t);
    const [trade, other] = twoTrades((await server.json('/api/v1/trades?limit=60')).data);
    const [target, untouched] = [`/trades/${trade.id}`, `/trades/${other.id}`];
    for (const page of [target, untouched, target, untouched]) await varnish.get(page);
    assert.equal(await cacheOf(varnish, target), 'hit');
    const before = (await varnish.get(target)).text;
    assert.ok(!before.includes('$5,000,001'), 'the bracket is another one');
    await site.stockact('correct', trade.id, 'amountBucket', '5m_25m', ...because('misread'));
    const corrected = performance.now();
    const shows = async () => (await varnish.get(target)).text.includes('$5,000,001');
    await until('the page shows the correction', shows);
    assertPromise(t, 'a correction', performance.now() - corrected, PROMISE_MS);
    assert.equal(await cacheOf(varnish, untouched), 'hit');
  });

  test('a publication is visible 48 hours later, within a second', async (t) => {
    const { site, varnish, server } = await behind(t);
    await varnish.get('/trades');
    await site.stockact('demo', '--publish', 1, '--rows', 1);
    const newest = async () => (await server.json('/api/v1/trades?limit=1')).data[0];
    const trade = await until('the trade is served', async () => {
      const found = await newest();
      return found.disclosedAt.startsWith('2026-03-10') && found;
    });
    const has = async (text) => (await varnish.get('/trades')).text.includes(text);
    const shows = () => has(`/trades/${trade.id}"`);
    await until('the page says that it leaves something out', () => has('class="delay'));
    await site.clock.advance(48 * HOUR - 1000);
    assert.equal(await shows(), false);
    await site.clock.advance(1000);
    const due = performance.now();
    await until('the page shows the trade', shows);
    assertPromise(t, 'a publication', performance.now() - due, PROMISE_MS);
  });

  test('only this machine purges', async (t) => {
    const { varnish, server } = await behind(t);
    await varnish.get('/trades');
    const headers = { 'Surrogate-Key': 'all', 'X-Forwarded-For': '203.0.113.5' };
    const response = await varnish.post('/purge', headers);
    assert.equal(response.status, 403);
    assert.equal(await cacheOf(varnish, '/trades'), 'hit');
    delete headers['X-Forwarded-For'];
    assert.equal((await varnish.post('/purge', headers)).status, 204);
    assert.equal(await cacheOf(varnish, '/trades'), 'miss');
    assert.equal((await varnish.post('/purge', {})).status, 400);
    assert.equal((await server.get('/trades', html)).status, 200);
  });

  test('a server whose cache is down serves, and purges when it is back', async (t) => {
    const { site, varnish, server } = await behind(t);
    const { data } = await server.json('/api/v1/trades?limit=1');
    await varnish.stop();
    await site.stockact('correct', data[0].id, 'amountBucket', '5m_25m', ...because('misread'));
    const age = async () => maxAge(await server.get('/trades', html));
    await until('pages are kept for a minute', async () => (await age()) === '60');
    await varnish.start();
    await until('pages are kept for a day', async () => (await age()) === '86400');
    // the second purge of the same pages may come between two requests
    await until('copies are kept', async () => (await cacheOf(varnish, '/trades')) === 'hit');
  });
});

/** A server that purges at a receiver of the test, and the data. */
async function purging(t, answer = null) {
  const receiver = await PlainReceiver.start(t);
  receiver.answer = answer;
  const site = await makeData(t, {
    STOCKACT_PURGE_URL: receiver.url(200),
    STOCKACT_PURGE_HEADER: 'Fastly-Key: a token',
  });
  const server = await site.serve();
  const { data } = await server.json('/api/v1/trades?limit=60');
  return { receiver, site, server, data };
}

/** Waits for a request with this key, and returns its keys. */
async function keysWith(receiver, key, from = 0) {
  const request = await until(`a purge of ${key}`, () =>
    receiver.requests.slice(from).find((one) => keysOf(one).includes(key)),
  );
  return keysOf(request).sort();
}

const LISTS = ['trades', 'filings', 'politicians', 'corrections', 'coverage'].map(
  (name) => `list-${name}`,
);

test('a purge names what changed, twice, and the start purges everything', async (t) => {
  const { receiver, site, data } = await purging(t);
  const [first] = await receiver.have(1);
  assert.deepEqual(keysOf(first), ['all']);
  assert.equal(first.headers['fastly-key'], 'a token');
  assert.equal(first.body, '');
  const [trade, other] = twoTrades(data);
  const about = [`p-${trade.politician.slug}`, `f-${filingOf(trade)}`, ...LISTS];
  await site.stockact('correct', trade.id, 'ticker', other.ticker, ...because('misread'));
  assert.deepEqual(
    await keysWith(receiver, `t-${trade.ticker}`),
    [...about, `t-${trade.ticker}`, `t-${other.ticker}`].sort(),
  );
  const times = () => receiver.requests.filter((one) => keysOf(one).includes(about[0])).length;
  await until('the same purge a second time', () => times() === 2);
  assert.equal(receiver.requests.filter((one) => keysOf(one).includes('all')).length, 1);
  const seen = receiver.requests.length;
  await site.stockact('withdraw', other.id, ...because('published twice'));
  const keys = await keysWith(receiver, `f-${filingOf(other)}`, seen);
  assert.ok(keys.includes(`p-${other.politician.slug}`) && keys.includes(`t-${other.ticker}`));
});

test('a publication purges its pages and the coverage at once, and its pages 48 hours later', async (t) => {
  const { receiver, site, server } = await purging(t);
  await receiver.have(1);
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  assert.ok(await keysWith(receiver, 'list-coverage'));
  const [trade] = (await server.json('/api/v1/trades?limit=1')).data;
  const own = `f-${filingOf(trade)}`;
  const named = () => receiver.requests.filter((one) => keysOf(one).includes(own)).length;
  await until('the purge is repeated', () => named() === 2);
  await site.clock.advance(48 * HOUR);
  await until('its pages are purged again', () => named() > 2);
  const keys = await keysWith(receiver, own);
  for (const key of [`p-${trade.politician.slug}`, ...LISTS]) assert.ok(keys.includes(key), key);
});

test('a purge that fails is repeated, is in /metrics and in the status', async (t) => {
  const { receiver, site, server, data } = await purging(t, 503);
  await receiver.have(2);
  assert.equal(maxAge(await server.get('/trades', html)), '60');
  await site.stockact('correct', data[0].id, 'amountBucket', '5m_25m', ...because('misread'));
  const metrics = async () => (await server.get('/metrics')).text;
  // not while it is on its way
  await until('a purge waits', async () => /^stockact_purge_waiting 1$/m.test(await metrics()));
  assert.match(await metrics(), /^stockact_purges_total\{outcome="failure"\} [1-9]/m);
  const status = async () => (await site.run(['status'])).stdout;
  const says = async () => /"purge" failed.*answered 503/s.test(await status());
  await until('the status says so', says);
  receiver.answer = null;
  await until('pages are kept for a day', async () => {
    return maxAge(await server.get('/trades', html)) === '86400';
  });
  assert.match(await metrics(), /^stockact_purge_failing_seconds 0\.0+$/m);
  await until('the status says no more', async () => !(await says()));
});
