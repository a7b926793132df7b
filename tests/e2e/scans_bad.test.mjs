// Scans whose pages hold no form, more pages than are read, and a tesseract that does not work.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { Picture, filledForm, fillInbox, pdfOfPictures, prepareScans } from './lib/scan_pdf.mjs';
import { binary } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';

const TESSERACT = '/usr/bin/tesseract';

const ingest = (site, files) => site.stockact('ingest', fillInbox(site, files));

async function show(site, id) {
  const [draft] = await site.stockact('review', 'show', id);
  return draft;
}

const noise = (width, height) => {
  let seed = 1;
  const p = new Picture(width, height);
  for (let i = 0; i < p.dots.length; i += 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    p.dots[i] = seed >>> 24;
  }
  return p;
};

const photograph = () => {
  const p = new Picture(1700, 2200);
  for (let y = 0; y < p.height; y += 1)
    for (let x = 0; x < p.width; x += 1)
      p.dots[y * p.width + x] = 128 + 100 * Math.sin(x / 90) * Math.cos(y / 130);
  return p;
};

test.describe('scans that hold no form', () => {
  const shared = useSite({}, prepareScans);

  test('give no row, but a reason', async () => {
    const { site } = shared;
    const huge = new Picture(20_000, 20_000, Buffer.alloc(2500 * 20_000, 0xff));
    huge.bits = 1;
    const files = {
      '8230001.pdf': pdfOfPictures([noise(1700, 2200)]),
      '8230002.pdf': pdfOfPictures([photograph()]),
      '8230003.pdf': pdfOfPictures([huge]),
      '8230004.pdf': pdfOfPictures([huge], { side: 600 }),
      '8230005.pdf': pdfOfPictures([new Picture(1, 1)], { side: 14_400 }),
      '8230006.pdf': pdfOfPictures([new Picture(1, 1), noise(40, 40), filledForm()]),
    };
    const lines = await ingest(site, files);
    assert.deepEqual(
      lines.map(({ document, rows }) => [document, rows]),
      Object.keys(files).map((name) => [name, name === '8230006.pdf' ? 2 : 0]),
    );
    for (const { filingId, status } of lines) {
      const { pages } = await show(site, filingId);
      assert.equal(status, 'needs_manual');
      assert.equal(typeof pages[0].reason, 'string', filingId);
    }
  });

  test('pages after the 300th are not read, and the reason says so', async () => {
    const { site } = shared;
    const small = new Picture(60, 60);
    const of = (count) => pdfOfPictures(Array.from({ length: count }, () => small));
    await ingest(site, { '8230010.pdf': of(302), '8230011.pdf': of(2) });
    const { pages } = await show(site, 'house-8230010');
    assert.equal(pages.length, 301);
    assert.match(pages.at(-1).reason, /^this page and all after it were not read: .* 300 pages/);
    assert.equal((await show(site, 'house-8230011')).pages.length, 2);
  });
});

/** Runs the command where another program stands in the place of tesseract; null: not possible. */
async function withTesseract(site, program, ...args) {
  try {
    execFileSync('unshare', ['-rm', 'mount', '--bind', program, TESSERACT], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const script = 'mount --bind "$0" "$1" && shift && exec "$@"';
  return run('unshare', ['-rm', 'sh', '-c', script, program, TESSERACT, binary, ...args], {
    env: site.env,
    cwd: site.folder,
  });
}

test.describe('without a tesseract that works', () => {
  const shared = useSite({}, prepareScans);
  const cases = [
    ['missing', '/dev/null', /tesseract is not installed/],
    ['another program', '/usr/bin/cat', /tesseract failed/],
    ['without an end', '/usr/bin/yes', null],
  ];
  cases.forEach(([name, program, reason], i) =>
    test(`marks are read, and text is not: ${name}`, async (t) => {
      const { site } = shared;
      if (!existsSync(TESSERACT)) return t.skip('tesseract-ocr is not installed');
      const id = `824000${i}`;
      const inbox = fillInbox(site, { [`${id}.pdf`]: pdfOfPictures([filledForm()]) });
      const done = await withTesseract(site, program, 'ingest', inbox, '--json');
      if (!done) return t.skip('no mount namespaces here');
      assert.equal(done.code, 0, done.stderr);
      const { rows, pages } = await show(site, `house-${id}`);
      assert.deepEqual([rows.length, rows[0].read.side, rows[0].read.assetName], [2, 'buy', null]);
      if (reason) {
        assert.match(pages[0].reason, reason);
        const [line] = done.stdout.split('\n').filter((one) => one.includes(`house-${id}`));
        assert.ok(JSON.parse(line).reason.endsWith(`in full: ${pages[0].reason}`), line);
      }
      assert.equal(rows[0].sources.assetName.how, 'not_read');
    }),
  );
});
