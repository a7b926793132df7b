// The harness itself: a reader that accepts too much, or a watcher that misses a crash, would make
// every other test worthless.

import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import net from 'node:net';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { Client } from './lib/client.mjs';
import { openSqlite } from './lib/database.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { parseResponse } from './lib/response.mjs';
import { selected } from './lib/selection.mjs';

const bytes = (text) => Buffer.from(text, 'latin1');

test('the parser reads one response after the other', () => {
  const two = ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab', 'HTTP/1.1 204 No Content\r\n\r\n'];
  const first = parseResponse(bytes(two.join('')));
  assert.equal(first.response.text, 'ab');
  const second = parseResponse(first.rest);
  assert.equal(second.response.status, 204);
  assert.equal(second.rest.length, 0);
});

test('the parser waits for missing bytes', () => {
  const whole = bytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n');
  for (let length = 0; length < whole.length; length++) {
    assert.equal(parseResponse(whole.subarray(0, length)), null);
  }
  assert.equal(parseResponse(whole).response.text, 'ab');
});

test('the parser rejects an invalid response', () => {
  const refused = [
    'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 00\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ];
  for (const text of refused) {
    assert.throws(() => parseResponse(bytes(text)), assert.AssertionError, JSON.stringify(text));
  }
  const cut = bytes('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc');
  assert.throws(() => parseResponse(cut, { ended: true }), /cut off/);
});

test('the client rejects a response without the common headers', async (t) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const client = new Client({ host: '127.0.0.1', port: server.address().port });
  await assert.rejects(client.get('/'), /X-RateLimit-Limit/);
  assert.equal((await client.get('/', { unchecked: true })).status, 200);
  client.close();
});

test('a response is checked against its description', () => {
  const api = new OpenApi({
    paths: { '/a/{id}': { get: { responses: { 200: { $ref: '#/components/responses/A' } } } } },
    components: {
      headers: { Count: { required: true, schema: { type: 'integer' } } },
      responses: {
        A: {
          headers: { 'X-Count': { $ref: '#/components/headers/Count' } },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
        },
      },
      schemas: {
        A: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      },
    },
  });
  const check = (path, status, headers, body) => {
    const head = [`HTTP/1.1 ${status} X`, ...headers, `Content-Length: ${body.length}`];
    const text = `${head.join('\r\n')}\r\n\r\n${body}`;
    api.check('GET', path, parseResponse(bytes(text)).response);
  };
  const json = 'Content-Type: application/json';
  check('/a/1?b=c', 200, [json, 'X-Count: 1'], '{"a":"b"}');
  assert.throws(() => check('/a/1', 200, [json, 'X-Count: 1'], '{"b":1}'), /additional/);
  assert.throws(() => check('/a/1', 200, [json, 'X-Count: x'], '{}'), /X-Count/);
  assert.throws(() => check('/a/1', 200, [json], '{}'), /lacks X-Count/);
  const csv = 'Content-Type: text/csv';
  assert.throws(() => check('/a/1', 200, [csv, 'X-Count: 1'], 'a'), /may not be text.csv/);
  assert.throws(() => check('/a/1', 404, [json], '{}'), /404 is not described/);
  assert.throws(() => check('/a/1/2', 200, [json], '{}'), /not described/);
});

test("a crash and a sanitizer's report are faults, an exit is not", async () => {
  assert.deepEqual((await run('sh', ['-c', 'exit 3'])).faults, []);
  assert.equal((await run('sh', ['-c', 'kill -SEGV $$'])).faults.length, 1);
  const report = 'echo "==1==ERROR: AddressSanitizer: heap-use-after-free" >&2; exit 1';
  assert.equal((await run('sh', ['-c', report])).faults.length, 1);
  assert.equal((await run('/does/not/exist', [])).faults.length, 1);
});

test('a reader of an SQLite file waits for a lock', () => {
  const reader = openSqlite(':memory:', { readOnly: false });
  assert.ok(Number(reader.prepare('PRAGMA busy_timeout').get().timeout) >= 10_000);
  reader.close();
});

test('every build runs what it can find fault with, longest first', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'));
  const [gcc, asan, tsan] = ['gcc', 'asan', 'tsan'].map((build) => selected(files, build));
  assert.deepEqual(gcc.toSorted(), files.toSorted());
  assert.equal(gcc[0], 'real_data.test.mjs');
  assert.ok(asan.includes('command_line.test.mjs') && !asan.includes('harness.test.mjs'));
  assert.ok(tsan.includes('limits.test.mjs') && !tsan.includes('command_line.test.mjs'));
  assert.throws(() => selected(['renamed.test.mjs'], 'gcc'), /names no file/);
});
