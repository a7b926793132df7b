// The sequence of changes (decision 47): the recipe of the docs keeps an exact copy while everything
// changes at once and processes are killed, and endpoints receive the events they opted into.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { update } from '../../examples/keep-a-copy/copy.mjs';
import { Changing, pick, SYMBOLS, WHY } from './lib/changing.mjs';
import { CLOCK, Delivering } from './lib/delivering.mjs';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { Receiver } from './lib/receivers.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { root } from './lib/settings.mjs';
import { MARLOW } from './lib/signal_site.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const BUSY_MS = Number(process.env.STOCKACT_ATTACK_MS ?? 2500); // longer by hand

async function allTrades(server, key) {
  const trades = new Map();
  for await (const page of server.pages('/api/v1/trades?limit=100', { key }))
    for (const trade of page.data) trades.set(trade.id, trade);
  return trades;
}

/** Asks until it gets an answer: servers are killed. */
const getter = (serverOf, key) => async (target) => {
  for (;;) {
    const response = await serverOf()
      .get(target, { key })
      .catch(() => null);
    if (response?.status === 200) return response.json;
    assert.ok([undefined, 503].includes(response?.status), `${target}: ${response?.text}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
};

/** The entries above that number. */
async function changes(server, key, after = 0) {
  const found = [];
  const copy = { cursor: null, trades: new Map() };
  const get = async (target) => {
    const page = await server.json(target, { key });
    found.push(...page.data.filter((entry) => entry.seq > after));
    return page;
  };
  await update(get, copy);
  return found;
}

/** Copies equal the lists of every server, and the sequence has no gap. */
async function checkCopies(servers, key, copy) {
  const fresh = { cursor: null, trades: new Map() };
  await update((target) => servers[0].json(target, { key }), fresh);
  await update((target) => servers.at(-1).json(target, { key }), copy);
  assert.equal(copy.cursor, fresh.cursor);
  for (const server of servers) {
    await until('the feed is up to date', async () => {
      const trades = await allTrades(server, key);
      return trades.size === fresh.trades.size;
    });
    const trades = await allTrades(server, key);
    const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(sorted(fresh.trades), sorted(trades));
    assert.deepEqual(sorted(copy.trades), sorted(trades));
  }
  const entries = await changes(servers[0], key);
  assert.deepEqual(
    entries.map((entry) => entry.seq),
    entries.map((_, i) => i + 1),
  );
  entries.reduce((at, entry) => (assert.ok(entry.at >= at), entry.at), '');
  return entries;
}

onEachDatabase('changes', (kind) => {
  test('the recipe keeps an exact copy while all changes and processes are killed', async (t) => {
    const env = { STOCKACT_BENCH_UNLIMITED: '1' };
    const site = await makeSite(t, { database: kind, env });
    const changing = new Changing(site);
    await changing.prepare();
    await changing.publish();
    const servers = [await site.serve()];
    if (kind === 'postgresql') servers.push(await site.serve());
    const key = await site.key({ plan: 'den' });
    const copy = { cursor: null, trades: new Map() };
    const get = getter(() => pick(servers), key);
    const some = await changing.ids();
    const state = { over: false };
    const loop = async (act) => {
      let times = 0;
      for (; !state.over; times++) await act(times);
      return times;
    };
    setTimeout(() => (state.over = true), BUSY_MS);
    const times = await Promise.all([
      loop(() => update(get, copy)),
      loop(() => changing.publish()),
      loop(() => changing.backfill(7)),
      loop(() => changing.run(['correct', pick(some), 'ticker', pick(SYMBOLS), ...WHY])),
      loop(() => changing.run(['withdraw', pick(some), ...WHY], { killed: true })),
      loop(() => changing.run(['reinstate', pick(some), ...WHY], { killed: true })),
      loop(async () => {
        const filing = pick(await changing.filings());
        await changing.run(['withdraw', filing, ...WHY], { killed: Math.random() < 0.5 });
        await changing.run(['reinstate', filing, ...WHY], { killed: Math.random() < 0.5 });
      }),
      loop(async () => {
        const filer = pick(['dana-hollis', 'kim-marlow']);
        const filing = pick(await changing.filings("review = 'row'"));
        await changing.run(['review', 'set-filer', filing, filer, ...WHY], { killed: true });
        await changing.run(['review', 'set-filer', filing, filer, ...WHY]);
      }),
      loop(async () => {
        const filing = pick(await changing.filings());
        const to = pick(['dana-hollis', 'kim-marlow']);
        const args = ['review', 'set-filer', filing, to, ...WHY];
        await changing.run(args, { killed: Math.random() < 0.5 });
      }),
      loop(async (i) => {
        await changing.members(
          i % 2 ? MARLOW : { ...MARLOW, first: 'Kimberley', party: 'Democrat' },
        );
        const args = ['members', 'correct', '--names', ...WHY];
        await changing.run(args, { killed: Math.random() < 0.5 });
      }),
      loop(async (i) => {
        await changing.seats(i % 2 ? '' : pick([null, 'Chairman']));
        await changing.run(['sweep'], { killed: i % 3 === 0 });
      }),
      loop(async () => {
        await new Promise((resume) => setTimeout(resume, BUSY_MS / 3));
        await servers[0].kill();
        servers[0] = await site.serve();
      }),
    ]);
    assert.ok(
      times.every((n) => n > 0),
      `each did something: ${times}`,
    );
    // each kind at least once, however the processes were killed
    const filing = pick(await changing.filings());
    await changing.run(['reinstate', filing, ...WHY]);
    await site.stockact('withdraw', filing, ...WHY);
    await site.stockact('reinstate', filing, ...WHY);
    const live = pick(await changing.filings("review = 'row' and state = 'published'"));
    for (const filer of ['kim-marlow', 'dana-hollis', 'kim-marlow'])
      await changing.run(['review', 'set-filer', live, filer, ...WHY]);
    await changing.publish();
    await changing.backfill(1, 'JPM'); // its signal comes and goes with the seat
    for (const title of [null, 'Chairman']) {
      await changing.seats(title);
      await changing.run(['sweep']);
    }
    const entries = await checkCopies(servers, key, copy);
    const kinds = new Set(entries.map((entry) => entry.kind));
    const fields = new Set(entries.map((entry) => entry.field));
    assert.ok(fields.has('politician.slug'), `a filing got another member: ${[...fields]}`);
    for (const one of ['published', 'corrected', 'withdrawn', 'reinstated', 'signal'])
      assert.ok(kinds.has(one), `${one} in ${[...kinds]}`);
    const checked = await site.run(['check']);
    assert.equal(checked.code, 0, checked.stdout);
  });

  test('an entry names the changed fields, and has the current trade', async (t) => {
    const site = await makeSite(t, { database: kind, clock: CLOCK });
    const changing = new Changing(site);
    await changing.prepare();
    await changing.publish();
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const before = (await changes(server, key)).at(-1).seq;
    const id = (await changing.ids()).at(-1);
    await site.clock.advance(60_000);
    await site.stockact('correct', id, 'side', 'exchange', ...WHY);
    await site.clock.advance(-3_600_000); // the clock steps back
    await site.stockact('withdraw', id, ...WHY);
    await site.stockact('reinstate', id, ...WHY);
    const found = await changes(server, key, before);
    const { data } = await server.json(`/api/v1/trades/${id}`, { key });
    const at = '2026-03-10T12:01:00.000Z';
    assert.deepEqual(
      found.map((one) => [one.seq - before, one.kind, one.tradeId, one.at]),
      ['corrected', 'withdrawn', 'reinstated'].map((one, i) => [i + 1, one, id, at]),
    );
    assert.deepEqual(Object.keys(found[0]), [
      'seq',
      'at',
      'kind',
      'tradeId',
      'filingId',
      'field',
      'old',
      'new',
      'reason',
      'trade',
      'filing',
    ]);
    const { field, old, new: is, reason } = found[0];
    assert.deepEqual([field, old, is, reason], ['side', 'buy', 'exchange', 'read again']);
    for (const one of found) assert.deepEqual(one.trade, data.trade);
    const filings = await server.json('/api/v1/filings', { key });
    assert.deepEqual(found[0].filing, filings.data[0]);
    const log = (await server.json('/api/v1/corrections?limit=3', { key })).data;
    assert.deepEqual(
      log.map((one) => one.at),
      [at, at, at],
    );
    // what a client does that remembers the newest instant: it misses nothing
    const since = await server.json(`/api/v1/corrections?since=${log[2].at}`, { key });
    assert.deepEqual(since.data, log);
  });

  test('an amendment sends one event of each kind for each filing', async (t) => {
    const allow = { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' };
    const site = await makeSite(t, { database: kind, clock: '2024-03-01T12:00:00Z', env: allow });
    const changing = new Changing(site);
    await site.stockact('members', 'import', changing.write(membersJson([HOLLIS])));
    const server = await site.serve();
    const receiver = await Receiver.start(t);
    const email = await site.account({ plan: 'den' });
    const types = 'trade.published,trade.corrected,trade.withdrawn,trade.reinstated';
    const add = ['webhooks', 'add', '--email', email, '--url', receiver.url(), '--events', types];
    await site.stockact(...add);
    const row = (number, rest) => ({ date: '12/01/2023', ticker: `QQ${number}`, ...rest });
    const rows = [1, 2, 3].map((number) => row(number, { asset: 'Quince', owner: 'Self' }));
    const first = await changing.publishPage(senatePage({ rows }));
    const amended = [
      { ...rows[0], owner: 'Joint' },
      { ...rows[1], owner: 'Spouse', type: 'Sale (Full)' },
      row(4, { asset: 'Pear', owner: 'Self', date: '11/30/2023' }),
    ];
    const filed = '02/20/2024 @ 1 PM';
    const second = await changing.publishPage(senatePage({ rows: amended, amendment: 1, filed }));
    await until('all came', () => receiver.requests.length >= 4);
    const bodies = receiver.requests.map((one) => JSON.parse(one.body));
    const told = bodies.map(({ event, filing, trades, changes: list }) => [
      event,
      filing.id,
      trades.length,
      list?.map((one) => `${one.tradeId} ${one.field}`),
    ]);
    const rowOf = (number) => `${first}-000${number}`;
    assert.deepEqual(told.sort(), [
      [
        'trade.corrected',
        first,
        2,
        [`${rowOf(1)} ownerType`, `${rowOf(2)} side`, `${rowOf(2)} ownerType`],
      ],
      ['trade.published', first, 3, undefined],
      ['trade.published', second, 1, undefined],
      ['trade.withdrawn', first, 0, [`${rowOf(3)} null`]],
    ]);
    const key = await site.key({ plan: 'den' });
    const known = new Map((await changes(server, key)).map((one) => [one.seq, one]));
    for (const change of bodies.flatMap((one) => one.changes ?? [])) {
      const { trade, filing, ...entry } = known.get(change.seq);
      assert.deepEqual(change, entry);
      assert.ok(trade === null || filing !== null);
    }
  });

  test('endpoints receive the events of changes that they opted into', async (t) => {
    const hooks = await Delivering.open(t, { database: kind, clock: CLOCK });
    await hooks.serve();
    const { site } = hooks;
    const [plain, keeper] = [await Receiver.start(t), await Receiver.start(t)];
    await hooks.endpoint(plain.url());
    const { id: endpoint } = await hooks.endpoint(keeper.url());
    const types = 'trade.corrected,trade.withdrawn,trade.reinstated';
    const [set] = await site.stockact(
      'webhooks',
      'set-events',
      '--id',
      endpoint,
      '--events',
      types,
    );
    assert.equal(set.events, types);
    const rows = await site.database.query(
      `select t.id, f.id as filing from trade t join filing f on f.no = t.filing_no
       where f.id = (select min(id) from filing) order by t.id`,
    );
    const { id, filing } = rows[0];
    await site.stockact('correct', id, 'side', 'exchange', ...WHY);
    await site.stockact('withdraw', filing, ...WHY);
    await site.stockact('reinstate', filing, ...WHY);
    await site.stockact('sweep');
    await hooks.publish();
    await hooks.settled(4);
    const bodies = keeper.requests.map((one) => JSON.parse(one.body));
    const of = (type) => bodies.filter((one) => one.event === type);
    const [corrected] = of('trade.corrected');
    const [withdrawn] = of('trade.withdrawn');
    const [reinstated] = of('trade.reinstated');
    assert.equal(bodies.length, 3);
    const events = keeper.requests.map((one) => one.headers['x-svc-event']);
    assert.deepEqual(events.sort(), types.split(',').sort());
    for (const one of bodies) {
      const members = ['event', 'filing', 'politician', 'trades', 'changes'];
      assert.deepEqual(Object.keys(one), members);
      assert.equal(one.filing.id, filing);
    }
    const now = (await hooks.site.database.query('select max(seq) as n from change_log'))[0].n;
    assert.ok(Number(now) > 0);
    assert.deepEqual(
      corrected.changes.map((one) => [one.kind, one.tradeId, one.field, one.old !== one.new]),
      [['corrected', id, 'side', true]],
    );
    assert.deepEqual(
      corrected.trades.map((one) => [one.id, one.side]),
      [[id, 'exchange']],
    );
    assert.deepEqual(withdrawn.trades, []);
    const ids = rows.map((row) => row.id);
    assert.deepEqual(
      withdrawn.changes.map((one) => one.tradeId),
      [...ids, null],
    );
    assert.deepEqual(
      reinstated.trades.map((one) => one.id),
      ids,
    );
    assert.ok(corrected.changes[0].seq < withdrawn.changes[0].seq);
    const published = plain.requests.map((one) => JSON.parse(one.body));
    assert.deepEqual(
      published.map((one) => [one.event, Object.keys(one).join()]),
      [['trade.published', 'event,filing,politician,trades']],
    );
    for (const list of ['trade.sold', '', 'trade.corrected,', 'trade.corrected,trade.corrected']) {
      const args = ['webhooks', 'set-events', '--id', endpoint, '--events', list];
      assert.equal((await site.run(args)).code, 2, list);
    }
    const email = await site.account({ plan: 'den' });
    const add = ['webhooks', 'add', '--email', email, '--url', keeper.url(), '--events', types];
    const [{ id: added }] = await site.stockact(...add);
    const listed = await site.stockact('webhooks', 'list', '--email', email);
    assert.deepEqual([listed[0].id, listed[0].events], [added, types]);
  });
});

test('the docs show the recipe that these tests run', () => {
  const read = (...parts) => readFileSync(path.join(root, ...parts), 'utf8');
  assert.ok(read('web/reference.md').includes(read('examples/keep-a-copy/copy.mjs')));
});
