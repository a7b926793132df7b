// From official documents to published trades, as an editor does it: import of index and documents,
// review by command, publication while a server runs, amendments, corrections, coverage. Also files
// that disappear, are unreadable or are not documents, and commands that are killed.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Child } from './lib/child.mjs';
import { commandsOfOthers, runCommands } from './lib/guide.mjs';
import { indexZip } from './lib/house_index.mjs';
import { housePdf, scanPdf } from './lib/house_pdf.mjs';
import { HOLLIS, membersJson, VALE } from './lib/invented_members.mjs';
import { newVisitor } from './lib/people.mjs';
import { senatePage, senatePaperPage } from './lib/senate_page.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { BY, because } from './lib/reviewer.mjs';

const ORIGINAL = '11111111-2222-3333-4444-555555555555';
const AMENDMENT = '66666666-7777-8888-9999-000000000000';
const SENATE = `senate-${ORIGINAL}`;

const houseRow = (asset, more = {}) => ({
  owner: 'SP',
  asset,
  type: 'P',
  date: '01/02/2025',
  notified: '01/05/2025',
  amount: '$1,001 - $15,000',
  status: 'New',
  ...more,
});

const LARGER = { amount: '$15,001 - $50,000' };
const senateRow = (asset, more = {}) => ({ date: '01/10/2024', ticker: null, asset, ...more });

/** A site with the invented members, and a folder for documents. */
async function makeDesk(t, options) {
  const site = await makeSite(t, options);
  const members = path.join(site.folder, 'members.json');
  // Lee Marlow, of the House, is in an example of docs/review.md.
  const marlow = { ...VALE, id: 'M000906', first: 'Lee', last: 'Marlow', district: 8 };
  writeFileSync(members, membersJson([VALE, HOLLIS, marlow]));
  await site.stockact('members', 'import', members);
  const inbox = path.join(site.folder, 'inbox');
  mkdirSync(inbox);
  return {
    site,
    inbox,
    put: (name, bytes) => writeFileSync(path.join(inbox, name), bytes),
    ingest: () => site.stockact('ingest', inbox),
    show: async (id) => (await site.stockact('review', 'show', id))[0],
    accept: (id, ...more) => site.stockact('review', 'accept', id, ...BY, ...more),
    publish: (...ids) => site.stockact('publish', ...ids, ...BY),
    coverage: async () =>
      Object.fromEntries(
        (await site.stockact('coverage')).map((c) => [
          `${c.chamber} ${c.year} ${c.state}`,
          c.count,
        ]),
      ),
  };
}

const refused = async (site, args, says, code = 1) => {
  const done = await site.run(args);
  assert.equal(done.code, code, done.stdout);
  assert.match(done.stderr, says);
};

onEachDatabase('filings', (kind) => {
  test('a House report goes from the index to the feed', async (t) => {
    const desk = await makeDesk(t, { database: kind });
    const { site } = desk;
    const server = await site.serve();
    desk.put('2025FD.zip', indexZip([{}, { DocID: '8220001', FilingDate: '2/3/2025' }]));
    const first = await desk.ingest();
    assert.deepEqual(
      first.map((line) => line.status),
      ['awaiting_document', 'awaiting_document', 'indexed'],
    );
    assert.deepEqual(await desk.coverage(), { 'house 2025 awaiting_document': 2 });

    const rows = [
      houseRow('Abacus Corporation (ABC) [ST]'),
      houseRow('Bellows Holdings [OT]', { amount: '$770.32' }),
    ];
    desk.put('20990001.pdf', housePdf({ rows }));
    desk.put('8220001.pdf', scanPdf());
    const second = await desk.ingest();
    assert.deepEqual(
      second.map((line) => line.status),
      ['unchanged', 'draft', 'needs_manual'],
    );
    assert.deepEqual(
      (await desk.ingest()).map((line) => line.status),
      ['unchanged', 'unchanged', 'unchanged'],
    );
    const draft = await desk.show('house-20990001');
    assert.equal(draft.member, 'robin-vale');
    assert.deepEqual(
      draft.rows.map((row) => row.does),
      ['added', 'held'],
    );
    assert.equal(draft.rows[0].read.ticker, 'ABC');
    assert.match(draft.rows[0].printed.asset, /Abacus/);

    await desk.accept('house-20990001');
    const [published] = await desk.publish('house-20990001');
    assert.equal(published.added, 1);
    assert.equal(published.held, 1);
    const feed = await server.json('/api/v1/trades'); // at once: publish waits for the servers
    assert.deepEqual(
      feed.data.map((trade) => [trade.id, trade.disclosedAt]),
      [['house-20990001-0001', published.disclosedAt]],
    );

    await site.stockact(
      ...['review', 'set', 'house-20990001', 2, 'amountBucket', '1k_15k'],
      ...BY,
      ...['--reason', 'the filer was asked'],
    );
    await desk.accept('house-20990001');
    const [released] = await desk.publish('house-20990001');
    assert.equal(released.added, 1);
    assert.ok(released.disclosedAt > published.disclosedAt);
    assert.equal((await server.json('/api/v1/trades')).data[0].id, 'house-20990001-0002');

    // Enter the scan by hand.
    const scan = 'house-8220001';
    await site.stockact(
      ...['review', 'add-row', scan, 'assetName=Garden Mills', 'side=buy'],
      ...['amountBucket=15k_50k', 'tradeDate=2025-01-20', 'ownerType=self', '--page', 1],
      ...BY,
    );
    await desk.accept(scan);
    await desk.publish(scan);
    const filings = await server.json('/api/v1/filings');
    assert.deepEqual(
      filings.data.map((filing) => filing.id),
      [scan, 'house-20990001'],
    );
    assert.deepEqual(await desk.coverage(), { 'house 2025 published': 2 });
  });

  test('every command of docs/review.md does what it says', async (t) => {
    const desk = await makeDesk(t, { database: kind });
    const uuid = (letter) => `${letter.repeat(8)}-2222-3333-4444-555555555555.html`;
    const rows = [senateRow('Abacus'), senateRow('Bellows')];
    desk.put('2025FD.zip', indexZip([{}, { DocID: '8220001', FilingDate: '2/3/2025' }]));
    desk.put(
      '20990001.pdf',
      housePdf({
        rows: [houseRow('Abacus Corp. [ST]'), houseRow('Bellows [ST]', { amount: '$770.32' })],
      }),
    );
    for (const name of ['8220001', '8220003']) desk.put(`${name}.pdf`, scanPdf());
    desk.put(uuid('a'), senatePage({ rows, filer: 'The Honorable D. Q. Hollister', bracket: '' }));
    const changed = [rows[0], { ...rows[1], type: 'Exchange' }];
    desk.put(uuid('b'), senatePage({ rows: changed, amendment: 1, filed: '02/20/2024 @ 9 AM' }));
    const commands = commandsOfOthers();
    assert.ok(commands.length > 20);
    await runCommands(desk.site, commands);
    const trades = await desk.site.database.query(
      'SELECT id, asset_name, side FROM trade WHERE withdrawn_at IS NULL ORDER BY id',
    );
    assert.deepEqual(
      trades.map((trade) => Object.values(trade).join(' ')),
      [
        'house-20990001-0001 Abacus Corporation buy',
        'house-20990001-0002 Bellows buy',
        'house-8220001-0001 Garden Mills buy',
        'senate-aaaaaaaa-2222-3333-4444-555555555555-0001 Abacus buy',
        'senate-aaaaaaaa-2222-3333-4444-555555555555-0002 Bellows exchange',
      ],
    );
  });

  test('a Senate amendment changes public trades, and the log has the changes', async (t) => {
    const desk = await makeDesk(t, { database: kind });
    const { site } = desk;
    const server = await site.serve();
    const rows = [senateRow('Abacus'), senateRow('Bellows'), senateRow('Cinder')];
    desk.put(`${ORIGINAL}.html`, senatePage({ rows }));
    await desk.ingest();
    await desk.accept(SENATE);
    await desk.publish(SENATE);
    const amended = [rows[0], { ...rows[1], type: 'Sale (Full)' }, senateRow('Dovetail', LARGER)];
    desk.put(
      `${AMENDMENT}.html`,
      senatePage({ rows: amended, amendment: 1, filed: '02/20/2024 @ 9:05 AM' }),
    );
    await desk.ingest();
    const draft = await desk.show(`senate-${AMENDMENT}`);
    assert.equal(draft.amends, SENATE);
    assert.deepEqual(
      draft.rows.map((row) => row.does),
      ['same', 'changed', 'added'],
    );
    assert.deepEqual(draft.missing, [`${SENATE}-0003`]);
    await desk.accept(`senate-${AMENDMENT}`);
    const [published] = await desk.publish(`senate-${AMENDMENT}`);
    assert.deepEqual(
      [published.linked, published.corrected, published.added, published.withdrawn],
      [1, 1, 1, 1],
    );
    const feed = await server.json('/api/v1/trades');
    assert.deepEqual(
      feed.data.map((trade) => [trade.id, trade.side]),
      [
        [`senate-${AMENDMENT}-0003`, 'buy'],
        [`${SENATE}-0002`, 'sell_full'],
        [`${SENATE}-0001`, 'buy'],
      ],
    );
    const filings = await server.json('/api/v1/filings');
    assert.equal(filings.data.length, 2, 'both stay');
    const log = await site.database.query(
      'SELECT kind, trade_id, field, old_value, new_value FROM correction ORDER BY no',
    );
    assert.deepEqual(
      log.map((one) => [one.kind, one.trade_id, one.field, one.old_value, one.new_value]),
      [
        ['field', `${SENATE}-0002`, 'side', 'buy', 'sell_full'],
        ['withdrawn', `${SENATE}-0003`, null, null, null],
      ],
    );
    assert.deepEqual(await desk.coverage(), {
      'senate 2024 amended': 1,
      'senate 2024 published': 1,
    });

    for (const symbol of ['..', '-', '^$'])
      await refused(
        site,
        ['correct', `${SENATE}-0001`, 'ticker', symbol, ...BY, '--reason', 'misread'],
        /ticker: accepted is a symbol with a letter or a digit/,
        2,
      );
    await site.stockact(
      ...['correct', `${SENATE}-0001`, 'ticker', 'abc', ...BY],
      ...['--reason', 'the page names it in the comment'],
    );
    const [, , first] = (await server.json('/api/v1/trades')).data;
    assert.equal(first.ticker, 'ABC');
  });

  test("an unknown filer waits, and the reviewer's answer is remembered", async (t) => {
    const desk = await makeDesk(t, { database: kind });
    const { site } = desk;
    const page = (rows) =>
      senatePage({ rows, filer: 'The Honorable D. Q. Hollister', bracket: '' });
    const waiting = `${'d'.repeat(8)}-2222-3333-4444-555555555555.html`;
    desk.put(`${ORIGINAL}.html`, page([senateRow('Abacus')]));
    desk.put(waiting, page([senateRow('Cinder')]));
    for (const line of await desk.ingest()) assert.equal(line.status, 'needs_manual');
    await refused(
      site,
      ['review', 'accept', SENATE, ...BY],
      /the filer is not known: name the member/,
    );
    await refused(site, ['publish', SENATE, ...BY], /only an accepted draft/);
    await site.stockact('review', 'set-filer', SENATE, 'dana-hollis', ...BY);
    await desk.accept(SENATE);
    desk.put(`${AMENDMENT}.html`, page([senateRow('Bellows')]));
    const lines = await desk.ingest();
    assert.deepEqual(
      lines.map((line) => line.status),
      ['unchanged', 'draft', 'draft'],
    );
    assert.equal((await desk.ingest())[2].status, 'unchanged');
  });

  test('an unpublishable draft does not block the others', async (t) => {
    const desk = await makeDesk(t, { database: kind });
    const { site } = desk;
    desk.put(`${ORIGINAL}.html`, senatePage({ rows: [senateRow('Abacus')] }));
    desk.put(
      `${AMENDMENT}.html`,
      senatePage({ rows: [senateRow('Abacus')], amendment: 1, filed: '02/20/2024 @ 9 AM' }),
    );
    desk.put('20990001.pdf', housePdf({ rows: [houseRow('Abacus [ST]')] }));
    await desk.ingest();
    for (const id of [SENATE, `senate-${AMENDMENT}`, 'house-20990001']) await desk.accept(id);
    // The amendment was accepted on top of another original than the one that is published.
    await site.stockact('review', 'set', SENATE, '1', 'ownerType', 'spouse', ...BY);
    await desk.accept(SENATE);
    const done = await site.run(['publish', '--all-accepted', ...BY, '--json']);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /1 of 3 filings were not published/);
    const told = done.stdout.trim().split('\n').map(JSON.parse);
    const lines = told.filter((line) => line.filingId); // the error comes last
    assert.deepEqual(
      lines.map((line) => [line.filingId, line.added, line.reason === null]),
      [
        [SENATE, 1, true],
        [`senate-${AMENDMENT}`, 0, false],
        ['house-20990001', 1, true],
      ],
    );
    await desk.accept(`senate-${AMENDMENT}`); // as it is now
    const [corrected] = await desk.publish('--all-accepted');
    assert.equal(corrected.corrected, 1);
  });

  test('a file that is not a document is reported, and the others are imported', async (t) => {
    const desk = await makeDesk(t, { database: kind });
    const { inbox } = desk;
    desk.put(`${ORIGINAL}.html`, senatePage({ rows: [senateRow('Abacus')] }));
    desk.put(`paper-${AMENDMENT}.html`, senatePaperPage());
    desk.put('empty.pdf', '');
    desk.put('20990009.pdf', '<html><body>Not found</body></html>');
    execFileSync('mkfifo', [path.join(inbox, 'pipe.pdf')]);
    mkdirSync(path.join(inbox, 'more'));
    symlinkSync(inbox, path.join(inbox, 'more', 'around'));
    symlinkSync(path.join(inbox, 'nowhere'), path.join(inbox, 'more', 'gone.pdf'));
    const lines = await desk.ingest();
    const status = Object.fromEntries(lines.map((line) => [line.document, line.status]));
    assert.deepEqual(status, {
      [`${ORIGINAL}.html`]: 'draft',
      '20990009.pdf': 'refused',
      'empty.pdf': 'refused',
      [`paper-${AMENDMENT}.html`]: 'needs_manual',
      [path.join(inbox, 'pipe.pdf')]: 'skipped',
      [path.join(inbox, 'more', 'around')]: 'skipped',
      [path.join(inbox, 'more', 'gone.pdf')]: 'skipped',
    });
    for (const line of lines) if (line.status !== 'draft') assert.ok(line.reason, line.document);
    const refusedBefore = (await desk.coverage())['null null refused'] ?? 0;
    assert.equal(refusedBefore, 2, 'each refused one is an entry of the ledger');

    // A named file that is none is an entry too, until a document has its name.
    const pipe = path.join(inbox, 'pipe.pdf');
    await desk.site.run(['ingest', pipe]);
    assert.equal((await desk.coverage())['null null refused'], 3);
    rmSync(pipe);
    writeFileSync(pipe, housePdf({ rows: [houseRow('A [ST]')] }));
    const again = await desk.ingest();
    assert.equal(again.find((line) => line.document === 'pipe.pdf').status, 'draft');
    assert.equal((await desk.coverage())['null null refused'], 2);
    assert.equal((await desk.site.run(['ingest', path.join(inbox, 'none')])).code, 1);
  });

  test('a command killed anywhere finishes the work when run again', async (t) => {
    const desk = await makeDesk(t, { database: kind });
    const { site, inbox } = desk;
    const ids = Array.from({ length: 12 }, (_, i) => String(20990001 + i));
    desk.put('2025FD.zip', indexZip(ids.map((DocID) => ({ DocID }))));
    for (const id of ids)
      desk.put(`${id}.pdf`, housePdf({ id, rows: [houseRow('Abacus [ST]'), houseRow('B [ST]')] }));
    const documents = async () =>
      Number((await site.database.query('SELECT count(*) AS n FROM document_version'))[0].n);
    const kill = async (args, reached) => {
      const child = new Child(binary, args, { cwd: site.folder, env: site.env });
      await until('it is on its way', reached);
      await child.stop('SIGKILL');
    };
    await kill(['ingest', inbox], async () => (await documents()) >= 3);
    await desk.ingest();
    assert.equal(await documents(), ids.length + 1);
    assert.deepEqual(await desk.coverage(), { 'house 2025 draft': ids.length });
    assert.equal((await site.stockact('review', 'list')).length, ids.length, 'no revision twice');

    for (const id of ids) await desk.accept(`house-${id}`);
    const filings = async () =>
      Number((await site.database.query('SELECT count(*) AS n FROM filing'))[0].n);
    await kill(['publish', '--all-accepted', ...BY], async () => (await filings()) >= 2);
    await site.stockact('publish', '--all-accepted', ...BY);
    const [sums] = await site.database.query(
      'SELECT (SELECT count(*) FROM trade) AS trades, (SELECT count(*) FROM event) AS events,' +
        " (SELECT count(*) FROM draft WHERE state = 'published') AS drafts," +
        ' (SELECT count(DISTINCT disclosed_at) FROM trade) AS instants',
    );
    assert.deepEqual(Object.values(sums).map(Number), [24, 12, 12, 12]);
    assert.equal((await site.run(['check'])).code, 0);
  });
});

test('an amendment does not stop the bulk history of all accepted drafts', async (t) => {
  const desk = await makeDesk(t, { database: 'sqlite' });
  desk.put(`${ORIGINAL}.html`, senatePage({ rows: [senateRow('Abacus'), senateRow('Bellows')] }));
  desk.put(
    `${AMENDMENT}.html`,
    senatePage({ rows: [senateRow('Abacus')], amendment: 1, filed: '02/20/2024 @ 9:05 AM' }),
  );
  desk.put('20990001.pdf', housePdf({ rows: [houseRow('Abacus [ST]')] }));
  await desk.ingest();
  for (const id of [SENATE, `senate-${AMENDMENT}`, 'house-20990001']) await desk.accept(id);
  const done = await desk.site.run(['publish', '--all-accepted', '--backfill', ...BY]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout + done.stderr, /1 accepted amendment is left/);
  assert.deepEqual(await desk.coverage(), {
    'house 2025 published': 1,
    'senate 2024 accepted': 1,
    'senate 2024 published': 1,
  });
  const [amended] = await desk.publish('--all-accepted');
  assert.deepEqual([amended.linked, amended.withdrawn], [1, 1]);
});

test('the page of a filing says how many rows of the document are held back', async (t) => {
  const desk = await makeDesk(t, { database: 'sqlite' });
  const small = { amount: '$770.32' };
  const rows = [houseRow('Abacus [ST]'), houseRow('Bellows [OT]', small)];
  desk.put('20990001.pdf', housePdf({ rows }));
  desk.put('20990002.pdf', housePdf({ rows: [houseRow('Cinder [ST]')], id: '20990002' }));
  await desk.ingest();
  for (const id of ['house-20990001', 'house-20990002']) await desk.accept(id);
  await desk.publish('--all-accepted', '--backfill');
  const visitor = newVisitor(await desk.site.serve());
  const held = await visitor.open('/filings/house-20990001');
  assert.match(held.text('.note'), /^1 more row of the document is not published here/);
  const whole = await visitor.open('/filings/house-20990002');
  assert.deepEqual(whole.all('.note'), []);

  const note = async () => (await visitor.open('/filings/house-20990001')).text('.note');
  const set = ['review', 'set', 'house-20990001', 2, 'amountBucket', '1k_15k'];
  await desk.site.stockact(...set, ...because('the filer was asked'));
  assert.match(await note(), /^1 more row/, 'the draft is open');
  await desk.accept('house-20990001');
  assert.match(await note(), /^1 more row/, 'the draft is accepted');
});
