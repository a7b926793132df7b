// A reviewer takes a House PDF, a Senate page, its amendment and a scan from files to publication:
// by keyboard alone, and without a script. Invented documents, and real ones where they are.

import { strict as assert } from 'node:assert';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import {
  BY_KEYBOARD,
  INVENTED,
  noReader,
  publishedOf,
  review,
  reviewsOf,
} from './lib/desk_invented.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

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

const browser = useBrowser();

for (const [name, story] of Object.entries({ 'invented documents': INVENTED, 'real ones': REAL }))
  describe(
    `from files to publication: ${name}`,
    { skip: noChromium || noReader || story.skip },
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
          assert.deepEqual(await publishedOf(server, story), story.trades);
          const sources = story.filings.map((id) => server.json(`/api/v1/filings/${id}`));
          const shown = (await Promise.all(sources)).map(({ data }) => data.source.review);
          assert.deepEqual(shown, reviewsOf(story, script));
        });
    },
  );
