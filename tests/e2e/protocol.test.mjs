// HTTP itself: methods, targets, framing, deadlines, CORS, and the headers of every status (spec 7,
// 8.3; decisions 18, 20, 24).

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { checkResponse } from './lib/response_rules.mjs';
import { assertPromise } from './lib/measured.mjs';
import { withoutDescriptors } from './lib/proc.mjs';
import { makeSite, useSite } from './lib/site.mjs';

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Link',
  'X-Next-Cursor',
  'ETag',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Allow',
  'WWW-Authenticate',
  'Content-Disposition',
  'X-Reports-Waiting',
  'X-Data',
];

/**
 * Sends bytes on a new connection; returns every response until the server closes or has answered.
 */
async function exchange(server, text, { bytewise = false } = {}) {
  const connection = await server.connect();
  const bytes = Buffer.from(text, 'latin1');
  if (bytewise) await connection.sendBytewise(bytes);
  else connection.send(bytes);
  const response = await connection.read({ method: text.startsWith('HEAD') ? 'HEAD' : 'GET' });
  connection.end();
  return response;
}

describe('methods and targets', () => {
  const shared = useSite({ env: { STOCKACT_BENCH_UNLIMITED: '1' } }, async (site) => {
    await site.stockact('demo', '--trades', 100, '--as-of', '2026-03-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });

  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE']) {
    test(`${method} is not allowed, and the response names the allowed methods`, async () => {
      for (const target of ['/api/v1/trades', '/api/v1/politicians/x', '/api/v1/openapi.json']) {
        const response = await shared.server.request(method, target, { key: shared.key });
        assert.equal(response.status, 405);
        assert.equal(response.json.error, 'method_not_allowed');
        assert.equal(response.header('allow'), 'GET, HEAD, OPTIONS');
      }
    });
  }

  test('an unknown method is 501', async () => {
    const response = await shared.server.request('BREW', '/api/v1/trades', { key: shared.key });
    assert.equal(response.status, 501);
    assert.equal(response.json.error, 'not_implemented');
  });

  test('a target of 8,192 bytes is read, one of 8,193 is 414', async () => {
    const target = (n) => '/api/v1/trades?cursor='.padEnd(n, 'A');
    const read = await shared.server.get(target(8192), { key: shared.key });
    assert.deepEqual([read.status, read.json.error], [400, 'invalid_cursor']);
    const long = await shared.server.get(target(8193), { key: shared.key });
    assert.deepEqual([long.status, long.json.error], [414, 'uri_too_long']);
    const huge = await shared.server.get(target(60_000), { key: shared.key });
    assert.equal(huge.status, 414);
  });

  test('the absolute form of a target is accepted', async () => {
    const response = await exchange(
      shared.server,
      'GET http://example.org/api/v1/trades?limit=1 HTTP/1.1\r\nHost: example.org\r\n\r\n',
    );
    assert.equal(response.status, 200);
  });

  const missing = [
    '/api/v1/trades/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/trades',
    '/api/v1/Trades',
    '/api/v1/politicians/',
    '/api/v1/tickers/',
    '/api/v1//trades',
    '/api/v1/tickers/A/B',
    '/x',
    '//',
    '/api/v1/politicians/a%2Fb',
    '/api/v1/politicians/%00',
  ];
  for (const target of missing) {
    test(`${target} is not found`, async () => {
      const response = await shared.server.get(target, { key: shared.key });
      assert.equal(response.status, 404);
      assert.equal(response.json.error, 'not_found');
    });
  }

  test('path segments are percent-decoded, symbols in any case', async () => {
    const page = await shared.server.json('/api/v1/trades?limit=100', { key: shared.key });
    const { slug } = page.data[0].politician;
    const encoded = [...slug].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    await shared.server.json(`/api/v1/politicians/${encoded}`, { key: shared.key });
    const { ticker } = page.data.find((one) => one.ticker !== null);
    const found = await shared.server.json(`/api/v1/tickers/${ticker.toLowerCase()}`, {
      key: shared.key,
    });
    assert.equal(found.data.ticker, ticker);
  });

  test('a body of a GET is read and ignored up to 8 KiB', async () => {
    const fine = await shared.server.get('/api/v1/trades?limit=1', {
      key: shared.key,
      body: 'x'.repeat(8192),
    });
    assert.equal(fine.status, 200);
    const large = await shared.server.get('/api/v1/trades?limit=1', {
      key: shared.key,
      body: 'x'.repeat(8193),
    });
    assert.deepEqual([large.status, large.json.error], [413, 'content_too_large']);
  });

  test("HEAD returns GET's headers without a body", async () => {
    for (const target of ['/api/v1/trades', '/api/v1/nowhere', '/docs', '/api/v1/trades?limit=0']) {
      const get = await shared.server.get(target, { key: shared.key });
      const head = await shared.server.request('HEAD', target, { key: shared.key });
      assert.equal(head.status, get.status);
      assert.equal(head.header('content-length'), get.header('content-length'));
    }
  });
});

describe('malformed requests', () => {
  const shared = useSite({}, async (site) => ({ server: await site.serve() }));
  const HOST = 'Host: a\r\n';
  const cases = [
    ['no version', `GET /\r\n${HOST}\r\n`, 400],
    ['version 2.0', `GET / HTTP/2.0\r\n${HOST}\r\n`, 400],
    ['version 1.2', `GET / HTTP/1.2\r\n${HOST}\r\n`, 400],
    ['lower-case version', `GET / http/1.1\r\n${HOST}\r\n`, 400],
    ['two spaces', `GET  / HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['a space in the target', `GET /a b HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['a relative target', `GET a HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400],
    ['a line feed alone', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['a line feed after the request line', `GET / HTTP/1.1\n${HOST}\r\n`, 400],
    ['a carriage return inside a value', `GET / HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`, 400],
    [
      'a smuggled header behind a bare CR',
      `GET / HTTP/1.1\r\n${HOST}X:\rTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
    ['NUL in a value', `GET / HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`, 400],
    ['a folded line', `GET / HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`, 400],
    ['a space before the colon', `GET / HTTP/1.1\r\nHost : a\r\n\r\n`, 400],
    ['no colon', `GET / HTTP/1.1\r\n${HOST}X\r\n\r\n`, 400],
    ['an empty name', `GET / HTTP/1.1\r\n${HOST}: a\r\n\r\n`, 400],
    ['a leading empty line in spaces', ` GET / HTTP/1.1\r\n${HOST}\r\n`, 400],
    [
      'both lengths',
      `GET / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
    [
      'two lengths',
      `GET / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`,
      400,
    ],
    ['a list of lengths', `GET / HTTP/1.1\r\n${HOST}Content-Length: 1, 1\r\n\r\nx`, 400],
    ['a negative length', `GET / HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`, 400],
    ['a signed length', `GET / HTTP/1.1\r\n${HOST}Content-Length: +1\r\n\r\nx`, 400],
    ['a length in hex', `GET / HTTP/1.1\r\n${HOST}Content-Length: 0x1\r\n\r\nx`, 400],
    [
      'an overflowing length',
      `GET / HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n`,
      413,
    ],
    ['an unknown coding', `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\n\r\n`, 400],
    [
      'chunked twice',
      `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['chunked in 1.0', 'GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    [
      'a chunk size that is none',
      `GET /docs HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['101 headers', `GET / HTTP/1.1\r\n${HOST}${'X: a\r\n'.repeat(101)}\r\n`, 431],
    ['17 KiB of headers', `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['TLS instead of HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ];
  for (const [name, text, status] of cases) {
    for (const bytewise of [false, true]) {
      test(`${name}${bytewise ? ', byte by byte' : ''}: ${status}, and the connection closes`, async () => {
        const response = await exchange(shared.server, text, { bytewise });
        assert.ok(response, 'an answer');
        assert.equal(response.status, status);
        assert.ok(response.closes);
        checkResponse(response, 'GET');
      });
    }
  }
});

test('every status has the three limit headers and CORS headers', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:20Z' });
  await site.stockact('demo', '--trades', 50, '--as-of', '2026-03-01');
  const key = await site.key({ plan: 'den' });
  const wolf = await site.mint({ plan: 'pack' });
  const server = await site.serve();
  await site.stockact('accounts', 'set-plan', '--email', wolf.email, '--plan', 'wolf');
  const first = await server.get('/api/v1/trades', { key });
  const cases = [
    [200, 'GET', '/api/v1/trades', { key }],
    [200, 'HEAD', '/api/v1/trades', { key }],
    [200, 'GET', '/api/v1/trades?format=csv', { key }],
    [304, 'GET', '/api/v1/trades', { key, headers: { 'If-None-Match': first.header('etag') } }],
    [
      204,
      'OPTIONS',
      '/api/v1/trades',
      {
        headers: {
          Origin: 'https://example.org',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'authorization, x-api-key, if-none-match',
        },
      },
    ],
    [400, 'GET', '/api/v1/trades?limit=101', { key }],
    [401, 'GET', '/api/v1/trades', { key: 'svc_no' }],
    [403, 'GET', '/api/v1/trades', { key: wolf.key }],
    [404, 'GET', '/api/v1/nowhere', { key }],
    [404, 'GET', '/nowhere', {}],
    [405, 'POST', '/api/v1/trades', { key }],
    [413, 'GET', '/api/v1/trades', { key, body: 'x'.repeat(9000) }],
    [414, 'GET', `/${'x'.repeat(9000)}`, { key }],
    [431, 'GET', '/api/v1/trades', { key, headers: { X: 'x'.repeat(17_000) } }],
    [501, 'BREW', '/api/v1/trades', { key }],
  ];
  for (let i = 0; i < 11; i++) await server.get('/api/v1/trades?limit=1', { from: '127.0.6.1' });
  cases.push([429, 'GET', '/api/v1/trades', { from: '127.0.6.1' }]);
  for (const [status, method, target, options] of cases) {
    const response = await server.request(method, target, options);
    assert.equal(response.status, status, `${method} ${target.slice(0, 40)}`);
    assert.equal(response.header('access-control-allow-origin'), '*', `${status}`);
    if (method !== 'OPTIONS') {
      assert.equal(
        response.header('access-control-expose-headers'),
        EXPOSED.join(', '),
        `${status}`,
      );
    }
  }
  const { components } = (await server.get('/api/v1/openapi.json', { key })).json;
  const documented = Object.keys(components.headers);
  assert.deepEqual(
    documented.filter((name) => !EXPOSED.includes(name)),
    [],
  );
  const preflight = await server.request(...cases[4].slice(1));
  assert.match(preflight.header('access-control-allow-headers'), /authorization/i);
  assert.match(preflight.header('access-control-allow-headers'), /x-api-key/i);
  assert.match(preflight.header('access-control-allow-headers'), /if-none-match/i);
  assert.match(preflight.header('access-control-allow-methods'), /GET/);
  assert.equal(preflight.header('access-control-max-age'), '86400');
});

const IDLE = 5000; // connections beside it

test(
  'a head sent a byte a second times out at ten seconds, and delays no other request',
  { skip: withoutDescriptors(IDLE + 500) },
  async (t) => {
    const site = await makeSite(t, { clock: '2026-03-10T12:00:20Z' });
    const server = await site.serve();
    const slow = await server.connect();
    const started = performance.now();
    const trickle = setInterval(() => {
      if (!slow.closed) slow.send('X');
    }, 1000);
    slow.send('GET /api/v1/trades HTTP/1.1\r\n');
    const idle = await Promise.all([...Array(IDLE).keys()].map(() => server.connect()));
    assert.equal((await server.get('/api/v1/trades?limit=1')).status, 200);
    const response = await slow.read({ method: 'GET' });
    clearInterval(trickle);
    const seconds = (performance.now() - started) / 1000;
    assert.equal(response.status, 408);
    assert.equal(response.json.error, 'request_timeout');
    checkResponse(response, 'GET');
    assert.ok(seconds > 9.5, `${seconds} s`);
    assertPromise(t, 'the time limit of a head', 1000 * seconds, 13_000);
    for (const connection of idle) connection.destroy();
    slow.destroy();
  },
);
