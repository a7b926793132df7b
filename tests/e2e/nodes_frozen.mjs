// Run by script/soak nodes: one of three servers is frozen for 90 s of real time, in the middle of a
// transaction and with a delivery in flight. nodes_time.test.mjs does the same in a few seconds with
// a test clock, which PostgreSQL and TCP do not have.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Publishing } from './lib/acknowledged.mjs';
import { Delivering } from './lib/delivering.mjs';
import { Nodes } from './lib/nodes.mjs';
import { answer, Receiver } from './lib/receivers.mjs';
import { any, NO_REDIS, Said, WITHOUT_POSTGRESQL } from './lib/said.mjs';
import { listed } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const TARGET = '/api/v1/trades?limit=1';
const STORE = '/api/v1/corrections?limit=1';
const FROZEN_MS = 90_000;
const IDLE_MS = 30_000; // PostgreSQL ends a transaction that does nothing (db_postgresql.c)
const LEASE_MS = 60_000; // of a delivery (store/account/delivery.h)
const SPARE_MS = 15_000; // of a busy machine
const HEAL_MS = 8000; // 5 s, and the balancer's patience
const TRADES = 20;
const TERMINATED = /terminating connection due to idle-in-transaction timeout/;
const COUNTS = 'cannot write counts, keeping them in memory';
const LOST = 'store does not answer, serving from memory';
const MOVED = 'outcomes of webhooks cannot be written, kept in memory';

test('a server is frozen for 90 s', async (t) => {
  const all = await Nodes.start(t, {
    own: {},
    patience: '3s',
    env: { STOCKACT_BENCH_UNLIMITED: '1', STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' },
    prepare: (site) => site.stockact('demo', '--trades', TRADES, '--as-of', '2026-03-01'),
  });
  const own = new Delivering();
  own.site = all.site;
  const { key, email } = await all.site.mint({ plan: 'den' });
  const receiver = await Receiver.start(t, () => null); // the first request gets no answer
  const endpoint = await own.endpoint(receiver.url());
  const asking = all.ask({ key, lanes: 6, pauseMs: 20 });
  const writing = all.write({ pauseMs: 100 });
  await asking.more(30);
  await writing.more(1);
  const said = await Said.by(all.servers);

  await own.publish(1);
  await until('the delivery is in flight', () => receiver.requests.length === 1);
  const [{ lease_node: holder }] = await own.deliveries(endpoint);
  const node = all.nodes.find(({ listen }) => holder.endsWith(listen));
  const others = all.servers.filter((server) => server !== node.server);
  // It begins a transaction that writes, sends the first statement, and does not see the answer.
  const frozen = await new Promise((resolve) => {
    node.postgres[0].onSent(['BEGIN\0', '\0s'], () => {
      node.server.freeze();
      resolve(performance.now());
    });
  });
  receiver.play = answer(200);
  const publishing = new Publishing(all.site);
  const healed = await asking.well(frozen, 100);
  assert.ok(healed < HEAL_MS, `whole ${healed} ms after the freeze`);

  await until('PostgreSQL ends its transaction', () => TERMINATED.test(all.primary.log), {
    within: IDLE_MS + SPARE_MS,
  });
  const terminated = performance.now() - frozen;
  const repeated = () => receiver.ids.filter((id) => id === receiver.ids[0]).length > 1;
  await until('another server sends its delivery', repeated, { within: LEASE_MS });
  const takenOver = performance.now() - frozen;
  assert.ok(takenOver > LEASE_MS - SPARE_MS && takenOver < LEASE_MS + SPARE_MS, `${takenOver} ms`);
  await delay(frozen + FROZEN_MS - performance.now());
  await said.metrics({ 'nodes{state="silent"}': 1 }, { servers: others });
  said.events({ [COUNTS]: any }, { servers: others });
  const before = await own.deliveries(endpoint);
  assert.equal(before[0].state, 'delivered');
  const minting = await all.site.run([
    ...['keys', 'mint', '--email', email],
    ...['--name', 'later', '--json'],
  ]);
  assert.equal(minting.code, 0, minting.stderr);
  const { key: later } = JSON.parse(minting.stdout);

  const thawed = performance.now();
  node.server.thaw();
  await until('it knows the new key, and reads the database', async () => {
    const one = await node.server.get(TARGET, { key: later });
    const other = await node.server.get(STORE, { key: later });
    return one.status === 200 && other.status === 200;
  });
  const back = performance.now() - thawed;
  assert.ok(back < HEAL_MS, `whole ${back} ms after it goes on`);
  await asking.well(thawed, 100);
  await writing.more(2);
  await Promise.all([writing.stop(), publishing.stop()]);
  const told = await asking.stop();
  said.events(
    {
      ...WITHOUT_POSTGRESQL, // its connection ended with its transaction
      [LOST]: any,
      [MOVED]: any,
      [NO_REDIS]: any,
      'webhook attempt failed': any,
    },
    { servers: [node.server] },
  );

  // Nothing acknowledged is lost, and nothing is done twice.
  assert.deepEqual(await writing.lost(), []);
  const published = 1 + publishing.acknowledged.length;
  const lists = await Promise.all(all.servers.map((one) => listed(one, { key: later })));
  for (const list of lists) assert.deepEqual(list, lists[0]);
  const times = new Set(lists[0].map(({ disclosedAt }) => disclosedAt));
  for (const { disclosedAt } of publishing.acknowledged) assert.ok(times.has(disclosedAt));
  const trades = lists[0].length - TRADES;
  assert.ok(trades >= published, `${trades} trades of ${published} publications`);
  await own.untilCount(trades, "delivery where state = 'delivered'");
  assert.equal(receiver.ids.length, trades + 1, 'only what it had in flight came twice');
  assert.equal(new Set(receiver.ids).size, trades);
  const check = await all.site.run(['check']);
  assert.equal(check.code, 0, check.stderr);
  for (const { server } of all.nodes) await server.stop();
  const [{ used }] = await all.database.query(
    "SELECT used FROM month_count WHERE kind = 'key' AND caller = '1'",
  );
  const { 200: granted, ...rest } = told;
  const unsure = Object.values(rest).reduce((sum, one) => sum + one, 0);
  assert.ok(
    Number(used) >= granted && Number(used) <= granted + unsure,
    `${used} of ${granted} requests are in the month, and ${unsure} had no answer`,
  );
  console.log(
    `figure: frozen for 90 s: requests whole after ${Math.round(healed)} ms; its transaction ended ` +
      `after ${Math.round(terminated)} ms, its delivery taken over after ${Math.round(takenOver)} ms; ` +
      `whole ${Math.round(back)} ms after it went on; of ${granted + unsure} requests ${granted} got ` +
      `200 (${JSON.stringify(rest)}), ${used} are in the month; ${writing.acknowledged.length} ` +
      `accounts and ${published} publications acknowledged, none lost (refused: ` +
      `${JSON.stringify(writing.refused)}); ${receiver.ids.length} requests for ${trades} deliveries`,
  );
});
