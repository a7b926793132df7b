// The story of a reviewer with invented documents, who takes a House PDF, a Senate page, its amendment
// and a scan to publication, and how the queue is worked through.

import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { Keyboard, Plain } from './desk_story.mjs';
import { indexXml } from './house_index.mjs';
import { housePdf } from './house_pdf.mjs';
import { HOUSE_ROW, SENATE_ROW } from './invented_rows.mjs';
import { filledForm, fillInbox, pdfOfPictures, prepareScans } from './scan_pdf.mjs';
import { senatePage } from './senate_page.mjs';
import { uuid } from './undoing.mjs';

export const noReader = existsSync('/usr/bin/tesseract') ? false : 'tesseract-ocr is not installed';

export const BY_KEYBOARD = ['by keyboard alone', Keyboard, true];
export const PLAIN = ['without a script', Plain, false];

/** What the server has shown, if a person accepts with one press, and opens the rows of the scan. */
export const reviewsOf = (story, script) =>
  story.filings.map((id) => (id === story.scan && script ? 'row' : 'page'));

/** `rows` and `filing`: what a person types into the fields of the scan that were not read, or true for a
 *  box; `trades`: what is public at the end. */
export const INVENTED = {
  ways: [BY_KEYBOARD, PLAIN],
  filings: ['house-20990001', `senate-${uuid('a')}`, `senate-${uuid('b')}`, 'house-8220001'],
  scan: 'house-8220001',
  rows: [
    [['tradeDate', '01/20/25']],
    [
      ['amountBucket', '$15,001'],
      ['noTradeDate', true],
    ],
  ],
  trades: [
    ['buy', '1k_15k', '2025-01-20'],
    ['sell_partial', '15k_50k', null],
  ],
  filing: [
    ['member', 'Vale, Robin'],
    ['filed', '2025-02-03'],
    ['url', 'https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2025/8220001.pdf'],
  ],
  async put(site) {
    await prepareScans(site);
    const rows = [SENATE_ROW, { ...SENATE_ROW, ticker: null, asset: 'Bellows' }];
    const amended = [rows[0], { ...rows[1], amount: '$15,001 - $50,000' }];
    return fillInbox(site, {
      '2025FD.xml': indexXml([{ DocID: '20990001' }]),
      '20990001.pdf': housePdf({ id: '20990001', rows: [HOUSE_ROW, HOUSE_ROW, HOUSE_ROW] }),
      [`${uuid('a')}.html`]: senatePage({ rows }),
      [`${uuid('b')}.html`]: senatePage({
        ...{ rows: amended, amendment: 1, filed: '02/20/2024 @ 9:05 AM' },
      }),
      '8220001.pdf': pdfOfPictures([filledForm().turned(2)]),
    });
  },
  async prepare(site) {
    await site.stockact('ingest', await this.put(site));
  },
};

/** Works through the queue; {filing: [milliseconds, presses]}. */
export async function review(hands, story) {
  const took = {};
  await hands.start();
  for (let left = story.filings.length; left > 0; left -= 1) {
    const [began, before] = [Date.now(), hands.presses];
    const id = new URL(hands.page.url()).pathname.split('/').at(-1);
    if (id === story.scan) {
      for (const [i, values] of story.rows.entries())
        if (values.length) await hands.saveRow(i + 1, values);
      if (story.filing.length) await hands.saveFiling(story.filing);
    }
    await hands.publish();
    took[id] = [Date.now() - began, hands.presses - before];
  }
  await hands.page.waitForLoadState();
  assert.equal(new URL(hands.page.url()).pathname, '/desk');
  return took;
}

/** What was published of the scan, row by row. */
export async function publishedOf(server, story) {
  const { data } = await server.json('/api/v1/filings?limit=50');
  assert.deepEqual(data.map(({ id }) => id).sort(), story.filings.toSorted());
  const trades = (await server.json('/api/v1/trades?limit=50')).data
    .filter(({ id }) => id.startsWith(story.scan))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  return trades.map(({ side, amountBucket, tradeDate }) => [side, amountBucket, tradeDate]);
}
