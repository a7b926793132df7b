// Documents with invented filers, made by the tests and read cell by cell: House reports in both
// layouts, encrypted and not, broken across pages at every line; Senate pages of all shapes; the
// index in its three forms; and documents that are not reports.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { indexText, indexXml, indexZip } from './lib/house_index.mjs';
import { housePdf, otherFormPdf, printedCells, scanPdf } from './lib/house_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { senateId, senateOtherPage, senatePage, senatePaperPage } from './lib/senate_page.mjs';
import { makeSite } from './lib/site.mjs';

/** A site with the invented members; `ingest(files)` writes {name: bytes} and imports them. */
async function readingSite(t) {
  const site = await makeSite(t);
  const file = path.join(site.folder, 'members.json');
  writeFileSync(file, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', file);
  let batch = 0;
  site.ingest = async (files) => {
    const folder = path.join(site.folder, `documents-${(batch += 1)}`);
    mkdirSync(folder);
    for (const [name, bytes] of Object.entries(files))
      writeFileSync(path.join(folder, name), bytes);
    const lines = await site.stockact('ingest', folder);
    return Object.fromEntries(lines.map((line) => [line.document, line]));
  };
  site.show = async (filing) => (await site.stockact('review', 'show', filing))[0];
  return site;
}

// One row of each kind, with long texts, so that cells wrap.
const HOUSE_ROWS = [
  {
    owner: 'SP',
    asset: 'Harbor Tools & Dies, Incorporated - Class A Common Stock (HRBR.A) [ST]',
    type: 'S (partial)',
    date: '01/02/2025',
    notified: '01/03/2025',
    amount: '$1,001 - $15,000',
    cap_gains: 'checked',
    status: 'New',
    subholding_of: 'Vale Family Trust > Brokerage 1-8714',
    location: 'Portland, OR, US',
    description:
      'One of several sales on the day, made by a manager who had not been asked before.',
    comment: 'Reported as soon as the statement of the account had come, with all that was on it.',
  },
  {
    asset: 'US Treasury Note 4.375% due 12/15/26 (91282CJP7) [GS]',
    type: 'P',
    date: '1/6/2025',
    notified: '01/07/2025',
    amount: '$500,001 - $1,000,000',
    cap_gains: 'not checked',
    status: 'New',
  },
  {
    owner: 'DC',
    asset: 'Quiet Fund [OT]',
    type: 'S',
    date: '01/02/2025',
    notified: '01/03/2025',
    amount: '$770.32',
    status: 'New',
  },
  {
    id: '2000115357',
    owner: 'JT',
    asset: 'Amended Company (AMND) [ST]',
    type: 'E',
    date: '01/02/2025',
    notified: '01/03/2025',
    amount: 'Over $50,000,000',
    status: 'Amended',
  },
  {
    id: '2000115358',
    owner: 'SP',
    asset: 'Deleted Company (DLTD) [ST]',
    type: 'S',
    date: '01/02/2025',
    notified: '01/03/2025',
    amount: 'Spouse/DC Over $1,000,000',
    status: 'Deleted',
  },
];

function assertHouseRows(shown, rows, layout, gains = true) {
  assert.deepEqual(
    shown.rows.map((row) => row.printed),
    rows.map((row) => printedCells(row, layout, gains)),
  );
  assert.deepEqual(
    shown.checks.filter((check) => !check.passed),
    [],
  );
}

for (const layout of ['new', 'old']) {
  test(`House reports of the ${layout} layout are read cell by cell`, async (t) => {
    const site = await readingSite(t);
    const files = {};
    const variants = [
      { encryption: 3 },
      { encryption: 2 },
      { encryption: 0 },
      { gains: false },
      { district: 'CA7' },
    ];
    variants.forEach((variant, i) => {
      const id = String(20990001 + i);
      files[`${id}.pdf`] = housePdf({ id, layout, rows: HOUSE_ROWS, ...variant });
    });
    const told = await site.ingest(files);
    for (const [name, line] of Object.entries(told)) {
      assert.equal(line.status, 'draft', `${name}: ${line.reason}`);
      const shown = await site.show(line.filingId);
      const gains = variants[Number(name.slice(0, 8)) - 20990001].gains ?? true;
      assertHouseRows(shown, HOUSE_ROWS, layout, gains);
      const read = { checked: true, 'not checked': false };
      for (const { printed, read: values } of shown.rows)
        assert.equal(values.capGainsOver200, read[printed.cap_gains] ?? null);
      assert.equal(shown.member, 'robin-vale');
    }
    assert.equal(Object.keys(told).length, variants.length);
  });

  test(`rows of the ${layout} layout may break across pages at any line`, async (t) => {
    const site = await readingSite(t);
    const files = {};
    const rows = [...HOUSE_ROWS, ...HOUSE_ROWS];
    for (let i = 0; i < 24; i += 1) {
      const id = String(20990001 + i);
      files[`${id}.pdf`] = housePdf({ id, layout, rows, bottom: 420 + i * 12 });
    }
    const told = await site.ingest(files);
    const pages = new Set();
    for (const [name, line] of Object.entries(told)) {
      assert.equal(line.status, 'draft', `${name}: ${line.reason}`);
      const shown = await site.show(line.filingId);
      assertHouseRows(shown, rows, layout);
      pages.add(shown.rows.map((row) => row.page).join());
    }
    assert.ok(pages.size > 4, 'pages end at different rows');
  });
}

test('a House document that contradicts its file name or index goes to a person', async (t) => {
  const site = await readingSite(t);
  const rows = HOUSE_ROWS.slice(0, 1);
  const told = await site.ingest({
    '2025FD.zip': indexZip([
      { DocID: '20990001' },
      { DocID: '20990002', FilingDate: '1/17/2025' },
      { DocID: '20990003', Last: 'Somebody' },
      { DocID: '20990004', StateDst: 'CA08' },
      { DocID: '20990005' },
    ]),
    '20990001.pdf': housePdf({ id: '20990001', rows }),
    '20990002.pdf': housePdf({ id: '20990002', rows }),
    '20990003.pdf': housePdf({ id: '20990003', rows }),
    '20990004.pdf': housePdf({ id: '20990004', rows }),
    '20990005.pdf': housePdf({ id: '20990006', rows }),
    '20990007.pdf': housePdf({ id: '20990007', rows: [] }),
    '20990008.pdf': housePdf({ id: '20990008', rows, signed: '' }),
    '20990009.pdf': housePdf({ id: '20990009', rows: [{ ...rows[0], status: '' }] }),
    '20990010.pdf': housePdf({ id: '20990010', rows, filer: 'Hon. Nobody Known' }),
  });
  const reasons = {
    '20990002.pdf': /signed_on_filing_date/,
    '20990003.pdf': /name_of_index/,
    '20990004.pdf': /state_district_of_index/,
    '20990005.pdf': /filing_id_of_file/,
    '20990007.pdf': /rows_found/,
    '20990008.pdf': /signed/,
    '20990009.pdf': /status_lines_equal_rows/,
    '20990010.pdf': /no member/,
  };
  assert.equal(told['20990001.pdf'].status, 'draft', told['20990001.pdf'].reason);
  for (const [name, reason] of Object.entries(reasons)) {
    assert.equal(told[name].status, 'needs_manual', name);
    assert.match(told[name].reason, reason, name);
  }
});

const SENATE_ROWS = [
  { date: '01/02/2024', owner: 'Self', ticker: 'HRBR', asset: 'Harbor Tools & Dies, Inc.' },
  {
    date: '01/03/2024',
    owner: 'Spouse',
    ticker: 'CMCS',
    asset: 'Coast Cable',
    option: { kind: 'Put', strike: '$42.50', expires: '07/17/2024' },
    assetType: 'Stock Option',
    type: 'Sale (Full)',
  },
  {
    date: '01/04/2024',
    owner: 'Joint',
    asset: 'Harbor Authority Revenue Bond',
    bond: { rate: '5.0%', matures: '10/01/2029' },
    assetType: 'Municipal Security',
    type: 'Sale (Partial)',
    amount: '$100,001 - $250,000',
  },
  {
    date: '01/05/2024',
    owner: 'Child',
    ticker: ['TCFX', 'HBNX'],
    asset: 'Old Bank - Common Stock',
    received: 'New Bank - Common Stock',
    type: 'Exchange',
    comment: 'Done to all holders <by law>.',
  },
  {
    date: '01/05/2024',
    asset: 'Hill Partners, LP',
    company: { name: 'Hill Partners, LP', place: 'Salem, OR' },
    description: 'Buys & sells land',
    assetType: 'Other',
    ticker: [null, 'HILL'],
  },
];

const SENATE_CELLS = [
  { ticker: 'HRBR', asset: 'Harbor Tools & Dies, Inc.', comment: '--', owner: 'Self' },
  {
    ticker: 'CMCS',
    asset: 'Coast Cable',
    asset_detail: 'Option Type: Put Strike price: $42.50 Expires: 07/17/2024',
    asset_type: 'Stock Option',
  },
  {
    ticker: '--',
    asset_detail: 'Rate/Coupon: 5.0% Matures: 10/01/2029',
    amount: '$100,001 - $250,000',
  },
  {
    ticker: 'TCFX',
    ticker_two: 'HBNX',
    asset: 'Old Bank - Common Stock (Exchanged) New Bank - Common Stock (Received)',
    comment: 'Done to all holders <by law>.',
  },
  {
    ticker: '--',
    ticker_two: 'HILL',
    asset_detail: 'Company: Hill Partners, LP (Salem, OR) Description: Buys & sells land',
  },
];

test('Senate pages are read cell by cell, with any heading', async (t) => {
  const site = await readingSite(t);
  const variants = [
    {},
    { amendment: 2, reportDate: '01/20/2024' },
    { former: true },
    { former: true, bracket: '' },
    { filed: '01/29/2024 @ 1 PM' },
    { filer: 'Ms. Dana Q. Hollis', bracket: 'Hollis, Dana Q.' },
  ];
  const files = Object.fromEntries(
    variants.map((variant, i) => [
      `${senateId(i)}.html`,
      senatePage({ rows: SENATE_ROWS, ...variant }),
    ]),
  );
  const told = await site.ingest(files);
  for (const [name, line] of Object.entries(told)) {
    assert.equal(line.status, 'draft', `${name}: ${line.reason}`);
    const shown = await site.show(line.filingId);
    assert.equal(shown.member, 'dana-hollis');
    assert.equal(shown.rows.length, SENATE_ROWS.length);
    shown.rows.forEach((row, i) => {
      assert.equal(row.row, i + 1);
      assert.equal(row.printed.id, String(i + 1));
      assert.equal(row.printed.date, SENATE_ROWS[i].date);
      for (const [cell, text] of Object.entries(SENATE_CELLS[i]))
        assert.equal(row.printed[cell], text, `${name} row ${i + 1} ${cell}`);
    });
  }
  assert.equal(Object.keys(told).length, variants.length);
});

test('inconsistent Senate pages go to a person', async (t) => {
  const site = await readingSite(t);
  const rows = SENATE_ROWS.slice(0, 2);
  const told = await site.ingest({
    [`${senateId(1)}.html`]: senatePage({ rows, total: 3 }),
    [`${senateId(2)}.html`]: senatePage({ rows: [] }),
    [`${senateId(3)}.html`]: senatePage({ rows, filer: 'Mr. Nobody Known', bracket: '' }),
    [`${senateId(4)}.html`]: senatePage({ rows }).replace('Transaction Date', 'Date of Trade'),
    'saved page.html': senatePage({ rows }),
  });
  for (const [name, reason] of [
    [`${senateId(1)}.html`, /rows_total/],
    [`${senateId(2)}.html`, /rows_found/],
    [`${senateId(3)}.html`, /no member/],
    [`${senateId(4)}.html`, /one_table/],
    ['saved page.html', /official id/],
  ]) {
    assert.equal(told[name].status, 'needs_manual', name);
    assert.match(told[name].reason, reason, name);
  }
});

test('a paper filing goes to a person, other documents are refused with a reason', async (t) => {
  const site = await readingSite(t);
  const told = await site.ingest({
    '8216974.pdf': scanPdf(),
    '10066607.pdf': otherFormPdf({ rows: HOUSE_ROWS.slice(0, 1) }),
    '20990001.pdf': '<!DOCTYPE html><html><h1>Not found</h1></html>',
    '20990002.pdf': 'no kind of file',
    '20990003.pdf': '',
    [`${senateId(1)}.html`]: senatePaperPage(),
    [`${senateId(2)}.html`]: senateOtherPage(),
    '2024FD.xml': '<?xml version="1.0"?><rss></rss>',
  });
  for (const name of ['8216974.pdf', `${senateId(1)}.html`])
    assert.equal(told[name].status, 'needs_manual', name);
  for (const [name, line] of Object.entries(told)) {
    assert.ok(line.reason, name);
    if (!['8216974.pdf', `${senateId(1)}.html`].includes(name))
      assert.equal(line.status, 'refused', name);
  }
});

test('the index is the same as zip, XML and text, and rows can repeat, change and disappear', async (t) => {
  const entries = [
    { DocID: '20990001' },
    { DocID: '20990002', Last: 'Ash', Suffix: 'Jr.', FilingDate: '1/17/2025' },
    { DocID: '20990002', Last: 'Ash', Suffix: 'Jr.', FilingDate: '1/17/2025' },
    { DocID: '10099999', FilingType: 'C', StateDst: 'TX00' },
  ];
  for (const [name, bytes] of [
    ['2025FD.zip', indexZip(entries)],
    ['2025FD.xml', indexXml(entries)],
    ['2025FD.txt', indexText(entries)],
  ]) {
    const site = await readingSite(t);
    const told = await site.ingest({ [name]: bytes });
    assert.equal(told[name].status, 'indexed', name);
    assert.equal(told[name].rows, 4, name);
    assert.equal(told['20990001'].status, 'awaiting_document', name);
    assert.equal(told['20990002'].filingId, 'house-20990002', name);
    assert.equal(told['10099999'], undefined, name);
    assert.equal((await site.ingest({ [name]: bytes }))[name].status, 'unchanged', name);
    const later = await site.ingest({
      [name]: indexXml([entries[0], { ...entries[1], StateDst: 'CA08', FilingDate: '1/18/2025' }]),
    });
    assert.match(later[name].reason, /^0 new, 1 changed, 1 gone/, name);
  }
});
