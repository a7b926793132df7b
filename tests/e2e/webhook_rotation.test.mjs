// Rotations of a webhook's secret: which secrets sign, and until when (spec 6; decision 36).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLOCK, Delivering } from './lib/delivering.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

const HOUR = 3_600_000;

async function open(t) {
  const own = await Delivering.open(t, { clock: CLOCK });
  const receiver = await PlainReceiver.start(t);
  await own.serve();
  const add = await own.endpoint(receiver.url(204));
  const rotate = async (hours, ...more) => {
    const args = ['webhooks', 'rotate', '--id', add.id, '--grace', hours, ...more];
    return (await own.site.stockact(...args))[0];
  };
  let sent = 0;
  /** Publishes, and tests the endpoint by the command, which signs too. */
  const expectSignedBy = async (...secrets) => {
    await own.publish(1);
    assertSignedBy((await receiver.have(++sent)).at(-1), ...secrets);
    await own.site.stockact('webhooks', 'test', '--id', add.id);
    assertSignedBy((await receiver.have(++sent)).at(-1), ...secrets);
  };
  return { site: own.site, add, rotate, expectSignedBy };
}

test('the old secret signs until the grace period ends, and never again', async (t) => {
  const { site, add, rotate, expectSignedBy } = await open(t);
  const rotated = await rotate(2);
  assert.equal(rotated.oldSecretUntil, new Date(Date.parse(CLOCK) + 2 * HOUR).toISOString());
  await site.clock.advance(2 * HOUR - 1000);
  await expectSignedBy(rotated.secret, add.secret);
  await site.clock.advance(1000);
  await expectSignedBy(rotated.secret);
  await site.clock.advance(30 * 24 * HOUR);
  await expectSignedBy(rotated.secret);
});

test('a forced rotation without a grace period ends the old secrets at once', async (t) => {
  const { add, rotate, expectSignedBy } = await open(t);
  const second = await rotate(2);
  await expectSignedBy(second.secret, add.secret);
  const third = await rotate(0, '--force');
  assert.equal(third.oldSecretUntil, null);
  await expectSignedBy(third.secret);
});

test('a rotation during a grace period is refused, and a forced one ends the oldest secret', async (t) => {
  const { site, add, rotate, expectSignedBy } = await open(t);
  const second = await rotate(4);
  await site.clock.advance(HOUR);
  const refused = await site.run(['webhooks', 'rotate', '--id', add.id, '--json']);
  assert.equal(refused.code, 1);
  assert.match(JSON.parse(refused.stdout).hint, /its old secret still signs/);
  await expectSignedBy(second.secret, add.secret);
  const third = await rotate(1, '--force');
  await expectSignedBy(third.secret, second.secret);
  await site.clock.advance(HOUR);
  await expectSignedBy(third.secret);
  const fourth = await rotate(1); // the overlap is over
  await expectSignedBy(fourth.secret, third.secret);
  await site.stockact('webhooks', 'end-overlap', '--id', add.id);
  await expectSignedBy(fourth.secret);
  const [revealed] = await site.stockact('webhooks', 'reveal', '--id', add.id);
  assert.equal(revealed.secret, fourth.secret);
});

test('of ten rotations at once one wins', async (t) => {
  const { site, add, expectSignedBy } = await open(t);
  const args = ['webhooks', 'rotate', '--id', add.id, '--json'];
  const done = await Promise.all(Array.from({ length: 10 }, () => site.run(args)));
  const [won, ...others] = done.filter((one) => one.code === 0);
  assert.deepEqual(others, []);
  await expectSignedBy(JSON.parse(won.stdout).secret, add.secret);
});
