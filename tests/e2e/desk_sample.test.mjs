// The daily sample: published rows are drawn at random, typed again by somebody who did not work on
// them, and the error rate is public.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { CLEAN, SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { SAMPLE, commandsOfSection, runCommands } from './lib/guide.mjs';
import { indexXml } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { attribute, text as textOf } from './lib/html.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const ANN = 'ann@example.org';
const BEN = 'ben@example.org';

/** What the document of a clean draft states. */
const TYPED = {
  ownerType: 'spouse',
  assetName: 'HARBOR TOOLS INC',
  ticker: 'hrbr',
  side: 'buy',
  tradeDate: '1/2/25',
  notifiedDate: '01/03/2025',
  amountBucket: '1k_15k',
};

onEachDatabase('the sample of published rows', (kind) => {
  const clock = '2026-03-10T04:58:00Z';
  const env = { STOCKACT_SAMPLE_ROWS: '3' };
  const shared = useSite({ database: kind, clock, env }, async (site) => {
    await fillDesk(site);
    const ids = CLEAN.map(idOf);
    for (const id of ids) await site.stockact('review', 'accept', id, '--by', ANN);
    await site.stockact('publish', ...ids, '--by', ANN);
    const people = [];
    for (const email of [ANN, BEN]) people.push(await makeOwner(site, { email, role: 'reviewer' }));
    const servers = [await site.serve()];
    if (kind === 'postgresql') servers.push(await site.serve());
    const key = await site.key({ plan: 'den' });
    return { site, servers, people, server: servers[0], key };
  });
  const at = (instant) => shared.site.clock.set(instant);
  const json = (target) => shared.server.json(target, { key: shared.key });
  const sample = async () => (await json('/api/v1/coverage')).data.sample;
  const waiting = () => shared.site.stockact('review', 'sample');
  const signIn = async () => {
    const [ann, ben] = shared.people;
    shared.ann = await signInOnPage(shared.server, ann);
    shared.ben = await signInOnPage(shared.server, ben);
  };
  const open = (row, who = 'ben') => shared[who].open(`/desk/sample${row ? `/${row}` : ''}`);
  const press = (page, button, fill = {}, status = 200, who = 'ben') =>
    shared[who].submit(page.form(button), fill, { button, status });

  test('nothing is known before the first draw', async () => {
    const page = await newVisitor(shared.server).open('/coverage');
    assert.match(page.text('main'), /No published trade was drawn .* no error rate is known/);
    const { checked, rate, low, high, drawnAt, groups } = await sample();
    assert.deepEqual([checked, rate, low, high, drawnAt, groups], [0, null, null, null, null, []]);
  });

  test('one server draws rows once a day', async () => {
    await at('2026-03-10T05:00:30Z');
    await until('a draw', async () => (await waiting()).length > 0);
    assert.equal((await waiting()).length, 3);
    const runs = await shared.site.stockact('jobs', 'runs', 'sample');
    assert.equal(runs.length, 1);
    await assert.rejects(shared.site.stockact('review', 'sample-draw'), /drawn already/);
    const { groups, waiting: open, drawnAt } = await sample();
    assert.equal(drawnAt, '2026-03-10T05:00:30.000Z');
    assert.equal(open, 3);
    const [house] = groups;
    assert.deepEqual(
      [house.chamber, house.kind, house.trades, house.withoutDocument, house.rate],
      ['house', 'electronic', 4, 0, null],
    );
    await at('2026-03-09T05:00:30Z'); // set back, and forward again: the day has its draw
    await at('2026-03-10T05:01:30Z');
    assert.equal((await waiting()).length, 3);
  });

  test('a reviewer who accepted a report cannot see or type its row', async () => {
    await signIn();
    const list = await open('', 'ann');
    assert.match(list.text('main'), /You worked on the reports of all waiting rows/);
    const row = await open(1, 'ann');
    assert.match(row.text('main'), /Another person must check this row/);
    assert.doesNotMatch(row.text('main'), /1,001|bought/);
    const refused = shared.site.stockact(
      ...['review', 'sample-type', 1, 'side=buy', '--by', ANN.toUpperCase()],
    );
    await assert.rejects(refused, /another person must check/);
  });

  test('the page shows the document, and nothing that is published', async () => {
    const list = await open('');
    assert.equal(list.all('tbody tr').length, 3 + 1, 'rows, and a document');
    const page = await open(1);
    for (const field of Object.keys(TYPED)) assert.equal(page.form('Compare').value(field), '');
    assert.doesNotMatch(page.text('main'), /Harbor|HRBR/);
    const strip = await shared.ben.request('GET', '/desk/sample/1/row.png');
    assert.equal(strip.status, 200);
    assert.equal(strip.header('content-type'), 'image/png');
  });

  test('typed words are kept until they are sent', async () => {
    const form = (await open(1)).form('Compare');
    const body = { ...TYPED, do: 'keep', of: form.value('once') };
    const kept = await shared.ben.postJson('/desk/sample/1', body, { csrf: form.value('csrf') });
    assert.equal(kept.status, 200, kept.text);
    const again = await open(1);
    assert.equal(again.form('Compare').value('assetName'), TYPED.assetName);
    assert.match(again.text('main'), /have not sent it/);
  });

  test('equal rows are right, and the next row follows', async () => {
    const next = await press(await open(1), 'Compare', TYPED);
    assert.match(next.text('main'), /What is published is right/);
    assert.match(next.heading, /^Row 1 of house-/);
    const { checked, wrong, rate, low, high, months } = await sample();
    assert.deepEqual([checked, wrong, rate, low, high], [1, 0, 0, 0, 0.7935]);
    assert.deepEqual([months.length, months[0].month], [1, '2026-03']);
    const coverage = await newVisitor(shared.server).open('/coverage');
    assert.match(
      coverage.text('#right + p'),
      /^Of 1 trade checked again in 12 months, none were wrong: 0 %, between 0 % and 79\.[34] %\.$/,
    );
  });

  test('a difference is decided, counted and corrected', async () => {
    const page = await press(await open(2), 'Compare', { ...TYPED, side: 'sell_full', ticker: '' });
    assert.match(page.text('main'), /What is wrong\?/);
    const undecided = await press(page, 'Decide', {}, 422);
    assert.match(
      undecided.text('main'),
      /Transaction: choose what is wrong, or that it cannot be read\./,
    );
    assert.deepEqual([(await sample()).undecided, (await sample()).waiting], [1, 1]);
    const before = await newVisitor(shared.server).open('/coverage');
    assert.match(before.text('main'), /1 drawn trade waits to be checked\. 1 more differs/);
    const wrong = await press(page, 'Decide', { verdict_side: 'published' });
    assert.match(wrong.text('main'), /This counts in the public error rate/);
    const { checked, wrong: errors, fields } = await sample();
    assert.deepEqual([checked, errors], [2, 1]);
    assert.deepEqual(fields, [{ field: 'side', differences: 1, wrong: 1 }]);
    const coverage = await newVisitor(shared.server).open('/coverage');
    assert.match(coverage.text('section[aria-labelledby=right]'), /By field.*Transaction\s*1\s*1/s);
    assert.equal(wrong.form('Correct it').value('new_side'), 'sell_full');
    const invalid = await press(wrong, 'Correct it', { new_side: '' }, 422);
    assert.match(invalid.text('.faults'), /Transaction: accepted is buy, sell_full/);
    const done = await press(invalid, 'Correct it', { new_side: 'sell_partial' });
    assert.match(done.text('main'), /The published trade is corrected/);
    const log = await json('/api/v1/corrections');
    assert.deepEqual(
      log.data.map(({ field, old, new: now }) => [field, old, now]),
      [['side', 'buy', 'sell_partial']],
    );
    assert.equal((await sample()).wrong, 1, 'a corrected error stays one');
  });

  test('a drawn document is counted blind, and twice if the count differs', async () => {
    const { site } = shared;
    const { documentsWaiting, missingPerThousand, groups } = await sample();
    assert.deepEqual([documentsWaiting, missingPerThousand], [1, null]);
    assert.equal(groups[0].documents, CLEAN.length);
    const [drawn] = await site.stockact('review', 'sample-documents');
    assert.deepEqual([drawn.state, drawn.counted, drawn.known], ['open', null, null]);
    const address = `/desk/sample/documents/${drawn.document}`;
    const own = await shared.ann.open(address);
    assert.match(own.text('main'), /Another person must count its rows/);
    assert.throws(() => own.form('Compare'));
    const count = ['review', 'sample-count', drawn.document];
    await assert.rejects(site.stockact(...count, 1, '--by', ANN), /another person must count/);
    const coverage = async () => (await newVisitor(shared.server).open('/coverage')).text('main');
    assert.match(await coverage(), /missing here is not known/);

    const list = await open('');
    assert.match(list.text('main'), /Documents to count/);
    const page = await shared.ben.open(address);
    assert.doesNotMatch(page.text('main'), /known/);
    assert.equal(page.all('img').length, 1, 'the page of the document');
    const invalid = await press(page, 'Compare', { rows: 'two' }, 422);
    assert.match(invalid.text('.faults'), /Write how many rows/);
    const known = (await site.database.query('SELECT known FROM sample_document'))[0].known;
    const differs = await press(invalid, 'Compare', { rows: String(Number(known) + 2) });
    assert.match(differs.text('main'), /Count again: the second count ends the document/);
    assert.deepEqual(
      [(await sample()).documentsUndecided, (await sample()).missingPerThousand],
      [1, null],
    );
    const rows = Number(known) + 1;
    const done = await press(differs, 'End with this count', { rows: String(rows) });
    assert.match(done.text('main'), /1 missing\. This counts/);
    const now = await sample();
    assert.deepEqual(
      [now.documentsCounted, now.rowsCounted, now.rowsMissing, now.missingPerThousand],
      [1, rows, 1, Math.round(1e7 / rows) / 1e4],
    );
    assert.ok(now.missingLow < now.missingPerThousand && now.missingPerThousand < now.missingHigh);
    assert.equal(now.groups[0].missingPerThousand, now.missingPerThousand);
    assert.match(
      await coverage(),
      /1 document counted in 12 months, 1 is missing here: \d+\.\d per/,
    );
    await assert.rejects(site.stockact(...count, rows, '--by', BEN), /nothing changed/);
    const [ended] = await site.stockact('review', 'sample-documents');
    assert.deepEqual(
      [ended.state, ended.counted, ended.known, ended.by],
      ['wrong', rows, Number(known), BEN],
    );
  });

  test('of two people at one row the second changes nothing', async () => {
    const page = await open(3);
    const typed = ['side=buy', 'assetName=Harbor Tools', 'amountBucket=1k_15k'];
    const dates = ['tradeDate=2025-01-02', 'notifiedDate=2025-01-03', 'ownerType=joint'];
    const [{ state }] = await shared.site.stockact(
      ...['review', 'sample-type', 3, ...typed, ...dates, '--by', 'cleo@example.org'],
    );
    assert.equal(state, 'differs');
    const own = await open(3, 'ann');
    assert.match(own.text('main'), /Another person must check this row/);
    assert.doesNotMatch(own.text('main'), /Both readings/);
    const late = await press(page, 'Compare', { ...TYPED, side: 'exchange' }, 422);
    assert.match(late.text('main'), /is now in the state "differs"; nothing changed/);
    const decide = ['review', 'sample-decide', 3, 'ownerType=entry', '--by', 'cleo@example.org'];
    const [{ state: end }] = await shared.site.stockact(...decide);
    assert.equal(end, 'right');
    assert.deepEqual(await waiting(), []);
  });

  test('the next day is drawn after a restart, paper too, and rows expire', async () => {
    const { site } = shared;
    const paper = idOf(SCAN);
    const row = ['assetName=Oak Mills', 'side=buy', 'amountBucket=1k_15k', 'ownerType=self'];
    await site.stockact('review', 'add-row', paper, ...row, 'tradeDate=2025-01-02', '--by', ANN);
    await site.stockact('review', 'set-filer', paper, 'robin-vale', '--by', ANN);
    await site.stockact('review', 'set', paper, 0, 'filed', '2025-01-20', '--by', ANN);
    await site.stockact('review', 'accept', paper, '--by', ANN);
    await site.stockact('publish', paper, '--by', ANN);
    for (const server of shared.servers) await server.kill();
    await at('2026-03-11T09:00:00Z');
    shared.server = await site.serve(); // the run came due while no server ran
    await until('a draw', async () => (await waiting()).length > 0);
    const rows = await waiting();
    assert.deepEqual(new Set(rows.map((one) => one.kind)), new Set(['electronic', 'paper']));
    const scan = rows.find((one) => one.kind === 'paper');
    const skip = ['review', 'sample-skip', scan.row, '--by', BEN, '--reason', 'the scan is dark'];
    await site.stockact(...skip);
    await at('2026-04-12T05:00:30Z');
    await until('rows that expired', async () => (await sample()).expired === rows.length - 1);
    assert.equal((await sample()).skipped, 1);
    const coverage = await newVisitor(shared.server).open('/coverage');
    const names = coverage.all('section[aria-labelledby=right] tbody th').map(textOf);
    assert.ok(names.includes('House, paper'));
  });
});

test('a row of an electronic Senate page shows its cells, and the official page', async (t) => {
  const site = await makeSite(t);
  const inbox = path.join(site.folder, 'inbox');
  const uuid = 'aaaaaaaa-2222-4333-8444-555555555555';
  mkdirSync(inbox);
  writeFileSync(path.join(site.folder, 'members.json'), membersJson([HOLLIS]));
  writeFileSync(path.join(inbox, `${uuid}.html`), senatePage({ rows: [SENATE_ROW] }));
  await site.stockact('members', 'import', path.join(site.folder, 'members.json'));
  await site.stockact('ingest', inbox);
  await site.stockact('review', 'accept', `senate-${uuid}`, '--by', ANN);
  await site.stockact('publish', `senate-${uuid}`, '--by', ANN);
  const [{ drawn }] = await site.stockact('review', 'sample-draw');
  assert.equal(drawn, 1);
  const server = await site.serve();
  const owner = await makeOwner(site, { email: BEN, role: 'reviewer' });
  const ben = await signInOnPage(server, owner);
  const page = await ben.open('/desk/sample/1');
  assert.match(page.text('.stored'), /^The stored page.*Periodic Transaction Report for/);
  assert.match(textOf(page.one('.stored tr[aria-current]')), /^1.*Harbor Tools/);
  assert.equal(page.all('img').length, 0);
  assert.match(attribute(page.one('main a[rel=noreferrer]'), 'href'), new RegExp(uuid));
  assert.throws(() => page.form('Compare').value('notifiedDate'), 'Senate pages state none');
  const typed = { assetName: 'harbor tools', side: 'buy', tradeDate: '1/2/24' };
  const done = await ben.submit(
    page.form('Compare'),
    { ...typed, amountBucket: '1k_15k', ownerType: 'self' },
    { button: 'Compare', status: 200 },
  );
  assert.match(done.text('main'), /What is published is right/);
});

test('the commands of docs/review.md do what they say', async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_SAMPLE_ROWS: '8' } });
  const inbox = path.join(site.folder, 'inbox');
  mkdirSync(inbox);
  writeFileSync(path.join(site.folder, 'members.json'), membersJson([VALE]));
  writeFileSync(path.join(inbox, '2025FD.xml'), indexXml([{}]));
  const rows = Array.from({ length: 8 }, () => ({ ...HOUSE_ROW, type: 'S' }));
  writeFileSync(path.join(inbox, '20990001.pdf'), housePdf({ id: '20990001', rows }));
  await site.stockact('members', 'import', path.join(site.folder, 'members.json'));
  await site.stockact('ingest', inbox);
  await site.stockact('review', 'accept', 'house-20990001', '--by', ANN);
  await site.stockact('publish', 'house-20990001', '--by', ANN);
  await runCommands(site, commandsOfSection(SAMPLE));
  const ended = await site.stockact('review', 'sample', '--ended');
  assert.deepEqual(ended.map(({ row, state }) => `${row} ${state}`).sort(), [
    '7 wrong',
    '8 skipped',
  ]);
});
