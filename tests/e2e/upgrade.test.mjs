// Servers of two releases on one PostgreSQL database: this one and the next, which is this one with
// more steps of the schema (tests/upgrade). With STOCKACT_OLDER, an older program takes the place of
// this one, and this one that of the next (script/soak versions).

import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noBalancer } from './lib/balancer.mjs';
import { NOON } from './lib/limited_site.mjs';
import { assertPromise } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';
import { Receiver } from './lib/receivers.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const built = (name) => path.join(path.dirname(binary), 'tests/upgrade', name);
const older = process.env.STOCKACT_OLDER;
const THIS = older ?? binary;
const NEXT = older ? binary : built('stockact-next');
const AFTER = built('stockact-after');
const skip = existsSync(NEXT) ? noBalancer : 'this build has no program of the next release';

const ROWS = 2; // trades of a filing
const PACK_PER_MINUTE = 60;

async function runs(site, program, ...args) {
  const done = await site.run([...args, '--json'], { program });
  assert.equal(done.code, 0, done.stderr);
  return done.stdout
    .split('\n')
    .filter((line) => line)
    .map((line) => JSON.parse(line));
}

const publish = (site, program) => runs(site, program, 'demo', '--publish', 1, '--rows', ROWS);

const schemaOf = async (site, program) => (await runs(site, program, 'version'))[0].schema;

/** Starts it, or starts it again, as this program. */
async function startAs(nodes, node, program) {
  if (node.server?.running) await node.server.stop();
  const { listen, env } = node;
  node.server = await nodes.site.serve({ listen, env, program });
}

/** Servers of this release, and an endpoint that gets an event for each published filing. */
async function start(t, options) {
  const receiver = await Receiver.start(t);
  const env = { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8', ...options.env };
  const nodes = await Nodes.start(t, {
    count: 2,
    ...options,
    env,
    prepare: async (site) => {
      await runs(site, THIS, 'demo', '--trades', 60, '--as-of', '2026-03-01');
      const [{ email }] = await runs(site, THIS, ...account('owner'));
      await runs(site, THIS, 'webhooks', 'add', '--email', email, '--url', receiver.url());
    },
  });
  if (older) for (const node of nodes.nodes) await startAs(nodes, node, THIS);
  return { nodes, site: nodes.site, receiver };
}

const account = (name, plan = 'pack') => [
  ...['accounts', 'create', '--email', `${name}@example.org`],
  ...['--plan', plan],
];

/** Waits until each event arrived, and looks that none arrived twice. */
async function sentOnce(site, receiver, count) {
  await until(`${count} deliveries end`, async () => {
    const [{ n }] = await site.database.query(
      "SELECT count(*) AS n FROM delivery WHERE state = 'delivered' AND lease_node IS NULL",
    );
    return Number(n) === count;
  });
  assert.equal(receiver.ids.length, count);
  assert.equal(new Set(receiver.ids).size, count);
}

const newest = async (server) =>
  (await server.json('/api/v1/trades?limit=100', { from: '127.0.9.1' })).data.map(({ id }) => id);

/** The ids of a walk through all trades, each page from the next server. */
async function hop(servers, key) {
  const ids = [];
  for (let cursor = '', i = 0; cursor !== null; i++) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = await servers[i % 2].json(`/api/v1/trades?limit=5${query}`, { key });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

describe('servers of two releases', { skip }, () => {
  test('publish, send, count and answer like servers of one release', async (t) => {
    const { nodes, site, receiver } = await start(t, { balanced: false, clock: NOON });
    const [first, second] = nodes.nodes;
    await startAs(nodes, second, NEXT); // migrates while the first one serves
    const [migrated] = await runs(site, THIS, 'migrate');
    assert.equal(migrated.schema, await schemaOf(site, NEXT));
    assert.ok(older || migrated.schema > (await schemaOf(site, THIS)));
    const running = (await runs(site, THIS, 'nodes', 'list')).filter((one) => one.running);
    assert.equal(new Set(running.map(({ version }) => version)).size, 2, JSON.stringify(running));

    const programs = [THIS, NEXT];
    for (let i = 0; i < 8; i++) await publish(site, programs[i % 2]);
    const [{ n }] = await site.database.query('SELECT count(*) AS n FROM trade');
    await until('both have every trade', async () =>
      (await Promise.all(nodes.servers.map(newest))).every((ids) => ids.length === Number(n)),
    );
    assert.deepEqual(await newest(first.server), await newest(second.server));
    await sentOnce(site, receiver, 8);

    await runs(site, NEXT, ...account('walker', 'den'));
    const [walker] = await runs(
      ...[site, NEXT, 'keys', 'mint'],
      ...['--email', 'walker@example.org', '--name', 'walk'],
    );
    assert.deepEqual(await hop(nodes.servers, walker.key), await newest(first.server));

    await runs(site, THIS, ...account('caller'));
    const [caller] = await runs(
      ...[site, THIS, 'keys', 'mint'],
      ...['--email', 'caller@example.org', '--name', 'limit'],
    );
    const asked = await Promise.all(
      Array.from({ length: 2 * PACK_PER_MINUTE }, (_, i) =>
        nodes.servers[i % 2].get('/api/v1/filings?limit=1', { key: caller.key }),
      ),
    );
    const granted = asked.filter(({ status }) => status === 200).length;
    assert.equal(granted, PACK_PER_MINUTE);
    await runs(site, NEXT, 'keys', 'revoke', '--id', walker.id);
    for (const server of nodes.servers)
      assert.equal((await server.get('/api/v1/filings', { key: walker.key })).status, 401);
    await runs(site, THIS, 'check');
    await runs(site, NEXT, 'check');
  });

  test('replace each other, there and back, without a failed request', async (t) => {
    const { nodes, site, receiver } = await start(t, { env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    const asking = nodes.ask({ targets: ['/api/v1/trades?limit=1', '/api/v1/filings?limit=1'] });
    let published = 0;
    for (const program of [NEXT, THIS]) {
      for (const node of nodes.nodes) {
        await startAs(nodes, node, program);
        await publish(site, program);
        published++;
        await asking.more(60);
      }
    }
    assert.deepEqual(Object.keys(await asking.stop()), ['200']);
    await sentOnce(site, receiver, published);
    const [{ n }] = await site.database.query('SELECT count(*) AS n FROM trade');
    for (const server of nodes.servers) assert.equal((await newest(server)).length, Number(n));
    assert.equal((await runs(site, THIS, 'check'))[0].findings, 0);
  });

  test('start at once on an older database, and one of them migrates it', async (t) => {
    const site = await makeSite(t, { database: 'postgresql' });
    await runs(site, THIS, 'migrate');
    // what an interrupted migration may leave of an index that is made beside writers
    await site.database.execute('CREATE INDEX delivery_next ON delivery (no)');
    const servers = await Promise.all([1, 2, 3].map(() => site.serve({ program: NEXT })));
    for (const server of servers) await server.json('/api/v1/trades');
    const [{ n }] = await site.database.query(
      'SELECT count(*) AS n FROM migration GROUP BY number ORDER BY n DESC LIMIT 1',
    );
    assert.equal(Number(n), 1);
    const [index] = await site.database.query(
      "SELECT indexdef FROM pg_indexes WHERE indexname = 'delivery_next'",
    );
    if (!older) assert.match(index.indexdef, /next_rank/);
  });
});

const SLOWEST_MS = 4000; // a second for each attempt of the migration
const HOLDER = "FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND wait_event = 'PgSleep'";
/** When each attempt that waits for the table began. */
const ATTEMPTS = `SELECT DISTINCT a.xact_start::text AS began FROM pg_locks l
  JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.relation = 'stockact.trade'::regclass AND NOT l.granted`;

describe('a migration whose table is in use for long', { skip: skip || Boolean(older) }, () => {
  test('waits for it, and lets others read the table meanwhile', async (t) => {
    const site = await makeSite(t, {
      database: 'postgresql',
      env: { STOCKACT_BENCH_UNLIMITED: '1' },
    });
    await site.stockact('demo', '--trades', 20);
    const server = await site.serve();
    const { data } = await server.json('/api/v1/trades?limit=1');
    const lock = 'BEGIN; LOCK TABLE stockact.trade IN ACCESS SHARE MODE; SELECT pg_sleep(3600)';
    const held = assert.rejects(site.database.execute(lock));
    await until('the table is in use', async () => {
      const [{ n }] = await site.database.query(
        "SELECT count(*) AS n FROM pg_locks WHERE relation = 'stockact.trade'::regclass" +
          " AND mode = 'AccessShareLock' AND granted",
      );
      return Number(n) > 0;
    });
    const migrating = runs(site, NEXT, 'migrate');
    const attempts = new Set();
    let slowest = 0;
    await until('the migration has waited, given up and waited again', async () => {
      const asked = performance.now();
      await server.json(`/api/v1/trades/${data[0].id}`);
      slowest = Math.max(slowest, performance.now() - asked);
      for (const { began } of await site.database.query(ATTEMPTS)) attempts.add(began);
      return attempts.size > 2;
    });
    assertPromise(t, 'the slowest read beside them', slowest, SLOWEST_MS);
    const end = `SELECT count(pg_terminate_backend(pid)) AS n ${HOLDER}`;
    const [{ n }] = await site.database.query(`${end} AND datname = current_database()`);
    assert.equal(Number(n), 1, 'it was held all the time');
    await held;
    await migrating;
  });
});

describe('a migration that removes what a release uses', { skip: skip || Boolean(older) }, () => {
  test('waits until no server of that release runs, and then excludes it', async (t) => {
    const site = await makeSite(t, { database: 'postgresql' });
    const server = await site.serve();
    const next = await site.serve({ program: NEXT });
    const refused = await site.run(['migrate'], { program: AFTER });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^stockact: .*: 1 running server could not use the database/);
    assert.ok(refused.stderr.includes(`process ${server.child.pid})`), refused.stderr);
    await server.json('/api/v1/trades');
    await server.stop();

    const after = await site.serve({ program: AFTER });
    for (const one of [next, after]) await one.json('/api/v1/trades');
    const late = await site.run(['serve', '--listen', '127.0.0.1:0']);
    assert.equal(late.code, 1);
    assert.match(
      late.stderr,
      /^stockact: .*: this database is newer than this program \(it needs /,
    );
    await next.stop();
    await (await site.serve({ program: NEXT })).json('/api/v1/trades'); // the release before
  });

  test('stops a server that was silent meanwhile, with an error', async (t) => {
    const site = await makeSite(t, { database: 'postgresql' });
    const server = await site.serve();
    await site.database.execute(
      "INSERT INTO migration (number, checksum, usable_from) VALUES (9000, 'x', 9000)",
    );
    await until('the server ends', () => !server.running);
    assert.equal(server.child.ended.code, 1);
    assert.match(server.log, /level=error event=stopping reason=".*this database is newer than/);
  });
});

describe('one server on SQLite', { skip: existsSync(NEXT) ? false : skip }, () => {
  test('upgrades to the next release and back without data loss', async (t) => {
    const site = await makeSite(t, {});
    await runs(site, THIS, 'demo', '--trades', 40, '--as-of', '2026-03-01');
    let ids = null;
    for (const program of [THIS, NEXT, THIS, NEXT]) {
      const server = await site.serve({ program });
      const before = await newest(server);
      if (ids) assert.deepEqual(before, ids);
      await publish(site, program);
      ids = await until('it is served', async () => {
        const now = await newest(server);
        return now.length === before.length + ROWS && now;
      });
      assert.deepEqual(ids.slice(ROWS), before);
      await server.stop();
      assert.equal((await runs(site, program, 'check'))[0].findings, 0);
    }
    const [{ schema }] = await runs(site, THIS, 'migrate');
    assert.equal(schema, await schemaOf(site, NEXT));
  });

  test(
    'goes back by two releases only with the backup of the older version',
    { skip: Boolean(older) },
    async (t) => {
      const site = await makeSite(t, {});
      await runs(site, THIS, 'demo', '--trades', 40, '--as-of', '2026-03-01');
      await runs(site, THIS, 'backup', 'before.db');
      await runs(site, AFTER, 'migrate');
      await publish(site, AFTER);
      for (const args of [['serve', '--listen', '127.0.0.1:0'], ['check'], ['status']]) {
        const refused = await site.run(args, { program: THIS });
        assert.equal(refused.code, 1, args[0]);
        assert.match(refused.stderr, /this database is newer than this program/);
      }
      await runs(site, NEXT, 'check'); // the release before it
      const env = { STOCKACT_DATABASE: `sqlite:${site.folder}/restored.db` };
      const restored = await site.run(['restore', 'before.db'], { program: THIS, env });
      assert.equal(restored.code, 0, restored.stderr);
      const server = await site.serve({ program: THIS, env });
      assert.equal((await newest(server)).length, 40);
    },
  );

  test(
    'is not migrated while a copy of its database is unfinished',
    { skip: Boolean(older) },
    async (t) => {
      const site = await makeSite(t, {});
      await runs(site, THIS, 'demo', '--trades', 40, '--as-of', '2026-03-01');
      // as a killed copy leaves it
      await site.database.execute(
        "INSERT INTO copy_mark (role, id, other, state, at) VALUES ('source', '0123456789abcdef'," +
          " 'the-other', 'following', 1)",
      );
      const refused = await site.run(['serve', '--listen', '127.0.0.1:0'], { program: NEXT });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /copied to the-other.*`stockact copy --cancel`/);
      const older = await site.serve({ program: THIS });
      await older.json('/api/v1/trades');
      await older.stop();
      await runs(site, THIS, 'copy', '--cancel', site.database.url);
      await (await site.serve({ program: NEXT })).json('/api/v1/trades');
    },
  );
});
