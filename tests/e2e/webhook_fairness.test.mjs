// Many endpoints: hanging ones beside a healthy one, and servers that share a database.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { Delivering } from './lib/delivering.mjs';
import { Receiver } from './lib/receivers.mjs';
import { instrumented } from './lib/settings.mjs';
import { until } from './lib/until.mjs';

const DELAY_MAX_MS = instrumented ? 5000 : 1000;

test('fifty hanging endpoints do not delay a healthy one', async (t) => {
  const hooks = await Delivering.open(t);
  await hooks.serve();
  const hanging = await Receiver.start(t, () => null);
  const healthy = await Receiver.start(t);
  for (let i = 0; i < 50; i++) await hooks.endpoint(hanging.url());
  await hooks.endpoint(healthy.url());
  const waits = [];
  for (let i = 0; i < 12; i++) {
    await hooks.publish(10);
    const written = performance.now();
    await until('the healthy one has all', () => healthy.requests.length === (i + 1) * 10);
    waits.push(...healthy.requests.slice(i * 10).map((one) => one.at - written));
  }
  assert.ok(Math.max(...waits) < DELAY_MAX_MS, `${Math.max(...waits)} ms`);
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
