// Mistakes that are undone (decision 29): a withdrawal that is taken back, a filing that was
// published under the wrong member, and a filing date that the document states otherwise.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { senatePage, senatePaperPage } from './lib/senate_page.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const BY = ['--by', 'editor@example.org'];
const because = (reason) => [...BY, '--reason', reason];

/** Another senator, with another party and state. */
const WREN = {
  id: 'W000903',
  first: 'Alex',
  last: 'Wren',
  chamber: 'senate',
  state: 'VT',
  party: 'Democrat',
};

const uuid = (letter) => `${letter.repeat(8)}-2222-4333-8444-555555555555`;
const filing = (letter) => `senate-${uuid(letter)}`;

const row = (asset, ticker = null) => ({ date: '01/10/2024', asset, ticker, owner: 'Self' });

/** HOLLIS, who joined another party on 5 July 2015. */
function membersWithASwitch() {
  const people = JSON.parse(membersJson([HOLLIS]));
  const [term] = people[0].terms;
  const { start, end, party } = term;
  term.party_affiliations = [
    { start, end: '2015-07-04', party },
    { start: '2015-07-05', end, party: 'Democrat' },
  ];
  term.party = 'Democrat';
  return JSON.stringify(people);
}

/** A filing in the format of the Senate's bulk history. */
const dumped = (letter, date, transactions, page = 'ptr') => ({
  first_name: HOLLIS.first,
  last_name: HOLLIS.last,
  office: 'Hollis, Dana',
  date_recieved: date,
  ptr_link: `https://efdsearch.senate.gov/search/view/${page}/${uuid(letter)}/`,
  transactions,
});

const dumpedRow = {
  transaction_date: '05/20/2015',
  owner: 'Self',
  ticker: '--',
  asset_description: 'Widget Works Inc.',
  asset_type: 'Stock',
  type: 'Purchase',
  amount: '$1,001 - $15,000',
  comment: '--',
};

/** A site with members, and `publish`: a Senate page as a public filing. */
async function makeDesk(t, options) {
  const site = await makeSite(t, { clock: '2024-03-01T12:00:00Z', ...options });
  const put = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  await site.stockact('members', 'import', put('members.json', membersJson([HOLLIS, VALE, WREN])));
  const publish = async (letter, page) => {
    await site.stockact('ingest', put(`${uuid(letter)}.html`, senatePage(page)));
    await site.stockact('review', 'accept', filing(letter), ...BY);
    await site.stockact('publish', filing(letter), ...BY);
    await site.clock.advance(60_000);
  };
  const refused = async (args, says) => {
    const done = await site.run(args);
    assert.equal(done.code, 1, `stockact ${args.join(' ')}: ${done.stdout}`);
    assert.match(done.stderr, says);
  };
  return { site, put, publish, refused };
}

/** What callers see: the text and the tag of every page. */
async function seen(server) {
  const pages = [
    '/api/v1/trades?limit=100',
    '/api/v1/trades?limit=100&format=csv',
    '/api/v1/trades?politician=dana-hollis&chamber=senate',
    '/api/v1/trades?ticker=NWTB',
    '/api/v1/filings?limit=100',
    '/api/v1/filings?chamber=senate',
    '/api/v1/politicians/dana-hollis',
    '/api/v1/tickers/NWTB',
    `/api/v1/trades/${filing('a')}-0001`,
    `/api/v1/trades/${filing('a')}-0002`,
  ];
  return Promise.all(
    pages.map(async (page) => {
      const response = await server.get(page, { key: server.key });
      const { status, text } = response;
      return { page, status, text, etag: status === 200 ? response.header('etag') : null };
    }),
  );
}

async function log(server, query = '') {
  const { data } = await server.json(`/api/v1/corrections?limit=100${query}`, { key: server.key });
  return data.map((entry) => [entry.kind, entry.tradeId ?? entry.filingId, entry.reason]);
}

onEachDatabase('undo', (kind) => {
  test('a withdrawal that is taken back leaves no trace but the log', async (t) => {
    const { site, publish, refused } = await makeDesk(t, { database: kind });
    let server = await site.serve();
    server.key = await site.key({ plan: 'den' });
    await publish('a', { rows: [row('Northwind', 'NWTB'), row('Abacus'), row('Bellows')] });
    await publish('b', { rows: [row('Northwind', 'NWTB'), row('Cinder')] });
    const trade = `${filing('a')}-0001`;
    const before = await seen(server);
    const events = 'SELECT count(*) AS n FROM event';
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
    assert.deepEqual(await site.database.query(events), [{ n }], 'no event');
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
    await refused([...set, ...BY], /the reason must be/);
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
    assert.equal(after.source.review, 'row');
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

  test('a paper that nobody has read is not published, and a scan keeps its member', async (t) => {
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

    // a person reads it
    const read = async (letter) => {
      const rowOf = ['assetName=Garden Mills', 'side=buy', 'amountBucket=15k_50k'];
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
    await server.stop();
    const next = Object.assign(await site.serve(), { key: server.key });
    const ids = async () => (await next.json('/api/v1/filings', next)).data.map((one) => one.id);
    assert.deepEqual(await ids(), [filing('a'), filing('c'), filing('b')]);
    const old = dump(dumped('c', '07/04/2015', [], 'paper'));
    const moved = await backfill(old);
    assert.deepEqual([moved.papersAdded, moved.papersWithdrawn], [1, 1]);
    assert.deepEqual(await ids(), [filing('a'), filing('b')]);
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
        ['reinstated', filing('c'), 'a person has read this paper filing'],
        ['withdrawn', filing('c'), 'nobody has read this paper filing yet'],
      ],
    );
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });

  test('people who act at once leave one state, which the log has', async (t) => {
    const { site, publish } = await makeDesk(t, { database: kind });
    const server = await site.serve();
    server.key = await site.key({ plan: 'den' });
    await publish('a', { rows: [row('Northwind', 'NWTB'), row('Abacus')] });
    const trade = `${filing('a')}-0001`;
    const withdraw = (id) => ['withdraw', id, ...because('out')];
    const reinstate = (id) => ['reinstate', id, ...because('in')];
    const give = (member) => ['review', 'set-filer', filing('a'), member, ...because('to')];
    const correct = (value) => ['correct', trade, 'ticker', value, ...because('fix')];

    /** Runs the commands at once; each succeeds, or says what another has done before. */
    const atOnce = async (...commands) => {
      const done = await Promise.all(commands.map((command) => site.run(command)));
      for (const { code, stderr } of done) {
        if (code === 0) continue;
        assert.match(stderr, /already withdrawn|is not withdrawn|is withdrawn|already a filing/);
      }
      return done.filter((one) => one.code === 0).length;
    };
    /** The server, the database and the log agree. */
    const agree = async () => {
      assert.equal((await site.stockact('check')).at(-1).findings, 0);
      const { data } = await server.json('/api/v1/corrections?limit=100', server);
      const last = (test) => data.find(test);
      for (const id of [trade, `${filing('a')}-0002`]) {
        const kept = last((one) => one.tradeId === id && /withdrawn|reinstated/.test(one.kind));
        const { status } = await server.get(`/api/v1/trades/${id}`, server);
        assert.equal(status, kept?.kind === 'withdrawn' ? 410 : 200, id);
      }
      const whose = last((one) => one.field === 'politicianId')?.new;
      const { data: trades } = await server.json('/api/v1/trades', server);
      const { data: filings } = await server.json('/api/v1/filings', server);
      if (whose && filings.length) assert.equal(filings[0].politicianId, whose);
      const slug = last((one) => one.field === 'politician.slug')?.new;
      for (const one of slug ? trades : []) assert.equal(one.politician.slug, slug);
      const ticker = last((one) => one.field === 'ticker')?.new;
      const shown = trades.find((one) => one.id === trade);
      if (ticker && shown) assert.equal(shown.ticker, ticker);
    };
    for (let round = 0; round < 3; round++) {
      assert.ok((await atOnce(withdraw(trade), reinstate(trade))) >= 1);
      await agree();
      await site.run(reinstate(trade));
      assert.equal(await atOnce(withdraw(trade), withdraw(trade)), 1, 'once');
      assert.equal(await atOnce(reinstate(trade), reinstate(trade)), 1, 'once');
      await agree();
      assert.equal(await atOnce(give('alex-wren'), correct(`AB${round}`)), 2);
      await agree();
      assert.ok((await atOnce(give('alex-wren'), give('dana-hollis'))) >= 1);
      await agree();
      await atOnce(withdraw(filing('a')), withdraw(trade), give('alex-wren'));
      await agree();
      await atOnce(reinstate(filing('a')), reinstate(trade));
      await agree();
      await site.run(reinstate(trade));
      await site.run(give('dana-hollis'));
    }
  });
});
