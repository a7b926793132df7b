// Three servers, of which one loses time (docs/reliability.md, "Several servers").

import { strict as assert } from 'node:assert';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noBalancer } from './lib/balancer.mjs';
import { TestClock } from './lib/clock.mjs';
import { Delivering } from './lib/delivering.mjs';
import { assertPromise } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';
import { answer, Receiver } from './lib/receivers.mjs';
import { any, DIFFERS, NO_REDIS, Said } from './lib/said.mjs';
import { until } from './lib/until.mjs';

const TARGET = '/api/v1/trades?limit=1';
const CLOCK = '2026-03-10T12:00:20Z';
const WRONG_MS = 600_000;
const DELIVERIES = 30;
const OFF_MS = 30_000; // from here on the log says that clocks differ
const NEAR_S = 5;
const DAY = 86_400_000;
const MOVED = 'outcomes of webhooks cannot be written, kept in memory';
const COUNTS = 'cannot write counts, keeping them in memory';

describe('three servers, of which one loses time', { skip: noBalancer }, () => {
  test('a server is frozen for longer than its leases', async (t) => {
    const all = await Nodes.start(t, {
      clock: CLOCK,
      patience: '3s',
      env: { STOCKACT_BENCH_UNLIMITED: '1', STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' },
      prepare: (site) => site.stockact('demo', '--trades', 20, '--as-of', '2026-03-01'),
    });
    const own = new Delivering();
    own.site = all.site;
    const { key, email } = await all.site.mint({ plan: 'den' });
    const receiver = await Receiver.start(t, () => null); // the first request gets no answer
    const endpoint = await own.endpoint(receiver.url());
    await own.publish(1);
    await until('the delivery is in flight', () => receiver.requests.length === 1);
    const [{ lease_node: holder }] = await own.deliveries(endpoint);
    const node = all.nodes.find(({ listen }) => holder.endsWith(listen));
    const asking = all.ask({ key, lanes: 6 });
    await asking.more(30);
    await all.allLog(DIFFERS);
    const writing = all.write({ pauseMs: 100 });
    await writing.more(1);
    const said = await Said.by(all.servers);

    node.server.freeze();
    const frozen = performance.now();
    receiver.play = answer(200);
    await all.site.clock.advance(90_000);
    await until('another server sends it', () => receiver.requests.length === 2);
    const healed = await asking.well(frozen, 100);
    const others = all.servers.filter((server) => server !== node.server);
    await said.metrics({ 'nodes{state="silent"}': 1 }, { servers: others });
    said.events({ [COUNTS]: any }, { servers: others }); // the frozen one may hold locks of rows
    const minting = await all.site.run([
      'keys',
      'mint',
      '--email',
      email,
      '--name',
      'later',
      '--json',
    ]);
    assert.equal(minting.code, 0, minting.stderr);

    const thawed = performance.now();
    node.server.thaw();
    const { key: later } = JSON.parse(minting.stdout);
    await until('it knows the new key', async () => {
      return (await node.server.get(TARGET, { key: later })).status === 200;
    });
    await own.settled(2);
    const [{ state }] = await own.deliveries(endpoint);
    assert.equal(state, 'delivered');
    said.events(
      { 'webhook attempt failed': 1, [MOVED]: any, [NO_REDIS]: any, [COUNTS]: any },
      { servers: [node.server] },
    );
    assert.equal(new Set(receiver.ids).size, 1, 'both requests have the id of one delivery');
    await asking.well(thawed);
    await writing.more(1);
    await writing.stop();
    assert.deepEqual(writing.refused, {});
    assert.deepEqual(await writing.lost(), []);
    const told = await asking.stop();
    t.diagnostic(`${Math.round(healed)} ms after the freeze; ${JSON.stringify(told)}`);
    // It has lost Redis too, and connects again when it resumes.
    const known = ['200', '503 service_unavailable', '504 without a word'];
    for (const one of Object.keys(told)) assert.ok(known.includes(one), one);
    assert.ok(
      told['504 without a word'] <= 12,
      'only requests that it had, or got before the check',
    );
    assertPromise(t, 'whole after the freeze', healed, 8000);
  });

  /** The clock of one of three servers differs by `ms`. */
  async function serveWithWrongClock(t, ms) {
    let wrongClock, rightClock;
    const day = new Date(Date.now() - 9 * DAY).toISOString().slice(0, 10);
    const all = await Nodes.start(t, {
      clock: new Date().toISOString(), // as the database's, which has no test clock
      balanced: false,
      env: { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' },
      prepare: async (site) => {
        await site.stockact('demo', '--trades', 20, '--as-of', day);
        await site.clock.set(Date.now());
        rightClock = site.clock.file;
        const running = () => [];
        wrongClock = new TestClock(path.join(site.folder, 'wrong'), Date.now() + ms, running);
      },
      nodeEnv: (i) =>
        i === 0
          ? { STOCKACT_TEST_CLOCK: wrongClock.file, STOCKACT_TEST_DATABASE_CLOCK: rightClock }
          : {},
    });
    const [wrong, ...others] = all.servers;
    await until('its log says it', () => DIFFERS.test(wrong.log));
    // Their clock stands still, and so loses what the test takes.
    const lost = () => Date.now() - all.site.clock.now;
    for (const { log } of others) assert.ok(!DIFFERS.test(log) || lost() > OFF_MS, log);
    const said = await Said.by(all.servers);
    const about = (seconds) => (now) => Math.abs(now - seconds) < NEAR_S + lost() / 1000;
    await said.metrics({ clock_ahead_seconds: about(ms / 1000) }, { servers: [wrong] });
    await said.metrics({ clock_ahead_seconds: about(0) }, { servers: others });
    const key = await all.site.key({ plan: 'pack' });
    const granted = async (server) => {
      for (let n = 0; ; n++) if ((await server.get(TARGET, { key })).status === 429) return n;
    };
    const counts = [await granted(others[0]), await granted(others[1]), await granted(wrong)];
    assert.deepEqual(counts, [60, 0, 60], 'the key has its limit once more, for another minute');

    const writing = all.write({ env: all.nodes[0].env, pauseMs: 100 });
    const own = new Delivering();
    own.site = all.site;
    const receiver = await Receiver.start(t, answer(200));
    await own.endpoint(receiver.url());
    await own.publish(DELIVERIES);
    await own.untilCount(DELIVERIES, "delivery where state = 'delivered'");
    assert.equal(new Set(receiver.ids).size, DELIVERIES);
    assert.equal(receiver.ids.length, DELIVERIES, 'none is sent twice');
    await writing.more(1);
    await writing.stop();
    assert.deepEqual(await writing.lost(), []);
    const pages = await Promise.all(
      all.servers.map((one) => one.json('/api/v1/trades?limit=20', { from: '127.0.0.9' })),
    );
    const times = pages[0].data.map(({ disclosedAt }) => disclosedAt);
    assert.deepEqual(times, times.toSorted().reverse());
    for (const page of pages) assert.deepEqual(page.data, pages[0].data);

    // It has said it once. What it took over from another server is that one's to complain about.
    said.events({ [MOVED]: any }, { servers: [wrong] });
    await wrongClock.set(Date.now());
    await until('its clock is right', () => wrong.log.includes("agrees with the database's again"));
  }

  test('the clock of a server is 10 minutes ahead', (t) => serveWithWrongClock(t, WRONG_MS));
  test('the clock of a server is 10 minutes behind', (t) => serveWithWrongClock(t, -WRONG_MS));
});
