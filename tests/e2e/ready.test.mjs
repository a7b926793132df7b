// `stockact ready`, the health check of containers: exit 0 exactly while the server of the setting
// `listen` accepts requests.

import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { freePort } from './lib/ports.mjs';
import { makeSite } from './lib/site.mjs';

const ready = (site, listen) => site.run(['ready'], { env: { STOCKACT_LISTEN: listen } });

/** A listener on a free port that sends `answer` to each client, or nothing; its address. */
async function impostor(t, answer) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    if (answer === '') socket.end();
    else if (answer) socket.once('data', () => socket.end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}

test('ready finds a server on a port, on every address and on a unix socket', async (t) => {
  const site = await makeSite(t, {});
  const port = await freePort();
  for (const listen of [
    `127.0.0.1:${port}`,
    `0.0.0.0:${port}`,
    `[::]:${port}`,
    `unix:${path.join(site.folder, 'http.sock')}`,
  ]) {
    const before = await ready(site, listen);
    assert.equal(before.code, 1, listen);
    assert.match(before.stderr, /^stockact: the server at .* does not answer: /);
    const server = await site.serve({ listen });
    const during = await ready(site, listen);
    assert.deepEqual([during.code, during.stderr], [0, ''], listen);
    assert.match(during.stdout, /^ready +\S+\n$/);
    await server.stop();
    assert.equal((await ready(site, listen)).code, 1, listen);
  }
});

test('ready says why it fails', async (t) => {
  const site = await makeSite(t, {});
  const cases = [
    ['HTTP/1.1 503 Service Unavailable\r\n\r\n', 'is starting or stopping'],
    ['HTTP/1.1 404 Not Found\r\n\r\n', 'is not a stockact server'],
    ['HTTP/1.1 20', 'does not answer: it closed the connection'],
    ['', 'does not answer: '],
    [null, 'does not answer: it took longer than 3 seconds'],
  ];
  for (const [answer, reason] of cases) {
    const done = await ready(site, await impostor(t, answer));
    assert.equal(done.code, 1, reason);
    assert.ok(done.stderr.includes(reason), done.stderr);
  }
  const open = await ready(site, '127.0.0.1:0');
  assert.equal(open.code, 2);
  assert.match(open.stderr, /has port 0/);
});

test('ready gives up after 3 seconds although the answer arrives byte by byte', async (t) => {
  const site = await makeSite(t, {});
  let sent = 0;
  const server = net.createServer((socket) => {
    const answer = 'HTTP/1.1 20';
    const dripping = setInterval(() => sent < answer.length && socket.write(answer[sent++]), 1000);
    socket.on('error', () => {});
    socket.on('close', () => clearInterval(dripping));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const done = await ready(site, `127.0.0.1:${server.address().port}`);
  assert.equal(done.code, 1);
  assert.match(done.stderr, /it took longer than 3 seconds$/m);
  assert.ok(sent < 11, 'no byte starts the wait again');
});
