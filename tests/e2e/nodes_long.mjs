// The long run of script/soak nodes: three servers, PostgreSQL with a standby, Redis and a balancer
// under load, while failures begin and end, often two at a time: each of them once in random order,
// then random ones until the time is over. Half-way through the former the primary is killed and the
// standby promoted. Environment: STOCKACT_SOAK_MINUTES (5), STOCKACT_SOAK_SEED.

import { strict as assert } from 'node:assert';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Publishing } from './lib/acknowledged.mjs';
import { TestClock } from './lib/clock.mjs';
import { Delivering } from './lib/delivering.mjs';
import { Nodes } from './lib/nodes.mjs';
import { answer, Receiver } from './lib/receivers.mjs';
import { Redis } from './lib/redis.mjs';
import { Slots } from './lib/slots.mjs';
import { listed } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const MINUTES = Number(process.env.STOCKACT_SOAK_MINUTES ?? 5);
const SEED = Number(process.env.STOCKACT_SOAK_SEED ?? Date.now() % 1_000_000);
const MEMORY = '/api/v1/trades?limit=1';
const STORE = '/api/v1/corrections?limit=1';
const CONNECTIONS = 80;
const WRONG_MS = 600_000;
const PATIENCE_S = 3;
const HEAL_MS = 8000; // 5 s, and the balancer's patience
const DELIVER_MS = 150_000; // the lease of a killed server, and an attempt that failed once

/** Numbers in [0, 1) that follow from the seed (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Each failure begins at a server or at all, and returns what ends it. */
const toOne = (engine, way, ...args) => [
  `${engine} of a server: ${way} ${args}`,
  (all, node) => {
    node[`to${engine}`](way, ...args);
    return () => node[`to${engine}`]('pass');
  },
];
const toAll = (engine, way, ...args) => [
  `${engine} of all: ${way} ${args}`,
  (all) => {
    all[`to${engine}`](way, ...args);
    return () => all[`to${engine}`]('pass');
  },
];

/** Starts a server again, with a clock that is wrong by `ms` and stands still. */
const wrongClock = (what, ms) => [
  `a server has a clock that is 10 minutes ${what}`,
  async (all, node) => {
    const clock = new TestClock(
      path.join(all.site.folder, `wrong${ms}`),
      Date.now() + ms,
      () => [],
    );
    await node.server.stop();
    await node.start({ STOCKACT_TEST_CLOCK: clock.file, STOCKACT_ALLOW_TEST_CLOCK: '1' });
    return async () => {
      await node.server.stop();
      await node.start();
    };
  },
];

/** Needs the standby: it is the first one, before the promotion. */
const STANDBY_FAILURE = [
  'the addresses of PostgreSQL lead to its standby',
  (all) => {
    for (const node of all.nodes) node.postgres[0].retarget(all.standby.where);
    return () => {
      for (const node of all.nodes) node.postgres[0].retarget(all.primary.where);
    };
  },
];

/** Redis ends, and its replica takes its address and refuses to count until it is promoted. */
async function failOver(all) {
  const master = all.redis;
  const settings = [`replicaof 127.0.0.1 ${master.port}`];
  const replica = await all.own(Redis.start({ settings }));
  const info = async () => replica.command('info', 'replication');
  const isWhole = async () => master.child.ended || /master_link_status:up/.test(await info());
  await until('the replica has everything', isWhole);
  if (!master.child.ended) await master.halt();
  all.redis = replica;
  all.toRedis('retarget', replica.where);
  return () => replica.command('replicaof', 'no', 'one');
}

const WAYS = [['slow', 50], ['slow', 1000], ['stall'], ['swallow'], ['reset'], ['cut']];
const FAILURES = [
  ...['Postgres', 'Redis'].flatMap((engine) =>
    WAYS.flatMap((way) => [toOne(engine, ...way), toAll(engine, ...way)]),
  ),
  [
    'a server is killed',
    async (all, node) => {
      await node.server.kill();
      return () => node.start();
    },
  ],
  [
    'a server is frozen',
    (all, node) => {
      node.server.freeze();
      return () => node.server.thaw();
    },
  ],
  [
    'a server is restarted',
    async (all, node) => {
      await node.server.stop();
      return () => node.start();
    },
  ],
  [
    'PostgreSQL is stopped',
    async (all) => {
      await all.writable.halt();
      return () => all.writable.resume();
    },
  ],
  [
    'Redis is restarted empty',
    async ({ redis }) => {
      await redis.halt();
      return async () => {
        await redis.resume();
        await redis.command('replicaof', 'no', 'one'); // it may be a replica that was promoted
      };
    },
  ],
  ['Redis fails over to its replica', failOver],
  wrongClock('ahead', WRONG_MS),
  wrongClock('behind', -WRONG_MS),
  [
    'Redis is out of memory',
    async (all) => {
      if (all.redis.child.ended) return () => {}; // the other failure of the round ended it
      await all.redis.command('config', 'set', 'maxmemory', '1');
      return () => all.redis.command('config', 'set', 'maxmemory', '0');
    },
  ],
  [
    'no connection of PostgreSQL is free',
    (all) => {
      const slots = new Slots(all.writable.where);
      return () => slots.free();
    },
  ],
];

test('three servers under load and random failures', async (t) => {
  console.log(`seed ${SEED}, ${MINUTES} minutes`);
  const all = await Nodes.start(t, {
    own: {
      standby: true,
      settings: { max_connections: CONNECTIONS, superuser_reserved_connections: 0 },
    },
    patience: `${PATIENCE_S}s`,
    env: { STOCKACT_BENCH_UNLIMITED: '1', STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' },
    prepare: (site) => site.stockact('demo', '--trades', 100),
  });
  all.writable = all.primary;
  const random = randomFrom(SEED);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const shuffled = (list) =>
    list
      .map((one) => ({ one, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  const receiver = await Receiver.start(t, answer(200));
  const own = new Delivering();
  own.site = all.site;
  await own.endpoint(receiver.url());
  const key = await all.site.key({ plan: 'den' });
  const lists = all.ask({ key, targets: [MEMORY], lanes: 4, pauseMs: 20 });
  const stored = all.ask({ key, targets: [STORE], lanes: 4, pauseMs: 20 });
  const writing = all.write();
  const publishing = new Publishing(all.site);
  const healing = [];
  const began = performance.now();
  const ends = began + MINUTES * 60_000;

  /** One round: failures begin, last for some seconds, and end; then everything is whole again. */
  async function endure(failures) {
    const finish = [];
    // A server starts and stops while its engines work.
    const isServer = ([name]) => Number(name.startsWith('a server'));
    const chosen = failures.toSorted((a, b) => isServer(b) - isServer(a));
    const nodes = [...all.nodes];
    for (const [name, begin] of chosen) {
      const [node] = nodes.splice(Math.floor(random() * nodes.length), 1);
      console.log(`${new Date().toISOString()} ${name} (${node.listen})`);
      finish.unshift(await begin(all, node));
    }
    await delay(1000 + random() * 14_000);
    for (const end of finish) await end();
    const ended = performance.now();
    const waited = { within: 60_000 };
    const healed = Math.max(
      await lists.well(ended, 30, waited),
      await stored.well(ended, 30, waited),
    );
    console.log(`  whole after ${Math.round(healed)} ms`);
    healing.push({ names: chosen.map(([name]) => name), healed });
  }

  const left = [STANDBY_FAILURE, ...shuffled(FAILURES)];
  const draw = () => left.shift() ?? pick(FAILURES);
  let promoted = false;
  while (left.length > 0 || performance.now() < ends) {
    if (!promoted && left.length <= FAILURES.length / 2) {
      promoted = true;
      const promotion = async () => {
        await all.primary.halt();
        return async () => {
          await all.standby.promote();
          all.writable = all.standby;
        };
      };
      await endure([['the primary is killed, the standby promoted', promotion]]);
    } else {
      const first = draw();
      const second = random() < 0.5 ? draw() : first;
      await endure(second === first ? [first] : [first, second]);
    }
  }
  await Promise.all([writing.stop(), publishing.stop()]);
  const told = { lists: await lists.stop(), stored: await stored.stop() };

  const worst = healing.toSorted((a, b) => b.healed - a.healed);
  console.log(JSON.stringify({ told, refused: writing.refused, worst: worst.slice(0, 3) }));
  assert.deepEqual(await writing.lost(), [], 'acknowledged accounts are there');
  const pages = await Promise.all(all.servers.map((one) => listed(one, { key })));
  for (const page of pages) assert.deepEqual(page, pages[0], 'all servers have the same trades');
  const published = publishing.acknowledged.length;
  assert.ok(pages[0].length >= 100 + published, 'acknowledged publications are there');
  await until(
    'each trade that was published is delivered',
    async () => (await own.count("delivery where state <> 'delivered'")) === 0,
    { within: DELIVER_MS },
  );
  assert.ok(new Set(receiver.ids).size >= published);
  const check = await all.site.run(['check']);
  assert.equal(check.code, 0, check.stderr);
  assert.ok(worst[0].healed < HEAL_MS, `whole after ${worst[0].healed} ms: ${worst[0].names}`);
  const counts = Object.values(told.lists).reduce((sum, n) => sum + n, 0);
  console.log(
    `figure: ${Math.round((performance.now() - began) / 60_000)} minutes, seed ${SEED}: ` +
      `${healing.length} rounds, each of ${FAILURES.length + 2} failures at least once, whole after at ` +
      `most ${Math.round(worst[0].healed)} ms; of ${counts} lists ${told.lists['200']} got 200; ` +
      `${writing.acknowledged.length} accounts and ${published} publications acknowledged, none ` +
      `lost; ${receiver.ids.length} requests for ${new Set(receiver.ids).size} deliveries`,
  );
});
