// Rows that were changed by something other than the program are named and not served
// (docs/adr/0022-chain-over-publications.md).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { check, every, makeHistory } from './lib/damage.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { because } from './lib/reviewer.mjs';

onEachDatabase('damaged rows', (kind) => {
  test('a damaged row is named and not served, and the others are', async (t) => {
    const { site, ids, filing } = await makeHistory(t, kind);
    const { database } = site;
    const all = (await database.query('SELECT id FROM trade WHERE withdrawn_at IS NULL')).length;
    const of = ids.filter((id) => filing(id) === filing(ids[8]));
    await database.execute(`UPDATE trade SET ticker = 'EVIL' WHERE id = '${ids[0]}'`);
    await database.execute(`UPDATE trade SET printed = '{}' WHERE id = '${ids[5]}'`);
    await database.execute(`UPDATE filing SET url = 'https://evil' WHERE id = '${filing(ids[8])}'`);
    const server = await site.serve({ env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    const gone = [ids[0], ...of];
    const served = await every(server, '/api/v1/trades');
    assert.equal(served.length, all - gone.length);
    assert.ok(!served.some((trade) => gone.includes(trade.id)));
    assert.ok(!(await every(server, '/api/v1/filings')).some(({ id }) => id === filing(ids[8])));
    for (const id of [...gone, ids[5]]) {
      assert.equal((await server.get(`/api/v1/trades/${id}`)).status, 500, id);
      const line = new RegExp(`trade .{0,2}${id}.* does not match its digest`);
      await until('the log names it', () => line.test(server.log));
    }
    for (const id of gone) assert.match(server.log, new RegExp(`not served.*row=${id}`));
    assert.equal((await server.get(`/api/v1/trades/${served[0].id}`)).status, 200);
    assert.equal((await server.get('/api/v1/tickers/EVIL')).status, 404);
    const csv = (await server.get('/api/v1/trades?format=csv&limit=100')).text;
    assert.ok(!/EVIL|https:\/\/evil/.test(csv));
    const changes = await every(server, '/api/v1/changes');
    for (const entry of changes)
      if (gone.includes(entry.tradeId)) assert.equal(entry.trade, null, entry.tradeId);
    assert.ok(!/EVIL|https:\/\/evil/.test(JSON.stringify(changes)));
    const metrics = (await server.get('/metrics')).text;
    assert.match(metrics, new RegExp(`^stockact_feed_withheld ${gone.length + 1}$`, 'm'));

    // it cannot be changed, which would make the damage look published, but withdrawn
    const refused = await site.run(['correct', ids[0], 'amountBucket', '1k_15k', ...because('x')]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is damaged: its row does not match its digest/);
    await site.stockact('withdraw', ids[0], ...because('the row is damaged'));
    assert.equal((await server.get(`/api/v1/trades/${ids[0]}`)).status, 410);
    const back = await site.run(['reinstate', ids[0], ...because('x')]);
    assert.equal(back.code, 1);
    assert.match(back.stderr, /was withdrawn while its row was damaged/);
    assert.ok(!(await check(site)).findings.some((line) => line.includes(ids[0])));

    // a value that is put back makes the row whole
    await site.stockact('withdraw', filing(ids[8]), ...because('damaged'));
    assert.ok((await check(site)).findings.some((line) => line.includes(ids[5])));
  });

  test('a row that is damaged while the server runs is not read again', async (t) => {
    const { site, ids } = await makeHistory(t, kind);
    const server = await site.serve({ env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    await site.database.execute(`UPDATE trade SET ticker = 'EVIL' WHERE id = '${ids[9]}'`);
    assert.equal((await server.get(`/api/v1/trades/${ids[9]}`)).status, 500);
    const before = await every(server, '/api/v1/trades');
    assert.ok(!before.some((trade) => trade.ticker === 'EVIL'));
    await site.stockact('withdraw', ids[9].slice(0, -5), ...because('x'));
    await site.stockact('demo', '--publish', 1);
    assert.ok(!(await every(server, '/api/v1/trades')).some((trade) => trade.ticker === 'EVIL'));
  });

  test('a server that loaded a row before its damage drops it when it is withdrawn', async (t) => {
    const { site, ids, filing } = await makeHistory(t, kind);
    const { database } = site;
    const server = await site.serve({ env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    const has = async (id) => (await every(server, '/api/v1/trades')).some((row) => row.id === id);
    assert.ok((await has(ids[0])) && (await has(ids[8])));
    await database.execute(
      `UPDATE trade SET disclosed_at = disclosed_at + 1 WHERE id = '${ids[0]}'`,
    );
    await site.stockact('withdraw', ids[0], ...because('damaged'));
    assert.ok(!(await has(ids[0])));
    await database.execute(`UPDATE filing SET id = 'other' WHERE id = '${filing(ids[8])}'`);
    await site.stockact('withdraw', 'other', ...because('damaged'));
    assert.ok(!(await has(ids[8])));
    assert.ok(await has(ids[5]));
  });
});
