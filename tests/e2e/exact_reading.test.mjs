// Readers that go from server to server (docs/reliability.md, "Exactness on several servers"): walks
// through lists and streams miss nothing and repeat nothing while others publish, and a publication
// is visible on all servers at once.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { assertWithin } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';
import { BY } from './lib/reviewer.mjs';
import { Stream, listed, publish } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const PUBLICATIONS = Number(process.env.STOCKACT_EXACT_PUBLICATIONS ?? 20); // more by hand
const ENV = { STOCKACT_BENCH_UNLIMITED: '1', STOCKACT_STREAMS_PER_CALLER: '50' };

async function start(t, { trades = 300, ...options } = {}) {
  const all = await Nodes.start(t, {
    redis: null,
    balanced: false,
    env: ENV,
    prepare: (site) => site.stockact('demo', '--trades', trades),
    ...options,
  });
  all.key = await all.site.key({ plan: 'den' });
  return all;
}

/** Runs `act` again and again until `stop` is called. */
function looping(act) {
  let over = false;
  let times = 0;
  const done = (async () => {
    for (; !over; times++) await act(times);
  })();
  return {
    async stop() {
      over = true;
      await done;
      return times;
    },
  };
}

/** The pages of a list, each from the next server. `next(response)` is the next target, or null. */
async function hop(all, target, next, take) {
  const rows = [];
  for (let i = 0; target !== null; i++) {
    const response = await all.servers[i % all.servers.length].get(target, { key: all.key });
    assert.equal(response.status, 200, response.text);
    rows.push(...take(response));
    target = next(response);
  }
  return rows;
}

const jsonWalk = (all, path) =>
  hop(
    all,
    `${path}limit=7`,
    ({ json }) => json.nextCursor && `${path}limit=7&cursor=${json.nextCursor}`,
    ({ json }) => json.data,
  );

const CSV = '/api/v1/trades?limit=7&format=csv';
const csvWalk = (all) =>
  hop(
    all,
    CSV,
    (response) => {
      const cursor = response.header('x-next-cursor');
      return cursor ? `${CSV}&cursor=${cursor}` : null;
    },
    ({ text }) =>
      text
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(',')[0].replaceAll('"', '')),
  );

/** All that was there at the start, once each, in the order of the list. */
function assertWhole(walked, before, what) {
  assert.equal(new Set(walked).size, walked.length, `${what}: twice`);
  const there = new Set(before);
  assert.deepEqual(
    walked.filter((id) => there.has(id)),
    before,
    `${what}: in order`,
  );
}

test('a walk that changes the server at each page has each row once', async (t) => {
  const all = await start(t, { trades: 150 });
  const { site, key } = all;
  const [{ id: first }, { id: second }] = await listed(all.servers[0], { key });
  for (const id of [first, second]) await site.stockact('withdraw', id, ...BY, '--reason', 'twice');
  const before = (await listed(all.servers[1], { key })).map(({ id }) => id);
  const corrections = await jsonWalk(all, '/api/v1/corrections?');
  const publishers = [0, 1].map(() => looping(() => publish(site, 1, 2)));
  const [row] = (await listed(all.servers[0], { key })).slice(-1);
  const corrector = looping(async (i) => {
    await site.stockact(i % 2 ? 'reinstate' : 'withdraw', row.id, ...BY, '--reason', 'again');
  });
  const there = before.filter((id) => id !== row.id);
  for (let i = 0; i < 2; i++) {
    const walked = (await jsonWalk(all, '/api/v1/trades?')).map(({ id }) => id);
    assertWhole(
      walked.filter((id) => id !== row.id),
      there,
      'trades',
    );
    const lines = await csvWalk(all);
    assertWhole(
      lines.filter((id) => id !== row.id),
      there,
      'CSV',
    );
    const log = (await jsonWalk(all, '/api/v1/corrections?')).map((one) => JSON.stringify(one));
    assertWhole(
      log,
      corrections.map((one) => JSON.stringify(one)),
      'corrections',
    );
    const changes = await jsonWalk(all, '/api/v1/changes?');
    assert.deepEqual(
      changes.map(({ seq }) => seq),
      changes.map((_, at) => at + 1),
      'changes have no gap',
    );
  }
  const made = [];
  for (const publisher of publishers) made.push(await publisher.stop());
  await corrector.stop();
  assert.ok(
    made.every((n) => n > 0),
    `${made} publications meanwhile`,
  );
});

test('a stream that is continued on other servers has each trade once', async (t) => {
  const all = await start(t, { trades: 50 });
  const { site, key } = all;
  const known = new Set((await listed(all.servers[0], { key })).map(({ id }) => id));
  const seen = [];
  let place;
  const read = async (i, count) => {
    const node = all.nodes[i % all.nodes.length];
    const stream = await Stream.open(node.server, { key, lastEventId: place });
    await until('news', () => stream.trades.length >= count || stream.closed);
    if (i % 4 === 3) {
      await node.server.kill();
      await until('the stream ends', () => stream.closed);
    }
    stream.close();
    seen.push(...stream.ids);
    place = stream.trades.at(-1)?.id ?? place ?? stream.position?.id;
    if (i % 4 === 3) await node.start();
  };
  const opened = await Stream.open(all.servers[0], { key });
  await until('a place', () => opened.position);
  place = opened.position.id;
  opened.close();
  const publishers = [0, 1].map(() => looping(() => publish(site, 1, 5)));
  for (let i = 0; i < 8; i++) await read(i, 1 + ((i * 7) % 20));
  for (const publisher of publishers) await publisher.stop();
  const news = (await listed(all.servers[2], { key })).filter(({ id }) => !known.has(id));
  const last = await Stream.open(all.servers[1], { key, lastEventId: place });
  await until('the rest', () => last.trades.length + seen.length >= news.length);
  last.close();
  assert.deepEqual([...seen, ...last.ids], news.map(({ id }) => id).reverse());
});

/** Follows one server: when each trade arrived, in milliseconds of the wall clock. */
async function follow(t, server, key) {
  const stream = await Stream.open(server, { key });
  t.after(() => stream.close());
  const arrived = new Map();
  stream.response.on('data', () => {
    for (const { trade } of stream.trades.slice(arrived.size)) arrived.set(trade.id, Date.now());
  });
  return { stream, arrived };
}

/** When each trade was committed, by the clock of the machine. */
async function committed(database) {
  const sql = `SELECT id, CAST(extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS BIGINT)
    AS at FROM trade WHERE pg_xact_commit_timestamp(xmin) IS NOT NULL`;
  return new Map((await database.query(sql)).map(({ id, at }) => [id, Number(at)]));
}

/** Milliseconds from the commit of each of `count` publications until each server sends it. */
async function delays(all, followed, count, before = async () => {}) {
  const from = followed[0].stream.trades.length;
  for (let i = 0; i < count; i++) {
    await before();
    await publish(all.site, 1, 1);
  }
  const times = [];
  for (const { stream } of followed) await stream.have(from + count);
  const commits = await committed(all.database);
  for (const { arrived } of followed)
    for (const id of [...arrived.keys()].slice(from))
      times.push(Math.max(0, arrived.get(id) - commits.get(id)));
  return times;
}

const LISTENING = `FROM pg_stat_activity WHERE datname = current_database()
  AND query LIKE 'LISTEN%'`;

test('a publication is visible on all servers within 100 ms, and 1 s at worst', async (t) => {
  const own = { settings: { track_commit_timestamp: 'on' } };
  const all = await start(t, { trades: 50, own });
  const { key, database } = all;
  const followed = [];
  for (const server of all.servers) followed.push(await follow(t, server, key));
  const bounds = { median: 100, worst: 1000 };
  assertWithin(t, 'visible', await delays(all, followed, PUBLICATIONS), bounds);
  const cut = async () => {
    const sql = `SELECT count(pg_terminate_backend(pid)) AS n ${LISTENING}`;
    const [{ n }] = await database.query(sql);
    assert.ok(Number(n) > 0, 'connections were cut');
    const back = async () => {
      const [{ n: there }] = await database.query(`SELECT count(*) AS n ${LISTENING}`);
      return Number(there) >= all.servers.length;
    };
    if (cut.waits) await until('all servers listen again', back);
    cut.waits = !cut.waits;
  };
  assertWithin(
    t,
    'after a lost connection',
    await delays(all, followed, PUBLICATIONS / 4, cut),
    bounds,
  );
});
