// Documents that are not one whole report: each has a reason that says what is wrong with it, and
// none of them becomes a draft that looks whole.

import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { housePdf } from './lib/house_pdf.mjs';
import { HOLLIS, membersJson, VALE } from './lib/invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { pdfOfPages } from './lib/pdf_file.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

/** Imports the files ({name: bytes}) and returns status and reason of each. */
async function ingest(t, files) {
  const site = await makeSite(t);
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', members);
  const folder = path.join(site.folder, 'inbox');
  mkdirSync(folder);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
  const lines = await site.stockact('ingest', folder);
  return Object.fromEntries(lines.map((line) => [line.document, line]));
}

const NOT_FOUND =
  '<!DOCTYPE html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>';

test('reasons tell apart what is wrong with a House file', async (t) => {
  const whole = housePdf({ id: '20990002', rows: [HOUSE_ROW] });
  const told = await ingest(t, {
    '20990001.pdf': '',
    '20990002.pdf': whole.subarray(0, whole.length / 2),
    '20990003.pdf': housePdf({
      rows: [HOUSE_ROW],
      encryption: { revision: 3, password: 'secret' },
    }),
    '20990004.pdf': NOT_FOUND,
    '20990005.pdf': pdfOfPages([
      [{ font: 'regular', size: 10, x: 72, baseline: 72, text: 'An invoice' }],
    ]),
    '20990006.pdf': housePdf({ rows: [HOUSE_ROW], title: 'Financial Disclosure Report' }),
    '20990007.pdf': Buffer.concat([Buffer.from('%PDF-1.4\n'), whole.subarray(whole.length / 2)]),
    '20990008.pdf': 'not a document',
  });
  const reasons = {
    '20990001.pdf': /^the file is empty$/,
    '20990002.pdf': /^the end of the PDF is missing$/,
    '20990003.pdf': /^the PDF is encrypted with a password$/,
    '20990004.pdf':
      /^this page is not a periodic transaction report; its title is "404 Not Found"$/,
    '20990005.pdf': /^this PDF is not a form of the Clerk of the House$/,
    '20990006.pdf': /^this is another form, not a periodic transaction report$/,
    '20990007.pdf': /^the PDF is damaged$/,
    '20990008.pdf': /^unknown file type/,
  };
  for (const [name, reason] of Object.entries(reasons)) {
    assert.equal(told[name].status, 'refused', name);
    assert.match(told[name].reason, reason, name);
  }
});

test('a second report in a House file goes to a person', async (t) => {
  const rows = [HOUSE_ROW];
  for (const second of [{ id: '20990009' }, { id: '20990001' }]) {
    const bytes = housePdf({ id: '20990001', rows, second: { ...second, rows } });
    const told = await ingest(t, { '20990001.pdf': bytes });
    assert.equal(told['20990001.pdf'].status, 'needs_manual');
    assert.match(told['20990001.pdf'].reason, /one_report/);
  }
});

const id = (number) => `5aa4f067-861b-466a-95e5-${String(number).padStart(12, '0')}.html`;

test('reasons tell apart what is wrong with a Senate page', async (t) => {
  const page = senatePage({ rows: [SENATE_ROW, SENATE_ROW] });
  const told = await ingest(t, {
    [id(1)]: '',
    [id(2)]: page.slice(0, page.lastIndexOf('Harbor Tools')),
    [id(3)]: page.slice(0, page.lastIndexOf('</body>')),
    [id(4)]: page + page,
    [id(5)]: page.replace('(2 transaction', '(3 transaction'),
    [id(6)]: NOT_FOUND,
    [id(7)]: page,
  });
  const reasons = [
    ['refused', /^the file is empty$/],
    ['needs_manual', /page_whole \(the end of the page is missing\)/],
    ['needs_manual', /page_whole \(the end of the page is missing\)/],
    ['needs_manual', /one_report \(2 reports in one file\)/],
    ['needs_manual', /rows_total \(rows: 2, printed: 3\)/],
    ['refused', /its title is "404 Not Found"/],
  ];
  reasons.forEach(([status, reason], i) => {
    assert.equal(told[id(i + 1)].status, status, told[id(i + 1)].reason);
    assert.match(told[id(i + 1)].reason, reason);
  });
  assert.equal(told[id(7)].status, 'draft', told[id(7)].reason);
});

const reports = sharedData('house')?.concat('/ptr-pdf');

test(
  'a real report that is cut off says so',
  { skip: reports ? false : noSharedData },
  async (t) => {
    const names = ['20011886.pdf', '20024346.pdf', '20026516.pdf'];
    const files = {};
    for (const name of names) {
      const bytes = readFileSync(path.join(reports, name));
      for (const part of [0.3, 0.6, 0.95])
        files[`${part}-${name}`] = bytes.subarray(0, bytes.length * part);
    }
    const told = await ingest(t, files);
    for (const name of Object.keys(files)) {
      assert.equal(told[name].status, 'refused', name);
      assert.equal(told[name].reason, 'the end of the PDF is missing', name);
    }
  },
);
