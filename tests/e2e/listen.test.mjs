// `stockact listen` against a real server and a real receiver: what arrives, and where a run begins and
// continues.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { WHY } from './lib/changing.mjs';
import { Listener, openListening as open, received } from './lib/listening.mjs';
import { assertPromise } from './lib/measured.mjs';
import { Receiver } from './lib/receivers.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

const AT_ONCE_MS = 800;

async function eventsOf(site) {
  return site.database.query('SELECT id, type, body FROM event ORDER BY no');
}

onEachDatabase('listen', (kind) => {
  test('events arrive signed, with the body and the headers of a webhook', async (t) => {
    const { hooks, site, receiver, listen, server, key } = await open(t, { kind });
    const own = await Receiver.start(t); // what the service itself sends
    const endpoint = await hooks.endpoint(own.url());
    await site.stockact(
      'webhooks',
      'set-events',
      '--id',
      endpoint.id,
      '--events',
      'trade.published,trade.corrected,trade.withdrawn,trade.reinstated',
    );
    const listener = await listen();
    assert.match(listener.start.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    await hooks.publish(2, { rows: 3 });
    const { data } = await server.json('/api/v1/trades?limit=1', { key });
    await site.stockact('withdraw', data[0].id, ...WHY);
    await site.stockact('reinstate', data[0].id, ...WHY);
    await received(receiver, 4);
    await received(own, 4);
    await listener.untilEvents(4);
    const stripe = new Stripe('sk_invented');
    for (const [i, request] of receiver.requests.entries()) {
      const theirs = own.requests.find(({ body }) => body.equals(request.body));
      assert.ok(theirs, 'the same bytes');
      assert.deepEqual(Object.keys(request.headers).sort(), Object.keys(theirs.headers).sort());
      for (const name of ['content-type', 'content-length', 'user-agent', 'x-svc-event', 'x-data'])
        assert.equal(request.headers[name], theirs.headers[name], name);
      assert.equal(request.line, 'POST /hook HTTP/1.1');
      assert.match(request.headers['x-svc-delivery-id'], /^dlv_[0-9a-f]{32}$/);
      assert.equal(
        request.headers['x-svc-delivery-id'].slice(0, 20),
        theirs.headers['x-svc-delivery-id'].slice(0, 20),
        'the digits of the event',
      );
      assertSignedBy(request, listener.start.secret);
      const text = request.body.toString();
      new Webhook(listener.start.secret).verify(text, request.headers);
      stripe.webhooks.constructEvent(
        text,
        request.headers['x-svc-signature'],
        listener.start.secret,
      );
      const line = listener.events[i];
      assert.equal(line.event, request.headers['x-svc-event']);
      assert.equal(line.deliveryId, request.headers['x-svc-delivery-id']);
      assert.deepEqual([line.status, line.error], [200, null]);
      assert.ok(Number.isInteger(line.ms) && line.ms >= 0);
    }
    assert.deepEqual(
      receiver.requests.map(({ headers }) => headers['x-svc-event']),
      ['trade.published', 'trade.published', 'trade.withdrawn', 'trade.reinstated'],
    );
    const summary = await listener.interrupt();
    assert.deepEqual([summary.events, summary.accepted, summary.failed], [4, 4, 0]);
    assertPromise(t, 'the end', listener.endedAfter, AT_ONCE_MS);
  });

  test('a run begins with the next event, with past ones, or at a cursor', async (t) => {
    const { hooks, site, listen } = await open(t, { kind });
    await hooks.publish(5);
    const ids = (await eventsOf(site)).map(({ id }) => id);
    const print = (...args) => listen(['--print-only', ...args]);

    const next = await print();
    const last = await print('--last', 3);
    await last.untilEvents(3);
    assert.deepEqual(
      last.events.map(({ id }) => id),
      ids.slice(2),
    );
    assert.equal(last.start.secret, null, 'nothing is signed');
    const bodies = (await eventsOf(site)).map(({ body }) => JSON.parse(body));
    assert.deepEqual(
      last.events.map(({ body }) => body),
      bodies.slice(2),
    );
    const { cursor } = await last.interrupt();

    await hooks.publish(2);
    const all = (await eventsOf(site)).map(({ id }) => id);
    await next.untilEvents(2);
    assert.deepEqual(
      next.events.map(({ id }) => id),
      all.slice(5),
    );
    const again = await print('--cursor', cursor);
    await again.untilEvents(2);
    assert.deepEqual(
      again.events.map(({ id }) => id),
      all.slice(5),
    );
    await again.interrupt('SIGTERM');
    await next.interrupt('SIGHUP');
  });

  test('no event is lost or forwarded twice while the server is killed again and again', async (t) => {
    const { hooks, site, server, receiver, key } = await open(t, { kind });
    const listener = await Listener.start(t, {
      url: server.url,
      key,
      args: ['--to', receiver.url()],
    });
    const { port } = new URL(server.url);
    let running = server;
    for (let i = 0; i < 3; i++) {
      await hooks.publish(3);
      if (i === 1) await running.stop();
      else await running.kill();
      await hooks.publish(2);
      if (i === 0) await listener.child.waitFor(/trying again/, { stream: 'stderr' });
      running = await site.serve({ listen: `127.0.0.1:${port}` });
      await received(receiver, 5 * (i + 1));
    }
    await listener.untilEvents(15);
    const ids = (await eventsOf(site)).map(({ id }) => id);
    assert.equal(ids.length, 15);
    assert.deepEqual(
      listener.events.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(
      receiver.ids.map((id) => `evt_${id.slice(4, 20)}`),
      ids,
      'each once, in order',
    );
    const notes = listener.child.stderr;
    assert.match(notes, /trying again\n/);
    assert.match(notes, /answers again\n/);
    assert.equal((await listener.interrupt()).accepted, 15);
  });
});
