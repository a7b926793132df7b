// GET /api/v1/trades/stream (decision 51): what a stream says, and how it ends.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { PACK, presetMonth } from './lib/limited_site.mjs';
import { freePort } from './lib/ports.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { STREAM, Stream, listed, metric, openEventSource, publish } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const NOON = '2026-03-15T12:00:30.000Z';
const DEMO = ['demo', '--trades', 300, '--as-of', '2026-03-14'];

/** A site with invented trades, a key and a server. Options: `env`, `plan`, `listen` and those of a
 *  site. */
async function open(t, { env, plan = 'den', listen, ...options } = {}) {
  const site = await makeSite(t, { clock: NOON, ...options });
  await site.stockact(...DEMO);
  const minted = await site.mint({ plan });
  const server = await site.serve({ env, listen });
  return { site, server, minted, key: minted.key };
}

const oldestFirst = (rows) => rows.map(({ id }) => id).reverse();

describe('a stream of trades', () => {
  const shared = useSite({ clock: NOON }, async (site) => {
    await site.stockact(...DEMO);
    const { key } = await site.mint({ plan: 'den' });
    const server = await site.serve({ env: { STOCKACT_STREAMS_PER_CALLER: '50' } });
    return { key, server };
  });

  /** A stream that closes with the test. */
  async function stream(t, options) {
    const opened = await Stream.open(shared.server, { key: shared.key, ...options });
    t.after(() => opened.close());
    return opened;
  }

  test('it sends each new trade as the list has it, oldest first', async (t) => {
    const { server, site, key } = shared;
    const followed = await stream(t);
    const { headers } = followed.response;
    assert.equal(headers['content-type'], 'text/event-stream');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-accel-buffering'], 'no');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(headers['content-length'], undefined);
    assert.ok(headers['x-ratelimit-limit']);
    await publish(site, 3, 4);
    await followed.have(12);
    const page = await server.get('/api/v1/trades?limit=12', { key });
    assert.deepEqual(followed.ids, oldestFirst(page.json.data));
    for (const { data } of followed.trades) assert.ok(page.text.includes(data), data);
    assert.ok(followed.retries[0] >= 2000 && followed.retries[0] < 4000);
    assert.equal(followed.position.id, followed.position.lastCursor);
  });

  test('its ids are cursors of the list, so that both together have every trade', async (t) => {
    const { server, site, key } = shared;
    const before = await listed(server, { key });
    const followed = await stream(t);
    await publish(site, 1, 3);
    await followed.have(3);
    const page = await server.json(`/api/v1/trades?cursor=${followed.position.id}`, { key });
    assert.deepEqual(page.data, before.slice(0, 25));
  });

  test('filters and fields work as in the list', async (t) => {
    const { server, site, key } = shared;
    const all = await stream(t);
    const cases = [
      'side=buy',
      'chamber=house',
      'amount_min=15001',
      'conflict=false',
      'industry=banks',
    ];
    const streams = await Promise.all(cases.map((one) => stream(t, { query: `?${one}` })));
    const details = await stream(t, { query: '?fields=details' });
    await publish(site, 4, 25);
    await all.have(100);
    const news = new Set(all.ids);
    for (const [i, one] of cases.entries()) {
      const wanted = (await listed(server, { key, query: `&${one}` })).filter(({ id }) =>
        news.has(id),
      );
      assert.deepEqual(await streams[i].have(wanted.length), oldestFirst(wanted), one);
    }
    await details.have(100);
    for (const { trade } of details.trades) assert.ok('details' in trade);
    assert.ok(!('details' in all.trades[0].trade));
  });

  test('since begins a stream in the past, and Last-Event-ID continues it anywhere', async (t) => {
    const { server, key } = shared;
    const rows = await listed(server, { key });
    const since = rows[150].disclosedAt;
    const wanted = oldestFirst(rows.filter(({ disclosedAt }) => disclosedAt >= since));
    const past = await stream(t, { query: `?since=${since}` });
    assert.deepEqual(await past.have(wanted.length), wanted);
    assert.equal(past.position, null);
    for (const at of [0, 31, 32, wanted.length - 2]) {
      const rest = await stream(t, { lastEventId: past.trades[at].id });
      assert.deepEqual(await rest.have(wanted.length - at - 1), wanted.slice(at + 1));
    }
    const both = await stream(t, {
      query: `?since=${since}`,
      lastEventId: past.trades[140].id,
    });
    assert.deepEqual(await both.have(wanted.length - 141), wanted.slice(141));
  });

  test('an invalid Last-Event-ID is 400 invalid_cursor', async () => {
    const { server, key } = shared;
    const filings = await server.json('/api/v1/filings?limit=1', { key });
    const { nextCursor } = await server.json('/api/v1/trades?limit=1', { key });
    const invalid = [
      [['Last-Event-ID', 'x']],
      [['Last-Event-ID', '']],
      [['Last-Event-ID', filings.nextCursor]],
      [['Last-Event-ID', `${nextCursor}A`]],
      [
        ['Last-Event-ID', nextCursor],
        ['Last-Event-ID', nextCursor],
      ],
    ];
    for (const headers of invalid) {
      const response = await server.get(STREAM, { key, headers });
      assert.equal(response.status, 400);
      assert.equal(response.json.error, 'invalid_cursor');
    }
    for (const query of ['?limit=1', '?cursor=x', '?format=csv', '?ticker=']) {
      const response = await server.get(`${STREAM}${query}`, { key });
      assert.equal(response.json.error, 'invalid_parameter', query);
    }
  });

  test('HEAD has the headers alone, OPTIONS allows the header, POST is refused', async () => {
    const { server, key } = shared;
    const head = await server.request('HEAD', STREAM, { key, unchecked: true });
    assert.equal(head.status, 200);
    assert.equal(head.header('content-type'), 'text/event-stream');
    assert.equal(head.header('cache-control'), 'no-store');
    const preflight = await server.request('OPTIONS', STREAM);
    assert.match(preflight.header('access-control-allow-headers'), /last-event-id/);
    assert.equal((await server.request('POST', STREAM, { key })).status, 405);
    assert.equal((await server.get(STREAM, { key: 'svc_x' })).status, 401);
  });

  test('a comment comes after 15 seconds without an event', async (t) => {
    const quiet = await stream(t);
    await until('the stream begins', () => quiet.position);
    await shared.site.clock.advance(14_000);
    const other = await stream(t); // its turn shows that the loops have looked at the time
    await until('another begins', () => other.position);
    assert.equal(quiet.comments, 0);
    await shared.site.clock.advance(1_000);
    await until('a comment', () => quiet.comments === 1);
    assert.equal(other.comments, 0);
  });

  test('a client that stops reading holds little memory, delays nobody, and misses nothing', async (t) => {
    const { server, site, key } = shared;
    const slow = await stream(t, { query: '?since=2000-01-01T00:00:00Z' });
    slow.pause();
    await publish(site, 10, 500);
    const other = await stream(t);
    await publish(site, 1, 1);
    await other.have(1);
    assert.ok((await metric(server, 'reply_bytes_waiting')) <= 64 * 1024);
    slow.resume();
    const rows = await listed(server, { key });
    assert.deepEqual(await slow.have(rows.length), oldestFirst(rows));
  });
});

test('an EventSource resumes after restarts and kill -9 without a gap or a duplicate', async (t) => {
  const listen = `127.0.0.1:${await freePort()}`;
  const { site, server, key } = await open(t, { listen });
  const seen = openEventSource(server, { key });
  t.after(() => seen.source.close());
  await until('it is open', () => seen.opened === 1);
  const first = await listed(server, { key });
  let now = server;
  for (const end of ['kill', 'stop', 'kill']) {
    await publish(site, 2, 5);
    const opened = seen.opened;
    await now[end]();
    await publish(site, 2, 5); // while no server runs
    now = await site.serve({ listen });
    await until('it is open again', () => seen.opened === opened + 1);
    await publish(site, 1, 7);
  }
  const rows = await listed(now, { key });
  const wanted = oldestFirst(rows).slice(first.length);
  assert.equal(wanted.length, 3 * 27);
  await until('all trades', () => seen.ids.length >= wanted.length);
  assert.deepEqual(seen.ids, wanted);
});

test('the stop of a server ends its streams with their last chunk', async (t) => {
  const { site, server, key } = await open(t);
  const followed = await Stream.open(server, { key });
  await publish(site, 1, 2);
  await followed.have(2);
  await server.stop();
  await followed.untilClosed('end');
  const [line] = server.log.split('\n').filter((one) => one.includes(`route=${STREAM}`));
  assert.match(line, /method=GET .* status=200 bytes=\d{3,} us=\d+ id=\S+ key=svc_/);
});

for (const [how, act] of Object.entries({
  'a revoked key': (site, { id }) => site.stockact('keys', 'revoke', '--id', id),
  'a plan without API access': (site, { email }) =>
    site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'scout'),
  'a disabled account': (site, { email }) => site.stockact('accounts', 'disable', '--email', email),
})) {
  test(`${how} ends its stream at once, and no other`, async (t) => {
    const { site, server, minted, key } = await open(t);
    const other = await Stream.open(server, { key: await site.key({ plan: 'pack' }) });
    const followed = await Stream.open(server, { key });
    await act(site, minted);
    await followed.untilClosed('end');
    await publish(site, 1, 1);
    await other.have(1);
    assert.deepEqual(followed.ids, []);
    other.close();
  });
}

for (const redis of [false, true]) {
  const counted = redis ? 'in Redis' : 'in the server';
  test(`every 100th event draws one, counted ${counted}`, async (t) => {
    const { site, server, key } = await open(t, { redis });
    const followed = await Stream.open(server, { key });
    t.after(() => followed.close());
    await publish(site, 1, 250);
    await followed.have(250);
    const usage = await server.json('/api/v1/usage', { key });
    assert.equal(usage.data.minute.used, 1 + 2);
    await site.clock.advance(1_000); // a key may ask once a second
    await publish(site, 1, 50);
    await followed.have(300);
    await until('the next draw', async () => {
      const { data } = await server.json('/api/v1/usage', { key });
      await site.clock.advance(1_000);
      return data.minute.used === 1 + 3;
    });
  });
}

test('at the limit the stream ends after an event, says when to return, and goes on there', async (t) => {
  const { site, server } = await open(t);
  const from = '127.0.0.9'; // 10 a minute
  const followed = await Stream.open(server, { from });
  await publish(site, 3, 400);
  await followed.untilClosed('end');
  assert.equal(followed.trades.length, 1000, 'one draw for the connection, nine for events');
  assert.equal(followed.retries.at(-1), 30_000);
  assert.equal((await server.get(STREAM, { from })).status, 429);
  await site.clock.advance(30_000);
  const rest = await Stream.open(server, { from, lastEventId: followed.trades.at(-1).id });
  t.after(() => rest.close());
  await rest.have(200);
  assert.equal(new Set([...followed.ids, ...rest.ids]).size, 1200);
});

test('a month that is used up ends the stream, which may return after an hour', async (t) => {
  const site = await makeSite(t, { clock: NOON });
  await site.stockact(...DEMO);
  const key = await site.key({ plan: 'pack' });
  await presetMonth(site, NOON, PACK.perMonth - 1);
  const server = await site.serve();
  const followed = await Stream.open(server, { key });
  await publish(site, 1, 150);
  await followed.untilClosed('end');
  assert.equal(followed.trades.length, 100);
  assert.equal(followed.retries.at(-1), 3_600_000);
});

test('a stream ends when Redis does not answer its draw', async (t) => {
  const { site, server, key } = await open(t, { redis: true });
  const followed = await Stream.open(server, { key });
  await publish(site, 1, 99);
  await followed.have(99);
  await site.redis.stop();
  await publish(site, 1, 2);
  await followed.untilClosed('end');
  assert.equal(followed.trades.length, 100);
  assert.equal(followed.retries.at(-1), 1_000);
});

test('streams are bounded in all and for each caller', async (t) => {
  const env = { STOCKACT_STREAMS: '3', STOCKACT_STREAMS_PER_CALLER: '2' };
  const { site, server, key } = await open(t, { env });
  const one = await Stream.open(server, { key });
  const two = await Stream.open(server, { key });
  const refused = await server.get(STREAM, { key });
  assert.equal(refused.status, 429);
  assert.equal(refused.header('retry-after'), '10');
  assert.deepEqual(refused.json, { error: 'rate_limited', retryAfterSeconds: 10 });
  assert.equal((await server.json('/api/v1/usage', { key })).data.minute.used, 2);
  const three = await Stream.open(server, { from: '127.0.0.9' });
  const full = await server.get(STREAM, { from: '127.0.0.10' });
  assert.equal(full.status, 503);
  assert.ok(full.header('retry-after'));
  assert.equal(full.limit.remaining, 10);
  assert.equal(await metric(server, 'streams_open'), 3);
  assert.equal(await metric(server, 'streams_refused_total{reason="full"}'), 1);
  assert.equal(await metric(server, 'streams_refused_total{reason="caller"}'), 1);
  one.close();
  await until('its place is free', async () => (await metric(server, 'streams_open')) === 2);
  const four = await Stream.open(server, { key });
  await publish(site, 1, 3);
  for (const stream of [two, three, four]) {
    await stream.have(3);
    stream.close();
  }
  await until('all places are free', async () => (await metric(server, 'streams_open')) === 0);
  assert.equal(await metric(server, 'stream_events_total'), 9);
});
