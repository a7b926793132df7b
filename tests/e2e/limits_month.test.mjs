// The quota of a month, its counts in the database and its end (spec 8, decisions 19, 23, 26).
// The clock stands still unless a test moves it.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import {
  FILINGS,
  NOON,
  PACK,
  all,
  drawn,
  monthOf,
  presetMonth,
  startLimited,
  statuses,
} from './lib/limited_site.mjs';
import { assertPromise } from './lib/measured.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

onEachDatabase('the month', (database) => {
  test('a clean stop loses no count', async (t) => {
    const { site, server, key } = await startLimited(t, { database });
    all(await statuses(server, 7, { key }), 200);
    await server.stop();
    assert.equal(await drawn(site, NOON), 7);
    const again = await site.serve();
    all(await statuses(again, 3, { key }), 200);
    await again.stop();
    assert.equal(await drawn(site, NOON), 10);
  });

  test('a crash loses at most one second of counts', async (t) => {
    const { site, server, key } = await startLimited(t, { database });
    all(await statuses(server, 40, { key }), 200);
    const began = performance.now();
    await until('the draws are written', async () => (await drawn(site, NOON)) === 40);
    assertPromise(t, 'counts are written', performance.now() - began, 1000);
    await server.kill();
    await (await site.serve()).stop();
    assert.equal(await drawn(site, NOON), 40);
  });

  test('a key has one row per month, and old rows are deleted', async (t) => {
    const site = await makeSite(t, { database, clock: NOON });
    const key = await site.key();
    if (database === 'sqlite') {
      await presetMonth(site, '2025-02-01T00:00:00Z', 5); // 13 months before
      await presetMonth(site, '2025-01-01T00:00:00Z', 5);
    }
    const server = await site.serve();
    all(await statuses(server, 5, { key }), 200);
    await server.stop();
    const rows = await site.database.query('SELECT month, used FROM month_count ORDER BY month');
    const kept = rows.map((row) => [Number(row.month), Number(row.used)]);
    const old = database === 'sqlite' ? [[monthOf('2025-02-01'), 5]] : [];
    assert.deepEqual(kept, [...old, [monthOf(NOON), 5]]);
  });
});

describe('the month quota', () => {
  /** A server whose key has `left` requests left in the month of `clock`. */
  async function nearTheEnd(t, { clock, left, env }) {
    const site = await makeSite(t, { clock, env });
    const minted = await site.mint();
    await presetMonth(site, clock, PACK.perMonth - left);
    return { site, key: minted.key, server: await site.serve() };
  }

  test('the last request of the month is granted and the next denied', async (t) => {
    const { site, server, key } = await nearTheEnd(t, { clock: NOON, left: 1 });
    const last = await server.get(FILINGS, { key });
    assert.deepEqual([last.status, last.limit.remaining], [200, 59]);
    const denied = await server.get(FILINGS, { key });
    assert.equal(denied.status, 429);
    assert.equal(denied.limit.remaining, 59, 'the minute window, which was not drawn from');
    assert.equal(denied.limit.reset, Date.parse(NOON) / 1000 + 30);
    const wait = (Date.parse('2026-04-01T00:00:00Z') - site.clock.now) / 1000;
    assert.equal(Number(denied.header('retry-after')), wait);
  });

  test('with both windows exhausted the response has the longer wait', async (t) => {
    const { server, key } = await nearTheEnd(t, { clock: NOON, left: 60 });
    all(await statuses(server, 60, { key }), 200);
    const denied = await server.get(FILINGS, { key });
    assert.equal(denied.limit.remaining, 0);
    assert.ok(Number(denied.header('retry-after')) > 86_400);
  });

  const ends = [
    ['2026-01-31T23:59:59Z', 1],
    ['2026-02-28T23:59:30Z', 30],
    ['2028-02-29T12:00:00Z', 43_200],
    ['2026-12-31T23:59:59Z', 1],
    ['2026-03-31T00:00:00Z', 86_400],
    ['2026-04-30T12:00:00Z', 43_200],
    ['2026-01-31T23:59:59.999Z', 1],
    ['2026-03-31T23:30:00Z', 1800], // less than an hour, and still the month
  ];
  for (const TZ of ['UTC', 'America/New_York', 'Pacific/Auckland']) {
    test(`ends at the first instant of the next UTC month (TZ=${TZ})`, async (t) => {
      for (const [clock, wait] of ends) {
        const { server, key } = await nearTheEnd(t, { clock, left: 0, env: { TZ } });
        const denied = await server.get(FILINGS, { key });
        assert.equal(denied.status, 429, clock);
        assert.equal(Number(denied.header('retry-after')), wait, clock);
      }
    });
  }

  test('a new month starts at zero', async (t) => {
    const { site, server, key } = await nearTheEnd(t, { clock: '2026-03-31T23:59:59Z', left: 0 });
    assert.equal((await server.get(FILINGS, { key })).status, 429);
    await site.clock.set('2026-04-01T00:00:00Z');
    assert.equal((await server.get(FILINGS, { key })).status, 200);
    await server.stop();
    assert.equal(await drawn(site, '2026-04-01'), 1);
    assert.equal(await drawn(site, '2026-03-31'), PACK.perMonth);
  });
});
