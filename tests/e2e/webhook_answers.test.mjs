// Every possible response of a receiver, and no response: the result of the attempt, and the
// server's memory.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { Delivering } from './lib/delivering.mjs';
import { freePort } from './lib/ports.mjs';
import { Authority, Receiver, answer, blackHole, drip, flood } from './lib/receivers.mjs';
import { instrumented } from './lib/settings.mjs';
import { until } from './lib/until.mjs';

const MIB = 1024 * 1024;

const residentBytes = (server) =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]);

/** [behaviour, play, status and error class of the attempt; stored bytes of the response] */
const ANSWERS = [
  ['200', answer(200, '', 'thanks'), 200, null, 6],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 204, null],
  ['299', answer(299), 299, null],
  ['301', answer(301, 'Location: http://127.0.0.1:1/\r\n'), 301, '3xx'],
  ['400', answer(400, '', 'no'), 400, '4xx', 2],
  ['404', answer(404), 404, '4xx'],
  ['410', answer(410), 410, '4xx'],
  ['429 with Retry-After', answer(429, 'Retry-After: 7200\r\n'), 429, '4xx'],
  ['500', answer(500), 500, '5xx'],
  ['close before a status', (socket) => socket.destroy(), null, 'protocol'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', null, 'protocol'],
  ['silence', () => null, null, 'timeout'],
  ['a status, then silence', 'HTTP/1.1 200 OK\r\n', 200, null],
  ['a 500, then silence', 'HTTP/1.1 500 X\r\nContent-Length: 9\r\n\r\nbad', 500, '5xx', 3],
  ['a byte a second', (socket) => drip(socket, answer(200), 1000), null, 'timeout'],
  [
    'a 200, then an endless body',
    (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n'),
    200,
    null,
  ],
  [
    'a 200, then a gigabyte',
    (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n'),
    200,
    null,
    16384,
  ],
  [
    'a 200 that unpacks to 64 MiB',
    (socket) => {
      const packed = gzipSync(Buffer.alloc(64 * MIB));
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`,
      );
      socket.write(packed);
    },
    200,
    null,
    16384,
  ],
  [
    'headers without an end',
    (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nX-Long: '),
    null,
    'protocol',
  ],
  ['hundreds of 1xx, then a 200', 'HTTP/1.1 102 Wait\r\n\r\n'.repeat(500) + answer(200), 200, null],
  [
    '1xx without an end',
    (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(4000)),
    null,
    'protocol',
  ],
  ['a switch of protocols', 'HTTP/1.1 101 Up\r\nUpgrade: h2c\r\n\r\n', null, 'protocol'],
  ['HTTP/2 in name', 'HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n', null, 'protocol'],
  ['a frame of HTTP/2', '\0\0\0\x04\0\0\0\0\0', null, 'protocol'],
  ['HTTP/0.9', '<p>thanks</p>\n', null, 'protocol'],
  ['a status beyond all', 'HTTP/1.1 600 Over\r\nContent-Length: 0\r\n\r\n', null, 'protocol'],
  ['a status with a sign', 'HTTP/1.1 +200 OK\r\nContent-Length: 0\r\n\r\n', null, 'protocol'],
  [
    'a 200, then chunks that are none',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n',
    200,
    null,
  ],
  [
    'a 200 and two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 99\r\n\r\nx',
    null,
    'protocol',
  ],
  [
    'a 200 and the same length twice',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx',
    200,
    null,
  ],
  [
    'a 200 and less than nothing',
    'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx',
    null,
    'protocol',
  ],
];

test("every response has its specified result, and the server's memory does not grow", async (t) => {
  const hooks = await Delivering.open(t);
  const server = await hooks.serve();
  const canary = await Receiver.start(t);
  const plays = await Promise.all(
    [
      ...ANSWERS,
      ['302 to an inner address', answer(302, `Location: ${canary.url()}\r\n`), 302, '3xx'],
    ].map(async ([name, play, status, error, answered]) => {
      const receiver = await Receiver.start(t, play);
      return { name, receiver, status, error, answered };
    }),
  );
  for (const play of plays) play.endpoint = await hooks.endpoint(play.receiver.url());
  const closed = await hooks.endpoint(`http://127.0.0.1:${await freePort()}/`);
  const hole = await hooks.endpoint(`http://127.0.0.1:${await blackHole(t)}/`);
  const before = residentBytes(server);
  await hooks.publish();
  await hooks.settled(plays.length + 2);
  for (const { name, receiver, endpoint, status, error, answered } of plays) {
    const [attempt] = await hooks.attempts(endpoint);
    const [delivery] = await hooks.deliveries(endpoint);
    assert.deepEqual({ status: attempt.status, error: attempt.error }, { status, error }, name);
    if (answered !== undefined) assert.equal(attempt.answered, answered, name);
    assert.ok((attempt.answered ?? 0) <= 16384, name);
    assert.equal(delivery.state, error === null ? 'delivered' : 'pending', name);
    assert.equal(receiver.requests.length, 1, name);
  }
  const [refused] = await hooks.attempts(closed);
  assert.equal(refused.error, 'connect');
  const [swallowed] = await hooks.attempts(hole);
  assert.equal(swallowed.error, 'timeout');
  assert.equal(canary.connections, 0);
  const [retryAfter] = (await hooks.attempts(plays[7].endpoint)).map((one) => one.retry_after);
  assert.equal(retryAfter, '7200');
  if (!instrumented)
    assert.ok(residentBytes(server) - before < 24 * MIB, `${residentBytes(server) - before} more`);
  const metrics = (await server.get('/metrics')).text;
  assert.match(metrics, /^stockact_webhook_attempts_total\{class="timeout"\} 3$/m);
  assert.match(metrics, /^stockact_webhook_attempts_total\{class="5xx"\} 2$/m);
  const failed = /event="webhook attempt failed" endpoint=ep_\w+ delivery=dlv_\w+/;
  await until('it is logged', async () => failed.test(server.log));
});

test('an extra response is not matched to a later delivery', async (t) => {
  const hooks = await Delivering.open(t);
  const authority = await Authority.make(hooks.site.folder);
  const secure = await authority.certificate('127.0.0.1');
  await hooks.serve({ env: { STOCKACT_WEBHOOK_CA_FILE: authority.file } });
  const atOnce = answer(200) + answer(500);
  const later = (socket) => {
    socket.write(answer(200), () => setImmediate(() => socket.write(answer(500))));
  };
  const endOnly = (socket) => socket.end(answer(200));
  const cases = [];
  for (const options of [{}, { secure }])
    for (const play of [atOnce, later, endOnly]) {
      const receiver = await Receiver.start(t, play, options);
      cases.push({ receiver, endpoint: await hooks.endpoint(receiver.url()) });
    }
  for (let sent = 1; sent <= 3; sent++) {
    await hooks.publish();
    await hooks.settled(cases.length * sent);
  }
  for (const [i, { receiver, endpoint }] of cases.entries()) {
    const statuses = (await hooks.attempts(endpoint)).map((one) => one.status);
    assert.deepEqual(statuses, [200, 200, 200], `case ${i}`);
    assert.equal(receiver.requests.length, 3, `case ${i}`);
  }
});

test("log lines have only the class of a receiver's response", async (t) => {
  const hooks = await Delivering.open(t);
  const server = await hooks.serve();
  const forged = 'level=error event="forged"';
  const head = `HTTP/1.1 500 X\r\nRetry-After: 7\x1b[2J${forged}\r\nX: ${forged}\r\n`;
  const receiver = await Receiver.start(t, `${head}Content-Length: 8\r\n\r\n\nforged\n`);
  const endpoint = await hooks.endpoint(receiver.url());
  await hooks.publish();
  await hooks.settled(1);
  const [attempt] = await hooks.attempts(endpoint);
  assert.equal(attempt.error, '5xx');
  assert.equal(attempt.retry_after, null);
  const failed = /event="webhook attempt failed" endpoint=ep_\w+ .*class=5xx status=500/;
  await until('it is logged', async () => failed.test(server.log));
  assert.doesNotMatch(server.log, /forged/);
  assert.ok(!server.log.includes(endpoint.secret));
  assert.ok(!server.log.includes(receiver.requests[0].body.toString()));
});
