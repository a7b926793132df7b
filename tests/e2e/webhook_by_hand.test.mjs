// What owners send by hand: replays, also to disabled endpoints, and tests by the server (decisions
// 33 and 45).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLOCK } from './lib/delivering.mjs';
import { DAY, HOUR, MINUTE, openEndpoint, shown, status, webhooks } from './lib/endpoint_site.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

onEachDatabase('sent by hand', (kind) => {
  test('twenty replays of one delivery at once give one request', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    await own.publish(1);
    await own.settled(1);
    const [{ id }] = await own.deliveries(own.endpointAdded);
    const args = ['webhooks', 'replay', id, '--json'];
    const done = await Promise.all(Array.from({ length: 20 }, () => own.site.run(args)));
    assert.equal(done.filter((one) => one.code === 0).length, 1);
    for (const one of done.filter(({ code }) => code !== 0))
      assert.match(JSON.parse(one.stdout).hint, /in flight|less than 10 seconds ago/);
    await own.settled(2);
    assert.deepEqual(own.receiver.ids, [id, id]);
    await own.site.clock.advance(10_000);
    await webhooks(own, 'replay', id);
    await own.settled(3);
  });

  test('replays of a failing endpoint neither disable it nor reset its count', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    status(own, 500);
    await own.fail(own.endpointAdded, 9);
    assert.deepEqual(await own.state(own.endpointAdded), { state: 'enabled', failures: 9 });
    const attempts = await own.count('attempt');
    const [{ id }] = await own.deliveries(own.endpointAdded);
    await webhooks(own, 'replay', id); // waits for no pause
    await own.settled(attempts + 1);
    assert.equal(Number((await own.state(own.endpointAdded)).failures), 9);
    status(own, 204);
    await own.site.clock.advance(HOUR); // all nine are due again, one of them as a replay
    await own.untilCount(9, `delivery where state = 'delivered'`);
    assert.equal(Number((await own.state(own.endpointAdded)).failures), 0); // by the other eight
  });

  test('a disabled endpoint gets replays, signed with the present secret, and no events', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    await own.publish(1);
    await own.settled(1);
    const [{ id }] = await own.deliveries(own.endpointAdded);
    await webhooks(own, 'disable', '--id', own.endpointAdded.id);
    const rotated = await webhooks(own, 'rotate', '--id', own.endpointAdded.id, '--grace', 0);
    await own.publish(1);
    await webhooks(own, 'replay', id);
    await own.settled(2);
    assertSignedBy(own.receiver.requests[1], rotated.secret);
    assert.deepEqual(own.receiver.ids, [id, id]);
    const states = (await own.deliveries(own.endpointAdded)).map((row) => row.state);
    assert.deepEqual(states, ['delivered', 'pending']);
    assert.equal((await shown(own)).state, 'disabled');
  });

  test('failed deliveries are counted first, and then replayed by the server', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    await webhooks(own, 'disable', '--id', own.endpointAdded.id);
    await own.publish(12);
    await own.site.database.execute(
      "update delivery set state = 'failed', tries = 6, attempts = 6, ended_at = created_at",
    );
    await own.site.clock.advance(MINUTE);
    const since = ['--failed-since', CLOCK, '--endpoint', own.endpointAdded.id];
    const counted = await webhooks(own, 'replay', ...since, '--count');
    assert.deepEqual(counted, { matching: 12 });
    const none = await webhooks(own, 'replay', ...since, '--count', '--until', CLOCK);
    assert.deepEqual(none, { matching: 0 });
    assert.deepEqual(await webhooks(own, 'replay', ...since), { replayed: 12 });
    await own.settled(12);
    assert.equal(new Set(own.receiver.ids).size, 12);
    assert.equal(await own.count('bulk_replay where replayed = 12 and ended_at is not null'), 1);
    assert.deepEqual(await webhooks(own, 'replay', ...since, '--count'), { matching: 0 });
  });

  test('a test by the server is sent once, not counted, and in the log', async (t) => {
    const own = await openEndpoint(t, { database: kind });
    status(own, 500);
    const args = ['test', '--id', own.endpointAdded.id, '--by-server'];
    const { delivery } = await webhooks(own, ...args);
    await own.settled(1);
    const [request] = own.receiver.requests;
    assert.equal(request.headers['x-svc-event'], 'test');
    assert.equal(request.headers['x-svc-delivery-id'], delivery);
    assertSignedBy(request, own.endpointAdded.secret);
    const [attempt] = await own.site.stockact('webhooks', 'deliveries', '--attempts', delivery);
    assert.equal(attempt.status, 500);
    assert.equal((await shown(own)).failures, 0);
    assert.equal((await shown(own)).failedInDay, 0);
    await own.site.clock.advance(DAY); // no retry
    const again = await webhooks(own, ...args);
    await own.settled(2);
    assert.deepEqual(own.receiver.ids, [delivery, again.delivery]);
    const refused = await own.site.run(['webhooks', 'replay', delivery, '--json']);
    assert.match(JSON.parse(refused.stdout).hint, /is a test: send another test/);
  });
});
