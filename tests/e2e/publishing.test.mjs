// The guarantees of a publication (decision 1; spec 8, cursor rules 4 and 5): its disclosedAt is
// later than every earlier one, whatever the clock and other publishers do; every server serves it;
// and servers that share a database and a Redis share the callers' windows.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { Redis } from './lib/redis.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const publish = (site, n) => site.stockact('demo', '--publish', n, '--rows', 2);

onEachDatabase('publications', (kind) => {
  test('disclosedAt only increases when the clock steps back and two commands publish', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-03-10T12:00:00Z' });
    await site.stockact('demo', '--trades', 100, '--as-of', '2026-03-01');
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const told = await publish(site, 2);
    for (const step of [-3_600_000, -60_000, 0]) {
      await site.clock.advance(step);
      const before = told.at(-1).disclosedAt;
      const both = (await Promise.all([publish(site, 4), publish(site, 4)])).flat();
      both.sort((a, b) => a.publication - b.publication);
      assert.ok(both[0].disclosedAt > before, `${both[0].disclosedAt} > ${before}`);
      told.push(...both);
    }
    const instants = told.map((one) => one.disclosedAt);
    assert.deepEqual(instants, [...new Set(instants)].sort(), 'increasing with the publication');

    const { data } = await server.json('/api/v1/trades?limit=100', { key });
    const shown = [...new Set(data.map((trade) => trade.disclosedAt))].slice(0, instants.length);
    assert.deepEqual(shown.reverse(), instants);
    const since = encodeURIComponent(instants.at(-3));
    const synced = await server.json(`/api/v1/trades?since=${since}`, { key });
    assert.equal(synced.data.length, 3 * 2, 'syncing from an instant sees it and all after it');
  });

  test('a server that started empty serves new trades, and says when they are invented', async (t) => {
    const site = await makeSite(t, { database: kind });
    const server = await site.serve();
    const { key } = await site.mint({ plan: 'pack' });
    const invented = async (path) => /are invented/.test((await server.get(path)).text);
    assert.equal(await invented('/docs'), false);
    await site.stockact('demo', '--trades', 50, '--as-of', '2026-03-01');
    // the command waits a second for the server, which a sanitizer may slow down more than that
    const served = async () => (await server.json('/api/v1/trades?limit=100', { key })).data.length;
    await until('the trades are served', async () => (await served()) === 50);
    await until('the pages say so', async () => (await invented('/docs')) && invented('/'));
  });
});

test('two servers on one database serve the same pages and share every window', async (t) => {
  const site = await makeSite(t, {
    database: 'postgresql',
    redis: true,
    clock: '2026-03-10T12:00:05Z',
  });
  await site.stockact('demo', '--trades', 100, '--as-of', '2026-03-01');
  const { id, key } = await site.mint({ plan: 'pack' });
  const servers = [await site.serve(), await site.serve()];
  await publish(site, 1);
  const pages = await Promise.all(servers.map((one) => one.get('/api/v1/trades', { key })));
  assert.equal(pages[0].text, pages[1].text);
  assert.equal(pages[0].header('etag'), pages[1].header('etag'));

  const statuses = await Promise.all(
    [...Array(100).keys()].map(async (i) => {
      const response = await servers[i % 2].get('/api/v1/trades?limit=1', { key });
      return response.status;
    }),
  );
  assert.equal(statuses.filter((status) => status === 200).length, 58);
  assert.equal(statuses.filter((status) => status === 429).length, 42);

  await site.redis.stop();
  await until('both say that they cannot count', async () => {
    const responses = await Promise.all(servers.map((one) => one.get('/api/v1/filings', { key })));
    return responses.every((one) => one.status === 503 && one.header('retry-after') === '1');
  });
  const again = await Redis.start({ port: site.redis.port });
  t.after(() => again.stop());
  await until('both count on from where they were', async () => {
    const responses = await Promise.all(servers.map((one) => one.get('/api/v1/filings', { key })));
    return responses.every((one) => one.status === 429);
  });

  await site.clock.advance(60_000);
  await site.stockact('keys', 'revoke', '--id', id);
  for (const one of servers) assert.equal((await one.get('/api/v1/trades', { key })).status, 401);
});
