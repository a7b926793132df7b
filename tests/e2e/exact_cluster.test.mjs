// Limits in a Redis Cluster of three: a caller's counts are in one slot, redirections are followed,
// and each caller gets exactly its limit, also while slots are moved (nodes_cluster.test.mjs: and
// while a master is lost).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import {
  LIMIT,
  MINUTE,
  assertExactly,
  firstOf,
  granted,
  start,
  status,
} from './lib/counted_in_cluster.mjs';
import { Redis } from './lib/redis.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

test('keys and addresses get exactly their limits, whichever server is asked first', async (t) => {
  const own = await start(t, { keys: 9, url: firstOf });
  const callers = [
    ...own.keys.map((key) => ({ key })),
    ...Array.from({ length: 4 }, (_, i) => ({ from: `127.0.1.${i + 1}` })),
  ];
  const got = await granted(own, callers);
  for (const [i, { key }] of callers.entries())
    assertExactly(got[i][200], key ? LIMIT : 10, got[i]);
  const sizes = [];
  for (const master of own.cluster.masters) sizes.push(Number(await master.command('DBSIZE')));
  assert.ok(
    sizes.every((size) => size > 0),
    `each master counts: ${sizes}`,
  );
});

test('a key gets exactly its limit while its slot is moved', async (t) => {
  const own = await start(t, { keys: 1 });
  const [{ no }] = await own.site.database.query('SELECT no FROM api_key');
  const { slot, index } = await own.cluster.masterOf(`{k${no}}`);
  const { masters } = own.cluster;
  const [from, to] = [masters[index], masters[(index + 1) % 3]];
  const [key] = own.keys;
  let moving = 0;
  let late = 0;
  const used = await granted(own, [{ key }], 20);
  await own.cluster.move(slot, from, to, async () => {
    for (const server of own.servers) {
      const told = await status(server, { key });
      moving += told === 200;
      late += told === 503;
      assert.ok(told === 200 || told === 503, `${told}`);
    }
  });
  const rest = await granted(own, [{ key }]);
  assertExactly(used[0][200] + moving + rest[0][200], LIMIT, used[0], rest[0], { 503: late });
  await own.site.clock.advance(MINUTE);
  const [next] = await granted(own, [{ key }]);
  assertExactly(next[200], LIMIT, next);
});

test('several hosts that are not a cluster are refused', async (t) => {
  const [one, two] = [await Redis.start(), await Redis.start()];
  t.after(() => Promise.all([one.stop(), two.stop()]));
  const env = { STOCKACT_REDIS: `${one.url},127.0.0.1:${two.port}` };
  const site = await makeSite(t, { env });
  const server = await site.serve();
  await until('the log says why', () => /cluster support disabled/.test(server.log));
  assert.equal(await status(server, {}), 503);
});
