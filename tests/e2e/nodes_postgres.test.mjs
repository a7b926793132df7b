// Three servers on a PostgreSQL that fails (docs/reliability.md, "Several servers"). The servers and
// the PostgreSQL are the same for all tests of the file: each failure begins where the one before it
// has healed, and no server is restarted. Meanwhile commands write, through the same proxies: what
// they acknowledge must be there afterwards.

import { strict as assert } from 'node:assert';
import test, { after, afterEach, before, describe } from 'node:test';
import { noBalancer } from './lib/balancer.mjs';
import { assertPromise } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';
import { any, rises, Said, stays, WITHOUT_POSTGRESQL } from './lib/said.mjs';
import { withSession } from './lib/sessions.mjs';
import { Slots } from './lib/slots.mjs';

const MEMORY = '/api/v1/trades?limit=1';
const STORE = '/api/v1/corrections?limit=1';
const REFUSED = '503 service_unavailable';
const HEAL_MS = 5000;
const PUBLISHED_MS = 20_000; // by a command with about 95 statements, at 50 ms for each
const SLOW_READ_MS = 8000; // of a request, at 1 s for each statement
const DEADLINE_MS = 10_500; // of a change through a page: 10 s
const SERVED_MS = 20_000; // until a publication is served, at 1 s for each statement
const STILL_WORKING = 'The server is still working on it. What you sent may still be carried out';
const CONNECTIONS = 60;
const SPENT = 'request_duration_seconds_sum{route="/api/v1/corrections"}';
const LOST = 'store does not answer, serving from memory';
const WELL = { database_up: 1, feed_lag_seconds: 0, store_errors_total: stays };
const GONE = { database_up: 0, feed_lag_seconds: rises, store_errors_total: rises };
const count = (text, pattern) => text.match(pattern)?.length ?? 0;

describe('three servers on one PostgreSQL', { skip: noBalancer }, () => {
  const all = new Nodes();
  let key, asking, from;

  after(() => all.end());
  afterEach(() => all.toPostgres('pass'));

  before(async () => {
    await all.open({
      own: {
        standby: true,
        settings: { max_connections: CONNECTIONS, superuser_reserved_connections: 0 },
      },
      env: { STOCKACT_BENCH_UNLIMITED: '1' },
      prepare: (site) => site.stockact('demo', '--trades', 100),
    });
    key = await all.site.key({ plan: 'den' });
    asking = all.ask({ key, targets: [MEMORY, STORE], lanes: 6, pauseMs: 20 });
  });

  const told = (target) => Object.keys(asking.told(from, target)).sort();

  /** Commands that keep writing as a server does. */
  const write = () => all.write({ env: all.nodes[0].env, pauseMs: 100 });

  /** Writes are accepted again, and none that was acknowledged is lost. */
  async function assertNothingLost(t, writing) {
    await writing.more(1);
    await writing.stop();
    assert.deepEqual(await writing.lost(), []);
    t.diagnostic(
      `${writing.acknowledged.length} acknowledged, none lost; ${JSON.stringify(writing.refused)}`,
    );
  }

  /** Whether lists are served from memory at once, and what the database is for is refused. */
  function assertServedFromMemory() {
    assert.deepEqual(told(MEMORY), ['200']);
    assert.ok(told(STORE).includes(REFUSED), JSON.stringify(told(STORE)));
    for (const one of told(STORE)) assert.ok(['200', REFUSED].includes(one), one);
  }

  /** Runs a failure: all servers notice it, and are whole soon after its end, without a restart. */
  async function endure(t, { begin, meanwhile = () => {}, end }) {
    const back = all.servers.map(({ log }) => count(log, /store answers again/g));
    const writing = write();
    await writing.more(2);
    const said = await Said.by(all.servers);
    from = performance.now();
    await begin();
    await said.metrics(GONE);
    await asking.more(20);
    await writing.refusal();
    await meanwhile();
    const ended = performance.now();
    await end();
    const healed = await asking.well(ended);
    const isBack = ({ log }, i) => count(log, /store answers again/g) === back[i] + 1;
    await all.until('all servers are whole', () => all.servers.every(isBack));
    await said.metrics({ database_up: 1, feed_lag_seconds: 0 });
    said.events(WITHOUT_POSTGRESQL);
    assertPromise(t, 'whole after the end', healed, HEAL_MS);
    await assertNothingLost(t, writing);
    assert.deepEqual(Object.keys(writing.refused), ['service_unavailable']);
    t.diagnostic(
      `whole ${Math.round(healed)} ms after the end; slowest ${Math.round(asking.slowest(from))} ms; ${JSON.stringify(asking.told(from))}`,
    );
  }

  test('PostgreSQL takes 50 ms longer for each statement', async (t) => {
    const said = await Said.by(all.servers);
    const writing = write();
    from = performance.now();
    all.toPostgres('slow', 50);
    const began = performance.now();
    const args = ['demo', '--publish', 1, '--rows', 1];
    const done = await all.site.run(args, { env: all.nodes[0].env });
    const published = performance.now() - began;
    assert.equal(done.code, 0, done.stderr);
    await asking.more(100);
    await writing.more(1);
    all.toPostgres('pass');
    await said.metrics({ ...WELL, [SPENT]: (now, before) => now - before >= 5 * 0.05 });
    said.events({});
    assert.deepEqual(told(), ['200']);
    await assertNothingLost(t, writing);
    assert.deepEqual(writing.refused, {});
    t.diagnostic(`slowest ${Math.round(asking.slowest(from))} ms`);
    assertPromise(t, 'a command that publishes', published, PUBLISHED_MS);
  });

  test('PostgreSQL takes 1 s longer for each statement', async (t) => {
    const { email } = await all.site.mint({ plan: 'den' });
    const [server] = all.servers;
    const visitor = await withSession(all.site, server, email);
    const form = (await visitor.open('/account/keys')).form('/account/keys');
    const said = await Said.by(all.servers);
    from = performance.now();
    all.toPostgres('slow', 1000);
    const minting = visitor
      .submit(form, { name: 'slow' })
      .then((page) => ({ page, ms: performance.now() - from }));
    const done = await all.site.run(['demo', '--publish', 1, '--rows', 1, '--json']);
    assert.equal(done.code, 0, done.stderr);
    const { disclosedAt } = JSON.parse(done.stdout.split('\n')[0]);
    const published = performance.now();
    const isServed = async () => {
      const pages = await Promise.all(all.servers.map((one) => one.json(MEMORY, { key })));
      return pages.every(({ data }) => data[0].disclosedAt === disclosedAt);
    };
    await all.until('the publication is served', isServed);
    const served = performance.now() - published;
    assertPromise(t, 'a publication is served', served, SERVED_MS);
    const minted = await minting;
    await asking.more(12, STORE);
    all.toPostgres('pass');
    await said.metrics({ database_up: 1, [SPENT]: (now, before) => now - before >= 1 });
    said.events({ ...WITHOUT_POSTGRESQL, [LOST]: any });
    assert.deepEqual(told(MEMORY), ['200']);
    for (const one of told(STORE)) assert.ok(['200', REFUSED].includes(one), one);
    await asking.well(performance.now());
    const slowest = asking.slowest(from);
    t.diagnostic(`${JSON.stringify(asking.told(from, STORE))}; a key: ${minted.page.status}`);
    assertPromise(t, 'the slowest answer', slowest, SLOW_READ_MS);
    assertPromise(t, 'a key', minted.ms, DEADLINE_MS);
    const keys = async () => (await visitor.open('/account/keys')).html.match(/>slow</g) ?? [];
    if (minted.page.status === 503) {
      assert.ok(minted.page.html.includes(STILL_WORKING));
      assert.ok((await keys()).length <= 1);
    } else {
      assert.equal(minted.page.status, 201);
      const [newKey] = /svc_[\w-]{43}/.exec(minted.page.html);
      const isKnown = async () => {
        const answers = all.servers.map((one) => one.get(MEMORY, { key: newKey }));
        return (await Promise.all(answers)).every(({ status }) => status === 200);
      };
      await all.until('every server knows the key', isKnown);
    }
  });

  test('PostgreSQL is stopped and started', async (t) => {
    await endure(t, {
      begin: () => all.primary.halt(),
      end: () => all.primary.resume(),
    });
    assertServedFromMemory();
  });

  test('one server is cut off from PostgreSQL', async (t) => {
    const [cut, other] = all.nodes;
    const minted = await all.site.mint({ plan: 'den' });
    const writing = all.write({ env: other.env, pauseMs: 100 });
    await writing.more(1);
    const said = await Said.by(all.servers);
    const others = all.servers.filter((server) => server !== cut.server);
    from = performance.now();
    cut.toPostgres('cut');

    const done = await all.site.run(['keys', 'revoke', '--id', minted.id]);
    assert.match(done.stderr, /has not applied it yet/, 'the command names the server');
    const status = async ({ server }) => (await server.get(MEMORY, { key: minted.key })).status;
    assert.deepEqual([await status(cut), await status(other)], [200, 401]);
    await asking.more(50);
    await said.metrics(GONE, { servers: [cut.server] });
    await said.metrics(WELL, { servers: others });
    const ended = performance.now();
    cut.toPostgres('pass');
    await all.until('the key is refused', async () => (await status(cut)) === 401);
    const healed = await asking.well(ended);
    assertServedFromMemory();
    await said.metrics({ database_up: 1 });
    said.events(WITHOUT_POSTGRESQL, { servers: [cut.server] });
    said.events({}, { servers: others });
    await assertNothingLost(t, writing);
    assert.deepEqual(writing.refused, {});
    t.diagnostic(
      `whole ${Math.round(healed)} ms after the end; ${JSON.stringify(asking.told(from))}`,
    );
  });

  test('other clients have taken all connections of PostgreSQL', async (t) => {
    let slots;
    await endure(t, {
      begin: async () => {
        all.toPostgres('cut');
        slots = new Slots(all.primary.where);
        await all.until('all are taken', () => slots.open === CONNECTIONS);
        all.toPostgres('pass');
      },
      meanwhile: async () => {
        const done = await all.site.run(['accounts', 'list', '--json']);
        assert.equal(JSON.parse(done.stdout).error, 'service_unavailable');
        assert.match(done.stderr, /too many clients already/);
      },
      end: () => slots.free(),
    });
    assertServedFromMemory();
  });

  test('PostgreSQL is killed and its standby promoted', async (t) => {
    await endure(t, {
      begin: async () => {
        await all.primary.halt();
        all.nodes[0].postgres[0].reset(); // a balancer in front of it goes on to accept
      },
      end: () => all.standby.promote(),
    });
    assertServedFromMemory();
  });
});
