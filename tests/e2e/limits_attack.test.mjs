// Limits under attack (spec 8; decisions 19, 21, 23, 25): 200 concurrent connections, pipelining,
// every kind of request that counts and every kind that does not, and two keys, bad keys and forged
// addresses mixed on one connection. The granted requests are exactly the limit, of a minute and of
// a month, on both databases, with Redis, and with two servers that share it.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { requestText } from './lib/client.mjs';
import { Connection } from './lib/connection.mjs';
import { checkResponse } from './lib/response_rules.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const NOON = '2026-03-15T12:00:30.000Z';
const MONTH = 2026 * 12 + 2;
const CONNECTIONS = 200;
const PACK = { perMinute: 60, perMonth: 100_000 };
const ANONYMOUS = { perMinute: 10 };

/** Requests that count one each: [method, target, the status when granted, headers]. */
const DRAWING = [
  ['GET', '/api/v1/filings', 200],
  ['HEAD', '/api/v1/filings', 200],
  ['GET', '/api/v1/trades?limit=1&format=csv', [200, 403]], // 403 without a key
  ['GET', 'http://a.example/api/v1/trades?limit=1', 200],
  ['GET', '/api/v1/filings', 304, { 'If-None-Match': '*' }],
  ['HEAD', '/api/v1/trades', 304, { 'If-None-Match': '*' }],
  ['GET', '/api/v1/trades?limit=0', 400],
  ['GET', '/api/v1/filings/', 404],
  ['GET', '/api/v1/Filings', 404],
  ['GET', '/api/v1//filings', 404],
  ['GET', '/api/v1/tickers/%00', 404],
  ['POST', '/api/v1/filings', 405],
  ['TRACE', '/api/v1/filings', 405],
  ['BREW', '/api/v1/filings', 501],
];

/** Requests that do not count, and return no data. */
const FREE = [
  ['OPTIONS', '/api/v1/filings', 204],
  ['OPTIONS', '*', 204],
  ['GET', '//api/v1/filings', 404],
  ['GET', '/api%2fv1/filings', 404],
  ['GET', '/API/V1/filings', 404],
  ['GET', '/./api/v1/filings', 404],
  ['GET', '/x/../api/v1/filings', 404],
];

/** One of many requests: its caller, its target, and the expected result. */
function request(caller, [method, target, status, headers = {}], drawing) {
  const fields = [...Object.entries(headers), ...caller.headers()];
  return {
    caller,
    method,
    target,
    drawing,
    status: drawing ? (caller.status ?? status) : status,
    bytes: requestText(method, target, { host: 'a.example', headers: fields }),
  };
}

/** A mix for one connection: each caller with some requests of each list, in a different order. */
function mix(callers, index) {
  const mixed = [];
  for (let i = 0; i < 12; i++) {
    const caller = callers[(index + i) % callers.length];
    mixed.push(request(caller, DRAWING[(index * 5 + i) % DRAWING.length], true));
    if (i % 3 === 0) mixed.push(request(caller, FREE[(index + i) % FREE.length], false));
  }
  return mixed;
}

/** Sends all at once and reads the responses in order. */
async function pipeline(server, from, requests) {
  const connection = await Connection.open({ host: server.host, port: server.port }, { from });
  connection.send(Buffer.concat(requests.map((one) => one.bytes)));
  for (const one of requests) {
    one.response = await connection.read({ method: one.method });
    assert.ok(one.response, `an answer to ${one.method} ${one.target}`);
    checkResponse(one.response, one.method);
  }
  connection.end();
}

/** Opens 200 connections to the servers; returns the granted and denied requests of each caller. */
async function attack(servers, callers, { from = '127.0.0.77' } = {}) {
  const mixes = Array.from({ length: CONNECTIONS }, (_, index) => mix(callers, index));
  await Promise.all(
    mixes.map((requests, i) => pipeline(servers[i % servers.length], from, requests)),
  );
  const granted = new Map(callers.map((caller) => [caller.window, 0]));
  for (const { caller, drawing, status, response, method, target } of mixes.flat()) {
    if (drawing && response.status === 429) continue;
    const expected = [status].flat().includes(response.status);
    assert.ok(expected, `${response.status} to ${method} ${target} of ${caller.window}`);
    if (drawing) granted.set(caller.window, granted.get(caller.window) + 1);
  }
  return Object.fromEntries(granted);
}

let spoofed = 0;
const claim = () => `203.0.113.${spoofed++ % 250}`;

const withKey = (window, key, header = 'Authorization') => ({
  window,
  headers: () => [
    [header, header === 'Authorization' ? `Bearer ${key}` : key],
    ['X-Forwarded-For', claim()],
  ],
});
/** No key, or a bad one, which counts against the address too (decision 23). */
const withoutKey = (window, headers) => ({ window, headers });
const badKey = (window, text, headers = () => []) => ({
  window,
  status: 401,
  headers: () => [['Authorization', text], ...headers()],
});

async function drawn(site) {
  const rows = await site.database.query(
    `SELECT used FROM month_count WHERE kind = 'key' AND month = ${MONTH} ORDER BY used`,
  );
  return rows.map((row) => Number(row.used));
}

/** Two keys in two headers, no key, and bad keys, all from one address. */
async function crowd(site) {
  const minted = await site.mint({ plan: 'pack' });
  const second = await site.key({ email: minted.email });
  return [
    withKey('first key', minted.key),
    withKey('second key', second, 'X-Api-Key'),
    withoutKey('address', () => [['X-Forwarded-For', claim()]]),
    badKey('address', `Bearer svc_${'A'.repeat(43)}`),
    badKey('address', `Bearer ${minted.key.slice(0, -1)}`),
    badKey('address', `Basic ${minted.key}`),
    withKey('first key', minted.key, 'X-Api-Key'),
  ];
}

onEachDatabase('200 concurrent connections', (database) => {
  for (const redis of [false, true]) {
    const where = redis ? 'with Redis' : 'in memory';

    test(`get exactly the limit of a minute, and of the next, ${where}`, async (t) => {
      const site = await makeSite(t, { database, redis, clock: NOON });
      const callers = await crowd(site);
      const servers = [await site.serve()];
      if (redis && database === 'postgresql') servers.push(await site.serve());
      const exactly = {
        'first key': PACK.perMinute,
        'second key': PACK.perMinute,
        address: ANONYMOUS.perMinute,
      };
      assert.deepEqual(await attack(servers, callers), exactly);
      await site.clock.advance(30_000);
      assert.deepEqual(await attack(servers, callers), exactly);
      for (const server of servers) await server.stop();
      assert.deepEqual(await drawn(site), [2 * PACK.perMinute, 2 * PACK.perMinute]);
    });

    test(`get exactly what is left of a month, ${where}`, async (t) => {
      const LEFT = 25;
      const site = await makeSite(t, { database, redis, clock: NOON });
      const callers = await crowd(site);
      await site.database.execute(
        `INSERT INTO month_count (month, kind, caller, used)
         SELECT ${MONTH}, 'key', CAST(CAST(no AS TEXT) AS ${database === 'sqlite' ? 'BLOB' : 'BYTEA'}),
                ${PACK.perMonth - LEFT} FROM api_key`,
      );
      const server = await site.serve();
      const granted = await attack([server], callers);
      assert.deepEqual([granted['first key'], granted['second key']], [LEFT, LEFT]);
      await server.stop();
      assert.deepEqual(await drawn(site), [PACK.perMonth, PACK.perMonth]);
    });
  }
});

describe('a caller that forges addresses', () => {
  const anonymous = (window, forwarded) =>
    withoutKey(window, () => forwarded().map((one) => ['X-Forwarded-For', one]));
  const hex = () => Math.floor(Math.random() * 0x10000).toString(16);

  test('is one caller if no proxy is trusted', async (t) => {
    const site = await makeSite(t, { clock: NOON });
    const server = await site.serve();
    const callers = [
      anonymous('address', () => [claim()]),
      anonymous('address', () => [claim(), `${claim()}, ${claim()}`]),
      anonymous('address', () => [`2001:db8::${hex()}`]),
      anonymous('address', () => ['127.0.0.1']),
      withoutKey('address', () => [
        ['Forwarded', `for=${claim()}`],
        ['X-Real-IP', claim()],
      ]),
    ];
    assert.deepEqual(await attack([server], callers), { address: ANONYMOUS.perMinute });
  });

  test("is one caller behind a trusted proxy, whatever entries precede the proxy's", async (t) => {
    const site = await makeSite(t, {
      clock: NOON,
      env: { STOCKACT_TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' },
    });
    const server = await site.serve();
    const callers = [
      anonymous('IPv4', () => [`${claim()}, 198.51.100.7`]),
      anonymous('IPv4', () => [claim(), claim(), '198.51.100.7']),
      anonymous('IPv4', () => [`garbage, ${claim()}, ::ffff:198.51.100.7, 10.0.0.9`]),
      anonymous('IPv4', () => ['198.51.100.7:4711']),
      anonymous('/64', () => [`2001:db8:1:2:${hex()}:${hex()}:${hex()}:${hex()}`]),
      anonymous('/64', () => [`${claim()}, [2001:db8:1:2::${hex()}]:443`]),
      anonymous('next /64', () => [`2001:db8:1:3::${hex()}`]),
    ];
    const granted = await attack([server], callers);
    const { perMinute } = ANONYMOUS;
    assert.deepEqual(granted, { IPv4: perMinute, '/64': perMinute, 'next /64': perMinute });
  });
});
