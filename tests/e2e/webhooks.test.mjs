// Deliveries (spec 6; decisions 33 to 37): the schedule, disabling and enabling, and the requests
// that arrive.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { CLOCK, Delivering } from './lib/delivering.mjs';
import { assertPromise } from './lib/measured.mjs';
import { freePort } from './lib/ports.mjs';
import { Receiver, answer } from './lib/receivers.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const IN_FLIGHT_MAX = 16; // of one endpoint
const SOON_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const endpointDeliveries = ({ id }) =>
  `delivery where endpoint_no = (select no from endpoint where id = '${id}')`;

function tests(kind) {
  test('a delivery has six attempts at the scheduled times, then none', async (t) => {
    const hooks = await Delivering.open(t, { database: kind, clock: CLOCK });
    await hooks.serve();
    const receiver = await Receiver.start(t, answer(500));
    const endpoint = await hooks.endpoint(receiver.url());
    await hooks.publish();
    const steps = [30_000, 300_000, 1_800_000, 7_200_000, 43_200_000];
    for (const [i, step] of steps.entries()) {
      await hooks.settled(i + 1);
      const [waiting] = await hooks.deliveries(endpoint);
      const planned = steps.slice(0, i + 1).reduce((sum, one) => sum + one, 0);
      assert.equal(Number(waiting.due_in), planned);
      await hooks.site.clock.advance(step - 1);
      await hooks.site.clock.advance(1);
    }
    await hooks.settled(6);
    const [parked] = await hooks.deliveries(endpoint);
    assert.deepEqual([parked.state, Number(parked.tries)], ['failed', 6]);
    const began = (await hooks.attempts(endpoint)).map(
      (one) => Number(one.started_at) - Date.parse(CLOCK),
    );
    assert.deepEqual(began, [0, 30_000, 330_000, 2_130_000, 9_330_000, 52_530_000]);
    assert.equal(new Set(receiver.ids).size, 1);
    await hooks.site.clock.advance(30 * DAY_MS);
    const other = await hooks.endpoint(receiver.url());
    await hooks.publish();
    await until('the other is tried', async () => (await hooks.attempts(other)).length > 0);
    assert.equal(receiver.ids.filter((id) => id === parked.id).length, 6);
  });

  test('nine failures, a 2xx and nine more keep an endpoint enabled; ten disable it', async (t) => {
    const hooks = await Delivering.open(t, { database: kind, clock: CLOCK });
    const server = await hooks.serve();
    const receiver = await Receiver.start(t, answer(500));
    const endpoint = await hooks.endpoint(receiver.url());
    await hooks.fail(endpoint, 9);
    assert.deepEqual(await hooks.state(endpoint), { state: 'enabled', failures: 9 });
    receiver.play = answer(200);
    await hooks.site.clock.advance(HOUR_MS); // all retries are due
    await hooks.untilCount(9, "delivery where state = 'delivered'");
    assert.deepEqual(await hooks.state(endpoint), { state: 'enabled', failures: 0 });
    receiver.play = answer(500);
    await hooks.fail(endpoint, 9);
    assert.deepEqual(await hooks.state(endpoint), { state: 'enabled', failures: 9 });
    await hooks.fail(endpoint, 1);
    assert.deepEqual(await hooks.state(endpoint), { state: 'disabled', failures: 10 });
    await until('it is logged', async () =>
      /event="webhook endpoint is disabled" .*reason=failures/.test(server.log),
    );
    const attempts = (await hooks.attempts(endpoint)).length;

    await hooks.publish(20); // held
    await hooks.site.clock.advance(DAY_MS);
    const other = await hooks.endpoint(receiver.url());
    await hooks.publish();
    await until('the other is tried', async () => (await hooks.attempts(other)).length > 0);
    assert.equal((await hooks.attempts(endpoint)).length, attempts);

    // Hold the responses until as many requests as may be in flight have arrived: none overtakes.
    const before = receiver.requests.length;
    const held = [];
    receiver.play = (socket) => {
      held.push(socket);
      if (receiver.requests.length >= before + IN_FLIGHT_MAX)
        for (const one of held.splice(0)) one.write(answer(200));
      return null;
    };
    const waiting = (await hooks.deliveries(endpoint)).filter((one) => one.state === 'pending');
    await hooks.site.stockact('webhooks', 'enable', '--id', endpoint.id);
    await hooks.untilCount(0, `${endpointDeliveries(endpoint)} and state = 'pending'`);
    const oldest = waiting.slice(0, IN_FLIGHT_MAX).map((one) => one.id);
    const first = receiver.ids.slice(before, before + IN_FLIGHT_MAX);
    assert.deepEqual(first.sort(), oldest.sort());
    assert.deepEqual(await hooks.state(endpoint), { state: 'enabled', failures: 0 });
  });

  test('an outage that many deliveries meet counts once, and all arrive after it', async (t) => {
    const hooks = await Delivering.open(t, { database: kind, clock: CLOCK });
    await hooks.serve();
    const receiver = await Receiver.start(t, answer(503));
    const endpoint = await hooks.endpoint(receiver.url());
    await hooks.publish(40);
    await hooks.settledAtLeast(1);
    assert.deepEqual(await hooks.state(endpoint), { state: 'enabled', failures: 1 });
    for (const seconds of [1, 2, 4]) {
      const before = await hooks.count('attempt');
      await hooks.site.clock.advance(seconds * 1000 - 1); // too early
      await hooks.site.clock.advance(1);
      await hooks.settled(before + 1);
    }
    receiver.play = answer(200);
    await hooks.site.clock.advance(8000);
    await hooks.site.clock.advance(30_000); // the retries of those that failed
    await hooks.untilCount(40, "delivery where state = 'delivered'");
    assert.deepEqual(await hooks.state(endpoint), { state: 'enabled', failures: 0 });
  });

  test('410 disables an endpoint at once, and a test to it does not', async (t) => {
    const hooks = await Delivering.open(t, { database: kind, clock: CLOCK });
    await hooks.serve();
    const receiver = await Receiver.start(t, answer(410));
    const endpoint = await hooks.endpoint(receiver.url());
    await hooks.site.run(['webhooks', 'test', '--id', endpoint.id]);
    assert.equal((await hooks.state(endpoint)).state, 'enabled');
    await hooks.publish();
    await until('it is', async () => (await hooks.state(endpoint)).state === 'disabled');
    const [listed] = await hooks.site.stockact('webhooks', 'list');
    assert.equal(listed.disabledBy, 'gone');
    receiver.play = answer(200);
    await hooks.site.stockact('webhooks', 'enable', '--id', endpoint.id);
    await hooks.untilCount(1, "delivery where state = 'delivered'");
  });

  test('held events expire after 30 days, and attempts are deleted from the log', async (t) => {
    const hooks = await Delivering.open(t, { database: kind, clock: CLOCK });
    const server = await hooks.serve();
    const receiver = await Receiver.start(t);
    const held = await hooks.endpoint(receiver.url());
    await hooks.endpoint(receiver.url());
    await hooks.site.stockact('webhooks', 'disable', '--id', held.id);
    await hooks.publish(2);
    await hooks.settled(2);
    await hooks.site.clock.advance(30 * DAY_MS - HOUR_MS);
    await hooks.publish();
    await hooks.settled(3);
    assert.equal(await hooks.count("delivery where state = 'expired'"), 0);
    await hooks.site.clock.advance(2 * HOUR_MS);
    await hooks.untilCount(2, "delivery where state = 'expired'");
    await hooks.untilCount(1, 'attempt');
    await until('the metrics say so', async () => {
      const { text } = await server.get('/metrics');
      return /^stockact_webhook_expired 2$/m.test(text) && /^stockact_webhook_held 1$/m.test(text);
    });
  });

  test("third-party verifiers accept the server's requests", async (t) => {
    const hooks = await Delivering.open(t, { database: kind });
    await hooks.serve();
    const receiver = await Receiver.start(t);
    const { secret } = await hooks.endpoint(receiver.url());
    await hooks.publish(2, { rows: 500 });
    await until('both came', () => receiver.requests.length === 2);
    for (const { line, headers, body } of receiver.requests) {
      const text = body.toString('utf8');
      assert.equal(line, 'POST /hook HTTP/1.1');
      const event = Stripe.webhooks.constructEvent(text, headers['x-svc-signature'], secret);
      assert.deepEqual(new Webhook(secret).verify(text, headers), event);
      assert.equal(event.event, 'trade.published');
      assert.equal(event.trades.length, 500);
      assert.equal(headers['webhook-id'], headers['x-svc-delivery-id']);
      assert.equal(headers['x-data'], 'invented'); // decision 49; the body has the usual shape
      const other = Stripe.webhooks.constructEvent;
      assert.throws(() => other(`${text} `, headers['x-svc-signature'], secret));
    }
  });

  test('a filing with 5,000 trades arrives complete', async (t) => {
    const hooks = await Delivering.open(t, { database: kind });
    await hooks.serve();
    const receiver = await Receiver.start(t);
    const { secret } = await hooks.endpoint(receiver.url());
    await hooks.publish(1, { rows: 5000 });
    const { headers, body } = await until('it came', () => receiver.requests[0]);
    const event = new Webhook(secret).verify(body.toString('utf8'), headers);
    const rows = event.trades.map((trade) => trade.id.slice(-4));
    assert.deepEqual(
      rows,
      [...Array(5000).keys()].map((i) => String(i + 1).padStart(4, '0')),
    );
  });

  test('a publication is delivered within a second, on a reused connection', async (t) => {
    const hooks = await Delivering.open(t, { database: kind });
    await hooks.serve();
    const receiver = await Receiver.start(t);
    await hooks.endpoint(receiver.url());
    for (let i = 1; i <= 5; i++) {
      await hooks.publish();
      const written = performance.now();
      await until('it came', () => receiver.requests.length === i);
      assertPromise(t, 'a delivery', receiver.requests.at(-1).at - written, SOON_MS);
    }
    assert.equal(receiver.connections, 1);
  });

  test('a killed server loses nothing, and its successor takes over its leases at once', async (t) => {
    const hooks = await Delivering.open(t, { database: kind });
    const listen = `127.0.0.1:${await freePort()}`;
    const server = await hooks.serve({ listen });
    const receiver = await Receiver.start(t, () => null);
    const endpoint = await hooks.endpoint(receiver.url());
    await hooks.publish(3);
    await until('all are on their way', () => receiver.requests.length === 3);
    await server.kill();
    receiver.play = answer(200);
    await hooks.serve({ listen });
    await until('all are delivered', async () =>
      (await hooks.deliveries(endpoint)).every((one) => one.state === 'delivered'),
    );
    assert.equal(new Set(receiver.ids).size, 3);
    assert.equal(receiver.ids.length, 6);
  });
}

// They mostly wait for the next poll of the clock, which runs once a second.
onEachDatabase('deliveries', tests, { concurrency: 3 });
