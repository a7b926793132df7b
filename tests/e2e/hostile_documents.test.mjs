// Hostile and damaged documents. Each becomes an entry with a reason, none becomes a draft with
// values that its document does not have, and the valid document after them is read.

import { strict as assert } from 'node:assert';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { hostilePdfs } from './lib/hostile_pdf.mjs';
import { housePdf, printedCells } from './lib/house_pdf.mjs';
import { indexText, indexXml } from './lib/house_index.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite } from './lib/site.mjs';
import { zipOf } from './lib/zip_file.mjs';

const GOOD = 'zz-20990001.pdf';

/**
 * Imports the files ({name: bytes, or a function that writes them}) with a valid one as the last.
 * Returns the lines by name. `distinct`: no two of them are versions of one document.
 */
async function ingest(t, files, { distinct = true } = {}) {
  const site = await makeSite(t);
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', members);
  const folder = path.join(site.folder, 'documents');
  mkdirSync(folder);
  const all = { ...files, [GOOD]: housePdf({ id: '20990001', rows: [HOUSE_ROW] }) };
  for (const [name, bytes] of Object.entries(all)) {
    const file = path.join(folder, name);
    if (typeof bytes === 'function') bytes(file);
    else writeFileSync(file, bytes);
  }
  const lines = await site.stockact('ingest', folder);
  const told = Object.fromEntries(lines.map((line) => [line.document, line]));
  assert.equal(told[GOOD].status, 'draft', told[GOOD].reason);
  assert.equal(lines.length, Object.keys(all).length);
  const counted = (await site.stockact('coverage')).reduce((sum, line) => sum + line.count, 0);
  if (distinct) assert.equal(counted, lines.length, 'coverage adds up to what came in');
  return { site, told };
}

/** Every file except the valid one must end with a reason. */
function assertReasons(told, statuses = ['refused', 'needs_manual']) {
  for (const [name, line] of Object.entries(told)) {
    if (name === GOOD) continue;
    assert.ok(statuses.includes(line.status), `${name}: ${line.status}`);
    assert.ok(line.reason, name);
  }
}

test('hostile PDFs hit their limits', async (t) => {
  const files = Object.fromEntries(
    Object.entries(hostilePdfs()).map(([name, bytes]) => [`${name}.pdf`, bytes]),
  );
  files['with a password.pdf'] = housePdf({
    rows: [HOUSE_ROW],
    encryption: { revision: 3, password: 'secret' },
  });
  const { told } = await ingest(t, files);
  assertReasons(told);
});

test('a truncated report is a draft only if it has all its rows', async (t) => {
  for (const layout of ['new', 'old']) {
    const rows = [HOUSE_ROW, { ...HOUSE_ROW, type: 'S' }];
    const whole = housePdf({ id: '20990002', layout, rows });
    const files = {};
    for (let part = 1; part < 16; part += 1)
      files[`part-${part}.pdf`] = whole.subarray(0, Math.floor((whole.length * part) / 16));
    const { site, told } = await ingest(t, files);
    for (const [name, line] of Object.entries(told)) {
      if (name === GOOD || line.status !== 'draft') continue;
      const [shown] = await site.stockact('review', 'show', line.filingId);
      assert.deepEqual(
        shown.rows.map((row) => row.printed),
        rows.map((row) => printedCells(row, layout)),
        name,
      );
      delete told[name];
    }
    assertReasons(told, ['refused', 'needs_manual', 'unchanged']);
  }
});

test('a report with bits changed at 60 places does not end a run', async (t) => {
  const whole = housePdf({ id: '20990002', rows: [HOUSE_ROW], encryption: 0 });
  const files = {};
  for (let i = 0; i < 60; i += 1) {
    const bytes = Buffer.from(whole);
    bytes[Math.floor((whole.length * i) / 60)] ^= 1 << (i % 8);
    files[`changed-${i}.pdf`] = bytes;
  }
  await ingest(t, files, { distinct: false });
});

/** A page of `size` bytes that is a sparse file without text. */
const pageWithHole = (size) => (file) => {
  const fd = openSync(file, 'w');
  writeSync(fd, '<!DOCTYPE html><html><h1>Periodic Transaction Report for 01/02/2024</h1>');
  ftruncateSync(fd, size);
  closeSync(fd);
};

const id = (number) => `5aa4f067-861b-466a-95e5-${String(number).padStart(12, '0')}.html`;

test('hostile pages hit their limits', async (t) => {
  const page = senatePage({ rows: [SENATE_ROW] });
  const tags = (tag, count) => page.replace('Harbor Tools', `<${tag}>`.repeat(count));
  const { told } = await ingest(t, {
    [id(1)]: pageWithHole(100 * 1024 * 1024),
    [id(2)]: `<!DOCTYPE html><html><h1>${'<div>'.repeat(1_000_000)}`,
    [id(3)]: tags('table', 100_000),
    [id(4)]: senatePage({ rows: Array.from({ length: 10_500 }, () => SENATE_ROW) }),
    [id(5)]: senatePage({ rows: [{ ...SENATE_ROW, comment: 'x'.repeat(1_000_000) }] }),
    [id(6)]: Buffer.from(`\ufeff${page}`, 'utf16le'),
    [id(7)]: page.slice(0, page.length / 2),
    [id(8)]: page.replace('Harbor Tools', '&'.repeat(100_000)),
    [id(9)]: `<!DOCTYPE html><html ${'a="b" '.repeat(200_000)}><h1>Periodic`,
    [id(10)]: '<!DOCTYPE html>'.repeat(100_000),
  });
  assertReasons(told);
});

test('a page in Latin-1 goes to a person', async (t) => {
  const page = senatePage({ rows: [{ ...SENATE_ROW, asset: 'Caf\u00e9 Holdings' }] });
  const { told } = await ingest(t, { [id(1)]: Buffer.from(page, 'latin1') });
  assert.equal(told[id(1)].status, 'needs_manual');
  assert.match(told[id(1)].reason, /in_utf8/);
});

test('hostile indexes hit their limits', async (t) => {
  const xml = Buffer.from(indexXml([{ DocID: '20990009' }]));
  const large = Buffer.alloc(65 * 1024 * 1024, 0x20);
  const many = Array.from({ length: 60_000 }, (_, i) => ({
    name: `${i}.dat`,
    bytes: Buffer.from('x'),
  }));
  const entities = Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
  );
  const { told } = await ingest(t, {
    'a bomb.zip': zipOf([{ name: '2025FD.xml', bytes: large }]),
    'less than claimed.zip': zipOf([{ name: '2025FD.xml', bytes: xml, claimed: 1 << 20 }]),
    'more than claimed.zip': zipOf([{ name: '2025FD.xml', bytes: xml, claimed: 100 }]),
    'claims 4 GB.zip': zipOf([{ name: '2025FD.xml', bytes: xml, claimed: 0xfffffffe }]),
    'sixty thousand files.zip': zipOf(many),
    'cut off.zip': zipOf([{ name: '2025FD.xml', bytes: xml }]).subarray(0, 200),
    'nothing in it.zip': zipOf([]),
    'another zip in it.zip': zipOf([{ name: 'a.zip', bytes: zipOf(many.slice(0, 10)) }]),
    'laughs.xml':
      `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "ha">${entities.join('')}]>` +
      '<FinancialDisclosure><Member><Last>&e9;</Last><DocID>20990008</DocID></Member>' +
      '</FinancialDisclosure>',
    'reads a file.xml':
      '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]>' +
      '<FinancialDisclosure><Member><Last>&f;</Last><DocID>20990007</DocID></Member>' +
      '</FinancialDisclosure>',
    'deep.xml': `<?xml version="1.0"?>${'<a>'.repeat(1_000_000)}`,
    'latin-1.txt': Buffer.from(indexText([{ DocID: '20990006', Last: 'Caf\u00e9' }]), 'latin1'),
    'utf-16.xml': Buffer.from(`\ufeff${indexXml([])}`, 'utf16le'),
    'other.txt': 'Prefix,Last,First\r\n',
  });
  assertReasons(told);
});
