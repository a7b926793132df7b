// Two servers whose one address of PostgreSQL leads to its standby, as a virtual address or a name
// does during a failover (docs/reliability.md, "Several servers").

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { assertPromise } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';
import { Said, WITHOUT_POSTGRESQL } from './lib/said.mjs';

const MEMORY = '/api/v1/trades?limit=1';
const STORE = '/api/v1/corrections?limit=1';
const HEAL_MS = 5000;
const ATTEMPTS = 4; // of the follower; its heartbeats fail as often

test('the address of PostgreSQL leads to its standby', async (t) => {
  const all = new Nodes();
  t.after(() => all.end());
  const address = ({ postgres: [proxy] }) =>
    `postgresql://tests@127.0.0.1:${proxy.port}/${all.database.name}`;
  await all.open({
    count: 2,
    own: { standby: true },
    redis: null,
    balanced: false,
    env: { STOCKACT_BENCH_UNLIMITED: '1' },
    nodeEnv: (i) => ({ STOCKACT_DATABASE: address(all.nodes[i]) }),
    prepare: (site) => site.stockact('demo', '--trades', 20),
  });
  const { key, email } = await all.site.mint({ plan: 'den' });
  const lanes = all.servers.map((where) => all.ask({ where, key, targets: [MEMORY, STORE] }));
  const back = /store answers again/g;

  /** Every server stays up, answers reads, and is whole soon after `end`. */
  async function endure(end) {
    const from = performance.now();
    const healed = all.servers.map(({ log }) => log.match(back)?.length ?? 0);
    const env = { STOCKACT_DATABASE: address(all.nodes[0]) };
    const writing = all.write({ env, pauseMs: 100 });
    await writing.more(1);
    const said = await Said.by(all.servers);
    for (const { postgres } of all.nodes) postgres[0].retarget(all.standby.where);
    // Every server tries a few times.
    await said.metrics({ store_errors_total: (now, before) => now >= before + ATTEMPTS });
    for (const asking of lanes) {
      await asking.well(performance.now(), 40); // also what is not in memory
      assert.deepEqual(Object.keys(asking.told(from, MEMORY)), ['200']);
    }
    await writing.refusal();
    await end();
    const ended = performance.now();
    await all.until('every server is whole', () =>
      all.servers.every(({ log }, i) => log.match(back)?.length === healed[i] + 1),
    );
    const took = Math.round(performance.now() - ended);
    assertPromise(t, 'whole after the end', took, HEAL_MS);
    await said.metrics({ database_up: 1, feed_lag_seconds: 0 });
    said.events(WITHOUT_POSTGRESQL);
    const done = await all.site.run([
      'keys',
      'mint',
      '--email',
      email,
      '--name',
      `after ${took} ms`,
    ]);
    assert.equal(done.code, 0, done.stderr); // every server has told that it knows the key
    for (const server of all.servers) assert.ok(server.running);
    await writing.more(1);
    await writing.stop();
    assert.deepEqual(await writing.lost(), []);
    t.diagnostic(`${writing.acknowledged.length} acknowledged; ${JSON.stringify(writing.refused)}`);
    t.diagnostic(`whole after ${took} ms; ${JSON.stringify(lanes[0].told(from))}`);
  }

  // The address leads to the primary again, and the connections to the standby last.
  await endure(async () => {
    const { env } = all.nodes[0];
    const started = await all.site.run(['serve', '--listen', '127.0.0.1:0'], { env });
    assert.equal(started.code, 1);
    assert.match(started.stderr, /it takes no writes: it is a standby, or read-only/);
    for (const { postgres } of all.nodes) postgres[0].target = all.primary.where;
  });
  // Once for each loss, with what it met first: the end of a connection, or the standby.
  const REASON = /store does not answer.*(?:takes no writes|during recovery|connection was lost)/;
  for (const { log } of all.servers) assert.match(log, REASON);

  await endure(async () => {
    await all.primary.halt();
    await all.standby.promote();
  });
});
