// Undoing at inconvenient moments: drafts that wait, filings that something else changed meanwhile.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { HOLLIS, VALE } from './lib/invented_members.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { WREN, filing, makeDesk, row, uuid } from './lib/undoing.mjs';
import { BY } from './lib/reviewer.mjs';

/** A senator who left at the start of 2023: a report of 2024 comes too late. */
const PAST = { ...HOLLIS, id: 'E000904', first: 'Erin', last: 'Past', end: '2023-01-03' };
const members = [HOLLIS, VALE, WREN, PAST];

onEachDatabase('undo, attacked', (kind) => {
  test('an amendment that waits follows its original to the right member', async (t) => {
    const { site, ingest, publish } = await makeDesk(t, { database: kind, members });
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const wrong = { filer: 'The Honorable D. Q. Marlowe', bracket: '' };
    const rows = [row('Northwind', 'NWTB'), row('Abacus')];
    await ingest('a', { ...wrong, rows });
    await site.stockact('review', 'set-filer', filing('a'), 'dana-hollis', ...BY);
    await publish('a');
    const amended = [row('Northwind', 'NWTC'), row('Abacus')];
    await ingest('b', { ...wrong, amendment: 1, rows: amended });
    await ingest('c', { rows: [row('Cinder')], reportDate: '01/30/2024' });
    await ingest('d', { ...wrong, rows: [row('Dover')], reportDate: '01/31/2024' });
    await site.stockact('review', 'claim', filing('d'), ...BY);
    const to = ['alex-wren', ...BY, '--reason', 'it is signed by Alex Wren'];
    await site.stockact('review', 'set-filer', filing('a'), ...to);

    const draft = async (letter) => (await site.stockact('review', 'show', filing(letter)))[0];
    const { member, rows: drafted } = await draft('b');
    assert.equal(member, 'alex-wren');
    assert.deepEqual(
      drafted.map((one) => one.does),
      ['changed', 'same'],
    );
    assert.equal((await draft('c')).member, 'dana-hollis', 'another printed name');
    assert.equal((await draft('d')).member, 'dana-hollis', 'a person works on it');
    await publish('b');
    const { data } = await server.json('/api/v1/trades', { key });
    assert.deepEqual(
      data.map(({ id, ticker, politician }) => [id, ticker, politician.slug]),
      [
        [`${filing('a')}-0002`, null, 'alex-wren'],
        [`${filing('a')}-0001`, 'NWTC', 'alex-wren'],
      ],
    );
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });

  test('a filing goes only to a member who can have filed it', async (t) => {
    const { site, put, ingest, publish, refused } = await makeDesk(t, { database: kind, members });
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const because = [...BY, '--reason', 'it is signed so'];
    const set = (letter, member) => ['review', 'set-filer', filing(letter), member];
    const houseOnly =
      /robin-vale has no term in the Senate in the year up to 2024-01-29: choose the member/;
    await ingest('a', { rows: [row('Northwind', 'NWTB')] });
    const [before] = await site.stockact('review', 'show', filing('a'));
    const look = async () => (await server.json('/api/v1/trades', { key })).data;

    // before publication, and after it
    await refused([...set('a', 'robin-vale'), ...BY], houseOnly);
    await refused([...set('a', 'erin-past'), ...BY], /erin-past has no term in the Senate/);
    assert.deepEqual((await site.stockact('review', 'show', filing('a')))[0], before);
    await publish('a');
    const [trade] = await look();
    await refused([...set('a', 'robin-vale'), ...because], houseOnly);
    await refused([...set('a', 'E000904'), ...because], /erin-past has no term in the Senate/);
    assert.deepEqual(await look(), [trade]);
    const [told] = await site.stockact(...set('a', WREN.id), ...because);
    assert.deepEqual(told, { filingId: filing('a'), member: 'alex-wren', trades: 1 });

    // a new draft: a refusal leaves none
    const make = (letter, member, ...rest) => [
      'review',
      'new',
      'senate',
      uuid(letter),
      '--filer',
      member,
      ...rest,
      ...BY,
    ];
    await refused(make('b', 'robin-vale'), /robin-vale has no term in the Senate: choose/);
    await refused(make('b', 'robin-vale', '--filed', '2024-01-29'), houseOnly);
    await refused(make('b', 'nobody'), /nobody/);
    await site.stockact(...make('b', 'erin-past', '--filed', '2024-01-04'));
    await refused(make('c', 'erin-past', '--filed', '2024-01-05'), /erin-past has no term/);
    await site.stockact(...make('c', 'erin-past'));

    // a term without dates, as the former members have it
    const csv =
      'last_name,first_name,middle_name,suffix,nickname,full_name,birthday,type,state,district,' +
      'party,bioguide_id\n';
    const elder = 'Elder,Ada,,,,,1940-02-03,sen,OR,,Democrat,E000905\n';
    await site.stockact('members', 'import', put('former.csv', csv + elder));
    await site.stockact(...set('a', 'ada-elder'), ...because);
    await refused(['review', 'new', 'house', '20990009', '--filer', 'ada-elder', ...BY], /House/);
  });

  test('a reinstated report is not public beside its amendment', async (t) => {
    const { site, ingest, publish, refused } = await makeDesk(t, { database: kind, members });
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const because = [...BY, '--reason', 'a mistake'];
    const take = async (id) => {
      await site.stockact('withdraw', id, ...because);
      await site.clock.advance(60_000);
    };
    const back = async (id) => {
      await site.stockact('reinstate', id, ...because);
      await site.clock.advance(60_000);
    };
    const ids = async () =>
      (await server.json('/api/v1/trades', { key })).data.map((one) => one.id).sort();
    const trade = (letter, number) => `${filing(letter)}-000${number}`;
    const put = async (letter, page) => {
      await ingest(letter, page);
      await publish(letter);
    };
    const twice = (a, c, first) =>
      new RegExp(`${filing(c)} repeats ${a} as .*public twice: withdraw ${first} first`);

    // the amendment is published while its original is withdrawn, and counts as a new report
    await put('a', { rows: [row('Northwind', 'NWTB'), row('Abacus')] });
    await take(filing('a'));
    await put('c', { amendment: 1, rows: [row('Northwind', 'NWTC'), row('Abacus')] });
    const amended = [trade('c', 1), trade('c', 2)];
    assert.deepEqual(await ids(), amended);
    await refused(['reinstate', filing('a'), ...because], twice(trade('a', 1), 'c', filing('c')));
    await take(trade('c', 2)); // the other one is similar: the amendment states it otherwise
    await refused(['reinstate', filing('a'), ...because], twice(trade('a', 1), 'c', filing('c')));
    await back(trade('c', 2));
    assert.deepEqual(await ids(), amended);

    // what the sentence says to do, and then the same the other way round
    await take(filing('c'));
    await back(filing('a'));
    assert.deepEqual(await ids(), [trade('a', 1), trade('a', 2)]);
    await refused(['reinstate', filing('c'), ...because], twice(trade('c', 1), 'a', filing('a')));

    // one trade of a public report, which a second report of that day repeats, and does not
    await put('d', { amendment: 2, rows: [row('Northwind', 'NWTB')] });
    assert.deepEqual(await ids(), [trade('a', 1)], 'the amendment withdrew the other one');
    await back(trade('a', 2));
    await take(trade('a', 2));
    await put('e', { rows: [row('Abacus')] }); // an original, too
    assert.deepEqual(await ids(), [trade('a', 1), trade('e', 1)]);
    await back(trade('a', 2));
    await take(trade('a', 2));

    // a trade of an amendment that the person chose as new, although it had been withdrawn
    await ingest('b', { amendment: 3, rows: [row('Northwind', 'NWTB'), row('Abacus')] });
    const choose = ['review', 'set', filing('b'), '2', 'trade', 'new', ...BY];
    await site.stockact(...choose);
    await publish('b');
    const shown = await ids();
    assert.ok(shown.includes(trade('b', 2)), shown.join());
    await refused(
      ['reinstate', trade('a', 2), ...because],
      twice(trade('a', 2), 'b', trade('b', 2)),
    );
    assert.deepEqual(await ids(), shown);
    await take(trade('b', 2));
    await back(trade('a', 2));
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });
});
