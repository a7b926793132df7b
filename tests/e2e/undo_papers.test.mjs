// The time of filing comes with the page, and unread paper filings stay unpublished
// (decisions 29 and 40).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { rechain } from './lib/digests.mjs';
import { senatePage, senatePaperPage } from './lib/senate_page.mjs';
import { onEachDatabase } from './lib/site.mjs';
import {
  uuid,
  filing,
  row,
  membersWithASwitch,
  dumped,
  dumpedRow,
  makeDesk,
  log,
} from './lib/undoing.mjs';
import { BY } from './lib/reviewer.mjs';

onEachDatabase('undo of papers', (kind) => {
  test('the time of filing is corrected when the page comes', async (t) => {
    const { site, put } = await makeDesk(t, { database: kind });
    await site.stockact('members', 'import', put('switch.json', membersWithASwitch()));
    const dump = put(
      'dump.json',
      JSON.stringify([
        dumped('a', '07/04/2015', [dumpedRow]),
        dumped('b', '07/04/2015', [dumpedRow]),
        dumped('c', '07/04/2015', [dumpedRow]),
      ]),
    );
    await site.stockact('backfill', 'senate-stock-watcher', dump, ...BY);
    const server = await site.serve();
    server.key = await site.key({ plan: 'den' });
    const get = (page) => server.json(`/api/v1/${page}`, server);
    const trade = async (letter) => (await get(`trades/${filing(letter)}-0001`)).data;
    const before = await trade('a');
    assert.equal(before.trade.politician.party, 'Independent');
    assert.deepEqual([before.source.dueDate, before.source.daysLate], ['2015-07-04', 0]);

    const page = (letter, filed) =>
      put(
        `${uuid(letter)}.html`,
        senatePage({
          filed,
          rows: [{ date: '05/20/2015', asset: 'Widget Works Inc.', ticker: null, owner: 'Self' }],
        }),
      );
    const read = async (letter, filed) => {
      await site.stockact('ingest', page(letter, filed));
      const [draft] = await site.stockact('review', 'show', filing(letter));
      await site.stockact('review', 'accept', filing(letter), ...BY);
      await site.stockact('publish', filing(letter), ...BY);
      return draft;
    };
    await site.clock.advance(60_000);
    const draft = await read('a', '07/04/2015 @ 5:21 PM');
    assert.deepEqual(
      [draft.publicFiledAt, draft.filedAt],
      ['2015-07-04T04:00:00.000Z', '2015-07-04T21:21:00.000Z'],
    );
    await read('b', '07/06/2015 @ 9:05 AM');
    await read('c', '07/04/2015 @ 12:00 AM'); // no other time: nothing to correct

    const filings = Object.fromEntries((await get('filings')).data.map((one) => [one.id, one]));
    assert.equal(filings[filing('a')].filedAt, '2015-07-04T21:21:00.000Z');
    assert.equal(filings[filing('b')].filedAt, '2015-07-06T13:05:00.000Z');
    const after = await trade('a');
    assert.deepEqual(after.trade, before.trade, 'disclosedAt and party stay on the same day');
    assert.equal(after.source.review, 'unseen', 'no longer in bulk');
    const moved = await trade('b');
    assert.equal(moved.trade.disclosedAt, before.trade.disclosedAt);
    assert.equal(moved.trade.politician.party, 'Democrat', 'of another day');
    assert.deepEqual([moved.source.dueDate, moved.source.daysLate], ['2015-07-04', 2]);
    const { data } = await get('corrections?politician=dana-hollis');
    assert.deepEqual(
      data.map((one) => [one.tradeId ?? one.filingId, one.field, one.old, one.new]),
      [
        [filing('b'), 'filedAt', '2015-07-04T04:00:00.000Z', '2015-07-06T13:05:00.000Z'],
        [`${filing('b')}-0001`, 'politician.party', 'Independent', 'Democrat'],
        [filing('a'), 'filedAt', '2015-07-04T04:00:00.000Z', '2015-07-04T21:21:00.000Z'],
      ],
    );
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });

  test('an unread paper filing is not published, and keeps its member when its scan arrives', async (t) => {
    const { site, put } = await makeDesk(t, { database: kind });
    const dump = (...filings) => put('dump.json', JSON.stringify(filings));
    const backfill = async (file) =>
      (await site.stockact('backfill', 'senate-stock-watcher', file, ...BY)).at(-1);
    const server = await site.serve();
    server.key = await site.key({ plan: 'den' });
    const get = (page) => server.json(`/api/v1/${page}`, server);
    const listed = async () => (await get('filings')).data.map((one) => one.id);
    const both = dump(
      dumped('a', '07/04/2015', [], 'paper'),
      dumped('b', '07/04/2015', [dumpedRow]),
    );
    const report = await backfill(both);
    assert.deepEqual(
      [report.filingsAdded, report.filingsWithoutRows, report.papersAdded],
      [1, 1, 1],
    );
    assert.deepEqual(await listed(), [filing('b')]);
    const state = async () =>
      (await get('coverage')).data.counts.map((one) => `${one.year} ${one.state} ${one.count}`);
    assert.deepEqual(await state(), ['2015 needs_manual 1', '2015 published 1']);

    const draft = async (letter) => {
      const [one] = await site.stockact('review', 'show', filing(letter));
      return [one.member, one.filedAt];
    };
    const known = ['dana-hollis', '2015-07-04T04:00:00.000Z'];
    assert.deepEqual(await draft('a'), known);
    const scan = put(`${uuid('a')}.html`, senatePaperPage());
    for (let i = 0; i < 2; i++) {
      await site.stockact('ingest', scan);
      assert.deepEqual(await draft('a'), known, 'also when it is read again');
    }
    assert.equal((await backfill(both)).papersAdded, 0);

    // a reviewer enters its trades
    const read = async (letter) => {
      const rowOf = ['assetName=Garden Mills', 'side=buy', 'amountBucket=15k_50k', 'tradeDate='];
      await site.stockact('review', 'add-row', filing(letter), ...rowOf, ...BY);
      await site.stockact('review', 'accept', filing(letter), ...BY);
      const [told] = await site.stockact('publish', filing(letter), ...BY);
      assert.equal(told.added, 1);
    };
    await read('a');
    assert.deepEqual(await listed(), [filing('a'), filing('b')]);
    const [published] = (await get('filings')).data;
    assert.equal(published.filedAt, known[1]);

    // a database that lists such a paper as published, as earlier versions did
    await site.database.execute(
      'INSERT INTO filing (id, chamber, source_doc_id, url, member_no, member_name, member_party,' +
        ' member_state, filed_at, state, created_at, review, reviewed_by, reviewed_at,' +
        ` document_version_no, publication_no, published_at) SELECT '${filing('c')}', chamber,` +
        ` '${uuid('c')}', url, member_no, member_name, member_party, member_state, filed_at,` +
        ' state, created_at, review, reviewed_by, reviewed_at, document_version_no,' +
        ` publication_no, published_at FROM filing WHERE id = '${filing('b')}'`,
    );
    await rechain(site.database);
    await server.stop();
    const next = Object.assign(await site.serve(), { key: server.key });
    const ids = async () => (await next.json('/api/v1/filings', next)).data.map((one) => one.id);
    assert.deepEqual(await ids(), [filing('a'), filing('c'), filing('b')]);
    const old = dump(dumped('c', '07/04/2015', [], 'paper'));
    const moved = await backfill(old);
    assert.deepEqual([moved.papersAdded, moved.papersWithdrawn], [1, 1]);
    assert.deepEqual(await ids(), [filing('a'), filing('b')]);
    const refused = await site.run(['reinstate', filing('c'), ...BY, '--reason', 'wrongly']);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /is a paper filing without trades: enter its trades with `stockact/,
    );
    assert.deepEqual(await ids(), [filing('a'), filing('b')], 'not listed without its trades');
    const again = await backfill(old);
    assert.deepEqual([again.papersAdded, again.papersWithdrawn], [0, 0]);
    assert.deepEqual(await draft('c'), known);
    await read('c');
    assert.deepEqual(await ids(), [filing('a'), filing('c'), filing('b')]);
    assert.equal(
      (await next.json('/api/v1/trades?limit=1', next)).data[0].id,
      `${filing('c')}-0001`,
    );
    assert.deepEqual(
      (await log(next)).filter(([what]) => what !== 'backfill'),
      [
        ['reinstated', filing('c'), 'the trades of this paper filing have been entered'],
        ['withdrawn', filing('c'), 'the trades of this paper filing have not been entered yet'],
      ],
    );
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });
});
