// Keys of the desk beyond an ordinary draft: the pages of the list, and the third person's decision.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { DOUBTFUL, SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';

const ID = idOf(SCAN);
const BOTH = ['assetName=Garden Mills', 'amountBucket=15k_50k', 'ownerType=spouse'];
const ROW = [...BOTH, 'tradeDate=1/10/25', 'notifiedDate=1/12/25'];
const as = (name) => ['--by', `${name}@example.org`];

describe('keys of the list and of the third person', { skip: noChromium }, () => {
  const browser = useBrowser();
  const env = { STOCKACT_DOUBLE_ENTRY: 'paper', STOCKACT_BATCH_REVIEW: 'on' };
  const shared = useSite({ env }, async (site) => {
    await fillDesk(site);
    const dates = ['tradeDate=2025-01-10', 'notifiedDate=2025-01-12'];
    const review = (...words) => site.stockact('review', ...words);
    for (const asset of ['Garden Mills', 'Harbor Tools']) {
      const cells = [...BOTH, `assetName=${asset}`, 'side=buy', ...dates].slice(1);
      await review('add-row', ID, ...cells, '--page', 1, ...as('ann'));
    }
    await review('accept', ID, ...as('ann'));
    await review('enter', ID, '--rows', 2, ...as('ben'));
    await review('enter', ID, 1, ...ROW, 'side=sell_full', ...as('ben'));
    await review('enter', ID, 2, ...ROW.slice(1), 'assetName=Bellows', 'side=buy', ...as('ben'));
    await review('enter', ID, '--rows', 2, ...as('ben'));
    const dee = await makeOwner(site, { email: 'dee@example.org', role: 'reviewer' });
    const server = await site.serve();
    return { site, server, dee: await signInOnPage(server, dee) };
  });
  const open = (t, rest) => browser.open(t, shared.server, `/desk${rest}`, { visitor: shared.dee });

  test('each page of the list has a key', async (t) => {
    const page = await open(t, '');
    for (const [key, address] of [
      ['+', '/desk/new'],
      ['v', '/desk/sample'],
      ['b', '/desk/batches'],
      ['g', '/desk/agreement'],
      ['f', '/desk/upload'],
    ]) {
      await page.waitForLoadState();
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.pathname === address);
      await page.goto(`${shared.server.url}/desk`);
    }
  });

  test('j goes through the rows of a draft, which counts as looking at each', async (t) => {
    const id = idOf(DOUBTFUL);
    const page = await open(t, `/${id}`);
    await page.waitForLoadState();
    for (const row of [1, 2]) {
      const marked = page.waitForResponse((reply) =>
        reply.url().endsWith(`/rows/${row}/pages/1.png`),
      );
      await page.keyboard.press('j');
      await marked;
    }
    await page.keyboard.press('p');
    await page.locator('.flash').waitFor();
    const { data } = await shared.server.json(`/api/v1/filings/${id}`);
    assert.equal(data.source.review, 'row');
  });

  test('a decision opens the two texts first, and is made by keyboard', async (t) => {
    const page = await open(t, `/${ID}/entry`);
    const texts = page.locator('details.which');
    assert.equal(await texts.count(), 2);
    const isOpen = () => texts.first().evaluate((one) => one.open);
    assert.equal(await isOpen(), false);
    const focused = () => page.evaluate(() => document.activeElement.name);
    await page.keyboard.press('s');
    assert.equal(await isOpen(), true, 'a key decides nothing that is not in sight');
    assert.equal(await focused(), 'value');
    await page.reload();
    await page.keyboard.press('w');
    assert.equal(await isOpen(), true);
    assert.equal(await focused(), 'value');
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await page.locator('.flash').waitFor();
    assert.equal(await texts.count(), 1);
    await page.keyboard.press('?');
    assert.equal(await page.locator('dialog label', { hasText: 'Decide' }).count(), 1);
  });
});
