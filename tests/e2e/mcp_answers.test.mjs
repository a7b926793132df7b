// The tool server with every response of the API, and without one. The API is a server of the test
// (lib/fake_api.mjs). Each failure is a result with a sentence that says what to do, and the tool
// server keeps running.

import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  FakeApi,
  NOTHING_COVERED,
  coverage,
  inTurn,
  json,
  page,
  rateLimited,
  refusal,
  reply,
  trades,
} from './lib/fake_api.mjs';
import { Peer } from './lib/mcp_peer.mjs';
import { freePort } from './lib/ports.mjs';
import { Authority, flood } from './lib/receivers.mjs';

const KEY = 'svc_AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjj123';
const MIB = 1024 * 1024;
const WHOLE = JSON.stringify({ data: NOTHING_COVERED });
const NOT_JSON = /^The response is not JSON\. Check that SVC_API_URL /;
const NOT_PROMISED =
  /^The response does not have the form that the API documents\. Check that SVC_API_URL /;
const TOO_LARGE = /too large for this tool/;
const BROKE_OFF = /^The API's response was incomplete: .+ Try again\.$/;
const UNREACHABLE = /^The API cannot be reached: .+ Check SVC_API_URL\.$/;

const hangUp = (socket) => {
  socket.destroy();
  return null;
};
const thenHangUp = (text) => (socket) => {
  socket.end(text);
  return null;
};

/** [the API's behaviour, play, the message of get_coverage, the number of requests] */
const ANSWERS = [
  ['closes without a byte', hangUp, UNREACHABLE, 2],
  ['closes without a byte, once', inTurn(hangUp, coverage()), null, 2],
  ['503', reply(503), /not available at the moment/, 2],
  ['503, once', inTurn(reply(503), coverage()), null, 2],
  ['503, then 500', inTurn(reply(503), reply(500)), /status 500/, 2],
  ['closes, then 503', inTurn(hangUp, reply(503)), /not available at the moment/, 2],
  ['500', reply(500), /^The API failed with status 500\. Try again later\.$/, 1],
  ['500 with a hint', refusal(500, 'internal', { hint: 'Tell us' }), /500\. .*Tell us\.$/, 1],
  ['502 of a proxy', reply(502, '<h1>Bad</h1>', { type: 'text/html' }), /status 502/, 1],
  ['JSON called HTML', reply(200, WHOLE, { type: 'text/html' }), NOT_JSON, 1],
  ['JSON called nothing', reply(200, WHOLE, { type: null }), NOT_JSON, 1],
  ['JSON called jsonx', reply(200, WHOLE, { type: 'application/jsonx' }), NOT_JSON, 1],
  ['HTML called JSON', reply(200, '<html></html>'), NOT_PROMISED, 1],
  ['JSON with a charset', reply(200, WHOLE, { type: 'Application/JSON; charset=utf-8' }), null, 1],
  ['JSON on many lines', reply(200, JSON.stringify(JSON.parse(WHOLE), null, 2)), null, 1],
  ['no body', reply(200), NOT_PROMISED, 1],
  ['an array', reply(200, '[]'), NOT_PROMISED, 1],
  ['a text', reply(200, '"data"'), NOT_PROMISED, 1],
  ['an object without data', reply(200, '{}'), NOT_PROMISED, 1],
  ['data that is an array', reply(200, '{"data":[]}'), NOT_PROMISED, 1],
  ['data that is null', reply(200, '{"data":null}'), NOT_PROMISED, 1],
  ['data twice', reply(200, '{"data":{},"data":{}}'), NOT_PROMISED, 1],
  ['JSON that breaks off', reply(200, WHOLE.slice(0, -1)), NOT_PROMISED, 1],
  ['JSON with more behind it', reply(200, `${WHOLE}{}`), NOT_PROMISED, 1],
  [
    'bytes that are not UTF-8',
    reply(200, Buffer.from('{"data":{"\xff":1}}', 'latin1')),
    NOT_PROMISED,
    1,
  ],
  [
    'gzip, although not asked for',
    reply(200, gzipSync(WHOLE), { headers: { 'Content-Encoding': 'gzip' } }),
    NOT_PROMISED,
    1,
  ],
  ['deep nesting', reply(200, `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`), NOT_PROMISED, 1],
  ['204', reply(204, '', { type: null }), /status 204/, 1],
  ['half of the body', thenHangUp(reply(200, WHOLE).subarray(0, -9)), BROKE_OFF, 1],
  ['half of the head', thenHangUp('HTTP/1.1 200 O'), UNREACHABLE, 2],
  ['no HTTP', thenHangUp('SSH-2.0-OpenSSH_9.2\r\n\r\n'), BROKE_OFF, 1],
  ['2 MiB', reply(200, `{"data":{"x":"${'x'.repeat(2 * MIB)}"}}`), TOO_LARGE, 1],
  [
    'a body that never ends',
    (socket) => flood(socket, 'HTTP/1.1 200 X\r\nContent-Type: application/json\r\n\r\n'),
    TOO_LARGE,
    1,
  ],
  ['a head that never ends', (socket) => headForEver(socket), BROKE_OFF, 1],
  ['one header that never ends', (socket) => flood(socket, 'HTTP/1.1 200 X\r\nX: '), BROKE_OFF, 1],
  [
    'a redirect',
    reply(302, '', { headers: { Location: 'https://elsewhere.example/api/v1/coverage' } }),
    /redirect.*https:\/\/elsewhere\.example\/.*SVC_API_URL/,
    1,
  ],
  ['a redirect to nowhere', reply(301), /redirect.*SVC_API_URL/, 1],
  [
    'a redirect over and over',
    (socket, { line }) => reply(308, '', { headers: { Location: line.split(' ')[1] } }),
    /redirect/,
    1,
  ],
  ['401', refusal(401, 'invalid_api_key'), /SVC_API_KEY/, 1],
  [
    '403 with a hint',
    refusal(403, 'plan_has_no_api_access', { hint: 'Upgrade to Pack.' }),
    /plan.* Upgrade to Pack\.$/,
    1,
  ],
  ['403 without one', refusal(403, 'plan_has_no_api_access'), /^The plan .*\.$/, 1],
  [
    '400 with a hint',
    refusal(400, 'invalid_parameter', { hint: 'limit is an integer from 1 to 100' }),
    /^The API refused the request\. limit is an integer from 1 to 100\.$/,
    1,
  ],
  ['400 invalid_cursor', refusal(400, 'invalid_cursor'), /nextCursor.*unchanged/, 1],
  ['429', rateLimited(17), /\b17 seconds\b(?!.*month)/, 1],
  ['429 of the month', rateLimited(864_000), /\b864000 seconds\b.*month/, 1],
  [
    '429 with a header only',
    reply(429, '', { headers: { 'Retry-After': 30 } }),
    /\b30 seconds\b/,
    1,
  ],
  ['429 without a time', reply(429), /wait a minute/, 1],
  ['429 with a time in the past', rateLimited(-5), /wait a minute/, 1],
  [
    '429 with a date',
    reply(429, '', { headers: { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' } }),
    /wait a minute/,
    1,
  ],
  ['418', reply(418), /^The API failed with status 418\.$/, 1],
];

/** Sends header lines until the reader closes. */
function headForEver(socket) {
  const lines = 'X-More: and more of it\r\n'.repeat(4096);
  const more = () => {
    while (!socket.destroyed && socket.write(lines));
  };
  socket.write('HTTP/1.1 200 X\r\n');
  socket.on('drain', more);
  more();
  return null;
}

for (const [what, play, told, requests] of ANSWERS) {
  test(`the API answers: ${what}`, async (t) => {
    const api = await FakeApi.start(t, play);
    const peer = await Peer.start(t, { url: api.url });
    if (told) assert.match(await peer.refused('get_coverage'), told);
    else await peer.found('get_coverage');
    assert.equal(api.requests.length, requests);
    api.play = coverage();
    await peer.found('get_coverage');
  });
}

test('the API does not listen', async (t) => {
  const port = await freePort();
  const peer = await Peer.start(t, { url: `http://127.0.0.1:${port}` });
  for (const tool of ['get_coverage', 'list_trades', 'get_conflicted_trades'])
    assert.match(await peer.refused(tool), UNREACHABLE);
  const api = await FakeApi.start(t, coverage(), { port });
  await peer.found('get_coverage');
  assert.equal(api.requests.length, 1);
});

test('the API dies in the middle of a response and comes back', async (t) => {
  const api = await FakeApi.start(t, coverage(), { port: await freePort() });
  const peer = await Peer.start(t, { url: api.url });
  await peer.found('get_coverage');
  api.play = (socket) => {
    socket.write(reply(200, WHOLE).subarray(0, -20));
    return null;
  };
  const id = peer.beginCall('get_coverage');
  await api.asked(2);
  await api.close();
  const { isError, content } = await peer.result('get_coverage', id);
  assert.ok(isError);
  assert.match(content[0].text, BROKE_OFF);
  assert.match(await peer.refused('get_coverage'), UNREACHABLE);
  await FakeApi.start(t, coverage(), { port: api.port });
  await peer.found('get_coverage');
});

test('a kept connection that the API has closed fails no call', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  for (let round = 1; round <= 3; round++) {
    await peer.found('get_coverage');
    const socket = await api.asked(round);
    const closed = once(socket, round === 1 ? 'finish' : 'close');
    if (round === 1) socket.end();
    else if (round === 2) socket.resetAndDestroy();
    else socket.destroy();
    await closed;
  }
  assert.equal(api.requests.length, 3);
  assert.equal(api.connections, 3);
});

test('bytes on an idle connection are not the response to the next call', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  await peer.found('get_coverage');
  for (let round = 1; round <= 3; round++) {
    const socket = await api.asked(round);
    await new Promise((resolve) => socket.write(reply(408), resolve));
    await peer.found('get_coverage');
    assert.equal(api.requests.length, round + 1);
    assert.equal(api.connections, round + 1);
  }
  const held = [];
  api.play = (socket) => {
    held.push(socket);
    return null;
  };
  for (let i = 0; i < 4; i++) peer.beginCall('get_coverage');
  await api.asked(8);
  for (const socket of held.slice(1)) socket.write(coverage());
  for (let i = 0; i < 3; i++) assert.ok((await peer.next()).result);
  for (const socket of held.slice(1))
    await new Promise((resolve) => socket.write(reply(408), resolve));
  api.play = coverage();
  await peer.found('get_coverage');
  assert.equal(api.requests.length, 9);
  held[0].write(coverage());
  assert.ok((await peer.next()).result);
});

test('pages of an unexpected shape', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  for (const wrong of [
    { data: {}, nextCursor: null },
    { data: [] },
    { data: [], nextCursor: 5 },
    { data: [5], nextCursor: null },
    { data: [null], nextCursor: null },
    { data: null, nextCursor: null },
  ]) {
    api.play = json(wrong);
    for (const [tool, args] of [
      ['list_trades', {}],
      ['list_filings', {}],
      ['find_politician', { name: 'Vale' }],
      ['get_conflicted_trades', {}],
    ])
      assert.match(await peer.refused(tool, args), NOT_PROMISED);
  }
});

test('scans skip trades without a politician or a signal', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  const odd = [{}, { politician: null }, { politician: { slug: 5, name: 'x' }, conflictSignal: 1 }];
  api.play = json({ data: [...odd, ...trades(2)], nextCursor: null });
  const found = await peer.found('find_politician', { name: 'Ada Vale' });
  assert.equal(found.data[0].slug, 'ada-vale');
  assert.deepEqual((await peer.found('get_conflicted_trades')).data, []);
});

/** [tool, arguments, the message for a 404] */
const UNKNOWN = [
  ['get_politician', { slug: 'nobody' }, /no politician with this slug.*find_politician/],
  ['get_ticker', { symbol: 'NONE' }, /symbol/],
  ['get_trade', { id: 'house-1-1' }, /no trade with this id/],
];

test('404 names the unknown thing, and 410 says that it was withdrawn', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  for (const [tool, args, told] of UNKNOWN) {
    api.play = refusal(404, 'not_found');
    assert.match(await peer.refused(tool, args), told);
    api.play = refusal(410, 'gone', { hint: 'withdrawn on 2026-11-01' });
    assert.match(await peer.refused(tool, args), /withdrawn\. withdrawn on 2026-11-01\.$/);
  }
});

test('404 from another kind of server is not an unknown name', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  for (const [tool, args] of [...UNKNOWN, ['list_trades', {}], ['get_coverage', {}]])
    for (const body of ['<h1>Not Found</h1>', '{"message":"no"}']) {
      api.play = reply(404, body, { type: body[0] === '<' ? 'text/html' : undefined });
      assert.match(await peer.refused(tool, args), /Check that SVC_API_URL /);
    }
});

test('a hint is one short line, whatever its content', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  for (const hint of [
    'x'.repeat(100_000),
    'é'.repeat(100_000),
    '\u0001\r\n\u001b[2J\u007f'.repeat(10_000),
    '%s%n%d'.repeat(100),
    '\u2028line',
    '"quoted" \\ {}',
    ' ',
  ]) {
    api.play = refusal(403, 'x', { hint });
    const text = await peer.refused('get_coverage');
    assert.ok(text.length < 600, `${text.length} characters`);
    assert.doesNotMatch(text, /[\u0000-\u001f\u007f]/);
  }
  for (const hint of [5, null, {}, ['x'], '']) {
    api.play = refusal(403, 'x', { hint });
    assert.match(await peer.refused('get_coverage'), /include this\.$/);
  }
});

test('a response that repeats the key is not quoted', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url, key: KEY });
  const headers = { 'X-Api-Key': KEY, 'X-RateLimit-Limit': KEY, Location: `http://x/${KEY}` };
  const escaped = KEY.replace('s', '\\u0073');
  for (const answer of [
    refusal(403, KEY, { hint: `The key ${KEY} is of a plan without API access`, headers }),
    refusal(500, 'internal', { hint: `${KEY}${KEY}`, headers }),
    refusal(400, 'invalid_parameter', { hint: `${'x'.repeat(390)}${KEY}` }),
    reply(400, `{"error":"x","hint":"${escaped}"}`),
    reply(302, '', { headers }),
    reply(`500 ${KEY}`, KEY),
    reply(200, KEY, { type: KEY }),
    `${KEY}\r\n\r\n`,
    `HTTP/1.1 200 X\r\n${KEY}\r\nContent-Length: ${KEY}\r\n\r\n`,
  ]) {
    api.play = typeof answer === 'string' ? thenHangUp(answer) : answer;
    await peer.call('get_coverage').then(({ isError }) => assert.ok(isError));
  }
  const said = trades(3, { conflictEvery: 1 });
  for (const one of said) Object.assign(one, { assetName: KEY, conflictReason: `${KEY}!` });
  said[1].politician.name = `Ada ${KEY}`;
  said[1].politician.slug = KEY;
  api.play = json({ data: said, nextCursor: KEY }, { headers });
  assert.match((await peer.found('list_trades')).data[0].assetName, /^\*+$/);
  await peer.found('get_conflicted_trades', { max_pages: 1 });
  await peer.found('find_politician', { name: 'Ada', max_pages: 1 });
  assert.equal(api.requests.at(-1).headers.authorization, `Bearer ${KEY}`);
});

test('an invalid key breaks no line', async (t) => {
  const api = await FakeApi.start(t);
  for (const key of ['1', 'e', 'text', 'content', 'jsonrpc', 'true', 'nn', 'data', '*', 'svc_']) {
    const keyed = await Peer.start(t, {
      url: api.url,
      env: { SVC_API_KEY: key },
      session: '2025-11-25',
    });
    await keyed.request('tools/list');
    await keyed.found('get_coverage');
    assert.equal(api.requests.at(-1).headers.authorization, `Bearer ${key}`);
  }
});

test('a caller without a key is warned when 3 requests or fewer are left', async (t) => {
  const api = await FakeApi.start(t);
  const warned = async (peer, options) => {
    api.play = coverage(options);
    return (await peer.found('get_coverage')).rateLimitWarning;
  };
  const anonymous = await Peer.start(t, { url: api.url });
  const empty = await Peer.start(t, { url: api.url, env: { SVC_API_KEY: '' } });
  const keyed = await Peer.start(t, { url: api.url, key: KEY });
  for (const peer of [anonymous, empty]) {
    assert.match(await warned(peer, { remaining: 0 }), /minute: 0 of 10;/);
    assert.match(await warned(peer, { remaining: 1 }), /: 1 of 10; .*2026-11-18T11:07:00/);
    assert.match(await warned(peer, { remaining: 3 }), /: 3 of 10.*SVC_API_KEY/);
    for (const quiet of [{ remaining: 4 }, { remaining: 10 }, {}])
      assert.equal(await warned(peer, quiet), undefined);
  }
  for (const remaining of [0, 3, 4]) assert.equal(await warned(keyed, { remaining }), undefined);
  for (const value of ['-1', '1.5', 'x', '', '99999999999999999999'])
    assert.equal(
      await warned(anonymous, { headers: { 'X-RateLimit-Remaining': value } }),
      undefined,
      value,
    );
  for (const reset of ['9223372036854775', '253402300800', '-1', 'soon'])
    assert.doesNotMatch(
      await warned(anonymous, {
        headers: { 'X-RateLimit-Remaining': 1, 'X-RateLimit-Reset': reset },
      }),
      /minute begins/,
    );
});

test('every tool carries the warning inside its output schema', async (t) => {
  const all = trades(5, { conflictEvery: 2 });
  const api = await FakeApi.start(t, (socket, { line }) =>
    page(all, line.split(' ')[1], { remaining: 2 }),
  );
  const peer = await Peer.start(t, { url: api.url });
  for (const [tool, args] of [
    ['list_trades', {}],
    ['find_politician', { name: 'Ada Vale' }],
    ['get_conflicted_trades', {}],
  ])
    assert.match((await peer.found(tool, args)).rateLimitWarning, /: 2 of 10/);
});

test('many calls use few connections, and each sends the right request', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: `${api.url}/some/prefix/` });
  for (let i = 0; i < 50; i++) await peer.found('get_coverage');
  assert.equal(api.connections, 1);
  const ids = Array.from({ length: 100 }, () => peer.beginCall('get_coverage'));
  for (const id of ids) await peer.result('get_coverage', id);
  assert.ok(api.connections <= 8, `${api.connections} connections`);
  assert.deepEqual([...new Set(api.targets)], ['/some/prefix/api/v1/coverage']);
  const [{ line, headers }] = api.requests;
  assert.match(line, /^GET .* HTTP\/1\.1$/);
  assert.match(headers['user-agent'], /^stockact-mcp\/\d/);
  assert.equal(headers.accept, 'application/json');
  assert.equal(headers.authorization, undefined);
});

test('arguments are encoded, and dots stay dots', async (t) => {
  const api = await FakeApi.start(t, refusal(404, 'not_found'));
  const peer = await Peer.start(t, { url: api.url });
  for (const [tool, args, target] of [
    ['get_politician', { slug: '../../x?y#z' }, '/politicians/..%2F..%2Fx%3Fy%23z'],
    ['get_politician', { slug: '..' }, '/politicians/..'],
    ['get_politician', { slug: 'é\u0000\r\nX: y' }, '/politicians/%C3%A9%00%0D%0AX%3A%20y'],
    ['get_ticker', { symbol: 'BRK/B' }, '/tickers/BRK%2FB'],
    ['list_trades', { ticker: 'A&limit=9', limit: 7 }, '/trades?ticker=A%26limit%3D9&limit=7'],
  ]) {
    await peer.refused(tool, args);
    assert.equal(api.targets.at(-1), `/api/v1${target}`);
  }
});

test('https: only a certificate from a trusted CA is accepted', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-mcp-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const authority = await Authority.make(folder);
  const [right, other, expired] = await Promise.all([
    authority.certificate('127.0.0.1'),
    authority.certificate('other.example'),
    authority.certificate('127.0.0.1', { expired: true }),
  ]);
  const trusting = { SSL_CERT_FILE: authority.file };
  for (const [secure, env, trusted] of [
    [right, {}, false],
    [right, trusting, true],
    [other, trusting, false],
    [expired, trusting, false],
    [right, { SSL_CERT_FILE: path.join(folder, 'missing.crt') }, false],
    [right, { SSL_CERT_FILE: '' }, false],
    [{ ...right, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }, trusting, false],
  ]) {
    const api = await FakeApi.start(t, coverage(), { secure });
    const peer = await Peer.start(t, { url: api.url, env });
    if (trusted) for (let i = 0; i < 3; i++) await peer.found('get_coverage');
    else
      assert.match(await peer.refused('get_coverage'), /^The connection to the API is not trusted/);
    assert.equal(api.requests.length, trusted ? 3 : 0);
    if (trusted) assert.equal(api.connections, 1);
  }
});

test('https to a server that speaks http is reported', async (t) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const peer = await Peer.start(t, { url: `https://127.0.0.1:${server.address().port}` });
  assert.match(await peer.refused('get_coverage'), /^The connection to the API is not trusted/);
});
