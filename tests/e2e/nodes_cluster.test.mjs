// Two servers that count in a Redis Cluster of three (docs/reliability.md, "Several servers").

import { strict as assert } from 'node:assert';
import test from 'node:test';
import {
  LIMIT,
  assertExactly,
  granted,
  placesOf,
  start,
  status,
} from './lib/counted_in_cluster.mjs';
import { assertPromise } from './lib/measured.mjs';
import { DIFFERS, NO_REDIS, rises, Said } from './lib/said.mjs';
import { until } from './lib/until.mjs';

const HEAL_MS = 5000;
/** Once for each of a server's two connections: for requests, and for sign-ins, which may be idle. */
const once = (n) => n === 1 || n === 2;

test('a Redis Cluster loses a master, and its replica takes over', async (t) => {
  const own = await start(t, { keys: 6, replicas: true });
  const callers = own.keys.map((key) => ({ key }));
  const places = await placesOf(own);
  const lost = places[0];
  const isLost = places.map((index) => index === lost);
  const master = own.cluster.masters[lost];
  const first = await granted(own, callers, 12);
  for (const server of own.servers)
    await until('it has compared the clocks', () => DIFFERS.test(server.log));
  const said = await Said.by(own.servers);

  const began = performance.now();
  await master.halt();
  const served = callers.map(() => 0);
  for (const server of own.servers) {
    const told = [];
    for (const caller of callers) told.push(await status(server, caller));
    assert.deepEqual(
      told,
      isLost.map((one) => (one ? 503 : 200)),
      'callers of the other masters are served',
    );
    told.forEach((one, i) => (served[i] += one === 200));
  }
  // Redis counts as up while any node answers: only the refused requests say that one is gone.
  const made = { redis_up: 1, redis_losses_total: rises, draws_unavailable_total: rises };
  await said.metrics(made);

  await own.cluster.promoted(lost);
  const promoted = performance.now();
  let late = 0;
  for (const server of own.servers)
    await until('its callers are served again', async () => {
      const told = await status(server, callers[0]);
      if (told === 200) served[0] += 1;
      late += told === 503;
      return told === 200;
    });
  const healed = performance.now() - promoted;
  assertPromise(t, 'whole after the promotion', healed, HEAL_MS);
  const rest = await granted(own, callers);
  for (const [i, one] of rest.entries())
    assertExactly(first[i][200] + served[i] + one[200], LIMIT, one, first[i], { 503: late });
  said.events({ [NO_REDIS]: once });
  for (const { log } of own.servers)
    assert.match(
      log,
      new RegExp(`redis is unreachable.* host=127\\.0\\.0\\.1 port=${master.port}`),
    );
  t.diagnostic(
    `whole ${Math.round(healed)} ms after the promotion, ` +
      `${Math.round(promoted + healed - began)} ms after the loss`,
  );
});
