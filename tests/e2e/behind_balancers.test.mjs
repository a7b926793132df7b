// Two servers behind nginx, HAProxy and Caddy as configured in deploy/. Each stops and starts again
// while clients go on: no request fails.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { Client } from './lib/client.mjs';
import { freePort } from './lib/ports.mjs';
import { programPath } from './lib/programs.mjs';
import { balancerKinds, Proxy } from './lib/proxies.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const CLIENTS = 8;
const MORE = 200; // requests that both states of a server see
const TARGET = '/api/v1/trades?limit=1';

/** A site of one server on a port that stays. Each has its own database: they only answer here. */
async function makeNode(t, env) {
  const site = await makeSite(t, { env: { STOCKACT_TRUSTED_PROXIES: '127.0.0.1/32', ...env } });
  const listen = `127.0.0.1:${await freePort()}`;
  const node = { listen, start: async () => (node.server = await site.serve({ listen })) };
  await node.start();
  return node;
}

async function balance(t, kind, nodes) {
  const proxy = await Proxy.start(
    kind,
    nodes.map((node) => node.listen),
  );
  t.after(() => proxy.stop());
  return proxy.where;
}

/**
 * Clients that send one request after the other until `stop`, which returns what went wrong, or until
 * the test ends.
 */
function keepAsking(t, where) {
  const state = { count: 0, wrong: [], ended: false };
  const ask = async () => {
    const client = new Client(where);
    while (!state.ended) {
      try {
        const { status } = await client.get(TARGET, { unchecked: true });
        if (status !== 200) state.wrong.push(status);
      } catch (error) {
        state.wrong.push(error.message);
      }
      state.count++;
    }
    client.close();
  };
  const running = Array.from({ length: CLIENTS }, ask);
  const stop = async () => {
    state.ended = true;
    await Promise.all(running);
    return state.wrong;
  };
  t.after(stop);
  return {
    more: (n) => {
      const goal = state.count + n;
      return until(`${n} more requests`, async () => state.count >= goal);
    },
    stop,
  };
}

/**
 * Requests since its start. Up to one for each client may come from before it: a connection that was
 * begun while the server stopped, and repeated.
 */
const served = (node) => (node.server.log.match(/route=\/api\/v1\/trades /g) ?? []).length;

for (const kind of balancerKinds) {
  const skip = programPath(kind) ? false : `${kind} is not installed`;
  describe(`two servers behind ${kind}`, { skip }, () => {
    test('no request fails while one after the other is restarted', async (t) => {
      const env = { STOCKACT_BENCH_UNLIMITED: '1', STOCKACT_ACCESS_LOG: '1' };
      const nodes = [await makeNode(t, env), await makeNode(t, env)];
      const clients = keepAsking(t, await balance(t, kind, nodes));
      for (const node of nodes) {
        await until('it gets requests', async () => served(node) > 0);
        await node.server.stop();
        await clients.more(MORE);
        await node.start();
        await until('it gets requests again', async () => served(node) > CLIENTS);
      }
      await clients.more(MORE);
      assert.deepEqual(await clients.stop(), []);
    });

    test('a forged address never reaches the server', async (t) => {
      const node = await makeNode(t, {});
      const client = new Client(await balance(t, kind, [node, node]));
      const seen = [];
      for (let i = 0; i < 12; i++) {
        const headers = [['X-Forwarded-For', `203.0.113.${i}`]];
        const options = { from: '127.0.7.1', headers, unchecked: true };
        seen.push((await client.get(TARGET, options)).status);
      }
      assert.equal(seen.filter((status) => status === 200).length, 10);
      client.close();
    });

    test('metrics are hidden, and a form of more than 64 KiB is refused', async (t) => {
      const node = await makeNode(t, {});
      const where = await balance(t, kind, [node, node]);
      const client = new Client(where);
      for (const target of ['/metrics', '/metrics?x=1', '/%6detrics', '/metrics/'])
        assert.equal((await client.get(target, { unchecked: true })).status, 404);
      const response = await client.get('/healthz', { unchecked: true });
      assert.match(response.header('strict-transport-security'), /^max-age=\d{8,}$/);
      const send = async (size) => {
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const body = `a=${'x'.repeat(size - 2)}`;
        const options = { headers, body, unchecked: true };
        return (await client.request('POST', '/account/keys', options)).status;
      };
      assert.notEqual(await send(65_536), 413);
      assert.equal(await send(65_537), 413);
      // A server cuts a much larger one off, and the proxy may not read why. It stays healthy.
      const cut = await send(1_000_000).catch((error) => error.message);
      assert.ok([413, 502, 'closed without a response (end)'].includes(cut), String(cut));
      client.close();
      const next = new Client(where);
      assert.equal((await next.get('/healthz', { unchecked: true })).status, 200);
      next.close();
    });
  });
}
