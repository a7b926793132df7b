// Limits on several servers are exact (docs/reliability.md, "Exactness on several servers"): one key
// is used through all of them at once, while servers are killed and Redis restarts, with its data,
// with older data and with none.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { NOON } from './lib/limited_site.mjs';
import { Nodes } from './lib/nodes.mjs';
import { until } from './lib/until.mjs';

const TARGET = '/api/v1/filings';
const LIMIT = 300; // of the plan den, in a minute
const LANES = 8; // for each server
const MINUTE = 60_000;
const UNWRITTEN = 5; // requests of which a server has not told the database
/** The connection that counts sign-ins may be back sooner. */
const COUNTS_AGAIN = /redis is connected again" counts=requests /;

function start(t, options) {
  lost = 0;
  return Nodes.start(t, { balanced: false, clock: NOON, ...options });
}

/** Status of one request; 0: no answer. */
const ask = (server, key) =>
  server.get(TARGET, { key, unchecked: true }).then(
    ({ status }) => status,
    () => 0,
  );

/** Answers that Redis gave too late for a busy machine: 503, and perhaps counted. */
let lost = 0;

/** The number of each other status of `count` requests through one server, one after the other. */
async function ask1(server, key, count) {
  const told = {};
  for (let i = 0; i < count; i++) {
    const status = await ask(server, key);
    if (status === 503) {
      assert.ok(++lost < 20, 'Redis answers');
      i--;
    } else told[status] = (told[status] ?? 0) + 1;
  }
  return told;
}

/** The limit is used up, and the next request is denied. */
async function useUp(server, key) {
  const told = await ask1(server, key, LIMIT + 1);
  assert.ok(told[200] <= LIMIT && told[200] >= LIMIT - lost, JSON.stringify(told));
}

/**
 * Uses the key through all servers at once, until each lane has been denied a few times in a row.
 * When about a third of the limit is used, all lanes wait for `pause(told, flying)`, if given, and
 * go on; then `disturb()` is called once. `granted(server)` is told of each granted request.
 * Returns the number of each status.
 */
async function hammer(all, key, disturb = async () => {}, { pause, granted = () => {} } = {}) {
  const told = {};
  let flying = 0;
  let paused = null;
  let disturbed = null;
  const lane = async (node) => {
    let denied = 0;
    while (denied < 5) {
      const { server } = node;
      flying++;
      const status = await ask(server, key);
      flying--;
      told[status] = (told[status] ?? 0) + 1;
      if (status === 200) granted(server);
      denied = status === 429 ? denied + 1 : 0;
      if ((told[200] ?? 0) > LIMIT / 3) {
        paused ??= pause?.(told, () => flying);
        if (paused) await paused;
        disturbed ??= disturb();
      }
      if (status !== 200) await disturbed;
    }
  };
  await Promise.all(all.nodes.flatMap((node) => Array.from({ length: LANES }, () => lane(node))));
  await disturbed;
  return told;
}

const kill = async (node) => {
  await node.server.kill();
  await node.start();
};

/** The month of a key (by its number) in the database: what the servers have written. */
async function written(all, no = 1) {
  const [row] = await all.database.query(
    `SELECT used FROM month_count WHERE kind = 'key' AND caller = '${no}'`,
  );
  return Number(row?.used ?? 0);
}

test('a key gets exactly its limit while servers are killed', async (t) => {
  const all = await start(t);
  const rounds = [];
  for (const [i, node] of all.nodes.entries()) {
    const no = i + 1;
    const key = await all.site.key({ plan: 'den' });
    const { server: dying } = node;
    let unwritten = null; // granted by the server after its last write, before it is killed
    // The servers write every half second: only requests after that can be lost.
    const pause = async (told, flying) => {
      const isWritten = async () => flying() === 0 && (await written(all, no)) >= told[200];
      await until('all of them have written', isWritten);
      unwritten = 0;
    };
    const granted = (server) => {
      if (server === dying && unwritten !== null) unwritten++;
    };
    const disturb = async () => {
      await until('it has counted some more', () => unwritten >= UNWRITTEN);
      await kill(node);
    };
    const told = await hammer(all, key, disturb, { pause, granted });
    const unanswered = told[0] ?? 0; // each may have been counted before its server died
    assert.ok(
      told[200] <= LIMIT && told[200] >= LIMIT - unanswered - (told[503] ?? 0),
      JSON.stringify(told),
    );
    rounds.push({ no, granted: told[200], unwritten, unanswered });
    await all.site.clock.advance(MINUTE);
  }
  for (const { server } of all.nodes) await server.stop();
  for (const round of rounds) {
    const used = await written(all, round.no);
    const { granted, unwritten } = round;
    t.diagnostic(`${JSON.stringify(round)}: ${granted - used} are not in the month`);
    assert.ok(used <= LIMIT && used >= granted - unwritten, `${used} of ${granted} in the month`);
  }
});

test('a key gets exactly its limit over a restart of Redis with its data', async (t) => {
  const all = await start(t);
  const key = await all.site.key({ plan: 'den' });
  const told = await hammer(all, key, async () => {
    all.toRedis('stall'); // nothing is counted between the snapshot and the end
    await all.redis.command('SAVE');
    await all.redis.halt();
    all.toRedis('pass');
    await all.redis.resume();
  });
  const dropped = told[503] ?? 0; // counted, but the answer was lost
  assert.ok(told[200] <= LIMIT && told[200] >= LIMIT - dropped, JSON.stringify(told));
  t.diagnostic(JSON.stringify(told));
});

for (const [what, snapshot] of [
  ['no data', false],
  ['older data', true],
])
  test(`with ${what} after a restart of Redis, counting goes on from the counts of the servers`, async (t) => {
    const all = await start(t);
    const key = await all.site.key({ plan: 'den' });
    const [first, second, third] = all.servers;
    assert.deepEqual(await ask1(first, key, 20), { 200: 20 });
    if (snapshot) await all.redis.command('SAVE');
    assert.deepEqual(await ask1(second, key, 180), { 200: 180 });
    assert.deepEqual(await ask1(first, key, 1), { 200: 1 });
    await all.redis.halt();
    await all.redis.resume();
    await all.allLog(COUNTS_AGAIN);
    // The third has seen none of the 201; the others bring what they know.
    const early = await ask1(third, key, 10);
    assert.deepEqual(early, { 200: 10 });
    for (const server of [first, second]) assert.deepEqual(await ask1(server, key, 1), { 200: 1 });
    const rest = await hammer(all, key);
    const granted = 201 + 10 + 2 + (rest[200] ?? 0);
    const over = granted - LIMIT;
    // At most what was granted before the server with the highest count was asked again.
    assert.ok(over >= -lost - (rest[503] ?? 0) && over <= 10, `${over} too many`);
    await all.site.clock.advance(MINUTE);
    const next = await hammer(all, key);
    assert.ok(
      next[200] <= LIMIT && next[200] >= LIMIT - (next[503] ?? 0),
      'the next minute is exact',
    );
  });

test('a Redis that loses its data gets the months of all servers again', async (t) => {
  const all = await start(t, { count: 2 });
  const key = await all.site.key({ plan: 'den' });
  const [first, second] = all.servers;
  const counted = async () => {
    const [name] = (await all.redis.command('KEYS', 'stockact:{k*:q*')).split('\n');
    return Number(await all.redis.command('GET', name));
  };
  const isWritten = (count) =>
    until(`${count} are written`, async () => (await written(all)) >= count);

  // Of 55 requests, 5 are not written yet when Redis loses its data.
  assert.deepEqual(await ask1(first, key, 50), { 200: 50 });
  await isWritten(50); // an answer that was late may be counted
  all.nodes[0].toPostgres('stall');
  assert.deepEqual(await ask1(first, key, UNWRITTEN), { 200: UNWRITTEN });
  await all.redis.halt();
  await all.redis.resume();
  await all.allLog(COUNTS_AGAIN);
  let more = 0;
  await until('the second server brings the month', async () => {
    assert.deepEqual(await ask1(second, key, 1), { 200: 1 });
    more++;
    await isWritten(50 + more);
    return (await counted()) >= 50 + more;
  });
  assert.ok((await counted()) <= 50 + more + lost, 'it is short by what is not written');

  all.nodes[0].toPostgres('pass');
  await isWritten(50 + UNWRITTEN + more);
  assert.deepEqual(await ask1(first, key, 1), { 200: 1 });
  const whole = 50 + UNWRITTEN + more + 1;
  const month = await counted();
  assert.ok(month >= whole && month <= whole + lost, `${month} of ${whole}`);
});

/** The count of the minute that a server brings to an empty Redis, without being asked. */
const brought = (all, count) =>
  until(`Redis has ${count}`, async () => {
    const names = (await all.redis.command('KEYS', 'stockact:{k*:m*')).split('\n').filter(Boolean);
    const counts = names.map((name) => all.redis.command('GET', name));
    return (await Promise.all(counts)).some((one) => Number(one) === count);
  });

test('a Redis that loses its data gets the counts of the minute from each server', async (t) => {
  const all = await start(t, { count: 2 });
  const key = await all.site.key({ plan: 'den' });
  const [first, second] = all.servers;
  await useUp(first, key);
  await all.redis.halt();
  await all.redis.resume();
  await all.allLog(COUNTS_AGAIN);
  await brought(all, LIMIT);
  for (const server of [second, first]) assert.deepEqual(await ask1(server, key, 2), { 429: 2 });
});

test('without Redis each server counts alone, and with it all count together again', async (t) => {
  const all = await start(t, {
    count: 2,
    nodeEnv: () => ({ STOCKACT_REDIS_LOST: 'local' }),
  });
  const key = await all.site.key({ plan: 'den' });
  const [first, second] = all.servers;
  assert.deepEqual(await ask1(first, key, LIMIT - 10), { 200: LIMIT - 10 });
  await all.redis.halt();
  await all.allLog(/redis is unreachable" counts=requests /);
  assert.deepEqual(await ask1(first, key, 12), { 200: 10, 429: 2 });
  assert.deepEqual(await ask1(second, key, LIMIT + 2), { 200: LIMIT, 429: 2 });
  assert.equal((await first.get('/api/v1/usage', { key })).status, 200);
  await all.site.clock.advance(MINUTE);
  assert.deepEqual(await ask1(first, key, LIMIT - 5), { 200: LIMIT - 5 });
  await all.redis.resume(); // empty
  await all.allLog(COUNTS_AGAIN);
  await brought(all, LIMIT - 5);
  assert.deepEqual(await ask1(second, key, 7), { 200: 5, 429: 2 });
});
