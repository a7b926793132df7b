// Where a page of the sequence of changes says to continue, and what a copy gets after a backup was
// restored (decision 47).

import { strict as assert } from 'node:assert';
import { update } from '../../examples/keep-a-copy/copy.mjs';
import test from 'node:test';
import { Changing, WHY } from './lib/changing.mjs';
import { CLOCK } from './lib/delivering.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

onEachDatabase('continuing a copy', (kind) => {
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
