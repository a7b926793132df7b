// The shortest way through the whole program, on both databases: fill, serve, request with and
// without a key, stop.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';

const TRADES = 300;

onEachDatabase('a filled site', (database) => {
  const shared = useSite({ database }, async (site) => {
    const [filled] = await site.stockact('demo', '--trades', TRADES);
    return { filled, server: await site.serve(), key: await site.key({ plan: 'pack' }) };
  });

  test('demo prints its counts', () => {
    assert.equal(shared.filled.trades, TRADES);
    assert.ok(shared.filled.members > 0 && shared.filled.filings > 0);
  });

  test("a page without a key counts in the address's window", async () => {
    const response = await shared.server.get('/api/v1/trades', { from: '127.0.0.2' });
    assert.equal(response.status, 200, response.text);
    assert.equal(response.json.data.length, 25);
    assert.equal(response.limit.limit, 10);
    assert.equal(response.limit.remaining, 9);
  });

  test("a page with a key counts in the key's window", async () => {
    const response = await shared.server.get('/api/v1/trades?limit=100', { key: shared.key });
    assert.equal(response.status, 200, response.text);
    assert.equal(response.json.data.length, 100);
    assert.equal(response.limit.limit, 60);
    assert.equal(response.limit.remaining, 59);
  });

  test('an unknown key is rejected', async () => {
    const key = `svc_${'A'.repeat(43)}`;
    const response = await shared.server.get('/api/v1/trades', { key, from: '127.0.0.3' });
    assert.equal(response.status, 401);
    assert.equal(response.json.error, 'invalid_api_key');
  });

  test('a walk by cursor returns each trade once', async () => {
    const ids = [];
    const options = { key: shared.key };
    for await (const page of shared.server.pages('/api/v1/trades?limit=100', options)) {
      ids.push(...page.data.map((trade) => trade.id));
    }
    assert.equal(ids.length, TRADES);
    assert.equal(new Set(ids).size, TRADES);
  });

  test('some trades have a signal, each with a sentence about the member', async () => {
    const { data } = await shared.server.json('/api/v1/trades?conflict=true&limit=100', {
      key: shared.key,
    });
    assert.ok(data.length > 0 && data.length < TRADES / 3, `${data.length} trades`);
    for (const { politician, conflictReason } of data) {
      assert.ok(conflictReason.startsWith(`${politician.name} `), conflictReason);
      assert.match(
        conflictReason,
        / which over(sees?|saw) .+; seats as of \d{4}-\d{2}-\d{2}(,|\.)/,
      );
    }
  });

  test('the unmetered endpoints respond', async () => {
    const targets = [
      '/healthz',
      '/readyz',
      '/docs',
      '/docs/conflict',
      '/llms.txt',
      '/llms-full.txt',
      '/server.json',
      '/metrics',
    ];
    for (const target of targets) {
      assert.equal((await shared.server.get(target)).status, 200, target);
    }
  });
});

onEachDatabase('a server', (database) => {
  test('exits 0 on SIGTERM, and serves the same after a restart', async (t) => {
    const site = await makeSite(t, { database });
    await site.stockact('demo', '--trades', 50);
    const pages = [];
    for (let start = 0; start < 2; start++) {
      const server = await site.serve();
      pages.push(await server.json('/api/v1/trades?limit=100'));
      await server.stop();
    }
    assert.equal(pages[0].data.length, 50);
    assert.deepEqual(pages[1], pages[0]);
  });
});

test('a server listens on a unix socket too', async (t) => {
  const site = await makeSite(t, {});
  await site.stockact('demo', '--trades', 10);
  const server = await site.serve({ listen: `unix:${site.folder}/http.sock` });
  assert.equal((await server.json('/api/v1/trades')).data.length, 10);
});
