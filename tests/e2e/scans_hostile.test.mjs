// Scans made to harm: pages that cannot be drawn, or only look like a form. Each has its reason and
// no row that is not there, and the pages around it are read.

import { strict as assert } from 'node:assert';
import path from 'node:path';
import test from 'node:test';
import { Child } from './lib/child.mjs';
import * as hostile from './lib/hostile_scan.mjs';
import {
  filledForm,
  fillInbox,
  formPicture,
  pdfOfPictures,
  prepareScans,
} from './lib/scan_pdf.mjs';
import { binary } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';

const ROWS = 2; // of the filled form

async function show(site, id) {
  const [draft] = await site.stockact('review', 'show', `house-${id}`);
  return draft;
}

/** Imports a scan of these pages; its draft. */
async function read(site, id, pages) {
  const inbox = fillInbox(site, { [`${id}.pdf`]: hostile.pdfOfPages(pages) });
  const [line] = await site.stockact('ingest', inbox);
  assert.equal(line.status, 'needs_manual');
  return show(site, id);
}

const reasons = (draft) => draft.pages.map(({ reason }) => reason);

test.describe('pages of a scan that harm', () => {
  const shared = useSite({}, prepareScans);

  test('that have no form give no row', async () => {
    const { site } = shared;
    const pages = [hostile.black(2200, 1700), hostile.otherForm(), hostile.letter()];
    const draft = await read(site, '8250001', pages);
    assert.deepEqual(draft.rows, []);
    assert.deepEqual(reasons(draft), Array(3).fill('the page has no table of a known form'));
  });

  test('that are an empty form, or one with a bar across, give no row', async () => {
    const { site } = shared;
    const bar = formPicture([]);
    bar.fill(120, 830, 2000, 60);
    const draft = await read(site, '8250002', [formPicture([]), bar, formPicture([]).turned(1)]);
    assert.deepEqual(draft.rows, []);
    const [empty, , turned] = draft.pages;
    assert.deepEqual([empty.form, turned.form, turned.turn], ['house-boxes', 'house-boxes', 270]);
  });

  test('whose pictures are damaged are left out, and those around them are read', async () => {
    const { site } = shared;
    const garbage = Buffer.alloc(5000, 0x5a);
    const draft = await read(site, '8250004', [
      filledForm(),
      hostile.compressed('JBIG2Decode', garbage),
      hostile.compressed('JBIG2Decode', hostile.JBIG2_PAGE),
      hostile.compressed('JPXDecode', garbage),
      hostile.compressed('DCTDecode', garbage),
      hostile.compressed('FlateDecode', garbage),
      hostile.compressed('CCITTFaxDecode', garbage, {
        more: '/DecodeParms << /K -1 /Columns 2000000000 /Rows 2000000000 >>',
      }),
      hostile.compressed('FlateDecode', garbage, { width: 2_000_000_000, height: 2_000_000_000 }),
      filledForm().turned(2),
    ]);
    assert.equal(draft.pages.length, 9);
    assert.deepEqual(
      draft.rows.map(({ page }) => page),
      [1, 1, 9, 9],
    );
    for (const reason of reasons(draft).slice(1, -1)) assert.equal(typeof reason, 'string');
    assert.equal(draft.pages[8].turn, 180);
  });

  test('with invalid sizes are left out, and those around them are read', async () => {
    const { site } = shared;
    const boxes = ['0 0 0 0', '0 0 1e9 1e9', '0 0 1000000000 1000000000', '0 0 1 1000000000'];
    const odd = ['-1000000000 -1000000000 0 0', '600 600 0 0', 'x y z', ''];
    const of = (box) => ({ box, contents: '1 0 0 RG 0 0 m 99 99 l S' });
    const pages = [filledForm(), ...[...boxes, ...odd].map(of), filledForm()];
    const draft = await read(site, '8250005', pages);
    assert.equal(draft.pages.length, pages.length);
    assert.deepEqual(
      draft.rows.map(({ page }) => page),
      [1, 1, pages.length, pages.length],
    );
    for (const reason of reasons(draft).slice(1, -1)) assert.equal(typeof reason, 'string');
  });

  test('whose objects are missing are left out, and those around them are read', async () => {
    const { site } = shared;
    const pages = [filledForm(), null, '<< /Type /Nothing >>', '[ 1 2 3 ]', filledForm()];
    const draft = await read(site, '8250006', pages);
    const known = draft.pages.filter(({ form }) => form).map(({ page }) => page);
    assert.equal(known.length, 2); // a reader of PDFs may count the others or not
    assert.deepEqual(
      draft.rows.map(({ page }) => page),
      [known[0], known[0], known[1], known[1]],
    );
    for (const { form, reason } of draft.pages) assert.equal(reason === null, form !== null);
  });
});

test.describe('an import of scans that is killed', () => {
  const shared = useSite({}, prepareScans);

  test('continues with the same command, and loses no scan that it has reported', async () => {
    const { site } = shared;
    const files = ['8251001', '8251002', '8251003'];
    const long = pdfOfPictures(Array(2).fill(filledForm()));
    const inbox = fillInbox(site, Object.fromEntries(files.map((id) => [`${id}.pdf`, long])));
    const child = new Child(binary, ['ingest', inbox, '--json'], {
      env: site.env,
      cwd: site.folder,
    });
    await child.waitFor(/8251001\.pdf/);
    assert.equal(child.ended, null);
    child.signal('SIGKILL');
    await child.exited;
    const before = (await show(site, '8251001')).rows;
    const lines = await site.stockact('ingest', path.join(site.folder, 'inbox'));
    assert.equal(lines[0].status, 'unchanged');
    for (const id of files) assert.equal((await show(site, id)).rows.length, 2 * ROWS);
    assert.deepEqual((await show(site, '8251001')).rows, before);
  });
});
