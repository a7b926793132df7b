// The tool server as a process: its settings, its streams, signals, and its memory over thousands
// of calls. lib/mcp_peer.mjs checks every line that it prints.

import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { FakeApi, coverage, page, trades } from './lib/fake_api.mjs';
import { assertPromise } from './lib/measured.mjs';
import { mcpProgram as program } from './lib/mcp_protocol.mjs';
import { INVALID_REQUEST, PARSE_ERROR, Peer, environment, meta } from './lib/mcp_peer.mjs';
import { descriptors, isAsleep, residentBytes, threads } from './lib/proc.mjs';
import { instrumented } from './lib/settings.mjs';
import { until } from './lib/until.mjs';

const KEY = 'svc_AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjj123';
const NOBODY = 'http://127.0.0.1:1';
const MIB = 1024 * 1024;
const END_MS = 1500;

const ping = (id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
const callLine = (id, name = 'get_coverage', args = {}) =>
  `${JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args, _meta: meta() },
  })}\n`;

/** Runs it until it exits; returns its output and the messages on standard output. */
async function runToEnd(args, { input, command, ...settings } = {}) {
  const [file, ...before] = command ?? [program];
  const done = await run(file, [...before, ...args], { env: environment(settings), input });
  assert.deepEqual(done.faults, []);
  return done;
}

const messagesOf = ({ stdout }) => {
  assert.match(stdout, /^$|\n$/);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

/**
 * Runs it with input that ends before the calls in it are answered. It waits 1.5 s for them: a run
 * that was shorter must have all `count` messages; a longer one, on a busy machine, is made again.
 */
function answeredAtEnd(count, options) {
  return until('a run that is quick', async () => {
    const began = performance.now();
    const done = await runToEnd([], options);
    const took = performance.now() - began;
    assert.equal(done.code, 0);
    const messages = messagesOf(done);
    assert.ok(messages.length === count || took > END_MS, `${messages.length} in ${took} ms`);
    return messages.length === count && messages;
  });
}

test('--help and --version print their text, and invalid arguments are reported', async () => {
  const help = await runToEnd(['--help']);
  assert.deepEqual([help.code, help.stderr], [0, '']);
  for (const word of ['SVC_API_URL', 'SVC_API_KEY', 'usage: stockact-mcp'])
    assert.ok(help.stdout.includes(word));
  const version = await runToEnd(['--version'], { url: 'nonsense' });
  assert.match(version.stdout, /^stockact-mcp \d+\.\d+\.\d+.*\n$/);
  for (const args of [['--no-such'], ['serve'], [''], ['--help', 'x'], ['-v']]) {
    const wrong = await runToEnd(args, { url: NOBODY });
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^stockact-mcp: .*--help.*\n$/);
  }
});

/** [SVC_API_URL, the error message] */
const WRONG_URLS = [
  ['localhost:8080', /http/],
  ['//127.0.0.1', /http/],
  ['ftp://127.0.0.1', /http/],
  ['file:///etc/passwd', /http/],
  ['http://', /no host/],
  ['http:///api', /no host/],
  ['http://user:hunter2@127.0.0.1', /user name or a password/],
  ['http://user@127.0.0.1', /user name or a password/],
  ['http://127.0.0.1?x=1', /query/],
  ['http://127.0.0.1/?', /query/],
  ['http://127.0.0.1/prefix?x', /query/],
  ['http://127.0.0.1#x', /fragment/],
  ['http://127.0.0.1/api/v1', /must not end with \/api\/v1/],
  ['http://127.0.0.1/api/v1/', /must not end with \/api\/v1/],
  ['http://127.0.0.1/prefix/api/v1//', /must not end with \/api\/v1/],
  ['http://127.0.0.1:0', /port/],
  ['http://127.0.0.1:65536', /port/],
  ['http://127.0.0.1:http', /port/],
  ['http://127.0.0 .1', /space/],
  ['http://127.0.0.1/\n/x', /control/],
  ['http://h\u00f6st', /ASCII/],
  ['http://127.0.0.1/%zz', /%/],
  [`http://127.0.0.1/${'x'.repeat(3000)}`, /the maximum is 2048/],
];

test('an invalid SVC_API_URL ends the program at startup with the reason', async () => {
  for (const [url, why] of WRONG_URLS) {
    const done = await runToEnd([], { url, key: KEY, input: ping(1) });
    assert.deepEqual([done.code, done.stdout], [2, ''], url);
    assert.match(done.stderr, /^stockact-mcp: SVC_API_URL[^\n]*\n$/);
    assert.match(done.stderr, why);
    assert.ok(!done.stderr.includes('hunter2') && !done.stderr.includes(KEY));
  }
});

test('a key that cannot be sent ends the program at startup, and is not printed', async () => {
  for (const key of [
    'svc_a\nb',
    'svc_a\r\nX-Admin: 1',
    'svc_a b',
    'svc_\u00e9',
    'svc_a\tb',
    'svc_"',
    'svc_\\',
  ]) {
    const done = await runToEnd([], { url: NOBODY, key, input: ping(1) });
    assert.deepEqual([done.code, done.stdout], [2, '']);
    assert.match(done.stderr, /^stockact-mcp: SVC_API_KEY[^\n]*\n$/);
    assert.ok(!done.stderr.includes('svc_'));
  }
});

test('valid settings in unusual spellings', async (t) => {
  const api = await FakeApi.start(t);
  for (const [url, target] of [
    [api.url, '/api/v1/coverage'],
    [`${api.url}/`, '/api/v1/coverage'],
    [`${api.url}//`, '/api/v1/coverage'],
    [`  ${api.url}\n`, '/api/v1/coverage'],
    [api.url.replace('http', 'HTTP'), '/api/v1/coverage'],
    [api.url.replace('127.0.0.1', 'localhost'), '/api/v1/coverage'],
    [`${api.url}/behind/a%20proxy`, '/behind/a%20proxy/api/v1/coverage'],
    [`${api.url}/api/v2/`, '/api/v2/api/v1/coverage'],
  ]) {
    const peer = await Peer.start(t, { url });
    await peer.found('get_coverage');
    assert.equal(api.targets.at(-1), target);
  }
  for (const [key, sent] of [
    ['', undefined],
    ['  ', undefined],
    [`${KEY}\n`, `Bearer ${KEY}`],
  ]) {
    const peer = await Peer.start(t, { url: api.url, env: { SVC_API_KEY: key } });
    await peer.found('get_coverage');
    assert.equal(api.requests.at(-1).headers.authorization, sent);
  }
});

test('the default URL is used through a proxy from the environment', async (t) => {
  const proxy = await FakeApi.start(t);
  for (const url of [undefined, '', ' ']) {
    const peer = await Peer.start(t, { url, env: { http_proxy: proxy.url } });
    await peer.found('get_coverage');
    assert.equal(proxy.targets.at(-1), 'http://127.0.0.1:8080/api/v1/coverage');
  }
  const api = await FakeApi.start(t);
  const env = { http_proxy: proxy.url, no_proxy: '127.0.0.1' };
  const peer = await Peer.start(t, { url: api.url, env });
  await peer.found('get_coverage');
  assert.equal(api.requests.length, 1);
});

test('the end of input ends an idle program at once with 0', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  await peer.pong();
  const from = performance.now();
  assert.deepEqual(await peer.end(), { code: 0, signal: null });
  assertPromise(t, 'the end', performance.now() - from, 1000);
  assert.equal((await runToEnd([], { url: NOBODY })).code, 0, '/dev/null');
  assert.equal((await runToEnd([], { url: NOBODY, input: '' })).code, 0, 'an empty pipe');
});

test('text after the last newline is a line too', async () => {
  const [first, second, third] = messagesOf(
    await runToEnd([], { url: NOBODY, input: `${ping(1)}{"a\n${ping(2).trimEnd()}` }),
  );
  assert.deepEqual([first.id, second.error.code, third.id], [1, PARSE_ERROR, 2]);
  const cut = messagesOf(await runToEnd([], { url: NOBODY, input: ping(1).slice(0, -9) }));
  assert.deepEqual(
    cut.map(({ error }) => error.code),
    [PARSE_ERROR],
  );
  const long = messagesOf(await runToEnd([], { url: NOBODY, input: 'x'.repeat(3 * MIB) }));
  assert.deepEqual(
    long.map(({ error }) => error.code),
    [INVALID_REQUEST],
  );
});

test('calls running at the end of input are answered if they are quick', async (t) => {
  const api = await FakeApi.start(t);
  const lines = [1, 2, 3].map((id) => callLine(id)).join('');
  for (const input of [lines, lines.trimEnd()]) {
    const answers = await answeredAtEnd(3, { url: api.url, input });
    const ids = answers.map(({ id, result }) => (assert.equal(result.isError, false), id));
    assert.deepEqual(ids.sort(), [1, 2, 3]);
  }
});

test('a scan at the end of input reads its pages', async (t) => {
  const all = trades(800);
  const api = await FakeApi.start(t, (socket, { line }) => page(all, line.split(' ')[1]));
  const input = callLine(1, 'find_politician', { name: 'Ada Vale', max_pages: 8 });
  const [{ result }] = await answeredAtEnd(1, { url: api.url, input });
  assert.equal(result.structuredContent.scan.trades, 800);
});

test('an unanswered call does not delay the exit for long', async (t) => {
  const api = await FakeApi.start(t, () => null);
  const peer = await Peer.start(t, { url: api.url });
  peer.beginCall('get_coverage');
  const socket = await api.asked(1);
  const closed = once(socket, 'close');
  assert.deepEqual(await peer.end(), { code: 0, signal: null });
  await closed;
  assert.deepEqual(peer.waiting, []);
});

test('standard input can be a file', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-mcp-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const api = await FakeApi.start(t);
  const file = path.join(folder, 'lines');
  writeFileSync(file, ping(1) + callLine(2) + ping(3));
  const command = ['sh', '-c', 'exec "$0" <"$1"', program, file];
  const answers = await answeredAtEnd(3, { url: api.url, command });
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 3, 2],
  );
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} ends the program with 0, idle and during a call`, async (t) => {
    const api = await FakeApi.start(t, () => null);
    const idle = await Peer.start(t, { url: api.url });
    await idle.pong();
    assert.deepEqual(await idle.child.stop(signal), { code: 0, signal: null });
    const busy = await Peer.start(t, { url: api.url });
    busy.beginCall('get_coverage');
    const socket = await api.asked(1);
    const closed = once(socket, 'close');
    assert.deepEqual(await busy.child.stop(signal), { code: 0, signal: null });
    await closed;
  });

  test(`${signal} ends the program while its output is not read`, async (t) => {
    const peer = await Peer.start(t, { url: NOBODY, session: '2025-11-25' });
    peer.mayFail(); // it is cut off in a line
    peer.child.output.pause();
    for (let i = 0; i < 20_000; i++) peer.begin('tools/list');
    await until(
      'it sleeps although there is more to read: it waits for its reader',
      () => peer.child.stdin.writableLength > 0 && isAsleep(peer.pid),
    );
    const stopped = peer.child.stop(signal);
    peer.child.output.resume();
    assert.deepEqual(await stopped, { code: 0, signal: null });
  });
}

test('when its output is closed the program ends and says so once', async (t) => {
  const api = await FakeApi.start(t);
  for (const send of [(peer) => peer.write(ping(1)), (peer) => peer.beginCall('get_coverage')]) {
    const peer = await Peer.start(t, { url: api.url });
    peer.mayFail();
    await peer.pong();
    peer.child.output.destroy();
    send(peer);
    assert.deepEqual(await peer.child.exited, { code: 1, signal: null });
    assert.match(
      peer.child.stderr,
      /^stockact-mcp: cannot write to standard output: Broken pipe\n$/,
    );
  }
});

test('standard streams closed from the start do no harm', async (t) => {
  const api = await FakeApi.start(t);
  const noInput = await runToEnd([], {
    url: api.url,
    command: ['sh', '-c', 'exec "$0" <&-', program],
  });
  assert.deepEqual([noInput.code, noInput.stdout], [0, '']);
  for (const redirection of ['>&-', '>&- 2>&-']) {
    const command = ['sh', '-c', `exec "$0" ${redirection}`, program];
    const child = await runToEnd([], { url: api.url, command, input: callLine(1) + callLine(2) });
    assert.deepEqual([child.code, child.stdout], [1, '']);
  }
  const full = ['sh', '-c', 'exec "$0" >/dev/full', program];
  const done = await runToEnd([], { url: NOBODY, command: full, input: ping(1) });
  assert.deepEqual([done.code, done.stdout], [1, '']);
  assert.match(done.stderr, /No space left/);
  assert.ok(api.requests.every(({ line }) => line === 'GET /api/v1/coverage HTTP/1.1'));
});

test('the program waits for non-blocking streams', async (t) => {
  const script = `
import os, sys
for fd in (0, 1): os.set_blocking(fd, False)
os.execv(sys.argv[1], sys.argv[1:])
`;
  const peer = await Peer.start(t, {
    url: NOBODY,
    command: ['python3', '-c', script, program],
    session: '2025-11-25',
  });
  peer.child.output.pause();
  const ids = Array.from({ length: 100 }, () => peer.begin('tools/list'));
  peer.child.output.resume();
  for (const id of ids) assert.ok((await peer.answer(id)).result.tools.length >= 6);
  await peer.pong();
});

test('a slow reader gets every line complete', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY, session: '2025-11-25' });
  peer.child.output.pause();
  const ids = Array.from({ length: 300 }, () => peer.begin('tools/list'));
  peer.child.output.resume();
  for (const id of ids) await peer.answer(id);
  assert.ok(peer.child.stdout.length > 2 * MIB);
});

test('only the environment has the key', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url, key: KEY });
  await peer.found('get_coverage');
  assert.ok(!readFileSync(`/proc/${peer.pid}/cmdline`, 'utf8').includes('svc_'));
  assert.deepEqual(await peer.end(), { code: 0, signal: null });
});

test('2,000 calls leave no descriptor open and do not grow memory', async (t) => {
  const all = trades(30);
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url, session: '2025-11-25' });
  const many = async (count) => {
    for (let done = 0; done < count; done += 100) {
      api.play = (socket, { line }) =>
        line.includes('/trades') ? page(all, line.split(' ')[1]) : coverage();
      const ids = Array.from({ length: 40 }, () => peer.beginCall('get_coverage'));
      for (let i = 0; i < 20; i++) {
        ids.push(peer.beginCall('list_trades', { limit: 30 }));
        ids.push(peer.beginCall('find_politician', { name: 'Ada Vale' }));
        ids.push(peer.beginCall('list_trades', { limit: 0 }));
      }
      for (const id of ids) await peer.answer(id);
      peer.forget();
    }
  };
  await many(500);
  const before = { open: descriptors(peer.pid), bytes: residentBytes(peer.pid) };
  await many(2000);
  assert.equal(threads(peer.pid), 1, 'tests/e2e/files relies on it');
  const open = descriptors(peer.pid);
  assert.ok(open <= before.open, `${open} open, ${before.open} before`);
  const more = residentBytes(peer.pid) - before.bytes;
  assert.ok(instrumented || more < MIB, `${more} bytes more`);
});

test('cancelled and failed calls leave nothing behind', async (t) => {
  const api = await FakeApi.start(t, (socket) => {
    socket.destroy();
    return null;
  });
  const peer = await Peer.start(t, { url: api.url });
  const round = async () => {
    for (let i = 0; i < 50; i++) peer.cancel(peer.beginCall('find_politician', { name: 'Ada' }));
    await peer.pong();
    api.play = coverage();
    await peer.found('get_coverage');
    await peer.pong();
    api.play = () => null;
  };
  await round();
  const open = descriptors(peer.pid);
  for (let i = 0; i < 10; i++) await round();
  assert.ok(descriptors(peer.pid) <= open + 1);
});

test('fifty processes start at once and all work', async (t) => {
  const api = await FakeApi.start(t);
  const peers = await Promise.all(
    Array.from({ length: 50 }, () => Peer.start(t, { url: api.url, session: '2025-11-25' })),
  );
  await Promise.all(peers.map((peer) => peer.found('get_coverage')));
  await Promise.all(peers.map(async (peer) => assert.equal((await peer.end()).code, 0)));
  assert.equal(api.requests.length, 50);
});
