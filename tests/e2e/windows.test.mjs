// Minute windows, month quotas and the clock, as a caller sees them (spec 8; decisions 23, 24, 27).

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { makeSite, useSite } from './lib/site.mjs';

const FEED = '/api/v1/trades?limit=1';

/** Sends `count` requests one after the other; returns the responses. */
async function draw(server, count, options) {
  const responses = [];
  for (let i = 0; i < count; i++) responses.push(await server.get(FEED, options));
  return responses;
}

const statuses = (responses) => responses.map((response) => response.status);

/** The wait that a 429 must state at `now` (milliseconds). */
const waitUntil = (resetSeconds, now) => Math.max(1, Math.ceil(resetSeconds - now / 1000));

async function clockedSite(t, instant, { plan = 'pack', ...options } = {}) {
  const site = await makeSite(t, { clock: instant, ...options });
  const minted = await site.mint({ plan });
  const server = await site.serve();
  return { site, server, clock: site.clock, ...minted };
}

describe('minute window', () => {
  test('the first request of a key leaves 59 of 60 until the next minute', async (t) => {
    const { server, clock, key } = await clockedSite(t, '2026-03-10T12:00:20.500Z');
    const response = await server.get(FEED, { key });
    assert.equal(response.status, 200);
    const { limit, remaining, reset } = response.limit;
    assert.deepEqual({ limit, remaining }, { limit: 60, remaining: 59 });
    assert.equal(reset, Date.parse('2026-03-10T12:01:00Z') / 1000);
    assert.ok(reset > clock.now / 1000 && reset <= clock.now / 1000 + 60);
  });

  test('the 60th request is granted with 0 remaining and the 61st says how long to wait', async (t) => {
    const { server, clock, key } = await clockedSite(t, '2026-03-10T12:00:20.500Z');
    const granted = await draw(server, 60, { key });
    assert.ok(statuses(granted).every((status) => status === 200));
    assert.deepEqual(granted.map((one) => one.limit.remaining), [...Array(60).keys()].reverse());
    const denied = await server.get(FEED, { key });
    assert.equal(denied.status, 429);
    assert.equal(denied.limit.remaining, 0);
    const wait = waitUntil(denied.limit.reset, clock.now);
    assert.equal(wait, 40);
    assert.deepEqual(denied.json, { error: 'rate_limited', retryAfterSeconds: wait });
    assert.equal(denied.header('retry-after'), String(wait));
  });

  test('one millisecond before the reset the wait is 1, at the reset the window is new', async (t) => {
    const { server, clock, key } = await clockedSite(t, '2026-03-10T12:00:20Z');
    await draw(server, 60, { key });
    await clock.set('2026-03-10T12:00:59.999Z');
    const denied = await server.get(FEED, { key });
    assert.deepEqual([denied.status, denied.header('retry-after')], [429, '1']);
    await clock.set('2026-03-10T12:01:00.000Z');
    const granted = await server.get(FEED, { key });
    assert.deepEqual([granted.status, granted.limit.remaining], [200, 59]);
  });

  test('a burst across the edge of two windows is granted whole', async (t) => {
    const { server, clock, key } = await clockedSite(t, '2026-03-10T12:00:59.900Z');
    const before = await draw(server, 60, { key });
    await clock.set('2026-03-10T12:01:00.000Z');
    const after = await draw(server, 60, { key });
    assert.deepEqual(new Set(statuses([...before, ...after])), new Set([200]));
  });

  test('64 connections at one key get exactly the limit', async (t) => {
    const { server, key } = await clockedSite(t, '2026-03-10T12:00:20Z');
    const each = await Promise.all(
      [...Array(64).keys()].map(async () => {
        const connection = await server.connect();
        const seen = [];
        for (let i = 0; i < 25; i++) {
          connection.send(
            `GET ${FEED} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
          );
          seen.push((await connection.read({ method: 'GET' })).status);
        }
        connection.end();
        return seen;
      }),
    );
    const all = each.flat();
    assert.equal(all.filter((status) => status === 200).length, 60);
    assert.equal(all.filter((status) => status === 429).length, 64 * 25 - 60);
  });

  test('two keys of one owner have windows of their own', async (t) => {
    const { site, server, key, email } = await clockedSite(t, '2026-03-10T12:00:20Z');
    const second = await site.key({ email });
    await draw(server, 60, { key });
    assert.equal((await server.get(FEED, { key })).status, 429);
    assert.equal((await server.get(FEED, { key: second })).limit.remaining, 59);
  });

  test('a new plan counts at once and keeps what was used', async (t) => {
    const { site, server, key, email } = await clockedSite(t, '2026-03-10T12:00:20Z');
    await draw(server, 60, { key });
    assert.equal((await server.get(FEED, { key })).status, 429);
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'den');
    const more = await draw(server, 90, { key });
    assert.deepEqual(more[0].limit.limit, 300);
    assert.equal(more[0].limit.remaining, 239);
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'pack');
    const denied = await server.get(FEED, { key });
    assert.deepEqual([denied.status, denied.limit.limit, denied.limit.remaining], [429, 60, 0]);
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'wolf');
    const refused = await server.get(FEED, { key, from: '127.0.0.77' });
    assert.equal(refused.status, 403);
    assert.equal(refused.json.error, 'plan_has_no_api_access');
    assert.ok(refused.json.hint);
    assert.equal(refused.limit.limit, 10, 'a key without access draws from its address');
  });

  test('pipelined requests draw one each, in order', async (t) => {
    const { server, key } = await clockedSite(t, '2026-03-10T12:00:20Z');
    const connection = await server.connect();
    const one = `GET ${FEED} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    connection.send(one.repeat(20));
    for (let left = 59; left >= 40; left--) {
      const response = await connection.read({ method: 'GET' });
      assert.equal(response.limit.remaining, left);
    }
    connection.end();
  });
});

describe('what draws and what does not', () => {
  const shared = useSite({ clock: '2026-03-10T12:00:20Z' }, async (site) => ({
    server: await site.serve(),
  }));

  /** How much of the window of `from` the request used. */
  async function cost(from, request) {
    const before = (await shared.server.get(FEED, { from })).limit.remaining;
    await request();
    return before - 1 - (await shared.server.get(FEED, { from })).limit.remaining;
  }

  const drawing = [
    ['GET', '/api/v1/trades?limit=0', {}, 400],
    ['GET', '/api/v1/trades?cursor=nonsense', {}, 400],
    ['GET', '/api/v1/trades', { headers: { Authorization: 'Bearer svc_wrong' } }, 401],
    ['GET', '/api/v1/trades?format=csv', {}, 403],
    ['GET', '/api/v1/nowhere', {}, 404],
    ['GET', '/api/v1/politicians/nobody-at-all', {}, 404],
    ['POST', '/api/v1/trades', {}, 405],
    ['HEAD', '/api/v1/trades', {}, 200],
    ['GET', '/api/v1/openapi.json', {}, 200],
    ['BREW', '/api/v1/trades', {}, 501],
  ];
  drawing.forEach(([method, target, options, status], i) => {
    test(`${method} ${target} answers ${status} and draws one`, async () => {
      const from = `127.0.1.${i + 1}`;
      const used = await cost(from, async () => {
        const response = await shared.server.request(method, target, { ...options, from });
        assert.equal(response.status, status);
      });
      assert.equal(used, 1);
    });
  });

  const free = [
    ['OPTIONS', '/api/v1/trades', {}, 204],
    ['GET', '/healthz', {}, 200],
    ['GET', '/readyz', {}, 200],
    ['GET', '/docs', {}, 200],
    ['GET', '/llms.txt', {}, 200],
    ['GET', '/llms-full.txt', {}, 200],
    ['GET', '/nowhere', {}, 404],
  ];
  free.forEach(([method, target, options, status], i) => {
    test(`${method} ${target} answers ${status} and draws nothing`, async () => {
      const from = `127.0.2.${i + 1}`;
      const used = await cost(from, async () => {
        const response = await shared.server.request(method, target, { ...options, from });
        assert.equal(response.status, status);
        assert.equal(response.limit.limit, 10);
      });
      assert.equal(used, 0);
    });
  });

  test('a 304 draws one', async () => {
    const from = '127.0.3.1';
    const first = await shared.server.get(FEED, { from });
    const again = await shared.server.get(FEED, {
      from, headers: { 'If-None-Match': first.header('etag') },
    });
    assert.equal(again.status, 304);
    assert.equal(again.limit.remaining, first.limit.remaining - 1);
  });
});

describe('month quota', () => {
  /** Sets what a key has used in the month of the clock, as the store holds it, before serving. */
  async function siteWithUsed(t, instant, used) {
    const site = await makeSite(t, { clock: instant });
    const minted = await site.mint({ plan: 'pack' });
    const warm = await site.serve();
    await warm.get(FEED, { key: minted.key });
    await warm.stop();
    await site.database.execute(`UPDATE month_count SET used = ${used}`);
    return { site, clock: site.clock, server: await site.serve(), ...minted };
  }

  test('the 100,000th request of a month is granted and the next is not', async (t) => {
    const { server, key } = await siteWithUsed(t, '2026-03-10T12:00:20Z', 99_999);
    assert.equal((await server.get(FEED, { key })).status, 200);
    const denied = await server.get(FEED, { key });
    assert.equal(denied.status, 429);
    const seconds = (Date.parse('2026-04-01T00:00:00Z') - Date.parse('2026-03-10T12:00:20Z')) / 1000;
    assert.equal(denied.json.retryAfterSeconds, seconds);
    assert.equal(denied.limit.remaining, 58, 'the headers describe the minute, which is not drawn');
    assert.equal((await server.get(FEED, { key })).limit.remaining, 58);
  });

  test('with both exhausted the wait is the month’s', async (t) => {
    const { server, key } = await siteWithUsed(t, '2026-03-10T12:00:20Z', 99_941);
    const granted = await draw(server, 59, { key });
    assert.ok(statuses(granted).every((status) => status === 200));
    const denied = await draw(server, 3, { key });
    for (const one of denied) {
      assert.equal(one.status, 429);
      assert.ok(one.json.retryAfterSeconds > 3600);
    }
  });

  test('denied requests do not count towards the month', async (t) => {
    const { site, server, key } = await clockedSite(t, '2026-03-10T12:00:20Z');
    const all = await draw(server, 160, { key });
    assert.equal(statuses(all).filter((status) => status === 200).length, 60);
    await server.stop();
    const rows = await site.database.query('SELECT used FROM month_count');
    assert.deepEqual(rows.map((row) => Number(row.used)), [60]);
  });

  const edges = [
    ['2026-01-31T23:59:59Z', 1],
    ['2026-02-28T23:59:30Z', 30],
    ['2028-02-29T12:00:00Z', 43_200],
    ['2026-12-31T23:59:59Z', 1],
    ['2026-03-31T00:00:00Z', 86_400],
    ['2026-04-30T23:00:00Z', 3_600],
    ['2026-03-31T23:30:00Z', 1_800],
    ['2026-08-31T23:59:59.999Z', 1],
  ];
  for (const zone of ['UTC', 'America/New_York', 'Pacific/Auckland']) {
    test(`the wait ends with the UTC month, in the zone ${zone} too`, async (t) => {
      const site = await makeSite(t, { clock: edges[0][0], env: { TZ: zone } });
      const { key } = await site.mint({ plan: 'pack' });
      const warm = await site.serve();
      for (const [instant] of edges) {
        await site.clock.set(instant);
        await warm.get(FEED, { key });
      }
      await warm.stop();
      await site.database.execute('UPDATE month_count SET used = 100000');
      for (const [instant, wait] of edges) {
        await site.clock.set(instant);
        const server = await site.serve();
        const denied = await server.get(FEED, { key });
        assert.equal(denied.status, 429, instant);
        assert.equal(denied.json.retryAfterSeconds, wait, instant);
        await server.stop();
      }
    });
  }

  test('a new month begins with nothing used, and each month has its own row', async (t) => {
    const { site, server, clock, key } = await siteWithUsed(t, '2026-03-31T23:59:58Z', 100_000);
    assert.equal((await server.get(FEED, { key })).status, 429);
    await clock.set('2026-04-01T00:00:00Z');
    assert.equal((await server.get(FEED, { key })).status, 200);
    await server.stop();
    const rows = await site.database.query('SELECT month, used FROM month_count ORDER BY month');
    assert.deepEqual(rows.map((row) => Number(row.used)), [100_000, 1]);
  });

  test('a clean stop keeps the exact count; a restart does not open the minute again by month', async (t) => {
    const { site, server, key } = await clockedSite(t, '2026-03-10T12:00:20Z');
    await draw(server, 37, { key });
    await server.stop();
    const rows = await site.database.query('SELECT used FROM month_count');
    assert.deepEqual(rows.map((row) => Number(row.used)), [37]);
  });
});

describe('the clock', () => {
  test('11 seconds back across a minute opens nothing again', async (t) => {
    const { server, clock, key } = await clockedSite(t, '2026-03-10T12:00:58Z');
    await draw(server, 60, { key });
    await clock.set('2026-03-10T12:01:05Z');
    await draw(server, 60, { key });
    await clock.advance(-11_000);
    const denied = await server.get(FEED, { key });
    assert.equal(denied.status, 429);
    assert.ok(denied.json.retryAfterSeconds <= 60);
    assert.equal(denied.limit.remaining, 0);
  });

  test('five minutes back waits for time to catch up', async (t) => {
    const { server, clock, key } = await clockedSite(t, '2026-03-10T12:10:30Z');
    const first = await server.get(FEED, { key });
    await clock.set('2026-03-10T12:05:30Z');
    const second = await server.get(FEED, { key });
    assert.equal(second.limit.remaining, first.limit.remaining - 1);
    await clock.set('2026-03-10T12:10:29Z');
    const third = await server.get(FEED, { key });
    assert.equal(third.limit.remaining, first.limit.remaining - 2);
    await clock.set('2026-03-10T12:11:00Z');
    assert.equal((await server.get(FEED, { key })).limit.remaining, 59);
  });

  test('a longer step back is accepted once, and no used window is fresh again', async (t) => {
    const { server, clock, key } = await clockedSite(t, '2026-03-10T10:00:30Z');
    await draw(server, 60, { key });
    await clock.set('2026-03-10T12:00:30Z');
    await draw(server, 3, { key });
    await clock.set('2026-03-10T10:00:40Z');
    assert.equal((await server.get(FEED, { key })).status, 429);
    await clock.set('2026-03-10T10:01:00Z');
    const later = await server.get(FEED, { key });
    assert.equal(later.status, 200);
    assert.equal(later.limit.reset, Date.parse('2026-03-10T10:02:00Z') / 1000);
  });

  test('a day forward and back loses no month and shows no negative number', async (t) => {
    const { site, server, clock, key } = await clockedSite(t, '2026-03-31T12:00:30Z');
    await draw(server, 10, { key });
    await clock.advance(86_400_000);
    await draw(server, 5, { key });
    await clock.advance(-86_400_000);
    const back = await server.get(FEED, { key });
    assert.ok(back.limit.remaining >= 0 && back.limit.remaining < 60);
    await server.stop();
    const rows = await site.database.query('SELECT month, used FROM month_count ORDER BY month');
    const march = Number(rows[0].used);
    assert.ok(march >= 10 && march <= 11, `March holds ${march}`);
    assert.equal(Number(rows[1].used), 5);
  });
});
