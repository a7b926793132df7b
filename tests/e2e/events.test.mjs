// GET /api/v1/events, which `stockact listen` follows (decision 40).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { WHY } from './lib/changing.mjs';
import { Delivering } from './lib/delivering.mjs';
import { openListening as open } from './lib/listening.mjs';
import { onEachDatabase } from './lib/site.mjs';

async function eventsOf(site) {
  return site.database.query('SELECT id, type, body FROM event ORDER BY no');
}

onEachDatabase('events', (kind) => {
  test('a cursor continues after a restored backup with what came later', async (t) => {
    const clock = '2026-03-10T12:00:00.000Z';
    const hooks = await Delivering.open(t, { database: kind, clock });
    const { site } = hooks;
    let server = await hooks.serve();
    const key = await site.key({ plan: 'den' });
    const page = (query) => server.json(`/api/v1/events?${query}`, { key });
    await hooks.publish(3);
    await server.stop();
    await site.database.save();

    server = await hooks.serve();
    await site.clock.advance(60_000);
    await hooks.publish(2); // lost by the restore
    const { lastCursor } = await page('limit=1');
    await server.stop();
    await site.database.restore();

    server = await hooks.serve();
    assert.deepEqual((await page(`cursor=${lastCursor}`)).data, []);
    await site.clock.advance(60_000);
    await hooks.publish(4);
    const [, , , ...later] = (await eventsOf(site)).map(({ id }) => id);
    const rest = await page(`cursor=${lastCursor}`);
    assert.deepEqual(
      rest.data.map(({ id }) => id),
      later,
    );
    assert.equal(rest.nextCursor, null);
  });

  test('pages of events are complete, bounded, filtered and described by their cursors', async (t) => {
    const { hooks, site, server, key } = await open(t, { kind });
    const get = (query) => server.json(`/api/v1/events${query}`, { key });
    const empty = await get('');
    assert.deepEqual([empty.data, empty.nextCursor], [[], null]);
    await hooks.publish(7);
    const { data } = await server.json('/api/v1/trades?limit=1', { key });
    await site.stockact('withdraw', data[0].id, ...WHY);
    await site.stockact('reinstate', data[0].id, ...WHY);
    const events = await eventsOf(site);
    assert.equal(events.length, 9, 'no endpoint is needed');

    const seen = [];
    for (let cursor = empty.lastCursor; cursor;) {
      const response = await server.get(`/api/v1/events?limit=4&cursor=${cursor}`, { key });
      const page = response.json;
      seen.push(...page.data);
      // the bytes of a webhook
      for (const { id } of page.data) {
        const { body } = events.find((one) => one.id === id);
        assert.ok(response.text.includes(`"body":${body}}`), id);
      }
      assert.equal(page.lastCursor, page.nextCursor ?? page.lastCursor);
      cursor = page.nextCursor;
    }
    assert.deepEqual(
      seen.map(({ id, event, body }) => [id, event, JSON.stringify(body)]),
      events.map(({ id, type, body }) => [id, type, JSON.stringify(JSON.parse(body))]),
    );
    assert.ok(seen.every(({ at }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at)));

    const of = async (types) => (await get(`?events=${types}&limit=100`)).data.map((e) => e.event);
    assert.deepEqual(await of('trade.withdrawn'), ['trade.withdrawn']);
    assert.deepEqual(await of('trade.reinstated,trade.withdrawn'), [
      'trade.withdrawn',
      'trade.reinstated',
    ]);
    assert.deepEqual(
      (await get('?limit=2')).data.map((e) => e.event),
      ['trade.withdrawn', 'trade.reinstated'],
    );
    const none = await get(`?events=trade.corrected&cursor=${empty.lastCursor}`);
    assert.deepEqual([none.data, none.nextCursor], [[], null]);
    assert.equal(none.lastCursor, (await get('')).lastCursor, 'it need not read them again');

    for (const query of [
      'events=',
      'events=trade',
      'events=trade.published,trade.published',
      'a=1',
    ])
      assert.equal((await server.get(`/api/v1/events?${query}`, { key })).status, 400, query);
    const changes = await server.json('/api/v1/changes?limit=1', { key });
    const other = await server.get(`/api/v1/events?cursor=${changes.lastCursor}`, { key });
    assert.equal(other.json.error, 'invalid_cursor');
  });
});

test('large events do not make large pages, and one that is too large is named', async (t) => {
  const { hooks, site, server, key, receiver, listen } = await open(t);
  const listener = await listen();
  await hooks.publish(5, { rows: 300 });
  await site.database.execute(
    "UPDATE event SET body = '{\"x\":\"' || printf('%.*c', 16000000, 'x') || '\"}' WHERE no = 5",
  );
  const { lastCursor } = await server.json('/api/v1/events?events=trade.withdrawn', { key });
  assert.ok(lastCursor);
  const first = await server.json('/api/v1/events?limit=100', { key });
  assert.ok(first.data.length < 5 && first.nextCursor, 'more than 256 KB in all');
  await listener.untilEvents(5);
  assert.equal(receiver.requests.length, 4);
  assert.match(listener.events[4].error, /too large for the API/);
  const { accepted, failed } = await listener.interrupt();
  assert.deepEqual([accepted, failed], [4, 1]);
});
