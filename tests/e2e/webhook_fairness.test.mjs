// Many endpoints: hanging ones beside a healthy one, and servers that share a database.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { Delivering } from './lib/delivering.mjs';
import { assertPromise, measured } from './lib/measured.mjs';
import { Receiver } from './lib/receivers.mjs';
import { until } from './lib/until.mjs';

const HANGING_MS = 10_000; // until the server gives up a request

test('fifty hanging endpoints do not delay a healthy one', async (t) => {
  const hooks = await Delivering.open(t);
  await hooks.serve();
  const hanging = await Receiver.start(t, () => null);
  const healthy = await Receiver.start(t);
  await hooks.endpoint(healthy.url());
  /** How long the healthy one waits for each event, in ms. */
  const waits = async (times) => {
    const all = [];
    for (let i = 0; i < times; i++) {
      const before = healthy.requests.length;
      await hooks.publish(10);
      const written = performance.now();
      await until('the healthy one has all', () => healthy.requests.length === before + 10);
      all.push(...healthy.requests.slice(before).map((one) => one.at - written));
    }
    return all;
  };
  const alone = await waits(6);
  for (let i = 0; i < 50; i++) await hooks.endpoint(hanging.url());
  const beside = await waits(12);
  const [before, after] = [alone, beside].map((times) => Math.max(0, measured(times).median));
  assert.ok(after < 4 * before + HANGING_MS / 4, `${after} ms, alone ${before} ms`);
  assertPromise(t, 'the longest wait beside hanging endpoints', Math.max(...beside), 1000);
  assert.ok(hanging.requests.length > 50);
  hanging.close(); // the server need not wait for it
});

test('two servers on one database share deliveries without duplicates', async (t) => {
  const hooks = await Delivering.open(t, { database: 'postgresql' });
  const servers = [await hooks.serve(), await hooks.serve()];
  const receiver = await Receiver.start(t);
  for (let i = 0; i < 10; i++) await hooks.endpoint(receiver.url());
  await hooks.publish(40);
  await hooks.untilCount(400, "delivery where state = 'delivered'");
  assert.equal(receiver.ids.length, 400);
  assert.equal(new Set(receiver.ids).size, 400);
  const shares = await Promise.all(
    servers.map(async (server) => {
      const { text } = await server.get('/metrics');
      return Number(/^stockact_webhook_attempts_total\{class="2xx"\} (\d+)$/m.exec(text)[1]);
    }),
  );
  assert.equal(shares[0] + shares[1], 400);
});
