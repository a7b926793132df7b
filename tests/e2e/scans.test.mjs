// Scans: rows that are read by their form, and a person's work that is never lost.

import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { text as textOf } from './lib/html.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { readPng } from './lib/png.mjs';
import {
  COLUMN,
  drawTogether,
  filledForm,
  fillInbox,
  formPicture,
  pdfOfPictures,
  prepareScans,
} from './lib/scan_pdf.mjs';
import { senatePaperPage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const TESSERACT = '/usr/bin/tesseract';
const BY = ['--by', 'ann@example.org'];
const PAPER = '5aa4f067-861b-466a-95e5-000000000001';

const ingest = (site, files) => site.stockact('ingest', fillInbox(site, files));

async function show(site, id) {
  const [draft] = await site.stockact('review', 'show', id);
  return draft;
}

/** The fields of a draft that are not sure, by the sources of its rows. */
const unsureIn = ({ rows }) =>
  rows
    .flatMap(({ sources }) => Object.entries(sources))
    .filter(([name, { how, reason }]) => reason || (name === 'tradeDate' && how === 'not_read'))
    .length;

const sizeOf = (file) => {
  const bytes = readFileSync(file);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

onEachDatabase('rows of scans', (database) => {
  const shared = useSite({ database }, prepareScans);

  test('a page that stands on its head becomes rows, each field with its source', async (t) => {
    const { site } = shared;
    const files = { '8220001.pdf': pdfOfPictures([filledForm().turned(2)]) };
    const [line] = await ingest(site, files);
    assert.deepEqual([line.status, line.rows], ['needs_manual', 2]);
    assert.match(line.reason, /^a scan: 2 rows were read from its pages, check every field/);
    const { rows, pages, state, checks } = await show(site, line.filingId);
    assert.deepEqual([state, checks], ['needs_manual', []]);
    assert.deepEqual(pages, [{ page: 1, turn: 180, form: 'house-boxes', reason: null }]);
    const [clear, doubtful] = rows;
    assert.deepEqual([clear.read.side, clear.read.amountBucket], ['buy', '1k_15k']);
    assert.equal(clear.sources.side.how, 'box');
    assert.equal(doubtful.read.side, 'sell_partial');
    assert.equal(doubtful.read.amountBucket, null);
    assert.deepEqual(doubtful.sources.amountBucket, {
      how: 'not_read',
      reason: 'more than one amount is marked',
    });
    assert.match(doubtful.held, /not read/);
    assert.ok(doubtful.place.top > clear.place.top);
    const [again] = await site.stockact('ingest', path.join(site.folder, 'inbox'));
    assert.equal(again.status, 'unchanged');
    if (!existsSync(TESSERACT)) return t.skip('tesseract-ocr is not installed');
    assert.equal(clear.read.assetName, 'Garden Mills Incorporated');
    const { how, reason } = clear.sources.assetName;
    assert.equal(how, reason === null ? 'text' : 'unsure', reason);
  });

  test('what a person has set stays, however often the scan is read', async () => {
    const { site } = shared;
    const id = 'house-8220001';
    const scan = () => site.stockact('review', 'scan', id);
    await site.stockact('review', 'set', id, 2, 'amountBucket', '15k_50k', ...BY);
    const before = (await show(site, id)).rows;
    assert.equal(before[1].sources.amountBucket.how, 'entered');
    // The places of its rows are on a page as an earlier reader turned it.
    await site.database.execute('UPDATE document_page SET turn = 90, skew = 0');
    const [told] = await scan();
    assert.deepEqual([told.does, told.rows], ['kept', 2]);
    const after = await show(site, id);
    assert.deepEqual(after.rows, before);
    assert.equal(after.pages[0].turn, 90);
  });

  test('an unread trade date waits until a person says that the page states none', async () => {
    const { site } = shared;
    const id = 'house-8220001';
    const set = (...what) => site.stockact('review', 'set', id, ...what, ...BY);
    const listed = async () =>
      (await site.stockact('review', 'list')).find(({ filingId }) => filingId === id);
    const draft = await show(site, id);
    assert.deepEqual(
      [draft.rows[1].read.tradeDate, draft.rows[1].sources.tradeDate.how],
      [null, 'not_read'],
    );
    assert.equal((await listed()).doubts, unsureIn(draft));
    await site.stockact('review', 'set-filer', id, 'robin-vale', ...BY);
    await set(0, 'filed', '2025-02-03');
    await set(
      ...[0, 'url', 'https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2025/8220001.pdf'],
    );
    await set(1, 'assetName', 'Garden Mills');
    await set(1, 'tradeDate', '2025-01-20');
    await set(2, 'assetName', 'Harbor Tools');
    const accept = ['review', 'accept', id, ...BY];
    const { code, stderr } = await site.run(accept);
    assert.equal(code, 1);
    const command = (date) => `\`stockact review set ${id} 2 tradeDate ${date} ${BY.join(' ')}\``;
    assert.ok(
      stderr.includes(
        'the trade date of row 2 was not read: type it, or say that the page states none: ' +
          `${command('YYYY-MM-DD')}, or ${command('""')}`,
      ),
      stderr,
    );
    const before = (await listed()).doubts;
    await set(2, 'tradeDate', '');
    assert.equal((await show(site, id)).rows[1].sources.tradeDate.how, 'entered');
    assert.equal((await listed()).doubts, before - 1);
    await site.stockact(...accept);
    const [told] = await site.stockact('publish', id, ...BY);
    assert.equal(told.added, 2);
  });
});

test.describe('scans that are read again', () => {
  const shared = useSite({}, prepareScans);

  test('rows and pages are drawn upright', async () => {
    const { site } = shared;
    await ingest(site, { '8220001.pdf': pdfOfPictures([filledForm()]) });
    const output = path.join(site.folder, 'picture.png');
    const draw = (...what) =>
      site.stockact('review', 'picture', 'house-8220001', ...what, '--output', output);
    await draw(1);
    assert.deepEqual(sizeOf(output), [2200, 1700]);
    const [told] = await draw('--row', 1);
    assert.deepEqual([told.page, told.row], [1, 1]);
    const [width, height] = sizeOf(output);
    assert.ok(width === 2200 && height > 76 && height < 300, `${height}`);
    for (const wrong of [[], [1, '--row', 1], ['--row', 0], ['--row', 9999]])
      await assert.rejects(draw(...wrong), /page or --row|--row|no row|not read from a scan/);
  });

  test('another file of the scan adds its rows, unless a person has typed some', async () => {
    const { site } = shared;
    const two = pdfOfPictures([filledForm(), filledForm().turned(1)]);
    await site.stockact('review', 'set', 'house-8220001', 2, 'amountBucket', '15k_50k', ...BY);
    const [more] = await ingest(site, { '8220001.pdf': two });
    const { rows, pages } = await show(site, more.filingId);
    assert.deepEqual([rows.length, pages.length], [2, 2]);
    assert.deepEqual(
      rows.map(({ place }) => place),
      [null, null],
      'places of rows that stay are not on the pages of the new file',
    );
    await ingest(site, { '8220002.pdf': pdfOfPictures([filledForm()]) });
    await ingest(site, { '8220002.pdf': two });
    assert.equal((await show(site, 'house-8220002')).rows.length, 4);
  });

  test('the dates of rows are judged by the filing date that a person sets', async () => {
    const { site } = shared;
    const id = 'house-8220002';
    await site.stockact('review', 'set', id, 0, 'filed', '2024-12-01', ...BY);
    const { rows } = await show(site, id);
    const traded = rows.filter((row) => row.read.tradeDate);
    for (const row of traded) assert.match(row.doubts.join(), /traded_after_filed/);
  });

  test('a viewer page beside the scan of a Senate paper filing changes nothing', async () => {
    const { site } = shared;
    const id = `senate-${PAPER}`;
    const [line] = await ingest(site, { [`${PAPER}.pdf`]: pdfOfPictures([filledForm()]) });
    assert.deepEqual([line.filingId, line.rows], [id, 2]);
    const before = await show(site, id);
    assert.match(before.url, /\/search\/view\/paper\//);
    await ingest(site, { [`${PAPER}.html`]: senatePaperPage() });
    const after = await show(site, id);
    assert.deepEqual([after.rows, after.pages], [before.rows, before.pages]);
    const output = path.join(site.folder, 'paper.png');
    await site.stockact('review', 'picture', id, '--row', 2, '--output', output);
    assert.equal(sizeOf(output)[0], 2200);
  });

  test('the desk says beside each field how it was read, and marks the row on its page', async () => {
    const { site } = shared;
    const server = await site.serve();
    const ann = await signInOnPage(server, await makeOwner(site, { role: 'reviewer' }));
    const page = await ann.open(`/desk/senate-${PAPER}/rows/2`);
    const said = page.all('.rowform .printed .source').map(textOf);
    assert.ok(said.includes('read from a box'));
    assert.ok(said.includes('not read: more than one amount is marked'));
    assert.equal(page.all('.rowform .printed .none').length, 0);
    const unsure = page.all('.reading tr.look').map((row) => textOf(row));
    assert.match(unsure.at(-1), /^2.*Amount not read: more than one amount is marked/);
    const [look] = page.all('.lead a[data-key="d"]').map((link) => link.attribs.href);
    assert.equal(
      look,
      `/desk/senate-${PAPER}/rows/${unsure[0][0]}#row`,
      'behind the last, the first',
    );
    const [image] = page.all('.original img');
    assert.equal(image.attribs.src, `/desk/senate-${PAPER}/rows/2/pages/1.png`);
    const { place } = (await show(site, `senate-${PAPER}`)).rows[1];
    const drawn = readPng((await ann.request('GET', image.attribs.src)).body);
    const [from, to] = [place.top, place.top + place.height].map((part) =>
      Math.floor((part * drawn.height) / 10_000),
    );
    assert.deepEqual([drawn.marked[0], drawn.marked.at(-1)], [from, to - 1]);
    const other = image.attribs.src.replace('1.png', '2.png');
    assert.equal((await ann.request('GET', other)).status, 404);
    await server.stop();
  });

  test('a filled line that is no row is told on the desk and by the command', async () => {
    const { site } = shared;
    const id = 'house-8220009';
    const filled = { marks: [COLUMN.sale, COLUMN.B], texts: { [COLUMN.asset]: 'Harbor Tools' } };
    const named = { texts: filled.texts };
    const together = drawTogether(formPicture([filled, filled, filled], { lines: 7 }), 1);
    const pages = [together, formPicture([filled, named, filled], { lines: 7 })];
    const [line] = await ingest(site, { '8220009.pdf': pdfOfPictures(pages) });
    assert.equal(line.rows, 5, 'boxes part lines without a rule');
    const why = 'line 2 has a name, and too few marks that can be read: not read';
    assert.ok(line.reason.endsWith(`; one page was not read in full: ${why}`), line.reason);
    const [first, second] = (await show(site, id)).pages.map(({ reason }) => reason);
    assert.deepEqual([first, second], [null, why]);
    const server = await site.serve();
    const ann = await signInOnPage(server, await makeOwner(site, { role: 'reviewer' }));
    const noteOf = async (page) =>
      (await ann.open(`/desk/${id}?page=${page}`)).all('.original .note').map(textOf);
    assert.deepEqual(await noteOf(1), []);
    assert.deepEqual(await noteOf(2), [`This page was not read in full: ${why}.`]);
    await server.stop();
  });

  test('the desk asks for a trade date that was not read, and takes that there is none', async () => {
    const { site } = shared;
    const id = `senate-${PAPER}`;
    const server = await site.serve();
    const ann = await signInOnPage(server, await makeOwner(site, { role: 'reviewer' }));
    const open = (rest = '') => ann.open(`/desk/${id}${rest}`);
    const save = async (row, fill, status = 200) =>
      ann.submit((await open(`/rows/${row}`)).form('Save the row'), fill, {
        button: 'Save the row',
        status,
      });
    const whole = { assetName: 'Garden Mills', side: 'buy', amountBucket: '1k_15k' };
    await save(1, { ...whole, tradeDate: '1/20/25' });
    await save(2, whole);
    const draft = await open();
    assert.match(
      draft.text('.obstacles'),
      /The trade date of row 2 was not read: type it, or say that the page states none\./,
    );
    assert.equal(draft.all('form.verdict [value^="accept"]').length, 0);
    const both = await save(2, { tradeDate: '1/20/25', noTradeDate: true }, 422);
    assert.match(both.form('Save the row').fault('tradeDate'), /^Type the date, or .* not both/);
    const saved = await save(2, { noTradeDate: true });
    assert.doesNotMatch(saved.text('main'), /trade date .*not read/i);
    assert.match(saved.text('.history'), /row 2, Trade date: nothing/);
    const page = await open('/rows/2');
    assert.match(page.text('.rowform'), /entered by hand: the page states none/);
    assert.equal(page.all('[name="noTradeDate"]').length, 0);
    await server.stop();
  });

  test('the queue counts the fields of scans that are not sure', async () => {
    const { site } = shared;
    const scans = ['house-8220001', 'house-8220002', `senate-${PAPER}`];
    const unsure = await Promise.all(scans.map(async (id) => unsureIn(await show(site, id))));
    const order = scans
      .map((id, i) => [id, unsure[i]])
      .sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
    assert.ok(new Set(unsure).size === scans.length, `${unsure}`);
    // As an earlier version counted them, until the next server starts.
    await site.database.execute('UPDATE draft SET doubt_count = 0');
    const server = await site.serve();
    const ann = await signInOnPage(server, await makeOwner(site, { role: 'reviewer' }));
    const queued = async () => {
      const { drafts } = await ann.json('/desk?sort=doubts');
      return drafts.rows.map(({ id, doubts }) => [id, doubts]).filter(([id]) => scans.includes(id));
    };
    assert.ok(order[1][1] > 0);
    await until('the counts', async () => isDeepStrictEqual(await queued(), order));
    await server.stop();
  });

  test('a database from before gets rows by the command', async () => {
    const { site } = shared;
    const id = 'house-8220003';
    await ingest(site, { '8220003.pdf': pdfOfPictures([filledForm()]) });
    await site.database.execute('DELETE FROM document_page');
    await site.database.execute(
      `DELETE FROM draft_row WHERE draft_no = (SELECT no FROM draft WHERE filing_id = '${id}')`,
    );
    const lines = await site.stockact('review', 'scan', '--all-waiting');
    const told = lines.find(({ filingId }) => filingId === id);
    assert.deepEqual([told.does, told.rows, told.unread], ['replaced', 2, 0]);
    assert.equal((await show(site, id)).rows.length, 2);
    const history = (await show(site, id)).history;
    assert.deepEqual([history.at(-1).action, history.at(-1).by], ['scan', 'stockact']);

    assert.deepEqual(await site.stockact('review', 'scan', '--all-waiting'), []);
  });
});
