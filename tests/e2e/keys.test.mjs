// Keys: their form, responses to invalid keys, minting and revoking (spec 5, 7; decisions 19, 21,
// 22).

import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';

const FEED = '/api/v1/trades?limit=1';
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('sending a key', () => {
  const shared = useSite(
    { clock: '2026-03-10T12:00:20Z', env: { STOCKACT_TRUSTED_PROXIES: '127.0.0.0/8' } },
    async (site) => ({ server: await site.serve(), key: await site.key({ plan: 'den' }) }),
  );
  let caller = 0;
  const get = (headers) =>
    shared.server.get(FEED, {
      headers: [...headers, ['X-Forwarded-For', `198.18.0.${++caller % 250}`]],
    });

  const accepted = [
    ['bearer', (key) => [['Authorization', `Bearer ${key}`]]],
    ['bearer in lower case', (key) => [['authorization', `bearer ${key}`]]],
    ['bearer in capitals', (key) => [['AUTHORIZATION', `BEARER ${key}`]]],
    ['X-Api-Key', (key) => [['X-Api-Key', key]]],
    [
      'both, the first right',
      (key) => [
        ['Authorization', `Bearer ${key}`],
        ['X-Api-Key', 'x'],
      ],
    ],
  ];
  for (const [name, headers] of accepted) {
    test(`${name} is accepted`, async () => {
      const response = await get(headers(shared.key));
      assert.equal(response.status, 200);
      assert.equal(response.limit.limit, 300);
    });
  }

  const refused = [
    [
      'another scheme beside a valid X-Api-Key',
      (key) => [
        ['Authorization', 'Basic x'],
        ['X-Api-Key', key],
      ],
    ],
    [
      'an empty Authorization beside a valid X-Api-Key',
      (key) => [
        ['Authorization', ''],
        ['X-Api-Key', key],
      ],
    ],
    ['a scheme alone', () => [['Authorization', 'Bearer']]],
    ['an empty key', () => [['Authorization', 'Bearer ']]],
    [
      'two Authorization headers',
      (key) => [
        ['Authorization', `Bearer ${key}`],
        ['Authorization', `Bearer ${key}`],
      ],
    ],
    [
      'two X-Api-Key headers',
      (key) => [
        ['X-Api-Key', key],
        ['X-Api-Key', key],
      ],
    ],
    ['an empty X-Api-Key', () => [['X-Api-Key', '']]],
    ['a bare key as Authorization', (key) => [['Authorization', key]]],
    ['two keys in one header', (key) => [['Authorization', `Bearer ${key} ${key}`]]],
    ['a key cut short', (key) => [['X-Api-Key', key.slice(0, -1)]]],
    ['a key made longer', (key) => [['X-Api-Key', `${key}A`]]],
    ['a key in capitals', (key) => [['X-Api-Key', key.toUpperCase()]]],
    ['another prefix', (key) => [['X-Api-Key', `abc_${key.slice(4)}`]]],
    ['padding', (key) => [['X-Api-Key', `${key.slice(0, -1)}=`]]],
    ['the other base64 alphabet', (key) => [['X-Api-Key', `${key.slice(0, -1)}+`]]],
    ['4,000 characters', (key) => [['X-Api-Key', key.padEnd(4000, 'A')]]],
  ];
  for (const [name, headers] of refused) {
    test(`${name} is a 401 that tells nothing`, async () => {
      const response = await get(headers(shared.key));
      assert.equal(response.status, 401);
      assert.equal(response.json.error, 'invalid_api_key');
      assert.match(response.header('www-authenticate'), /^Bearer/);
      assert.equal(response.limit.limit, 10, 'drawn from the address');
      const unknown = await get([['X-Api-Key', `svc_${'A'.repeat(43)}`]]);
      assert.deepEqual(response.json, unknown.json);
    });
  }

  test('a last character with the same leading bits is a different key', async () => {
    const last = DIGITS.indexOf(shared.key.at(-1));
    for (let low = 0; low < 4; low++) {
      const other = DIGITS[(last & ~3) | low];
      const response = await get([['X-Api-Key', shared.key.slice(0, -1) + other]]);
      assert.equal(response.status, other === shared.key.at(-1) ? 200 : 401);
    }
  });

  test('guesses are limited to ten a minute and count against no key', async () => {
    const from = '127.0.4.1';
    const bad = () =>
      shared.server.get(FEED, { from, headers: { 'X-Api-Key': `svc_${'B'.repeat(43)}` } });
    const before = (await shared.server.get(FEED, { key: shared.key, from })).limit.remaining;
    for (let i = 0; i < 10; i++) assert.equal((await bad()).status, 401);
    const denied = await bad();
    assert.equal(denied.status, 429);
    assert.equal(denied.json.error, 'rate_limited');
    const valid = await shared.server.get(FEED, { key: shared.key, from });
    assert.deepEqual([valid.status, valid.limit.remaining], [200, before - 1]);
    assert.equal((await shared.server.get(FEED, { from })).status, 429);
  });

  test('an anonymous caller over the limit gets 429 for a bad key too', async () => {
    const from = '127.0.4.2';
    for (let i = 0; i < 10; i++) {
      assert.equal((await shared.server.get(FEED, { from })).status, 200);
    }
    const bad = await shared.server.get(FEED, { from, headers: { 'X-Api-Key': 'svc_x' } });
    assert.equal(bad.status, 429);
  });
});

onEachDatabase('the life of a key', (kind) => {
  test('minting and revoking take effect with the next request', async (t) => {
    const site = await makeSite(t, { database: kind });
    const email = await site.account({ plan: 'pack' });
    const server = await site.serve();
    const { key, id, prefix } = await site.mint({ email, name: 'newsroom' });
    assert.match(key, /^svc_[A-Za-z0-9_-]{43}$/);
    assert.equal(prefix, key.slice(0, 12));
    const connection = await server.connect();
    const ask = async () => {
      connection.send(`GET ${FEED} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`);
      return (await connection.read({ method: 'GET' })).status;
    };
    assert.equal(await ask(), 200);
    await site.stockact('keys', 'revoke', '--id', id);
    assert.equal(await ask(), 401);
    const listed = (await site.stockact('keys', 'list', '--email', email)).find(
      (one) => one.id === id,
    );
    assert.equal(listed.name, 'newsroom');
    assert.equal(listed.prefix, prefix);
    assert.ok(listed.createdAt);
    assert.ok(listed.revokedAt);
    assert.ok(!JSON.stringify(listed).includes(key));
    connection.end();
  });

  test('twenty concurrent mints create exactly three keys under a cap of three', async (t) => {
    const site = await makeSite(t, { database: kind });
    const email = await site.account({ plan: 'pack' });
    const mints = await Promise.all(
      [...Array(20).keys()].map((i) =>
        site.run(['keys', 'mint', '--email', email, '--name', `k${i}`, '--json']),
      ),
    );
    const codes = mints.map((one) => one.code).sort();
    assert.deepEqual(codes, [...Array(3).fill(0), ...Array(17).fill(1)]);
    for (const refused of mints.filter((one) => one.code === 1)) {
      const body = JSON.parse(refused.stdout.trim() || refused.stderr.trim());
      assert.equal(body.error, 'api_key_limit_reached');
      assert.equal(body.limit, 3);
    }
    const keys = await site.stockact('keys', 'list', '--email', email);
    await site.stockact('keys', 'revoke', '--id', keys[0].id);
    await site.mint({ email });
    assert.equal((await site.run(['keys', 'mint', '--email', email, '--name', 'x'])).code, 1);
    assert.equal((await site.stockact('keys', 'list', '--email', email)).length, 4);
  });

  test('a key that was rejected before it was minted is accepted at once', async (t) => {
    const site = await makeSite(t, { database: kind });
    const server = await site.serve();
    assert.equal((await server.get(FEED, { key: `svc_${'C'.repeat(43)}` })).status, 401);
    const key = await site.key({ plan: 'pack' });
    assert.equal((await server.get(FEED, { key })).status, 200);
  });

  test('a clean stop writes the last use', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-03-10T12:00:20Z' });
    const server = await site.serve();
    const { key, email } = await site.mint({ plan: 'pack' });
    await server.get(FEED, { key });
    await site.clock.advance(30_000);
    await server.get(FEED, { key });
    await server.stop();
    const [listed] = await site.stockact('keys', 'list', '--email', email);
    assert.equal(listed.lastUsedAt, '2026-03-10T12:00:50.000Z');
    assert.equal(listed.lastUsedFor, '/api/v1/trades');
  });
});

test('no file, log or backup has the plaintext; the log has the prefix', async (t) => {
  const site = await makeSite(t);
  const server = await site.serve();
  const { key, prefix } = await site.mint({ plan: 'pack' });
  await server.get(FEED, { key });
  await server.get(`${FEED}&cursor=x`, { headers: { 'X-Api-Key': key } });
  await site.stockact('backup', path.join(site.folder, 'copy.db'));
  await server.stop();
  assert.match(server.log, new RegExp(prefix));
  const secret = key.slice(12);
  assert.ok(!server.log.includes(secret));
  for (const name of readdirSync(site.folder, { recursive: true })) {
    const file = path.join(site.folder, name);
    if (!statSync(file).isFile()) continue;
    assert.equal(readFileSync(file).indexOf(secret), -1, name);
  }
});
