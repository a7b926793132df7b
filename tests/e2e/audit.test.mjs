// `stockact audit`: no line for fresh publications, one line with its age for each disagreement with
// a second source, and the exit status.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { reseal } from './lib/digests.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOLLIS, membersJson, VALE } from './lib/invented_members.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';

const FILING = 'house-20990001';
const CLOCK = '2026-03-10T12:00:00Z';

const row = (asset, more = {}) => ({
  owner: 'SP',
  asset,
  type: 'P',
  date: '01/02/2025',
  notified: '01/05/2025',
  amount: '$1,001 - $15,000',
  status: 'New',
  ...more,
});

/** Seats in the Congress of the rows. */
const SEATS = `committee,bioguide,seen_from,seen_to,title
HSAG,${VALE.id},2023-01-10,2025-01-03,
`;

/** A site with a published report of three rows, one of them held. */
async function makeArchive(t, kind) {
  const site = await makeSite(t, { database: kind, clock: CLOCK });
  const write = (name, bytes) => {
    const file = path.join(site.folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  await site.stockact('members', 'import', write('members.json', membersJson([VALE, HOLLIS])));
  await site.stockact('committees', 'import', '--spans', write('seats.csv', SEATS));
  const rows = [
    row('Abacus Works [OT]'),
    row('Bellows Holdings [OT]', { type: 'S (partial)', amount: '$15,001 - $50,000' }),
    row('Cobalt Mill [OT]', { amount: '$770.32' }),
  ];
  await site.stockact('ingest', write('20990001.pdf', housePdf({ rows })));
  await site.stockact('review', 'accept', FILING, ...BY);
  await site.stockact('publish', FILING, ...BY);
  return { site, write };
}

const LIST = `Symbol,Security Name
QQAW,Abacus Works - Common Stock
QQBH,"Bellows Holdings, Inc. - Class A Common Stock"
QQCM,Cobalt Mill plc - Ordinary Shares
`;

/** The disagreements, and the counts of the last line. */
async function audit(site, ...options) {
  const done = await site.run(['audit', '--json', ...options]);
  const lines = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const counts = lines.find((line) => !line.kind && !line.error);
  const found = lines.filter((line) => line.kind);
  assert.equal(done.code, found.length ? 1 : 0, done.stderr);
  if (found.length) {
    assert.equal(lines.at(-1).error, 'disagreements');
    assert.match(done.stderr, new RegExp(`${found.length} disagreements, listed above`));
  }
  return { found, counts };
}

const brief = ({ found }) => found.map((d) => [d.what, d.subject, d.published, d.other, d.days]);

onEachDatabase('audit', (kind) => {
  test('fresh publications agree with every source', async (t) => {
    const { site } = await makeArchive(t, kind);
    const { found, counts } = await audit(site);
    assert.deepEqual(found, []);
    assert.equal(counts.membersCompared, 1);
    assert.equal(counts.seatsCompared, 2);
    assert.equal(counts.readingCompared, 1);
    assert.equal(counts.party + counts.value + counts.row_missing + counts.signal, 0);
  });

  test('a symbol is compared with the company that held it', async (t) => {
    const { site, write } = await makeArchive(t, kind);
    await site.stockact('tickers', 'import', write('nasdaq.csv', LIST));
    const rows = [
      row('Abacus Works (QQAW) [ST]'),
      row('Dunlin Marine Corporation (QQBH) [ST]'),
      row('Elder Press (QQEP) [ST]'),
      row('QQCM Jan 2026 call 20 (QQCM) [OP]'),
    ];
    const id = 'house-20990002';
    await site.stockact('ingest', write('20990002.pdf', housePdf({ id: '20990002', rows })));
    await site.stockact('review', 'accept', id, ...BY);
    await site.stockact('publish', id, ...BY);
    const result = await audit(site, '--kind', 'symbols');
    assert.equal(result.counts.symbolsCompared, 4);
    assert.deepEqual(brief(result), [
      ['symbol_name', `${id}-0002`, 'QQBH Dunlin Marine Corporation', 'Bellows Holdings, Inc.', 0],
      ['symbol_unknown', `${id}-0003`, 'QQEP Elder Press', 'the symbol is in no list', 0],
    ]);
  });

  test('a member in no list of the Congress of a trade is reported once', async (t) => {
    const { site, write } = await makeArchive(t, kind);
    await site.stockact(
      'ingest',
      write(
        '20990003.pdf',
        housePdf({
          id: '20990003',
          rows: ['02/03/2025', '02/04/2025'].map((date) =>
            row('Dunlin Marine [OT]', { date, notified: '02/05/2025' }),
          ),
          signed: '02/10/2025',
        }),
      ),
    );
    await site.stockact('review', 'accept', 'house-20990003', ...BY);
    await site.stockact('publish', 'house-20990003', ...BY);
    assert.deepEqual(brief(await audit(site, '--kind', 'seats')), [
      [
        'no_list',
        VALE.id,
        '2 trades in Congress 119, first house-20990003-0001',
        'no house list of that Congress has the member',
        0,
      ],
    ]);
    const later = `${SEATS}HSAG,${VALE.id},2025-01-10,,\n`;
    await site.stockact('committees', 'import', '--spans', write('later.csv', later));
    assert.deepEqual(brief(await audit(site, '--kind', 'seats')), []);
  });

  test('an alias that leads to no member or to several is reported', async (t) => {
    const { site, write } = await makeArchive(t, kind);
    const member = (id, first, last, state) => ({ ...HOLLIS, id, first, last, state });
    const people = [
      member('C001098', 'Ted', 'Cruz', 'TX'),
      member('W000779', 'Ron', 'Wyden', 'OR'),
      member('R000618', 'Peter', 'Nettle', 'NE'), // another name than the list has
      member('X000903', 'Rafael', 'Cruz', 'TX'),
    ];
    await site.stockact('members', 'import', write('members.json', membersJson(people)));
    const found = brief(await audit(site, '--kind', 'members'));
    assert.ok(found.every(([what]) => what === 'alias'));
    assert.deepEqual(
      found.map(([, subject, name, other]) => [subject, name, other]),
      [
        ['B001323', 'Nicholas Begich III', 'no member has that id'],
        ['C001098', 'Rafael E Cruz', 'more than one member fits'],
        ['H001091', 'Ashley Hinson Arenholz', 'no member has that id'],
        ['K000389', 'Rohit Khanna', 'no member has that id'],
        ['M000355', 'A Mitchell McConnell Jr', 'no member has that id'],
        ['R000618', 'John P Ricketts', 'the member is Peter Nettle'],
        ['T000479', 'Nicholas V Taylor', 'no member has that id'],
      ],
    );
  });

  test('a seat with two holders at once is reported', async (t) => {
    const { site, write } = await makeArchive(t, kind);
    const people = [
      { ...VALE, id: 'V000905' }, // in VALE's seat
      { ...VALE, id: 'V000906', district: 8 },
      { ...HOLLIS, id: 'H000905' },
      { ...HOLLIS, id: 'H000906', start: '2015-02-03' }, // the state's third
    ];
    await site.stockact('members', 'import', write('members.json', membersJson(people)));
    assert.deepEqual(
      brief(await audit(site, '--kind', 'members')).filter(([what]) => what !== 'alias'),
      [
        ['seat_holders', 'V000905', 'house CA-7 from 2012-11-01', 'held by V000901 as well', 0],
        ['seat_holders', 'H000906', 'senate OR from 2015-02-03', 'held by H000905 as well', 0],
      ],
    );
  });

  test('each source is compared, and a disagreement has its age', async (t) => {
    const { site, write } = await makeArchive(t, kind);
    await site.clock.set('2026-03-13T11:00:00Z'); // two full days later
    const sql = (text) => site.database.execute(text);

    // Members: another party on the filing date, another name, and no term at all.
    const changed = [
      { ...VALE, last: 'Quill', party: 'Whig' },
      { ...HOLLIS, start: '2025-02-03' },
    ];
    await site.stockact('members', 'import', write('members.json', membersJson(changed)));
    assert.deepEqual(brief(await audit(site, '--kind', 'members')), [
      ['name', FILING, 'Robin Vale', 'Robin Quill', 2],
      ['party', FILING, 'Independent', 'Whig', 2],
    ]);
    await site.stockact('members', 'correct', ...BY, '--reason', 'imported', '--names');
    assert.deepEqual(brief(await audit(site, '--kind', 'members')), []);
    await sql("UPDATE member_term SET start_day = 30000 WHERE state = 'CA'");
    assert.deepEqual(brief(await audit(site, '--kind', 'members')), [
      ['no_term', FILING, VALE.id, 'no term in the house by the filing date', 2],
    ]);
    await sql("UPDATE member_term SET start_day = 14977 WHERE state = 'CA'");

    // Seats: a signal that no judgement gives.
    await sql(
      'INSERT INTO finding (sha256, reason, evidence, rule_version, found_at)' +
        ` VALUES (${kind === 'sqlite' ? `x'${'ab'.repeat(32)}'` : `'\\x${'ab'.repeat(32)}'`},` +
        " 'Because.', '{}', '1.x', 1)",
    );
    await sql(
      'INSERT INTO trade_finding (trade_no, finding_no) SELECT t.no, f.no FROM trade t, finding f' +
        ` WHERE t.id = '${FILING}-0001'`,
    );
    assert.deepEqual(brief(await audit(site, '--kind', 'seats')), [
      ['signal', `${FILING}-0001`, 'Because.', null, 2],
    ]);

    // The log: a value that is not the one of its last correction.
    await site.stockact(
      ...['correct', `${FILING}-0002`, 'ownerType', 'joint', ...BY, '--reason', 'page 1'],
    );
    assert.deepEqual(brief(await audit(site, '--kind', 'log')), []);
    await sql(`UPDATE trade SET owner_type = 'child' WHERE id = '${FILING}-0002'`);
    assert.deepEqual(brief(await audit(site, '--kind', 'log')), [
      ['correction', `${FILING}-0002 ownerType`, 'child', 'joint', 0],
    ]);

    // The second reading: values that were not edited, and a row that the draft lacks.
    await sql(`UPDATE trade SET side = 'buy', trade_day = 20000 WHERE id = '${FILING}-0002'`);
    await sql(`UPDATE trade SET amount_bucket = '15k_50k' WHERE id = '${FILING}-0001'`);
    await sql('DELETE FROM draft_row WHERE position = 3');
    assert.deepEqual(brief(await audit(site, '--kind', 'reading')), [
      ['row_missing', FILING, '2 rows', 'row 3 of 3: P 01/02/2025 $770.32', 2],
      ['value', `${FILING}-0001`, 'amountBucket 15k_50k', '$1,001', 2],
      ['value', `${FILING}-0002`, 'side buy', 'S (partial)', 2],
      ['value', `${FILING}-0002`, 'tradeDate 2024-10-04', '01/02/2025', 2],
    ]);
    await reseal(site.database); // the changed rows count as published so
    await site.stockact(
      ...['correct', `${FILING}-0001`, 'amountBucket', '50k_100k', ...BY, '--reason', 'asked'],
    );
    const edited = brief(await audit(site, '--kind', 'reading,log'));
    assert.ok(!edited.some(([, subject]) => subject === `${FILING}-0001`), 'a person changed it');

    const text = await site.run(['audit', '--kind', 'reading']);
    assert.equal(text.code, 1);
    assert.match(
      text.stdout,
      /^kind\twhat\tsubject\tpublished\tother\tdays\nreading\trow_missing\t/,
    );
    const wrong = await site.run(['audit', '--kind', 'weather']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /invalid --kind "weather": expected symbols, seats/);
  });
});
