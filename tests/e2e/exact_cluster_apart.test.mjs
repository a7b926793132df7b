// Limits in a Redis Cluster of which a part is cut off, and in one with TLS.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import {
  LIMIT,
  MINUTE,
  assertExactly,
  connected,
  firstOf,
  granted,
  placesOf,
  start,
  status,
} from './lib/counted_in_cluster.mjs';
import { until } from './lib/until.mjs';

test('a partitioned part grants at most the limit once more', async (t) => {
  // The one server knows only the node of the first key.
  const url = async (cluster) => cluster.masters[(await cluster.masterOf('{k1}')).index].url;
  const own = await start(t, { servers: 1, replicas: true, apart: true, url });
  const {
    cluster,
    keys: [key],
  } = own;
  const [place] = await placesOf(own);
  const master = cluster.masters[place];
  const [first] = await granted(own, [{ key }], 12);
  cluster.cutOff(master);
  const [inside] = await granted(own, [{ key }]); // its server reaches no other node
  await cluster.promoted(place);
  const others = cluster.masters.filter((one) => one !== master).map(({ port }) => port);
  const rest = own.address(`redis://${others.map((port) => `127.0.0.1:${port}`).join(',')}`);
  const second = await own.site.serve({ env: { ...own.env, STOCKACT_REDIS: rest } });
  await connected(second, [key]);
  const [outside] = await granted({ servers: [second] }, [{ key }]);
  const count = (told) => told[200] ?? 0;
  const sum = count(first) + count(inside) + count(outside);
  t.diagnostic(`${count(first)} before, then ${count(inside)} and ${count(outside)}`);
  assert.ok(count(outside) > 0, 'the other part goes on');
  assert.ok(sum <= 2 * LIMIT, `${sum} are at most the limit once more`);
  await until('the part has noticed', async () => (await status(own.servers[0], { key })) === 503);
  cluster.rejoin(master);
  await until('it follows', async () => (await master.command('ROLE')).startsWith('slave'));
  own.servers.push(second);
  for (const server of own.servers)
    await until('it is served', async () => (await status(server, { key })) !== 503);
  await own.site.clock.advance(MINUTE);
  const [next] = await granted(own, [{ key }]);
  assertExactly(next[200], LIMIT, next);
});

test('with TLS a node must have a certificate for the host that it announces', async (t) => {
  const hosts = ['127.0.0.1', '127.0.0.1', 'localhost'];
  const own = await start(t, { servers: 1, keys: 6, hosts, url: firstOf });
  const places = await placesOf(own);
  assert.deepEqual([...new Set(places)].sort(), [0, 1, 2]);
  const got = await granted(
    own,
    own.keys.map((key) => ({ key })),
    LIMIT + 6,
  );
  for (const [i, one] of got.entries()) {
    if (places[i] < 2) assertExactly(one[200], LIMIT, one);
    else assert.deepEqual(Object.keys(one), ['503']);
  }
  const { port } = own.cluster.masters[2];
  assert.match(own.servers[0].log, new RegExp(`redis is unreachable.* port=${port}`));
});
