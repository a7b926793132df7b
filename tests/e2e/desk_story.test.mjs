// A reviewer takes a House PDF, a Senate page, its amendment and a scan from files to publication:
// by keyboard alone, and without a script. Invented documents, and real ones where they are.

import { strict as assert } from 'node:assert';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { Keyboard, Plain } from './lib/desk_story.mjs';
import { indexXml } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { filledForm, fillInbox, pdfOfPictures, prepareScans } from './lib/scan_pdf.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { uuid } from './lib/undoing.mjs';

const reader = existsSync('/usr/bin/tesseract') ? false : 'tesseract-ocr is not installed';

const BY_KEYBOARD = ['by keyboard alone', Keyboard, true];
const PLAIN = ['without a script', Plain, false];

/** `rows` and `filing`: what a person types into the fields of the scan that were not read; `trades`:
 *  what is public at the end. */
const INVENTED = {
  ways: [BY_KEYBOARD, PLAIN],
  filings: ['house-20990001', `senate-${uuid('a')}`, `senate-${uuid('b')}`, 'house-8220001'],
  scan: 'house-8220001',
  rows: [[['tradeDate', '01/20/25']], [['amountBucket', '$15,001']]],
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

const HOUSE = '20006851';
const SCAN = '8217764';
const SENATE = ['d3e4f531-5e2e-4348-b928-e6b7d5312777', 'cbca251b-4a4d-40cb-95c9-7ac3fc6b8d7c'];
const FILES = {
  [`${HOUSE}.pdf`]: sharedData('house', 'ptr-pdf', `${HOUSE}.pdf`),
  [`${SCAN}.pdf`]: sharedData('house', 'scanned-pdf', `${SCAN}.pdf`),
  ...Object.fromEntries(
    SENATE.map((id) => [`${id}.html`, sharedData('senate', 'ptr-html', `${id}.html`)]),
  ),
  '2016FD.zip': sharedData('house', 'index', '2016FD.zip'),
  '2020FD.zip': sharedData('house', 'index', '2020FD.zip'),
};
const MEMBERS = ['legislators-current.json', 'legislators-historical.csv'].map((name) =>
  sharedData('congress-legislators', name),
);

const REAL = {
  ways: [BY_KEYBOARD],
  skip: [...Object.values(FILES), ...MEMBERS].every(Boolean) ? false : noSharedData,
  filings: [`house-${HOUSE}`, ...SENATE.map((id) => `senate-${id}`), `house-${SCAN}`],
  scan: `house-${SCAN}`,
  rows: [
    [
      ['tradeDate', '11/09/20'],
      ['notifiedDate', '11/09/20'],
    ],
    [
      ['tradeDate', '11/14/20'],
      ['notifiedDate', '11/14/20'],
    ],
  ],
  trades: [
    ['sell_full', '1k_15k', '2020-11-09'],
    ['sell_full', '100k_250k', '2020-11-14'],
  ],
  filing: [],
  async prepare(site) {
    const inbox = path.join(site.folder, 'inbox');
    mkdirSync(inbox);
    for (const [name, from] of Object.entries(FILES)) copyFileSync(from, path.join(inbox, name));
    await site.stockact('members', 'import', ...MEMBERS);
    await site.stockact('ingest', inbox);
  },
};

/** Works through the queue; {filing: [milliseconds, presses]}. */
async function review(hands, story) {
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

const browser = useBrowser();

/** Chooses the files of the folder on the page for uploads, and waits for what becomes of them. */
async function upload(hands, folder) {
  const { page } = hands;
  const names = readdirSync(folder).sort(
    (one, other) => other.endsWith('xml') - one.endsWith('xml'),
  );
  const chooser = page.waitForEvent('filechooser');
  await hands.go('f');
  await page.waitForLoadState();
  for (let stop = 0; stop < 30 && (await hands.focused()) !== 'files'; stop += 1)
    await hands.press('Tab');
  assert.equal(await hands.focused(), 'files');
  await hands.press('Enter');
  await (await chooser).setFiles(names.map((name) => path.join(folder, name)));
  await page.waitForFunction(
    (count) => document.querySelectorAll('.uploads .badge:is(.good, .wait)').length === count,
    names.length,
  );
  await page.waitForFunction(() => document.activeElement.matches('.uploads a'));
  await hands.go('q');
}

test(
  'from files on the page for uploads to publication, by keyboard alone',
  { skip: noChromium || reader },
  async (t) => {
    const site = await makeSite(t);
    const folder = await INVENTED.put(site);
    const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    const server = await site.serve();
    const visitor = await signInOnPage(server, ann);
    const hands = new Keyboard(await browser.open(t, server, '/desk', { visitor, script: true }));
    await upload(hands, folder);
    await review(hands, INVENTED);
    const { data } = await server.json('/api/v1/filings?limit=50');
    assert.deepEqual(data.map(({ id }) => id).sort(), INVENTED.filings.toSorted());
  },
);

for (const [name, story] of Object.entries({ 'invented documents': INVENTED, 'real ones': REAL }))
  describe(
    `from files to publication: ${name}`,
    { skip: noChromium || reader || story.skip },
    () => {
      for (const [how, hands, script] of story.ways)
        test(how, async (t) => {
          const site = await makeSite(t);
          await story.prepare(site);
          const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
          const server = await site.serve();
          const visitor = await signInOnPage(server, ann);
          const page = await browser.open(t, server, '/desk', { visitor, script });
          const took = await review(new hands(page), story);
          assert.deepEqual(Object.keys(took).sort(), story.filings.toSorted());
          for (const [id, [ms, presses]] of Object.entries(took))
            t.diagnostic(`${id}: ${presses} presses, ${ms} ms of the desk's time`);
          const { data } = await server.json('/api/v1/filings?limit=50');
          assert.deepEqual(data.map(({ id }) => id).sort(), story.filings.toSorted());
          const trades = (await server.json('/api/v1/trades?limit=50')).data
            .filter(({ id }) => id.startsWith(story.scan))
            .sort((one, other) => (one.id < other.id ? -1 : 1));
          assert.deepEqual(
            trades.map(({ side, amountBucket, tradeDate }) => [side, amountBucket, tradeDate]),
            story.trades,
          );
        });
    },
  );
