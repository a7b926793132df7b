// `stockact listen` as a process: receivers that fail, servers that hang or are not there, limits,
// interrupts, pipes that nobody reads, keys and secrets, and wrong arguments.

import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { Delivering } from './lib/delivering.mjs';
import { Listener, openListening as open, received } from './lib/listening.mjs';
import { assertPromise } from './lib/measured.mjs';
import { freePort } from './lib/ports.mjs';
import { answer } from './lib/receivers.mjs';
import { binary } from './lib/settings.mjs';
import { until } from './lib/until.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

const AT_ONCE_MS = 800;

test('a receiver that refuses, hangs up or is gone gets each event once', async (t) => {
  let plays = [];
  const { hooks, receiver, listen } = await open(t, {
    play: (socket, request) => plays.shift()(socket, request),
  });
  const listener = await listen();
  plays = [
    () => answer(500, '', 'no'),
    (socket) => socket.destroy(),
    () => `HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`,
    () => answer(302, 'Location: /elsewhere\r\n'),
    () => answer(204),
  ];
  await hooks.publish(5);
  await listener.untilEvents(5);
  assert.deepEqual(
    listener.events.map(({ status }) => status),
    [500, null, 200, 302, 204],
  );
  assert.notEqual(listener.events[1].error, null);
  assert.equal(receiver.requests.length, 5);
  receiver.close();
  await hooks.publish();
  await listener.untilEvents(6);
  assert.match(listener.events[5].error, /connect/i);
  const { accepted, failed } = await listener.interrupt();
  assert.deepEqual([accepted, failed], [2, 4]);
});

test('an interrupt ends it at once: waiting for the receiver, the server, or a full pipe', async (t) => {
  const { hooks, server, key, receiver, listen } = await open(t, { play: () => null });
  const waiting = await listen();
  await hooks.publish();
  await received(receiver, 1);
  const { failed } = await waiting.interrupt();
  assert.equal(failed, 1);
  assert.match(waiting.events[0].error, /interrupted/);
  assertPromise(t, 'the end', waiting.endedAfter, AT_ONCE_MS);

  // accepts connections and answers nothing
  const silent = net.createServer((socket) => socket.on('error', () => {}));
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close());
  const asked = once(silent, 'connection');
  const url = `http://127.0.0.1:${silent.address().port}`;
  const asking = await Listener.start(t, { url, key, args: ['--print-only'], ready: false });
  await asked;
  await asking.interrupt();
  assertPromise(t, 'the end', asking.endedAfter, AT_ONCE_MS);

  // nobody reads its output
  await hooks.publish(25, { rows: 40 });
  const env = { PATH: process.env.PATH, SVC_API_URL: server.url, SVC_API_KEY: key };
  const full = spawn(binary, ['listen', '--print-only', '--last', '25'], { env });
  t.after(() => full.kill('SIGKILL'));
  const ended = once(full, 'exit');
  full.stdout.pause();
  await until('the pipe is full', async () => full.stdout.readableLength > 0);
  const began = performance.now();
  full.kill('SIGINT');
  const [code] = await ended;
  assert.equal(code, 0);
  assertPromise(t, 'the end', performance.now() - began, AT_ONCE_MS);
});

test('a closed pipe ends it with an error', async (t) => {
  const { hooks, server, key } = await open(t);
  await hooks.publish(3);
  const env = { PATH: process.env.PATH, SVC_API_URL: server.url, SVC_API_KEY: key };
  const child = spawn(binary, ['listen', '--print-only', '--last', '1'], { env });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await hooks.publish(3);
  const [code] = await ended;
  assert.equal(code, 1);
  assert.match(stderr, /cannot write/);
});

test('wrong servers and wrong arguments are named', async (t) => {
  const { key, site, server } = await open(t);
  const run = async (args, env = {}) => {
    const done = await site.run(['listen', ...args], {
      env: { SVC_API_KEY: key, SVC_API_URL: server.url, ...env },
    });
    return [done.code, done.stderr];
  };
  for (const [args, code, reason, env] of [
    [[], 2, /--to URL or --print-only/],
    [['--to', 'a', '--print-only'], 2, /one of them/],
    [['--to', 'ftp://localhost/'], 2, /--to: .*http/],
    [['--to', 'http://u:p@localhost/'], 2, /--to: /],
    [['--print-only', '--events', 'trade'], 2, /events/],
    [['--print-only', '--cursor', 'a&b'], 2, /cursor/],
    [['--print-only', '--cursor', 'abc'], 2, /cursor/],
    [['--print-only', '--last', '101'], 2, /0 to 100/],
    [['--print-only', '--last', '1', '--cursor', 'abc'], 2, /not both/],
    [['--print-only', '--key-file', '/nowhere'], 1, /cannot read/],
    [['--print-only', '--key', 'svc_x'], 2, /unknown option/],
    [['--print-only'], 2, /there is no API key/, { SVC_API_KEY: ' ' }],
    [['--print-only'], 1, /not accepted/, { SVC_API_KEY: 'svc_nobody' }],
    [['--print-only'], 2, /invalid character/, { SVC_API_KEY: 'svc_a b' }],
    [['--print-only', '--url', `${server.url}/api/v1`], 2, /must not end with/],
    [['--print-only', '--url', `${server.url}/elsewhere`], 1, /base URL of a stockact server/],
    [['--print-only', '--url', 'nowhere'], 2, /URL/],
  ]) {
    const [given, stderr] = await run(args, env);
    assert.equal(given, code, `${args}: ${stderr}`);
    assert.match(stderr, reason);
    assert.ok(!stderr.includes(key), 'no key in an error');
  }
  const text = await site.run(['listen', '--help']);
  assert.match(text.stdout, /--secret-file/);
});

test('the limits of the key slow it down, and a used up month ends it', async (t) => {
  const replies = [];
  const asked = [];
  const api = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      asked.push({ at: performance.now(), head: bytes.toString() });
      socket.write(replies.length > 1 ? replies.shift() : replies[0]);
    });
  });
  await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));
  t.after(() => api.close());
  const url = `http://127.0.0.1:${api.address().port}`;
  const reply = (status, fields, body = '') =>
    `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\n${fields}` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const page = JSON.stringify({ data: [], nextCursor: null, lastCursor: 'AQ' });
  const left = (n) => `RateLimit: "minute";r=${n};t=40\r\nRateLimit-Policy: "minute";q=60;w=60\r\n`;
  replies.push(
    reply(429, 'Retry-After: 2\r\n', '{"error":"rate_limited","retryAfterSeconds":2}'),
    reply(200, `ETag: "a"\r\n${left(59)}`, page),
    reply(200, `ETag: "b"\r\n${left(58)}`, page),
    reply(304, left(4)), // a wait of 20 s: 80 s spread over 4 requests
    reply(429, 'Retry-After: 90000\r\n', '{"error":"rate_limited","retryAfterSeconds":90000}'),
  );
  const args = ['--print-only'];
  const listener = await Listener.start(t, { url, key: 'svc_invented', args });
  await until('it has asked four times', async () => asked.length === 4);
  assert.ok(asked[1].at - asked[0].at >= 1990, 'Retry-After');
  assert.ok(asked[2].at - asked[1].at >= 1990);
  assert.ok(!/if-none-match/i.test(asked[2].head));
  assert.match(asked[3].head, /If-None-Match: "b"/i);
  await listener.child.waitFor(/asking every 20 seconds/, { stream: 'stderr' });
  await listener.interrupt();

  const month = await Listener.start(t, { url, key: 'svc_invented', args, ready: false });
  assert.equal((await month.failed()).error, 'rate_limited');
});

test('it waits for a server that is not there yet', async (t) => {
  const hooks = await Delivering.open(t);
  const key = await hooks.site.key({ plan: 'pack' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const listener = await Listener.start(t, { url, key, args: ['--print-only'], ready: false });
  await listener.child.waitFor(/trying again/, { stream: 'stderr' });
  await hooks.serve({ listen: `127.0.0.1:${port}` });
  await listener.child.waitFor(/"listening"/);
  await hooks.publish();
  await listener.untilEvents(1);
  assert.equal((await listener.interrupt()).events, 1);
});

test('without a key there are no events, and a key that stops working ends the run', async (t) => {
  const { hooks, site, server, minted, listen, receiver } = await open(t);
  const anonymous = await server.get('/api/v1/events', { from: '127.0.0.5' });
  assert.deepEqual([anonymous.status, anonymous.json.error], [401, 'invalid_api_key']);
  assert.match(anonymous.json.hint, /needs an API key/);
  assert.equal(anonymous.header('www-authenticate'), 'Bearer');

  const bad = await listen([], { key: '', ready: false, args: ['--to', receiver.url()] });
  assert.match((await bad.failed(2)).hint, /SVC_API_KEY/);

  const revoked = await listen();
  await hooks.publish();
  await revoked.untilEvents(1);
  await site.stockact('keys', 'revoke', '--id', minted.id);
  const end = await revoked.failed();
  assert.equal(end.error, 'invalid_api_key');
  assert.equal(revoked.summary.accepted, 1);

  const other = await site.mint({ plan: 'pack' });
  const downgraded = await Listener.start(t, {
    url: server.url,
    key: other.key,
    args: ['--print-only'],
  });
  await site.stockact('accounts', 'set-plan', '--email', other.email, '--plan', 'wolf');
  assert.equal((await downgraded.failed()).error, 'plan_has_no_api_access');
});

test('the secret is the same for a key, another for another key, or the one in a file', async (t) => {
  const { hooks, site, server, listen, receiver } = await open(t);
  const first = await listen();
  const second = await listen();
  assert.equal(first.start.secret, second.start.secret);
  const key = await site.key({ plan: 'pack' });
  const args = ['--to', receiver.url()];
  const other = await Listener.start(t, { url: server.url, key, args });
  assert.notEqual(other.start.secret, first.start.secret);
  for (const one of [first, second, other]) await one.interrupt();

  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
  const file = path.join(site.folder, 'hook.secret');
  const keyFile = path.join(site.folder, 'api.key');
  writeFileSync(file, `${secret}\n`);
  writeFileSync(keyFile, `${key}\n`);
  const given = await Listener.start(t, {
    args: [...args, '--url', server.url, '--key-file', keyFile, '--secret-file', file],
  });
  assert.equal(given.start.secret, null);
  await hooks.publish();
  await given.untilEvents(1);
  assertSignedBy(receiver.requests.at(-1), secret);
  await given.interrupt();
});
