// Many streams on one server, streams on several servers, and streams behind proxies.

import { strict as assert } from 'node:assert';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { freePort } from './lib/ports.mjs';
import { programPath } from './lib/programs.mjs';
import { Proxy, proxyKinds } from './lib/proxies.mjs';
import { makeSite } from './lib/site.mjs';
import { STREAM, Stream, listed, metric, publish } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const STREAMS = 1000;
const ROWS = 40;
const DEMO = ['demo', '--trades', 300, '--as-of', '2026-03-14'];

const browser = useBrowser();

/** A socket that counts the trades of its stream. Each has an address of its own. */
function countTrades(server, index) {
  const from = `127.1.${index >> 8}.${index & 255}`;
  const socket = net.connect({ host: server.host, port: server.port, localAddress: from });
  const counted = { socket, trades: 0, closed: false };
  let seam = '';
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    const lines = (seam + text).split('\n');
    seam = lines.pop();
    for (const line of lines) if (line === 'event: trade') counted.trades += 1;
  });
  socket.on('close', () => (counted.closed = true));
  socket.on('error', () => {});
  socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return counted;
}

test(`${STREAMS} streams get a publication whole, and requests are answered meanwhile`, async (t) => {
  const site = await makeSite(t);
  await site.stockact(...DEMO);
  const server = await site.serve({ env: { STOCKACT_BENCH_UNLIMITED: '1' } });
  const streams = Array.from({ length: STREAMS }, (_, index) => countTrades(server, index));
  t.after(() => streams.forEach(({ socket }) => socket.destroy()));
  await until('all are open', async () => (await metric(server, 'streams_open')) === STREAMS);

  const published = publish(site, 1, ROWS);
  let answered = 0;
  await until('all have all trades', async () => {
    const { status } = await server.get('/api/v1/trades?limit=25');
    assert.equal(status, 200);
    answered += 1;
    return streams.every(({ trades }) => trades >= ROWS);
  });
  await published;
  assert.ok(answered > 1);
  assert.deepEqual([...new Set(streams.map(({ trades }) => trades))], [ROWS]);
  assert.equal(await metric(server, 'stream_events_total'), STREAMS * ROWS);

  await server.stop();
  await until('all are closed', () => streams.every(({ closed }) => closed));
});

test('the EventSource of a browser resumes after a restart', { skip: noChromium }, async (t) => {
  const site = await makeSite(t);
  await site.stockact(...DEMO);
  const listen = `127.0.0.1:${await freePort()}`;
  const server = await site.serve({ listen });
  const before = (await listed(server, { key: await site.key({ plan: 'den' }) })).length;
  const page = await browser.open(t, server, '/docs/stream');
  await page.evaluate((address) => {
    window.seen = [];
    window.source = new EventSource(address);
    window.source.addEventListener('trade', ({ data }) => window.seen.push(JSON.parse(data).id));
  }, STREAM);
  await until('it is open', async () => (await metric(server, 'streams_open')) === 1);
  await publish(site, 1, 3);
  await until('three trades', () => page.evaluate(() => window.seen.length === 3));
  await server.kill();
  await publish(site, 1, 4);
  const again = await site.serve({ listen });
  await until('seven trades', () => page.evaluate(() => window.seen.length === 7));
  const rows = await listed(again, { key: await site.key({ plan: 'den' }) });
  const wanted = rows.map(({ id }) => id).reverse();
  const seen = await page.evaluate(() => {
    window.source.close();
    return window.seen;
  });
  assert.deepEqual(seen, wanted.slice(before));
});

test('a stream continues on another server', async (t) => {
  const site = await makeSite(t, { database: 'postgresql' });
  await site.stockact(...DEMO);
  const key = await site.key({ plan: 'den' });
  const servers = [await site.serve(), await site.serve()];
  const before = (await listed(servers[0], { key })).length;
  let stream = await Stream.open(servers[0], { key });
  const ids = [];
  for (let turn = 1; turn <= 4; turn++) {
    await publish(site, 2, 5);
    await until('new trades', () => stream.trades.length > 0); // perhaps not all of them
    ids.push(...stream.ids);
    const lastEventId = stream.trades.at(-1).id;
    stream.close();
    await publish(site, 1, 3);
    stream = await Stream.open(servers[turn % 2], { key, lastEventId });
  }
  const rows = (await listed(servers[0], { key })).map(({ id }) => id).reverse();
  const wanted = rows.slice(before);
  ids.push(...(await stream.have(wanted.length - ids.length)));
  assert.deepEqual(ids, wanted);
  stream.close();
});

for (const kind of proxyKinds) {
  const skip = programPath(kind) ? false : `${kind} is not installed`;
  test(`behind ${kind} events come at once, and so does the end`, { skip }, async (t) => {
    const site = await makeSite(t, { env: { STOCKACT_TRUSTED_PROXIES: 'unix' } });
    await site.stockact(...DEMO);
    const server = await site.serve({ listen: `unix:${path.join(site.folder, 'http.sock')}` });
    const proxy = await Proxy.start(kind, server.path);
    try {
      const stream = await Stream.open(proxy.where);
      await publish(site, 1, 3); // too few bytes to fill a buffer
      await stream.have(3);
      await server.stop();
      await stream.untilClosed('end');
    } finally {
      await proxy.stop();
    }
  });
}
