// What is held for endpoints, and what changes under deliveries: a new address, a removal, a rotated
// secret (decisions 33, 37 and 44).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLOCK } from './lib/delivering.mjs';
import {
  DAY,
  MINUTE,
  openEndpoint,
  received,
  shown,
  status,
  webhooks,
} from './lib/endpoint_site.mjs';
import { answer, Receiver } from './lib/receivers.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

onEachDatabase('held and changed deliveries', (kind) => {
  test('events of a paused endpoint are held, and expire after thirty days', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    const [{ email }] = await own.site.stockact('webhooks', 'list');
    await own.site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'scout');
    await own.publish(2);
    await own.site.clock.advance(30 * DAY);
    await own.untilCount(2, "delivery where state = 'expired'");
    await own.publish(1);
    await own.site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'pack');
    await own.settled(1);
  });

  test('a new URL gets the waiting deliveries, with the old secret', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    const other = await Receiver.start(t);
    status(own, 500);
    await own.publish(2);
    await own.settled(2);
    const args = ['change', '--id', own.endpointAdded.id, '--url', other.url()];
    const changed = await webhooks(own, ...args, '--description', 'the new desk');
    assert.equal(changed.url, other.url());
    assert.equal(changed.description, 'the new desk');
    await own.site.clock.advance(MINUTE);
    await own.settled(4);
    assert.deepEqual(new Set(other.ids), new Set(own.receiver.ids));
    assertSignedBy(other.requests[0], own.endpointAdded.secret);
    const refused = await own.site.run([
      ...['webhooks', 'change', '--id', own.endpointAdded.id, '--json'],
      ...['--url', 'https://user@example.org/'],
    ]);
    assert.equal(JSON.parse(refused.stdout).error, 'invalid_parameter');
  });

  test('an endpoint that is removed while it is sent to gets nothing more', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    let hanging;
    own.receiver.play = (socket) => {
      if (hanging) return answer(500);
      hanging = socket;
      return null;
    };
    await own.publish(1);
    await received(own, 1);
    await own.publish(1); // one more in flight, or waiting
    await webhooks(own, 'remove', '--id', own.endpointAdded.id);
    await own.publish(1);
    assert.equal(await own.count("delivery where state = 'pending'"), 0);
    hanging.write(answer(500));
    await until(
      'each attempt has its outcome',
      async () => (await own.count('attempt')) === own.receiver.requests.length,
    );
    await own.site.clock.advance(DAY);
    const other = await Receiver.start(t); // its turn proves that the removed one had its turn
    await own.endpoint(other.url());
    await own.publish(1);
    await until('the other is sent to', () => other.requests.length === 1);
    assert.ok(own.receiver.requests.length <= 2);
    assert.equal(await own.count("endpoint where state = 'deleted'"), 1);
  });
});

test('the log keeps each attempt as it was sent, also after a rotation', async (t) => {
  const own = await openEndpoint(t);
  status(own, 500);
  await own.publish(1);
  await own.settled(1);
  const { id } = own.endpointAdded;
  await webhooks(own, 'rotate', '--id', id, '--grace', 0);
  status(own, 204);
  await own.site.clock.advance(MINUTE);
  await own.settled(2);
  const [{ id: delivery }] = await own.deliveries(own.endpointAdded);
  const attempts = await own.site.stockact('webhooks', 'deliveries', '--attempts', delivery);
  const [whole] = await own.site.stockact('webhooks', 'deliveries', '--body', delivery);
  for (const [i, request] of own.receiver.requests.entries()) {
    const [line, ...fields] = attempts[i].request.trimEnd().split('\r\n');
    assert.equal(line, request.line);
    const headers = Object.fromEntries(
      fields
        .map((field) => field.split(/: ?(.*)/s))
        .map(([name, text]) => [name.toLowerCase(), text]),
    );
    assert.deepEqual(headers, request.headers);
    assert.equal(whole.body, request.body.toString());
    assert.equal(attempts[i].url, own.receiver.url());
  }
  assert.notEqual(attempts[0].request, attempts[1].request);
  const health = await shown(own);
  assert.equal(health.deliveredInDay, 1);
  assert.equal(health.failedInDay, 1);
  assert.deepEqual(
    health.hours.slice(-1).map(({ delivered, failed }) => [delivered, failed]),
    [[1, 1]],
  );
  const list = async (...args) =>
    (await own.site.stockact('webhooks', 'deliveries', ...args)).length;
  assert.equal(await list('--state', 'delivered', '--endpoint', id), 1);
  assert.equal(await list('--state', 'failed', '--endpoint', id), 0);
  assert.equal(await list('--since', CLOCK), 1);
  assert.equal(await list('--until', CLOCK), 0);
});
