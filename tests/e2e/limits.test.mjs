// Minute windows and a wall clock that jumps (spec 8, decisions 19, 23, 24, 26, 27); the month is in
// limits_month.test.mjs. The clock stands still unless a test moves it.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { Client } from './lib/client.mjs';
import { FILINGS, NOON, all, drawn, startLimited, statuses } from './lib/limited_site.mjs';
import { until } from './lib/until.mjs';

describe('the minute window', () => {
  test('the first request opens the window and the headers describe it', async (t) => {
    const { site, server, key } = await startLimited(t);
    const { status, limit } = await server.get(FILINGS, { key });
    assert.equal(status, 200);
    assert.deepEqual(limit, { limit: 60, remaining: 59, reset: Date.parse(NOON) / 1000 + 30 });
    assert.ok(limit.reset * 1000 > site.clock.now);
  });

  test('the last request is granted, the next one denied until the window ends', async (t) => {
    const { site, server, key } = await startLimited(t);
    all(await statuses(server, 59, { key }), 200);
    const last = await server.get(FILINGS, { key });
    assert.deepEqual([last.status, last.limit.remaining], [200, 0]);
    const denied = await server.get(FILINGS, { key });
    assert.equal(denied.status, 429);
    assert.deepEqual(denied.json, { error: 'rate_limited', retryAfterSeconds: 30 });
    assert.equal(denied.header('retry-after'), '30');
    assert.equal(denied.limit.remaining, 0);
    await site.clock.set(denied.limit.reset * 1000 - 1);
    const late = await server.get(FILINGS, { key });
    assert.deepEqual([late.status, late.header('retry-after')], [429, '1']);
    await site.clock.set(denied.limit.reset * 1000);
    const next = await server.get(FILINGS, { key });
    assert.deepEqual([next.status, next.limit.remaining], [200, 59]);
  });

  test('a burst across two windows is granted', async (t) => {
    const { site, server, key } = await startLimited(t, { clock: '2026-03-15T12:00:59.999Z' });
    all(await statuses(server, 60, { key }), 200);
    await site.clock.advance(1);
    all(await statuses(server, 60, { key }), 200);
  });

  test('denied requests count in neither window', async (t) => {
    const { site, server, key } = await startLimited(t);
    all(await statuses(server, 60, { key }), 200);
    all(await statuses(server, 500, { key }), 429);
    await server.stop();
    assert.equal(await drawn(site, NOON), 60);
  });

  test('64 concurrent callers with one key get exactly the limit', async (t) => {
    const { server, key } = await startLimited(t);
    const one = async () => {
      const client = new Client({ host: server.host, port: server.port });
      const seen = await statuses(client, 1000 / 64, { key });
      client.close();
      return seen;
    };
    const seen = (await Promise.all(Array.from({ length: 64 }, one))).flat();
    assert.equal(seen.filter((status) => status === 200).length, 60);
    assert.equal(seen.filter((status) => status === 429).length, seen.length - 60);
  });

  test('two keys of one owner have separate windows', async (t) => {
    const { site, server, minted } = await startLimited(t);
    const second = await site.key({ email: minted.email });
    all(await statuses(server, 60, { key: minted.key }), 200);
    assert.equal((await server.get(FILINGS, { key: second })).limit.remaining, 59);
  });

  test('a change of plan takes effect at once and keeps the used count', async (t) => {
    const { site, server, key, minted } = await startLimited(t);
    const setPlan = (plan) =>
      site.stockact('accounts', 'set-plan', '--email', minted.email, '--plan', plan);
    all(await statuses(server, 10, { key }), 200);
    await setPlan('den');
    const { limit } = await server.get(FILINGS, { key });
    assert.deepEqual([limit.limit, limit.remaining], [300, 289]);
    all(await statuses(server, 139, { key }), 200);
    await setPlan('pack');
    const denied = await server.get(FILINGS, { key });
    assert.deepEqual([denied.status, denied.limit.limit, denied.limit.remaining], [429, 60, 0]);
  });

  test('pipelined requests count one each', async (t) => {
    const { server, key } = await startLimited(t);
    const connection = await server.connect();
    const request = `GET ${FILINGS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    connection.send(request.repeat(5));
    const remaining = [];
    for (let i = 0; i < 5; i++) {
      remaining.push((await connection.read({ method: 'GET' })).limit.remaining);
    }
    connection.end();
    assert.deepEqual(remaining, [59, 58, 57, 56, 55]);
  });

  test('a well-formed request counts, a malformed one does not', async (t) => {
    const { server, key } = await startLimited(t);
    const etag = (await server.get(FILINGS, { key })).header('etag'); // 59 remain
    const drawing = [
      [304, 'GET', FILINGS, { headers: { 'If-None-Match': etag } }],
      [400, 'GET', `${FILINGS}?limit=0`, {}],
      [404, 'GET', '/api/v1/nothing', {}],
      [405, 'POST', FILINGS, {}],
      [200, 'HEAD', FILINGS, {}],
      [200, 'GET', '/api/v1/trades?format=csv', {}],
      [501, 'BREW', FILINGS, {}],
    ];
    let remaining = 59;
    for (const [status, method, target, options] of drawing) {
      const response = await server.request(method, target, { key, ...options });
      assert.equal(response.status, status, `${method} ${target}`);
      assert.equal(response.limit.remaining, --remaining, `${method} ${target}`);
    }
    const others = [
      [204, 'OPTIONS', FILINGS, {}],
      [413, 'GET', FILINGS, { body: 'x'.repeat(9000) }],
      [414, 'GET', `/${'x'.repeat(8192)}`, {}],
      [431, 'GET', FILINGS, { headers: { 'X-Long': 'x'.repeat(17_000) } }],
      [
        400,
        'GET',
        FILINGS,
        {
          headers: [
            ['Host', 'a'],
            ['Host', 'b'],
          ],
        },
      ],
      [200, 'GET', '/docs', {}],
      [200, 'GET', '/llms.txt', {}],
    ];
    for (const [status, method, target, options] of others) {
      const response = await server.request(method, target, { ...options, from: '127.0.0.5' });
      assert.equal(response.status, status, `${method} ${target}`);
      assert.deepEqual([response.limit.limit, response.limit.remaining], [10, 10], target);
    }
    assert.equal((await server.get(FILINGS, { key })).limit.remaining, remaining - 1);
  });
});

describe('a clock that steps', () => {
  test("a step back over a window's start opens no window twice", async (t) => {
    const { site, server, key } = await startLimited(t, { clock: '2026-03-15T12:01:05Z' });
    all(await statuses(server, 60, { key }), 200);
    await site.clock.advance(-11_000);
    const denied = await server.get(FILINGS, { key });
    assert.equal(denied.status, 429);
    assert.equal(denied.limit.remaining, 0);
    const wait = Number(denied.header('retry-after'));
    assert.ok(wait >= 1 && wait <= 60, `${wait}`);
  });

  test('a step back of less than five minutes stays in the last window', async (t) => {
    const { site, server, key } = await startLimited(t, { clock: '2026-03-15T12:10:05Z' });
    all(await statuses(server, 30, { key }), 200);
    await site.clock.advance(-4 * 60_000);
    assert.equal((await server.get(FILINGS, { key })).limit.remaining, 29);
    await site.clock.set('2026-03-15T12:10:06Z');
    assert.equal((await server.get(FILINGS, { key })).limit.remaining, 28);
    await site.clock.set('2026-03-15T12:11:00Z');
    assert.equal((await server.get(FILINGS, { key })).limit.remaining, 59);
  });

  test('a longer step back is accepted once, logged, and reopens no used window', async (t) => {
    const { site, server, key } = await startLimited(t, { clock: '2026-03-15T12:10:05Z' });
    all(await statuses(server, 60, { key }), 200);
    await site.clock.advance(-10 * 60_000);
    const back = await server.get(FILINGS, { key });
    assert.equal(back.status, 200);
    assert.ok(back.limit.reset * 1000 - site.clock.now <= 60_000);
    await until('the step is logged', () => /clock set back/.test(server.log));
    await site.clock.advance(10 * 60_000);
    assert.equal((await server.get(FILINGS, { key })).status, 429);
  });

  test('a step of a day ahead and back loses no month and gives no negative number', async (t) => {
    const { site, server, key } = await startLimited(t, { clock: '2026-03-31T12:00:05Z' });
    all(await statuses(server, 5, { key }), 200);
    await site.clock.advance(86_400_000);
    all(await statuses(server, 2, { key }), 200);
    await site.clock.advance(-86_400_000);
    all(await statuses(server, 3, { key }), 200);
    await server.stop();
    assert.equal(await drawn(site, '2026-03-31'), 8);
    assert.equal(await drawn(site, '2026-04-01'), 2);
  });
});
