// Where a page of the sequence of changes says to continue, and what a copy gets after a backup was
// restored (decision 47).

import { strict as assert } from 'node:assert';
import { update } from '../../examples/keep-a-copy/copy.mjs';
import test from 'node:test';
import { Changing, WHY } from './lib/changing.mjs';
import { CLOCK } from './lib/delivering.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const DAY = 86_400_000;

onEachDatabase('continuing a copy', (kind) => {
  test('what a clock that was ahead has published is moved before now', async (t) => {
    const site = await makeSite(t, { database: kind, clock: CLOCK });
    await site.stockact('demo', '--trades', 40, '--as-of', '2026-01-05');
    await site.stockact('demo', '--publish', 1);
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const newest = async () => (await server.json('/api/v1/trades?limit=1', { key })).data[0];
    const changes = (query) => server.get(`/api/v1/changes?${query}`, { key });
    const now = site.clock.now;
    const sound = (await changes('limit=2')).json.lastCursor;
    await site.clock.set(now + 300 * DAY);
    await site.stockact('demo', '--publish', 1);
    await site.stockact('withdraw', (await newest()).id, ...WHY);
    await site.clock.set(now + 60_000);
    await site.stockact('demo', '--publish', 1);
    const { id, disclosedAt } = await newest();
    assert.ok(Date.parse(disclosedAt) > now + 299 * DAY, 'each later one is of the future too');
    const poisoned = (await changes('limit=100')).json.lastCursor;
    const found = await site.run(['check', '--json']);
    assert.equal(found.code, 1);
    assert.match(found.stdout, /redate/);
    const status = async () => (await site.run(['status', '--json'])).stdout;
    assert.match(await status(), /in the future.*redate/);

    const [told] = await site.stockact('redate', '--reason', 'the clock was ahead');
    assert.equal(told.instants, 2); // the withdrawal is of the same instant
    const moved = await newest();
    assert.equal(moved.id, id);
    assert.ok(Date.parse(moved.disclosedAt) <= now + 60_000);
    assert.equal((await changes(`cursor=${poisoned}`)).json.error, 'history_replaced');
    assert.equal((await changes(`cursor=${sound}`)).status, 200);
    const sane = await site.run(['check', '--json']);
    assert.equal(sane.code, 0, sane.stdout);
    assert.doesNotMatch(await status(), /in the future/);
    const [logged] = await site.stockact('log', '--action', 'instants.redate');
    assert.equal(logged.detail, 'the clock was ahead');
    await site.clock.set(now + 120_000);
    await site.stockact('demo', '--publish', 1);
    assert.equal(Date.parse((await newest()).disclosedAt), now + 120_000);
    assert.deepEqual(await site.stockact('redate', '--reason', 'again'), [
      { instants: 0, from: null, to: null },
    ]);
  });

  test('a page has the next cursor and number, even if it is empty', async (t) => {
    const site = await makeSite(t, { database: kind });
    await new Changing(site).prepare();
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const get = (query) => server.json(`/api/v1/changes?${query}`, { key });
    const all = (await get('limit=100')).data;
    const first = await get('limit=3');
    assert.deepEqual(first.data, all.slice(0, 3));
    assert.equal(first.lastSeq, 3);
    assert.equal(first.lastCursor, first.nextCursor);
    const byCursor = await get(`limit=3&cursor=${first.nextCursor}`);
    assert.deepEqual(byCursor, await get('limit=3&after=3'));
    assert.deepEqual(byCursor.data, all.slice(3, 6));
    const last = await get(`limit=100&after=${all.length - 2}`);
    assert.deepEqual([last.nextCursor, last.lastSeq], [null, all.length]);
    const end = { data: [], nextCursor: null, lastSeq: all.length, lastCursor: last.lastCursor };
    assert.deepEqual(await get(`after=${all.length}`), end);
    assert.deepEqual(await get(`cursor=${last.lastCursor}`), end);
    assert.deepEqual(await get('after=9007199254740991'), end);
    const wrong = await server.get(`/api/v1/corrections?cursor=${first.nextCursor}`, { key });
    assert.equal(wrong.json.error, 'invalid_cursor');
  });

  test('a copy of an empty database continues with its first entries', async (t) => {
    const site = await makeSite(t, { database: kind });
    await site.stockact('migrate');
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const copy = { cursor: null, trades: new Map() };
    const get = (target) => server.json(target, { key });
    await update(get, copy);
    assert.equal((await get('/api/v1/changes')).lastSeq, 0);
    await new Changing(site).prepare();
    await update(get, copy);
    assert.equal(copy.trades.size, 40);
  });

  test('a copy notices a restored backup however many changes came after it', async (t) => {
    const site = await makeSite(t, { database: kind, clock: CLOCK });
    const changing = new Changing(site);
    await changing.prepare();
    const id = (await changing.ids())[0];
    const correct = async (side) => {
      await site.clock.advance(60_000);
      await site.stockact('correct', id, 'side', side, ...WHY);
    };
    let server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const get = async (target) => {
      const response = await server.get(target, { key });
      if (response.status !== 200) throw new Error(response.json.error);
      return response.json;
    };
    const early = { cursor: null, trades: new Map() };
    await update(get, early);
    await server.stop();
    await site.database.save();

    server = await site.serve();
    const late = { cursor: null, trades: new Map() };
    for (const side of ['exchange', 'sell_full']) await correct(side);
    await update(get, late);
    await server.stop();
    await site.database.restore();

    // fewer entries than the copy has, as many, and more
    server = await site.serve();
    for (const side of [null, 'sell_partial', 'exchange', 'sell_full']) {
      if (side !== null) await correct(side);
      await assert.rejects(update(get, late), { message: 'history_replaced' });
    }
    await update(get, early);
    const fresh = { cursor: null, trades: new Map() };
    await update(get, fresh);
    assert.deepEqual(early, fresh);
  });
});
