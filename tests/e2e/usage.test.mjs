// What a key was used for (decision 43): GET /api/v1/usage, its bound, daily counts and last errors
// over restarts, kills and several servers, and the month in the fields of the IETF draft.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { Client } from './lib/client.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { NOON, start, stored, sum, times, written } from './lib/usage.mjs';

const USAGE = '/api/v1/usage';
const FILINGS = '/api/v1/filings';

/** Parses a list of the IETF draft by the rules of RFC 9651: {minute: {r: 59, t: 30}, ...}. */
function parseList(text) {
  const items = {};
  for (const item of text.split(/,[ \t]*/)) {
    const [, name, parameters] = /^"([a-z]+)"((?:;[a-z]+=-?\d{1,15})*)$/.exec(item);
    items[name] = {};
    for (const [, key, value] of parameters.matchAll(/;([a-z]+)=(-?\d+)/g))
      items[name][key] = Number(value);
  }
  return items;
}

onEachDatabase('usage', (database) => {
  test('the answer has both windows, 30 days and the last errors', async (t) => {
    const { site, server, key, minted } = await start(t, { database });
    const api = await OpenApi.load(server);
    const etag = (await server.get(FILINGS, { key })).header('etag');
    await server.get(FILINGS, { key, headers: { 'If-None-Match': etag } });
    await server.get(`${FILINGS}?secret=hunter2`, { key });
    await server.get('/api/v1/politicians/nobody-secret', { key });
    await server.get('/api/v1/hunter2', { key });
    await server.request('POST', FILINGS, { key });
    await times(60, () => server.get(FILINGS, { key }));
    await written(site, 66);

    const response = await server.get(USAGE, { key });
    api.check('GET', USAGE, response);
    assert.equal(response.status, 200);
    const { data } = response.json;
    assert.deepEqual(data.key, {
      id: minted.id,
      name: 'screener',
      prefix: minted.key.slice(0, 12),
    });
    assert.equal(data.plan, 'pack');
    assert.deepEqual(data.minute, {
      limit: 60,
      used: 60,
      remaining: 0,
      resetAt: '2026-03-15T12:01:00.000Z',
    });
    assert.deepEqual(data.month, {
      limit: 100_000,
      used: 60,
      remaining: 99_940,
      resetAt: '2026-04-01T00:00:00.000Z',
    });
    assert.equal(data.days.length, 30);
    assert.equal(data.days[0].date, '2026-02-14');
    assert.deepEqual(data.days[29], {
      date: '2026-03-15',
      ok: 55,
      notModified: 1,
      clientErrors: 4,
      rateLimited: 6,
      serverErrors: 0,
    });
    assert.equal(sum(data.days[28]), 0);
    const at = NOON;
    assert.deepEqual(data.lastErrors, [
      { at, status: 429, error: 'rate_limited', path: FILINGS, count: 6 },
      { at, status: 405, error: 'method_not_allowed', path: FILINGS, count: 1 },
      { at, status: 404, error: 'not_found', path: null, count: 1 },
      { at, status: 404, error: 'not_found', path: '/api/v1/politicians/{slug}', count: 1 },
      { at, status: 400, error: 'invalid_parameter', path: FILINGS, count: 1 },
    ]);
    for (const text of ['hunter2', 'nobody-secret', minted.key])
      assert.ok(!response.text.includes(text), text);
  });

  test('a clean stop loses nothing, a crash at most unwritten counts', async (t) => {
    const { site, server, key } = await start(t, { database });
    await times(40, () => server.get(FILINGS, { key }));
    await server.stop();
    assert.equal((await stored(site)).ok, 40);
    const again = await site.serve();
    await times(9, () => again.get(`${FILINGS}?x=1`, { key }));
    await written(site, 49);
    await again.kill();
    const last = await site.serve();
    const { data } = await last.json(USAGE, { key });
    assert.equal(data.days[29].ok, 40);
    assert.equal(data.days[29].clientErrors, 9);
    assert.equal(data.lastErrors.length, 9);
    assert.equal(data.month.used, 49);
  });

  test('64 concurrent callers on two servers are counted exactly', async (t) => {
    if (database === 'sqlite') return; // one server at a time
    const { site, server, key } = await start(t, { database, plan: 'den' });
    const other = await site.serve();
    const seen = {};
    const one = async (i) => {
      const { host, port } = i % 2 ? server : other;
      const client = new Client({ host, port });
      await times(20, async (n) => {
        const target = n % 3 ? FILINGS : '/api/v1/politicians/nobody';
        const { status } = await client.get(target, { key });
        seen[status] = (seen[status] ?? 0) + 1;
      });
      client.close();
    };
    await Promise.all(Array.from({ length: 64 }, (_, i) => one(i)));
    await written(site, 64 * 20);
    const { data } = await server.json(USAGE, { key });
    const day = data.days[29];
    assert.equal(day.ok, seen[200]);
    assert.equal(day.clientErrors, seen[404]);
    assert.equal(day.rateLimited, seen[429] ?? 0);
    assert.equal(data.lastErrors.length, 20);
    await until('the servers have exchanged their months', async () => {
      await site.clock.advance(1000);
      return (await server.json(USAGE, { key })).data.month.used === seen[200] + seen[404];
    });
  });

  test('each response counts on the UTC day of its request', async (t) => {
    const { site, server, key } = await start(t, { database, clock: '2026-03-15T23:59:59.999Z' });
    await times(3, () => server.get(FILINGS, { key }));
    await site.clock.advance(1);
    await times(2, () => server.get(FILINGS, { key }));
    await site.clock.advance(29 * 86_400_000);
    await server.get(FILINGS, { key });
    await server.stop();
    const again = await site.serve();
    const { days } = (await again.json(USAGE, { key })).data;
    assert.deepEqual(
      days.filter((day) => sum(day) > 0).map(({ date, ok }) => [date, ok]),
      [
        ['2026-03-16', 2],
        ['2026-04-14', 1],
      ],
    );
  });
});

describe('the call for usage', () => {
  test('it draws nothing and is not counted, also as HEAD and with an error', async (t) => {
    const { site, server, key } = await start(t);
    await server.get(FILINGS, { key });
    for (const [method, target, status] of [
      ['GET', USAGE, 200],
      ['HEAD', USAGE, 200],
      ['GET', `${USAGE}?x=1`, 400],
      ['POST', USAGE, 405],
    ]) {
      await site.clock.advance(1000);
      const response = await server.request(method, target, { key });
      assert.equal(response.status, status, `${method} ${target}`);
      assert.equal(response.limit.remaining, 59);
    }
    await server.stop();
    assert.equal(sum(await stored(site)), 1);
    const [{ used }] = await site.database.query('SELECT used FROM month_count');
    assert.equal(Number(used), 1);
  });

  test('a key may ask once a second, also when its minute is used up', async (t) => {
    const { site, server, key, minted } = await start(t);
    const second = await site.key({ email: minted.email });
    await times(60, () => server.get(FILINGS, { key }));
    assert.equal((await server.get(USAGE, { key })).status, 200);
    const denied = await server.get(USAGE, { key });
    assert.equal(denied.status, 429);
    assert.deepEqual(denied.json, { error: 'rate_limited', retryAfterSeconds: 1 });
    assert.equal(denied.header('retry-after'), '1');
    assert.equal((await server.get(USAGE, { key: second })).status, 200, 'another key');
    await site.clock.set('2026-03-15T12:00:31.000Z');
    assert.equal((await server.get(USAGE, { key })).status, 200);
    assert.equal((await server.get(USAGE, { key })).status, 429);
  });

  test('without a valid key it draws from the address and gets 401', async (t) => {
    const { site, server } = await start(t);
    const wolf = await site.mint();
    await site.stockact('accounts', 'set-plan', '--email', wolf.email, '--plan', 'wolf');
    const from = '127.0.0.9';
    const anonymous = await server.get(USAGE, { from });
    assert.deepEqual([anonymous.status, anonymous.json.error], [401, 'invalid_api_key']);
    assert.match(anonymous.json.hint, /send it as Authorization/);
    assert.equal((await server.get(USAGE, { from, key: 'svc_no' })).status, 401);
    assert.equal((await server.get(USAGE, { from, key: wolf.key })).status, 403);
    assert.equal((await server.get(FILINGS, { from })).limit.remaining, 6);
    await times(6, () => server.get(FILINGS, { from }));
    assert.equal((await server.get(USAGE, { from })).status, 429);
  });

  test('requests with a key of a plan without API access are counted', async (t) => {
    const { site, server, minted, key } = await start(t);
    await site.stockact('accounts', 'set-plan', '--email', minted.email, '--plan', 'wolf');
    assert.equal((await server.get(FILINGS, { key })).status, 403);
    await server.stop();
    assert.equal((await stored(site)).clientErrors, 1);
    const [error] = await site.database.query('SELECT error FROM key_error');
    assert.equal(error.error, 'plan_has_no_api_access');
  });

  test('after a downgrade the used count may be above the limit', async (t) => {
    const { site, server, minted, key } = await start(t, { plan: 'den' });
    await times(100, () => server.get(FILINGS, { key }));
    await site.stockact('accounts', 'set-plan', '--email', minted.email, '--plan', 'pack');
    const { data } = await server.json(USAGE, { key });
    assert.deepEqual(
      [data.plan, data.minute.limit, data.minute.used, data.minute.remaining],
      ['pack', 60, 100, 0],
    );
    assert.equal(data.month.remaining, 99_900);
  });

  test('with Redis every server knows the draws of all', async (t) => {
    const { site, server, key } = await start(t, { redis: true, database: 'postgresql' });
    const other = await site.serve();
    await times(7, () => server.get(FILINGS, { key }));
    const { data } = await other.json(USAGE, { key });
    assert.deepEqual([data.minute.used, data.month.used], [7, 7]);
    await times(3, () => other.get(FILINGS, { key }));
    const seen = await server.get(USAGE, { key });
    assert.equal(seen.json.data.minute.used, 10);
    assert.equal(seen.limit.remaining, 50);
    assert.equal((await server.get(FILINGS, { key })).limit.remaining, 49, 'nothing was drawn');
    await site.redis.stop();
    await site.clock.advance(1000);
    await until('Redis is gone', async () => {
      await site.clock.advance(1000);
      return (await server.get(USAGE, { key })).status === 503;
    });
  });
});

describe('the fields of the IETF draft', () => {
  test('have the minute and the month of the caller', async (t) => {
    const { site, server, key } = await start(t);
    const response = await server.get(FILINGS, { key });
    const left = (Date.parse('2026-04-01T00:00:00Z') - site.clock.now) / 1000;
    assert.deepEqual(parseList(response.header('ratelimit')), {
      minute: { r: 59, t: 30 },
      month: { r: 99_999, t: Math.floor(left) },
    });
    assert.deepEqual(parseList(response.header('ratelimit-policy')), {
      minute: { q: 60, w: 60 },
      month: { q: 100_000, w: 31 * 86_400 },
    });
    const anonymous = await server.get(FILINGS, { from: '127.0.0.9' });
    assert.deepEqual(parseList(anonymous.header('ratelimit')).month.r, 999);
    const outside = await server.get('/healthz', { from: '127.0.0.9' });
    assert.deepEqual(parseList(outside.header('ratelimit')), {
      minute: { r: 9, t: 30 },
      month: { r: 999, t: left },
    });
    assert.deepEqual(parseList(outside.header('ratelimit-policy')).month, {
      q: 1000,
      w: 31 * 86_400,
    });
  });

  test('describe February, a leap year and the last second of a year', async (t) => {
    const { site, server, key } = await start(t, { clock: '2026-02-01T00:00:00Z' });
    for (const [now, w, left] of [
      ['2026-02-28T23:59:59Z', 28 * 86_400, 1],
      ['2028-02-29T12:00:00Z', 29 * 86_400, 43_200],
      ['2028-12-31T23:59:59Z', 31 * 86_400, 1],
    ]) {
      await site.clock.set(now);
      const response = await server.get(FILINGS, { key });
      assert.equal(parseList(response.header('ratelimit-policy')).month.w, w, now);
      assert.deepEqual(parseList(response.header('ratelimit')).month, { r: 99_999, t: left });
    }
  });

  test('show the month when it is used up', async (t) => {
    const site = await makeSite(t, { clock: NOON });
    const minted = await site.mint();
    const [{ no }] = await site.database.query('SELECT no FROM api_key');
    await (await site.serve()).stop(); // migrates
    const month = 2026 * 12 + 2;
    await site.database.execute(
      `INSERT INTO month_count (month, kind, caller, used)
       VALUES (${month}, 'key', CAST('${no}' AS BLOB), 100000)`,
    );
    const server = await site.serve();
    const denied = await server.get(FILINGS, { key: minted.key });
    assert.equal(denied.status, 429);
    const items = parseList(denied.header('ratelimit'));
    assert.deepEqual([items.minute.r, items.month.r], [60, 0]);
    assert.equal(items.month.t, Number(denied.header('retry-after')) - 0);
  });
});
