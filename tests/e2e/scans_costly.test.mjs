// A page of a scan that costs more than a page may: it is left out within the limits of time, and
// those behind it are read.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { millionPaths, pdfOfPages } from './lib/hostile_scan.mjs';
import { filledForm, fillInbox, prepareScans } from './lib/scan_pdf.mjs';
import { makeSite } from './lib/site.mjs';

test('a page of a million lines is left out, and the next one is read', async (t) => {
  const site = await makeSite(t);
  await prepareScans(site);
  const scan = pdfOfPages([millionPaths(), filledForm()]);
  await site.stockact('ingest', fillInbox(site, { '8250003.pdf': scan }));
  const [draft] = await site.stockact('review', 'show', 'house-8250003');
  assert.deepEqual(
    draft.rows.map(({ page }) => page),
    [2, 2],
  );
  assert.equal(typeof draft.pages[0].reason, 'string');
  assert.equal(draft.pages[1].form, 'house-boxes');
});
