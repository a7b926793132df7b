// The review desk where reports depend on each other: an original and its amendments, the trade that
// a row refers to, and the accepted drafts that are published together.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { inSight } from './lib/desk_story.mjs';
import { text as textOf } from './lib/html.mjs';
import { indexXml } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { useSite } from './lib/site.mjs';
import { uuid } from './lib/undoing.mjs';

const BY = ['--by', 'ann@example.org'];
const senate = (letter) => `senate-${uuid(letter)}`;
const row = (asset, more) => ({ ...SENATE_ROW, ticker: null, asset, ...more });
const FIRST = [row('Abacus'), row('Bellows'), row('Cinder')];
const SECOND = [
  FIRST[0],
  row('Bellows', { amount: '$15,001 - $50,000' }),
  row('Dynamo', { date: '01/17/2024' }),
];

/** Imports an original and its amendment, and the files that `more` puts. */
async function fill(site, more = () => {}) {
  const inbox = path.join(site.folder, 'inbox');
  const put = (name, bytes) => writeFileSync(path.join(inbox, name), bytes);
  const amendment = { rows: SECOND, amendment: 1, filed: '02/20/2024 @ 9:05 AM' };
  mkdirSync(inbox);
  writeFileSync(path.join(site.folder, 'members.json'), membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', path.join(site.folder, 'members.json'));
  put(`${uuid('a')}.html`, senatePage({ rows: FIRST }));
  put(`${uuid('b')}.html`, senatePage(amendment));
  more(put);
  await site.stockact('ingest', inbox);
  const server = await site.serve();
  const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
  return { site, server, ann: await signInOnPage(server, ann) };
}

describe('an amendment by keyboard', { skip: noChromium }, () => {
  const browser = useBrowser();
  const shared = useSite({}, fill);

  test('an original and its amendment are published with three keys', async (t) => {
    const page = await browser.open(t, shared.server, '/desk', { visitor: shared.ann });
    for (const key of ['n', 'a', 'p']) {
      const address = page.url();
      await inSight(page);
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.href !== address);
    }
    const { data } = await shared.server.json('/api/v1/filings');
    assert.deepEqual(data.map(({ id }) => id).sort(), [senate('a'), senate('b')]);
  });
});

describe('reports that depend on each other', () => {
  const reports = (put) => {
    put('2025FD.xml', indexXml([{ DocID: '20990001' }, { DocID: '20990002' }]));
    const twice = [HOUSE_ROW, { ...HOUSE_ROW, notified: '01/04/2025' }];
    put('20990001.pdf', housePdf({ id: '20990001', rows: twice }));
    const amended = { ...HOUSE_ROW, status: 'Amended', amount: '$15,001 - $50,000' };
    put('20990002.pdf', housePdf({ id: '20990002', rows: [amended] }));
  };
  const shared = useSite({}, (site) => fill(site, reports));

  const open = (rest) => shared.ann.open(`/desk${rest}`);
  const press = (page, button, fill = {}, status = 200) =>
    shared.ann.submit(page.form(button), fill, { button, status });
  const trades = async (id) => {
    const { data } = await shared.server.json('/api/v1/trades?limit=50');
    return data.filter((trade) => trade.id.startsWith(id));
  };

  test('the queue says which drafts are amendments', async () => {
    const marked = (await open(''))
      .all('tbody tr')
      .map(textOf)
      .filter((line) => line.includes('amendment'));
    assert.equal(marked.length, 2);
    assert.ok(marked.some((line) => line.includes(senate('b'))));
    assert.ok(marked.some((line) => line.includes('house-20990002')));
  });

  test('an open row is marked among the printed ones, where there is no picture', async () => {
    const page = await open(`/${senate('a')}/rows/2`);
    const marked = page.all('.original tr[aria-current]').map(textOf);
    assert.equal(marked.length, 1);
    assert.match(marked[0], /^2.*Bellows/);
    assert.equal((await open(`/${senate('a')}`)).all('.original tr[aria-current]').length, 0);
  });

  test('an amendment is accepted on top of an accepted, unpublished original', async () => {
    await press(await open(`/${senate('a')}`), 'Accept, next');
    const page = await open(`/${senate('b')}`);
    assert.match(page.text('.lead'), /^Senate amendment filed on/);
    assert.match(
      page.text('main .note'),
      new RegExp(`^Accepted but not public yet: ${senate('a')}`),
    );
    const lines = page.all('.compare tbody tr').map(textOf);
    assert.match(lines[0], /Bellows.*\$1,001 – \$15,000.*\$15,001 – \$50,000.*\$15,001 – \$50,000/);
    assert.match(lines[1], /Dynamo.*–.*bought.*bought/);
    assert.match(lines[2], /No row.*Cinder.*bought.*not in it.*withdrawn/);
    assert.match(page.text('.compare'), /1 row is already public with these values/);
    const [shown] = await shared.site.stockact('review', 'show', senate('b'));
    assert.deepEqual(shown.after, [senate('a')]);
    const { stderr } = await shared.site.run(['publish', senate('b'), ...BY]);
    assert.match(stderr, /only an accepted draft can be published/);
    await press(page, 'Accept, next');
    const early = await shared.site.run(['publish', senate('b'), ...BY]);
    assert.match(early.stderr, new RegExp(`builds on ${senate('a')}, which is accepted: publish`));
  });

  test('accepted drafts are published together, in order, with a result for each', async () => {
    const page = await open('?stage=accepted');
    const done = await press(page, 'Publish all 2');
    const lines = done.all('tbody tr').map(textOf);
    assert.match(lines[0], new RegExp(`${senate('a')}3 trades added`));
    assert.match(
      lines[1],
      new RegExp(`${senate('b')}1 trade added, 1 trade corrected, 1 trade withdrawn, 1 row was`),
    );
    const names = (await trades('senate-')).map(({ assetName }) => assetName).sort();
    assert.deepEqual(names, ['Abacus', 'Bellows', 'Dynamo']);
    const again = await shared.ann.submit(
      page.form('Publish all 2'),
      {},
      { button: 'Publish all 2' },
    );
    assert.equal(again.status, 409);
  });

  test('publishing several drafts refuses only the one that was published meanwhile', async () => {
    await press(await open('/house-20990001'), 'Accept, next');
    const page = await open('?stage=accepted');
    await shared.site.stockact('publish', 'house-20990001', ...BY);
    const done = await press(page, 'Publish it');
    assert.match(done.text('tbody'), /house-20990001 is published; only an accepted/);
    assert.equal(done.all('tbody .bad').length, 1);
  });

  test('an open row names no command, and its trade is chosen from candidates', async () => {
    const page = await open('/house-20990002');
    assert.match(page.text('.obstacles'), /Row 1 is open: choose the trade that it refers to\./);
    assert.doesNotMatch(page.text('main'), /stockact/);
    const told = await shared.site.run(['review', 'accept', 'house-20990002', ...BY]);
    assert.match(told.stderr, /`stockact review set house-20990002 1 trade TRADE --by ann@/);
    const form = (await open('/house-20990002/rows/1')).form('Save the row');
    const choices = (await open('/house-20990002/rows/1')).all('.which fieldset label').map(textOf);
    assert.equal(choices.length, 4);
    assert.match(choices[1], /HRBR Harbor Tools bought · 2025-01-02 · \$1,001 – \$15,000 · spouse/);
    assert.match(choices[3], /A new trade, not public yet/);
    await shared.ann.submit(
      form,
      { trade: 'house-20990001-0002' },
      { button: 'Save the row', status: 200 },
    );
    const chosen = await open('/house-20990002/rows/1');
    const amount = chosen
      .all('.three .line')
      .map(textOf)
      .find((line) => /^Amount/.test(line));
    assert.match(amount, /\$1,001 – \$15,000/);
    await press(await open('/house-20990002'), 'Accept and publish');
    const amounts = (await trades('house-')).map(({ id, amountBucket }) => [id, amountBucket]);
    assert.deepEqual(amounts.sort(), [
      ['house-20990001-0001', '1k_15k'],
      ['house-20990001-0002', '15k_50k'],
    ]);
  });
});
