// The server behind nginx and HAProxy as configured in deploy/. For any input the proxy and the
// server see the same requests, and the server uses the address that the proxy names.

import { strict as assert } from 'node:assert';
import path from 'node:path';
import test, { describe } from 'node:test';
import { Client } from './lib/client.mjs';
import { differences, disagreements } from './lib/agreement.mjs';
import { addressOf, converse, corpus, inParallel, mutants } from './lib/corpus.mjs';
import { programPath } from './lib/programs.mjs';
import { Proxy, proxyKinds } from './lib/proxies.mjs';
import { makeSite } from './lib/site.mjs';

/** A server on a trusted unix socket, and the proxy in front of it. */
async function behind(t, kind, env = {}) {
  const site = await makeSite(t, {
    clock: '2026-03-10T12:00:20Z',
    env: { STOCKACT_TRUSTED_PROXIES: 'unix', ...env },
  });
  const server = await site.serve({ listen: `unix:${path.join(site.folder, 'http.sock')}` });
  const proxy = await Proxy.start(kind, server.path);
  return { site, server, proxy };
}

for (const kind of proxyKinds) {
  const skip = programPath(kind) ? false : `${kind} is not installed`;
  describe(`behind ${kind}`, { skip }, () => {
    test('proxy and server count the same requests for the corpus and its mutants', async (t) => {
      const { server, proxy } = await behind(t, kind, {
        STOCKACT_BENCH_UNLIMITED: '1',
        STOCKACT_ACCESS_LOG: '1',
      });
      const cases = [...corpus(), ...mutants(Date.now(), 1000)];
      await inParallel(cases, ({ bytes }, index) =>
        converse(proxy.where, bytes, { from: addressOf(index), shut: false }),
      );
      const lines = await proxy.stop();
      await server.stop();
      const { found, count } = differences(lines, server.log);
      assert.deepEqual(found, []);
      assert.ok(count > 1000, `${count} requests came through`);
      assert.deepEqual(disagreements(cases, lines), []);
      t.diagnostic(`${cases.length} cases, ${lines.length} requests read, ${count} forwarded`);
    });

    test('a forged address never reaches the server', async (t) => {
      const { proxy } = await behind(t, kind);
      const client = new Client(proxy.where);
      const seen = [];
      for (let i = 0; i < 12; i++) {
        const spoofed = [
          ['X-Forwarded-For', `203.0.113.${i}`],
          ['x-forwarded-for', `198.51.100.${i}, 10.0.0.1`],
          ['X-Forwarded-For', ''],
          ['Forwarded', `for=192.0.2.${i}`],
        ].slice(i % 4);
        const { status } = await client.get('/api/v1/trades?limit=1', {
          from: '127.0.7.1',
          headers: spoofed,
        });
        seen.push(status);
      }
      assert.deepEqual(seen, [...Array(10).fill(200), 429, 429]);
      const other = await client.get('/api/v1/trades?limit=1', { from: '127.0.7.2' });
      assert.equal(other.limit.remaining, 9);
      client.close();
      await proxy.stop();
    });

    test('responses through the proxy have Strict-Transport-Security', async (t) => {
      const { proxy } = await behind(t, kind);
      const client = new Client(proxy.where);
      for (const target of ['/', '/nothing', '/healthz', '/sign-in']) {
        const response = await client.get(target, { from: '127.0.7.3' });
        assert.match(response.header('strict-transport-security'), /^max-age=\d{8,}$/, target);
      }
      client.close();
      await proxy.stop();
    });

    test('a form of 64 KiB passes, and a larger one does not', async (t) => {
      const { proxy } = await behind(t, kind);
      const client = new Client(proxy.where);
      const send = async (size) => {
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const body = `a=${'x'.repeat(size - 2)}`;
        const response = await client.request('POST', '/account/keys', {
          from: '127.0.7.4',
          headers,
          body,
          unchecked: true,
        });
        return response.status;
      };
      assert.notEqual(await send(65_536), 413);
      assert.equal(await send(65_537), 413);
      client.close();
      await proxy.stop();
    });
  });
}
