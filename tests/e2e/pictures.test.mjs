// Pictures of pages, for entering scans by hand: drawn from the bytes that ingest stored, in a
// confined process.

import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { hostilePdfs } from './lib/hostile_pdf.mjs';
import { housePdf, scanPdf } from './lib/house_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { PdfFile } from './lib/pdf_file.mjs';
import { senatePaperPage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PAPER = '5aa4f067-861b-466a-95e5-000000000001';

/** {width, height} of a PNG. */
function sizeOf(file) {
  const bytes = readFileSync(file);
  assert.deepEqual(bytes.subarray(0, 8), SIGNATURE);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Imports the files from a folder that is removed afterwards. */
async function ingest(site, files) {
  const folder = path.join(site.folder, 'inbox');
  mkdirSync(folder);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
  const lines = await site.stockact('ingest', folder);
  rmSync(folder, { recursive: true });
  return lines;
}

async function prepare(site) {
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', members);
  return {};
}

/** `review picture`, which must fail without writing a file; returns the reason. */
async function refused(site, id, page = 1, status = 1) {
  const output = path.join(site.folder, 'refused.png');
  const done = await site.run(['review', 'picture', id, page, '--output', output]);
  assert.equal(done.code, status, done.stdout);
  assert.ok(!readdirSync(site.folder).includes('refused.png'));
  return done.stderr.trim();
}

onEachDatabase('pictures of pages', (database) => {
  const shared = useSite({ database }, prepare);

  test('each page of a scan is drawn after its file is gone', async () => {
    const { site } = shared;
    const [line] = await ingest(site, { '8220001.pdf': scanPdf({ pages: 2 }) });
    assert.equal(line.status, 'needs_manual');
    for (const page of [1, 2]) {
      const output = path.join(site.folder, `${page}.png`);
      const [told] = await site.stockact(
        ...['review', 'picture', line.filingId, page, '--output', output],
      );
      assert.deepEqual(sizeOf(output), { width: 1700, height: 2200 });
      assert.equal(told.file, output);
      assert.equal(told.bytes, readFileSync(output).length);
    }
    assert.equal(await refused(site, line.filingId, 3), 'stockact: the document has no page 3');
  });

  test('the newest file of a document is drawn', async () => {
    const { site } = shared;
    await ingest(site, { '8220002.pdf': scanPdf({ pages: 1 }) });
    assert.match(await refused(site, 'house-8220002', 2), /no page 2/);
    await ingest(site, { '8220002.pdf': scanPdf({ pages: 2 }) });
    const output = path.join(site.folder, 'newest.png');
    await site.stockact('review', 'picture', 'house-8220002', 2, '--output', output);
    assert.deepEqual(sizeOf(output), { width: 1700, height: 2200 });
  });

  test('a document without a picture is reported', async () => {
    const { site } = shared;
    await ingest(site, { [`${PAPER}.html`]: senatePaperPage() });
    assert.match(await refused(site, `senate-${PAPER}`), /only a PDF has pictures/);
    assert.match(await refused(site, 'house-8229999'), /no file of house-8229999 is imported/);
    const wrong = [0, 10_000, 'one'].map((page) => refused(site, 'house-8220001', page, 2));
    for (const reason of await Promise.all(wrong)) assert.match(reason, /invalid PAGE/);
  });
});

/** A page that refers to another file, in all the ways that PDF has. */
function askingPdf(canary) {
  const file = new PdfFile();
  const [root, tree, page] = [file.reserve(), file.reserve(), file.reserve()];
  const image = file.add(
    `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 ` +
      `/ColorSpace /DeviceGray /F (${canary}) /FFilter /FlateDecode /Length 1 >>\n` +
      'stream\n0\nendstream',
  );
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /${'..#2F'.repeat(8)}${canary.slice(1)} >>`;
  const text = 'q 9 0 0 9 0 0 cm /I Do Q BT /F1 9 Tf 9 99 Td (x) Tj ET';
  const contents = file.addStream('', Buffer.from(text));
  file.add(
    `<< /Type /Catalog /Pages ${tree} 0 R ` +
      `/OpenAction << /S /Launch /F (${canary}) /Win << /F (${canary}) /O (print) >> >> >>`,
    root,
  );
  file.add(`<< /Type /Pages /Count 1 /Kids [${page} 0 R] >>`, tree);
  file.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${contents} 0 R ` +
      `/Resources << /XObject << /I ${image} 0 R >> /Font << /F1 ${font} >> >> >>`,
    page,
  );
  return file.bytes(root);
}

test.describe('hostile pages', () => {
  const shared = useSite({}, prepare);

  test('a page that names another file does not touch it', async () => {
    const { site } = shared;
    const canary = path.join(site.folder, 'canary');
    writeFileSync(canary, 'alive');
    const [line] = await ingest(site, { '8220010.pdf': askingPdf(canary) });
    const before = readdirSync(site.folder).sort();
    const output = path.join(site.folder, 'z.png');
    await site.run(['review', 'picture', 'house-8220010', 1, '--output', output]);
    assert.ok(line.status === 'needs_manual' || line.status === 'refused', line.status);
    assert.equal(readFileSync(canary, 'utf8'), 'alive');
    const after = readdirSync(site.folder).sort();
    assert.deepEqual(
      after.filter((name) => name !== 'z.png'),
      before,
    );
  });

  test('hostile PDFs give a picture or a reason, and the next page is drawn', async () => {
    const { site } = shared;
    const files = Object.values(hostilePdfs());
    files.push(housePdf({ rows: [], encryption: { revision: 3, password: 'secret' } }));
    const named = files.map((bytes, i) => [`${8_230_000 + i}.pdf`, bytes]);
    const good = '8239999.pdf';
    const lines = await ingest(site, { ...Object.fromEntries(named), [good]: scanPdf() });
    let drawn = 0;
    for (const { filingId } of lines.filter((line) => line.filingId !== null)) {
      const output = path.join(site.folder, `${filingId}.png`);
      const done = await site.run(['review', 'picture', filingId, 1, '--output', output]);
      assert.equal(done.signal, null);
      if (done.code === 0) assert.ok(sizeOf(output).width <= 2200);
      else assert.match(done.stderr, /^stockact: (the document|the page|drawing|the picture)/);
      drawn += done.code === 0;
    }
    assert.ok(drawn > 0);
    assert.ok(readdirSync(site.folder).includes('house-8239999.png'));
  });
});
