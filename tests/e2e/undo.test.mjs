// Mistakes that are undone (decision 29): a withdrawal that is taken back, a filing that was
// published under the wrong member, and a filing date that the document states otherwise.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { HOLLIS } from './lib/invented_members.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { WREN, uuid, filing, row, makeDesk, seen, log } from './lib/undoing.mjs';
import { BY, because } from './lib/reviewer.mjs';

onEachDatabase('undo', (kind) => {
  test('a withdrawal that is taken back leaves no trace but the log', async (t) => {
    const { site, publish, refused } = await makeDesk(t, { database: kind });
    let server = await site.serve();
    server.key = await site.key({ plan: 'den' });
    await publish('a', { rows: [row('Northwind', 'NWTB'), row('Abacus'), row('Bellows')] });
    await publish('b', { rows: [row('Northwind', 'NWTB'), row('Cinder')] });
    const trade = `${filing('a')}-0001`;
    const before = await seen(server);
    const events = "SELECT count(*) AS n FROM event WHERE type = 'trade.published'";
    const [{ n }] = await site.database.query(events);

    await site.stockact('withdraw', trade, ...because('wrong row'));
    const without = await seen(server);
    for (const [i, { page, text, etag }] of before.entries()) {
      if (page.endsWith('-0002')) continue;
      if (page.includes('/filings')) continue;
      assert.notEqual(without[i].text, text, page);
      assert.notEqual(without[i].etag, etag, page);
    }
    assert.equal((await server.get(`/api/v1/trades/${trade}`, server)).status, 410);
    await site.clock.advance(60_000);
    const [told] = await site.stockact('reinstate', trade, ...because('the right row'));
    assert.deepEqual(told, { id: trade, trades: 1 });
    assert.deepEqual(await seen(server), before, 'in the server that saw the withdrawal');

    // a filing takes what is public of it, and brings the same back
    await site.stockact('withdraw', `${filing('a')}-0003`, ...because('for itself'));
    const two = await seen(server);
    const [gone] = await site.stockact('withdraw', filing('a'), ...because('not hers'));
    assert.equal(gone.trades, 2);
    assert.equal((await server.json('/api/v1/filings', server)).data.length, 1);
    await refused(
      ['reinstate', trade, ...because('x')],
      /the filing of .* is withdrawn: reinstate the filing/,
    );
    await server.stop();
    server = Object.assign(await site.serve(), { key: server.key });
    const [back] = await site.stockact('reinstate', filing('a'), ...because('hers'));
    assert.equal(back.trades, 2);
    assert.deepEqual(await seen(server), two, 'in a server that started in between');
    await refused(['reinstate', filing('a'), ...because('x')], /is not withdrawn/);
    await refused(['reinstate', trade, ...because('x')], /is not withdrawn/);
    await refused(['reinstate', `${trade}9`, ...because('x')], /no trade or filing has the id/);

    assert.deepEqual(await log(server), [
      ['reinstated', filing('a'), 'hers'],
      ['reinstated', `${filing('a')}-0002`, 'hers'],
      ['reinstated', trade, 'hers'],
      ['withdrawn', filing('a'), 'not hers'],
      ['withdrawn', `${filing('a')}-0002`, 'not hers'],
      ['withdrawn', trade, 'not hers'],
      ['withdrawn', `${filing('a')}-0003`, 'for itself'],
      ['reinstated', trade, 'the right row'],
      ['withdrawn', trade, 'wrong row'],
    ]);
    assert.deepEqual(await log(server, '&politician=robin-vale'), []);
    assert.equal((await log(server, '&politician=H000902')).length, 9);
    assert.deepEqual(await site.database.query(events), [{ n }], 'nothing is published twice');
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });

  test('a filing under the wrong member moves to the right one, and both pages say so', async (t) => {
    const { site, put, publish, refused } = await makeDesk(t, { database: kind });
    let server = await site.serve();
    server.key = await site.key({ plan: 'den' });
    const get = (page) => server.json(`/api/v1/${page}`, { key: server.key });
    const wrong = { filer: 'The Honorable D. Q. Marlowe', bracket: '' };
    await site.stockact(
      'ingest',
      put(`${uuid('a')}.html`, senatePage({ ...wrong, rows: [row('Northwind', 'NWTB')] })),
    );
    await site.stockact('review', 'set-filer', filing('a'), 'dana-hollis', ...BY);
    await publish('a', { ...wrong, rows: [row('Northwind', 'NWTB')] });
    await publish('b', { rows: [row('Northwind', 'NWTB')] });
    const [, was] = (await get('trades')).data;
    assert.equal(was.politician.slug, 'dana-hollis');
    const places = (await get('trades')).data.map(({ id, disclosedAt }) => [id, disclosedAt]);

    const set = ['review', 'set-filer', filing('a'), 'alex-wren'];
    await refused([...set, ...BY], /the reason must be/, 2);
    await refused(
      [...set.slice(0, 3), 'dana-hollis', ...because('x')],
      /is already a filing of dana-hollis/,
    );
    const [told] = await site.stockact(...set, ...because('Marlowe is the name of A. Wren'));
    assert.deepEqual(told, { filingId: filing('a'), member: 'alex-wren', trades: 1 });

    const moved = { ...was, politician: { ...was.politician, slug: 'alex-wren' } };
    Object.assign(moved.politician, { name: 'Alex Wren', party: 'Democrat', state: 'VT' });
    const look = async () => {
      const { data } = await get('trades');
      assert.deepEqual(data[1], moved);
      assert.deepEqual(
        data.map(({ id, disclosedAt }) => [id, disclosedAt]),
        places,
      );
      assert.deepEqual((await get('trades?politician=alex-wren')).data, [moved]);
      assert.deepEqual((await get('trades?state=VT')).data, [moved]);
      assert.deepEqual((await get('trades?politician=dana-hollis')).data, [data[0]]);
      for (const slug of ['dana-hollis', 'alex-wren']) {
        const { counts } = (await get(`politicians/${slug}`)).data;
        assert.deepEqual([counts.trades, counts.filings], [1, 1], slug);
      }
      assert.equal((await get('tickers/NWTB')).data.aggregates.politicians, 2);
      const filings = (await get('filings')).data.map((one) => [one.id, one.politicianId]);
      assert.deepEqual(filings, [
        [filing('b'), HOLLIS.id],
        [filing('a'), WREN.id],
      ]);
      const detail = (await get(`trades/${filing('a')}-0001`)).data;
      assert.deepEqual(detail.trade, moved);
    };
    await look();
    await server.stop();
    server = Object.assign(await site.serve(), { key: server.key });
    await look();

    const fields = async (slug) =>
      (await get(`corrections?politician=${slug}`)).data.map((one) => [
        one.tradeId ?? one.filingId,
        one.field,
        one.old,
        one.new,
      ]);
    const moves = [
      [filing('a'), 'politicianId', HOLLIS.id, WREN.id],
      [`${filing('a')}-0001`, 'politician.slug', 'dana-hollis', 'alex-wren'],
    ];
    assert.deepEqual(await fields('alex-wren'), [
      ...moves,
      [`${filing('a')}-0001`, 'politician.name', 'Dana Hollis', 'Alex Wren'],
      [`${filing('a')}-0001`, 'politician.party', 'Independent', 'Democrat'],
      [`${filing('a')}-0001`, 'politician.state', 'OR', 'VT'],
    ]);
    assert.deepEqual(await fields('dana-hollis'), moves);
    assert.deepEqual(await fields('robin-vale'), []);

    // the mistake is not made again
    const again = senatePage({ ...wrong, rows: [row('Bellows')] });
    await site.stockact('ingest', put(`${uuid('c')}.html`, again));
    const [draft] = await site.stockact('review', 'show', filing('c'));
    assert.equal(draft.member, 'alex-wren');
    // and the draft of the filing can be published again
    await site.stockact('review', 'accept', filing('a'), ...BY);
    await site.stockact('publish', filing('a'), ...BY);
    await look();
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });
});
