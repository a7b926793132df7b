// Three servers on a Redis that fails (docs/reliability.md, "Several servers"). The servers are the
// same for all tests of the file: each failure begins where the one before it has healed, and no
// server is restarted. The clock does not move, so that all requests are in one minute.
// If Valkey is installed, all of it runs on Valkey too.

import { strict as assert } from 'node:assert';
import test, { after, afterEach, before, describe } from 'node:test';
import { Balancer, noBalancer } from './lib/balancer.mjs';
import { assertPromise } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';
import { programPath } from './lib/programs.mjs';
import { Redis } from './lib/redis.mjs';
import { any, DIFFERS, NO_REDIS, rises, Said, some, stays } from './lib/said.mjs';

const TARGET = '/api/v1/trades?limit=1';
const SPENT = 'request_duration_seconds_sum{route="/api/v1/trades"}';
const REFUSED = '503 service_unavailable';
const HEAL_MS = 3000;
const ANSWER_MS = 500; // what Redis has for an answer (limits/redis_link.h)
const SPARE_MS = 500;
/** Once for each of a server's two connections: for requests, and for sign-ins, which may be idle. */
const once = (n) => n === 1 || n === 2;
const MADE = { redis_losses_total: rises, draws_unavailable_total: rises };
const NONE = { redis_losses_total: stays, draws_unavailable_total: stays, redis_up: 1 };

function threeServersOn(program) {
  const all = new Nodes();
  let key, asking, from;

  after(() => all.end());
  afterEach(() => all.toRedis('pass'));

  before(async () => {
    await all.open({
      clock: '2026-03-10T12:00:20Z',
      env: { STOCKACT_BENCH_UNLIMITED: '1' },
      redis: program,
      patient: false,
      prepare: (site) => site.stockact('demo', '--trades', 20, '--as-of', '2026-03-01'),
    });
    key = await all.site.key({ plan: 'den' });
    await all.allLog(DIFFERS);
    asking = all.ask({ key, targets: [TARGET], lanes: 6 });
  });

  /** How many requests of the key are counted, with one more that is made to look. */
  async function counted() {
    const { limit } = await all.servers[0].get(TARGET, { key });
    return limit.limit - limit.remaining;
  }

  const granted = () => asking.told()['200'];
  const told = () => Object.keys(asking.told(from)).sort();

  /**
   * Runs a failure: requests are refused meanwhile, and served again soon after its end. Each server
   * says so, `lines` often in its log, and `up` is its metric meanwhile.
   */
  async function endure(t, { begin, meanwhile = () => {}, end, lines = once, up = any }) {
    const said = await Said.by(all.servers);
    from = performance.now();
    await begin();
    await all.until('requests are refused', () => told().includes(REFUSED));
    await asking.more(20);
    await meanwhile();
    await said.metrics({ ...MADE, redis_up: up });
    const ended = performance.now();
    await end();
    const healed = await asking.well(ended);
    for (const one of told()) assert.ok(['200', REFUSED].includes(one), one);
    assertPromise(t, 'whole after the end', healed, HEAL_MS);
    await said.metrics({ redis_up: 1 });
    said.events({ [NO_REDIS]: lines });
    t.diagnostic(
      `whole ${Math.round(healed)} ms after the end; slowest ${Math.round(asking.slowest(from))} ms; ` +
        JSON.stringify(asking.told(from)),
    );
  }

  test('Redis takes 50 ms longer for each call', async (t) => {
    const said = await Said.by(all.servers);
    from = performance.now();
    all.toRedis('slow', 50);
    await asking.more(100);
    all.toRedis('pass');
    await said.metrics({ ...NONE, [SPENT]: (now, before) => now - before >= 10 * 0.05 });
    said.events({});
    assert.deepEqual(told(), ['200']);
    t.diagnostic(`slowest ${Math.round(asking.slowest(from))} ms`);
  });

  test('Redis takes 1 s longer for each call', async (t) => {
    const before = (await counted()) - granted();
    await endure(t, {
      begin: () => all.toRedis('slow', 1000),
      end: () => all.toRedis('pass'),
      lines: some,
    });
    const extra = (await counted()) - granted() - before;
    assert.ok(extra <= 8, `refused requests are not counted, but ${extra} are`);
    assertPromise(t, 'the slowest answer', asking.slowest(from), ANSWER_MS + 1000 + SPARE_MS);
  });

  test('Redis accepts connections and says nothing', async (t) => {
    await endure(t, {
      begin: () => all.toRedis('swallow'),
      end: () => all.toRedis('pass'),
      up: 0,
    });
    assertPromise(t, 'the slowest answer', asking.slowest(from), ANSWER_MS + SPARE_MS);
  });

  test('Redis is stopped, and restarted empty', async (t) => {
    await endure(t, {
      begin: () => all.redis.halt(),
      meanwhile: async () => {
        const [server] = all.servers;
        for (const target of ['/', '/healthz', '/readyz', '/docs'])
          assert.equal((await server.get(target, { unchecked: true })).status, 200, target);
      },
      end: () => all.redis.resume(),
      up: 0,
    });
    const short = granted() - (await counted());
    t.diagnostic(`${short} of ${granted()} granted requests are not counted`);
    assert.ok(short <= 12, 'the count continues from what the servers know');
  });

  test('Redis is out of memory', async (t) => {
    await endure(t, {
      begin: () => all.redis.command('config', 'set', 'maxmemory', '1'),
      meanwhile: async () => {
        await all.allLog(/redis is unreachable.*OOM/);
        await asking.more(500); // each connection is given up again
      },
      end: () => all.redis.command('config', 'set', 'maxmemory', '0'),
      lines: 1, // not one for each attempt
    });
  });

  test('Redis fails over to its replica', async (t) => {
    const master = all.redis;
    const replica = await Redis.start({
      program,
      settings: [`replicaof 127.0.0.1 ${master.port}`],
    });
    try {
      await all.until('the replica has everything', async () =>
        /master_link_status:up/.test(await replica.command('info', 'replication')),
      );
      await endure(t, {
        begin: async () => {
          await master.halt();
          for (const node of all.nodes) node.toRedis('retarget', replica.where);
        },
        meanwhile: () => all.allLog(/redis is unreachable.*READONLY/),
        end: () => replica.command('replicaof', 'no', 'one'),
        lines: (n) => n === 2 || n === 3, // it is lost, and then it refuses to count
      });
      const short = granted() - (await counted());
      t.diagnostic(`${short} of ${granted()} granted requests are not counted`);
    } finally {
      await master.resume();
      for (const node of all.nodes) node.toRedis('retarget', master.where);
      await asking.well(performance.now());
      await replica.stop();
    }
  });

  test('one server is cut off from Redis', async (t) => {
    const [cut, ...others] = all.nodes;
    const said = await Said.by(all.servers);
    cut.toRedis('cut');
    const status = async ({ server }) => (await server.get(TARGET, { key })).status;
    await all.until('it refuses', async () => (await status(cut)) === 503);
    from = performance.now();
    for (const other of others) assert.equal(await status(other), 200);
    await asking.more(60);
    await said.metrics({ ...MADE, redis_up: 0 }, { servers: [cut.server] });
    await said.metrics(NONE, { servers: others.map(({ server }) => server) });
    assert.equal((await cut.server.get('/readyz', { unchecked: true })).status, 200);
    const listens = all.nodes.map(({ listen }) => listen);
    const patient = await Balancer.start(listens, { retryOn: 'conn-failure 503' });
    t.after(() => patient.stop());
    const unaware = all.ask({ where: patient.where, key, targets: [TARGET], lanes: 6 });
    await unaware.more(60);
    assert.deepEqual(Object.keys(await unaware.stop()), ['200'], 'another server is tried');
    const { 200: well, [REFUSED]: refused } = asking.told(from);
    assert.ok(well > refused, 'the other two serve');
    const ended = performance.now();
    cut.toRedis('pass');
    const healed = await asking.well(ended);
    t.diagnostic(
      `whole ${Math.round(healed)} ms after the end; ${JSON.stringify(asking.told(from))}`,
    );
    assertPromise(t, 'whole after the end', healed, HEAL_MS);
    await said.metrics({ redis_up: 1 });
    said.events({ [NO_REDIS]: once }, { servers: [cut.server] });
    said.events({}, { servers: others.map(({ server }) => server) });
  });
}

for (const [name, program] of [
  ['Redis', 'redis-server'],
  ['Valkey', 'valkey-server'],
]) {
  const missing = programPath(program) ? false : `${program} is not installed`;
  describe(`three servers on one ${name}`, { skip: noBalancer || missing }, () =>
    threeServersOn(program),
  );
}
