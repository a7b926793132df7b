// Identity of anonymous callers (decision 25; spec 5): addresses, proxies, and the stored data.

import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { makeSite, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const FEED = '/api/v1/trades?limit=1';
const PROXY = '127.0.0.1';

describe('callers behind a trusted proxy', () => {
  const shared = useSite(
    {
      clock: '2026-03-10T12:00:20Z',
      env: { STOCKACT_TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' },
    },
    async (site) => ({ server: await site.serve() }),
  );

  const remaining = async (forwarded, options = {}) => {
    const headers =
      forwarded === null ? [] : [forwarded].flat().map((one) => ['X-Forwarded-For', one]);
    const response = await shared.server.get(FEED, { from: PROXY, headers, ...options });
    assert.equal(response.status, 200);
    return response.limit.remaining;
  };

  // Each pair: whether the second caller, right after the first, shares its window.
  const pairs = [
    ['one /64 is one caller', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['the next /64 is another', '2001:db8:2:2::1', '2001:db8:2:3::1', false],
    ['a mapped address is its IPv4 address', '::ffff:203.0.113.5', '203.0.113.5', true],
    ['so is one behind NAT64', '64:ff9b::203.0.113.6', '203.0.113.6', true],
    ['two behind NAT64 stay two', '64:ff9b::203.0.113.7', '64:ff9b::203.0.113.8', false],
    ['a zone id says nothing', 'fe80::1%eth0', 'fe80::1', true],
    ['a port says nothing', '203.0.113.9:4711', '203.0.113.9', true],
    ['nor behind brackets', '[2001:db8:3::1]:4711', '2001:db8:3::1', true],
    ['the last untrusted hop counts', '1.2.3.4, 198.51.100.7, 10.0.0.9', '198.51.100.7', true],
    ['what stands left of it does not', '1.2.3.5, 198.51.100.8', '1.2.3.5', false],
    ['several lines are one list', ['6.6.6.6', '198.51.100.9'], '198.51.100.9', true],
  ];
  for (const [name, first, second, same] of pairs) {
    test(name, async () => {
      const before = await remaining(first);
      const after = await remaining(second);
      assert.equal(after, same ? before - 1 : 9);
    });
  }

  test("forged header lines do not hide the proxy's line", async () => {
    const before = await remaining('198.51.100.10');
    const spoofed = Array(40).fill('8.8.8.8');
    assert.equal(await remaining([...spoofed, '198.51.100.10']), before - 1);
    assert.equal(await remaining([...spoofed, '198.51.100.10, 10.0.0.3', '10.0.0.2']), before - 2);
  });

  test("after an invalid entry the peer's address counts", async () => {
    const before = await remaining(null, { from: '127.0.9.1' });
    assert.equal(await remaining('6.6.6.7, garbage', { from: '127.0.9.1' }), before - 1);
    assert.equal(await remaining('6.6.6.7'), 9);
  });

  test('more than 64 hops are not followed', async () => {
    const hops = ['7.7.7.7', ...Array(80).fill('10.0.0.1')].join(', ');
    const before = await remaining('7.7.7.7');
    await shared.server.get(FEED, { from: PROXY, forwardedFor: hops });
    assert.equal(await remaining('7.7.7.7'), before - 1);
  });
});

test('without trusted proxies the header is ignored', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:20Z' });
  const server = await site.serve();
  for (let i = 0; i < 10; i++) {
    const response = await server.get(FEED, { from: '127.0.0.5', forwardedFor: `203.0.113.${i}` });
    assert.equal(response.limit.remaining, 9 - i);
  }
  const denied = await server.get(FEED, { from: '127.0.0.5', forwardedFor: '203.0.113.99' });
  assert.equal(denied.status, 429);
  assert.equal((await server.get(FEED, { from: '127.0.0.6' })).status, 200);
});

test('callers of a unix socket without a proxy share one window, and the log warns', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:20Z' });
  const server = await site.serve({ listen: `unix:${path.join(site.folder, 'http.sock')}` });
  const before = (await server.get(FEED)).limit.remaining;
  const spoofed = await server.get(FEED, { forwardedFor: '203.0.113.1' });
  assert.equal(spoofed.limit.remaining, before - 1);
  await until('it is warned', () => /level=warn.*STOCKACT_TRUSTED_PROXIES/.test(server.log));
});

test('a trusted unix socket distinguishes callers', async (t) => {
  const site = await makeSite(t, {
    clock: '2026-03-10T12:00:20Z',
    env: { STOCKACT_TRUSTED_PROXIES: 'unix' },
  });
  const server = await site.serve({ listen: `unix:${path.join(site.folder, 'http.sock')}` });
  for (const forwardedFor of ['203.0.113.1', '203.0.113.2']) {
    assert.equal((await server.get(FEED, { forwardedFor })).limit.remaining, 9);
  }
});

test('no file and no log has the address', async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_TRUSTED_PROXIES: '127.0.0.0/8' } });
  const server = await site.serve();
  const addresses = ['203.0.113.211', '2001:db8:77:88::99'];
  for (const forwardedFor of addresses) {
    await server.get(FEED, { forwardedFor });
    await server.get('/api/v1/nowhere', { forwardedFor });
  }
  await server.stop();
  const needles = [...addresses, '2001:db8:77:88'].map((text) => Buffer.from(text));
  needles.push(Buffer.from([203, 0, 113, 211]), Buffer.from('20010db800770088', 'hex'));
  const texts = readdirSync(site.folder, { recursive: true })
    .map((name) => path.join(site.folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => [file, readFileSync(file)]);
  texts.push(['log', Buffer.from(server.log)]);
  for (const [name, bytes] of texts) {
    for (const needle of needles) assert.equal(bytes.indexOf(needle), -1, `${needle} in ${name}`);
  }
});
