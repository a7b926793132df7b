// Events that happen while an account is disabled or an endpoint paused are held, also over kill -9
// (decision 44).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { DAY, openEndpoint } from './lib/endpoint_site.mjs';
import { onEachDatabase } from './lib/site.mjs';

onEachDatabase('held over kill -9', (kind) => {
  const owner = async (own) => (await own.site.stockact('webhooks', 'list'))[0].email;
  const account = async (own, ...args) =>
    own.site.stockact('accounts', ...args, '--email', await owner(own));
  const plan = (name) => (own) => account(own, 'set-plan', '--plan', name);
  const HELD = [
    ['a disabled account', (own) => account(own, 'disable'), (own) => account(own, 'enable')],
    ['a paused endpoint', plan('scout'), plan('pack')],
  ];
  for (const [what, hold, release] of HELD)
    test(`events for ${what} are held over kill -9, and sent once`, async (t) => {
      const own = await openEndpoint(t, { database: kind });
      await hold(own);
      await own.publish(2);
      await own.server.kill();
      await own.publish(1); // while no server runs
      own.server = await own.serve();
      await own.publish(1);
      await own.site.clock.advance(29 * DAY);
      assert.equal(await own.count("delivery where state = 'pending'"), 4);
      assert.equal(own.receiver.requests.length, 0);
      await own.server.kill();
      await release(own);
      own.server = await own.serve();
      await own.settled(4);
      const ids = (await own.deliveries(own.endpointAdded)).map(({ id }) => id);
      assert.deepEqual(own.receiver.ids.toSorted(), ids.toSorted());
      await own.server.kill();
      own.server = await own.serve();
      await own.publish(1);
      await own.settled(5);
      assert.equal(own.receiver.requests.length, 5); // none of the others again
    });
});
