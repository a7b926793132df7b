// Conflict signals that change while readers read: `stockact sweep`, and the daily sweep of
// `serve`.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Child } from './lib/child.mjs';
import { openSqlite } from './lib/database.mjs';
import { binary } from './lib/settings.mjs';
import { importSeats, makeSignalling } from './lib/signal_site.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const HIS = '/api/v1/trades?politician=dana-hollis';
const OTHERS = '/api/v1/trades?politician=kim-marlow';
const FLAGGED = '/api/v1/trades?conflict=true&limit=100';

const sweep = async (site) => {
  const [{ seconds, ...counts }] = await site.stockact('sweep');
  assert.ok(seconds >= 0);
  return counts;
};

const metric = (text, name) =>
  Number(new RegExp(`^stockact_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);

onEachDatabase('a sweep', (kind) => {
  test('sets, changes and clears signals while a server runs', async (t) => {
    const site = await makeSignalling(t, [3], { database: kind });
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const flagged = async () => (await server.json(FLAGGED, { key })).data;
    const etag = async (target) => (await server.get(target, { key })).header('etag');
    const before = { his: await etag(HIS), others: await etag(OTHERS) };
    assert.deepEqual(await flagged(), []);
    assert.deepEqual(await sweep(site), {
      ...{ trades: 5, signals: 0, set: 0, changed: 0, cleared: 0 },
    });

    await importSeats(site, '');
    assert.deepEqual(await sweep(site), {
      ...{ trades: 5, signals: 3, set: 3, changed: 0, cleared: 0 },
    });
    const member = await flagged();
    assert.equal(member.length, 3);
    for (const trade of member) {
      assert.equal(trade.conflictSignal, true);
      assert.match(trade.conflictReason, /^Dana Hollis sat on the Senate Committee on Banking, /);
      assert.match(trade.conflictReason, /seats as of 2015-01-05\.$/);
    }
    assert.notEqual(await etag(HIS), before.his, 'HC-03: another signal, another tag');
    const headers = { 'If-None-Match': before.others };
    assert.equal((await server.get(OTHERS, { key, headers })).status, 304, 'others keep theirs');
    const profile = (await server.json('/api/v1/politicians/dana-hollis', { key })).data;
    assert.equal(profile.counts.conflicts, 3);
    const ofTicker = async () =>
      (await server.json('/api/v1/tickers/QQZC', { key })).data.aggregates.conflicts;
    assert.equal(await ofTicker(), 3);
    const metrics = (await server.get('/metrics', { unchecked: true })).text;
    assert.equal(metric(metrics, 'feed_signals'), 3);

    await importSeats(site, 'Chairman');
    assert.deepEqual(await sweep(site), {
      ...{ trades: 5, signals: 3, set: 0, changed: 3, cleared: 0 },
    });
    const [chair] = await flagged();
    assert.match(chair.conflictReason, /^Dana Hollis chaired the Senate Committee on Banking, /);

    await importSeats(site, null);
    assert.deepEqual(await sweep(site), {
      ...{ trades: 5, signals: 0, set: 0, changed: 0, cleared: 3 },
    });
    assert.deepEqual(await flagged(), []);
    assert.equal(await etag(HIS), before.his, 'the same bytes again');
    assert.equal(await ofTicker(), 0);
  });

  test('explains each trade step by step, with its history', async (t) => {
    const site = await makeSignalling(t, [1], { database: kind });
    const explain = async (id) => (await site.stockact('sweep', '--explain', id))[0];
    const ids = await site.database.query('select id from trade order by id');
    const [{ id: others }, , { id: his }] = ids;
    assert.equal((await explain(his)).endedAt, 'seats');

    await importSeats(site, '');
    const unswept = await explain(his);
    assert.equal(unswept.signal, true);
    assert.equal(unswept.storedSignal, false);
    await sweep(site);
    const told = await explain(his);
    assert.equal(told.member, 'Dana Hollis');
    assert.equal(told.assetType, 'crypto');
    assert.equal(told.judged, 'as itself');
    assert.equal(told.industry, 'Digital assets');
    assert.equal(told.seatsAsOf, '2015-01-05');
    assert.equal(told.storedReason, told.reason);
    assert.equal(told.storedRuleVersion, told.ruleVersion);
    const [seat] = told.seats;
    assert.equal(seat.id, 'SSBK');
    assert.equal(seat.counts, true);
    assert.ok(seat.oversees.includes('Digital assets'));
    const [line] = told.history;
    assert.deepEqual([line.from, line.to], [null, told.reason]);

    const not = await explain(others);
    assert.deepEqual([not.signal, not.endedAt], [false, 'committees']);
    assert.match(not.reason, /none of the member's committees oversees the industry/);
    const text = (await site.run(['sweep', '--explain', his])).stdout;
    assert.match(
      text,
      /^\* seat {2}SSBK Senate Committee on Banking \(member, senate\): .*Digital/m,
    );

    await importSeats(site, null);
    await sweep(site);
    const gone = await explain(his);
    assert.equal(gone.endedAt, 'seats');
    assert.deepEqual(
      gone.history.map((one) => one.to !== null),
      [true, false],
    );
    const nobody = await site.run(['sweep', '--explain', 'none']);
    assert.equal(nobody.code, 1);
    assert.match(nobody.stderr, /there is no public trade "none"/);
  });

  test('runs daily at its time, once for all servers, and stores the result', async (t) => {
    const clock = '2026-03-10T05:59:00Z';
    const site = await makeSignalling(t, [3], { database: kind, clock });
    await importSeats(site, '');
    const servers = [await site.serve()];
    if (kind === 'postgresql') servers.push(await site.serve());
    const job = async () =>
      (await site.database.query("select * from job where name = 'sweep'"))[0] ?? {};
    const swept = () => servers.flatMap(({ log }) => log.match(/event=swept/g) ?? []).length;
    await until('the sweep is planned', async () => (await job()).next_at);
    assert.equal((await servers[0].json(FLAGGED)).data.length, 0, 'nothing before its time');

    await site.clock.advance(60_000);
    await until('the sweep has ended', async () => (await job()).ended_at);
    const { result, next_at: next, lease_node: holder } = await job();
    assert.equal(new Date(Number(next)).toISOString(), '2026-03-11T06:00:00.000Z');
    assert.equal(holder, null);
    const { ms, ...counts } = JSON.parse(result);
    assert.ok(ms >= 0);
    assert.deepEqual(counts, { trades: 5, signals: 3, set: 3, changed: 0, cleared: 0 });
    for (const server of servers) {
      const shows = async () => (await server.json(FLAGGED)).data.length === 3;
      await until('each server shows it', shows);
    }
    await until('it is logged', () => swept() === 1);
    const pages = await Promise.all(
      servers.map(async (one) => (await one.get('/metrics', { unchecked: true })).text),
    );
    const [sweeper, ...rest] = pages.filter((text) => /stockact_sweep_last_end_seconds/.test(text));
    assert.deepEqual(rest, [], 'one of them swept');
    assert.equal(metric(sweeper, 'sweep_last_end_seconds'), site.clock.now / 1000);
    assert.equal(metric(sweeper, 'sweep_last_trades'), 5);
    assert.equal(metric(sweeper, 'sweep_last_signals'), 3);
    assert.match(sweeper, /^stockact_sweep_last_changes\{change="set"\} 3$/m);

    await importSeats(site, null);
    await site.clock.advance(86_400_000);
    const nextDay = async () => {
      const row = await job();
      return row.ended_at && row.result !== result && JSON.parse(row.result);
    };
    const second = await until('the next day has ended', nextDay);
    assert.equal(second.cleared, 3);
    await until('that is logged too', () => swept() === 2);
  });
});

/** Whether the process blocks SIGTERM, as a sweep does from its start on. */
const holdsBack = (pid) => {
  const mask = /^SigBlk:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return mask && (BigInt(`0x${mask}`) & (1n << 14n)) !== 0n;
};

test('a signal stops a sweep after its current batch, and the next sweep does the rest', async (t) => {
  const site = await makeSignalling(t, [700, 700, 700]);
  await importSeats(site, '');
  const lock = openSqlite(site.database.file);
  lock.exec('BEGIN IMMEDIATE'); // the sweep cannot write its first stretch
  const child = new Child(binary, ['sweep', '--json'], { cwd: site.folder, env: site.env });
  await until('it sweeps', () => holdsBack(child.pid));
  child.signal('SIGTERM');
  lock.exec('COMMIT');
  lock.close();
  const { code } = await child.exited;
  assert.equal(code, 1, child.describe());
  assert.match(child.stderr, /^stockact: stopped by SIGTERM after 1000 trades; their signals/);
  const [counts, error] = child.stdout.trim().split('\n').map(JSON.parse);
  assert.equal(counts.set, 998, "all of the first thousand but MARLOW's two");
  assert.equal(error.error, 'stopped');
  assert.equal((await sweep(site)).set, 2100 - 998);
});

test('no daily job runs if it is off', async (t) => {
  const site = await makeSignalling(t, [1], { clock: '2026-03-10T05:59:00Z' });
  const off = ['--sweep-at', 'off', '--sync-at', 'off'];
  const server = await site.serve({ args: [...off, '--sample-rows', '0'] });
  await site.clock.advance(86_400_000);
  await server.stop();
  const others = await site.database.query(
    "select name from job where name not in ('prune', 'upkeep')",
  );
  assert.deepEqual(others, []);
});

test('a clock that was set back reschedules the sweep', async (t) => {
  const site = await makeSignalling(t, [1], { clock: '2026-03-10T05:59:00Z' });
  await site.serve();
  const next = async () =>
    (await site.database.query("select next_at from job where name = 'sweep'"))[0]?.next_at;
  const plannedFor = (instant) => async () => Number(await next()) === Date.parse(instant);
  await until('the sweep is planned', plannedFor('2026-03-10T06:00:00Z'));
  await site.clock.set('2025-01-01T00:00:00Z');
  await until('it is planned anew', plannedFor('2025-01-01T06:00:00Z'));
});
