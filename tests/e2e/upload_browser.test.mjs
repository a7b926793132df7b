// The upload page in Chromium: files are dropped or chosen, each is a request of its own.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { UPLOAD, prepareUploads } from './lib/uploading.mjs';

const pdf = (id) => ({
  name: `${id}.pdf`,
  mimeType: 'application/pdf',
  buffer: housePdf({ id: String(id), rows: [HOUSE_ROW] }),
});

describe('uploads in a browser', { skip: noChromium }, () => {
  const browser = useBrowser();
  const shared = useSite({}, async (site) => {
    await prepareUploads(site);
    const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    const server = await site.serve();
    return { server, ann: await signInOnPage(server, ann) };
  });
  const open = (t, options) =>
    browser.open(t, shared.server, UPLOAD, { visitor: shared.ann, ...options });

  /** [name, badge] of each file, when all `count` have one of the badges that stay. */
  const results = async (page, count) => {
    await page.waitForFunction((n) => {
      const badges = [...document.querySelectorAll('.uploads .badge')];
      return (
        badges.length === n &&
        !badges.some(({ textContent }) => /waiting|sending|reading/.test(textContent))
      );
    }, count);
    return page
      .locator('.uploads li')
      .evaluateAll((rows) =>
        rows.map((row) => ['strong', '.badge'].map((part) => row.querySelector(part).textContent)),
      );
  };

  test('chosen files are sent one by one, and Enter opens the first draft', async (t) => {
    const page = await open(t);
    const broken = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await page.setInputFiles('#files', [broken, pdf(20990001), pdf(20990002)]);
    assert.deepEqual(await results(page, 3), [
      ['notes.txt', 'refused'],
      ['20990001.pdf', 'draft'],
      ['20990002.pdf', 'draft'],
    ]);
    await page.waitForFunction(() => document.activeElement.matches('.uploads a'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/desk/house-20990001');
  });

  test('files are dropped anywhere on the page', async (t) => {
    const page = await open(t);
    const bytes = pdf(20990003).buffer.toString('base64');
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      transfer.items.add(new File([data], '20990003.pdf', { type: 'application/pdf' }));
      return transfer;
    }, bytes);
    await page.dispatchEvent('h1', 'dragover', { dataTransfer: dropped });
    assert.equal(await page.locator('form.upload.over').count(), 1);
    await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped });
    assert.deepEqual(await results(page, 1), [['20990003.pdf', 'draft']]);
  });

  test('a file that fails alone can be sent again', async (t) => {
    const page = await open(t);
    let lost = true;
    await page.route('**/desk/upload?*', (route) => (lost ? route.abort() : route.continue()));
    await page.setInputFiles('#files', [pdf(20990004)]);
    assert.deepEqual(await results(page, 1), [['20990004.pdf', 'not imported']]);
    assert.match(await page.locator('.uploads p').textContent(), /The connection was lost\./);
    lost = false;
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.waitForFunction(() => document.querySelector('.badge').textContent === 'draft');
  });

  test('a file waits for another upload of the person, and a long import is no failure', async (t) => {
    const page = await open(t);
    const answers = [
      { status: 409, json: { error: 'upload_in_progress', hint: 'Another upload is arriving.' } },
      { status: 503, json: { error: 'still_reading', hint: 'The import goes on.' } },
    ];
    await page.clock.install();
    await page.route('**/desk/upload?*', (route) => route.fulfill(answers.shift()));
    await page.setInputFiles('#files', [pdf(20990008)]);
    await page.getByText('Another upload of yours is arriving.').waitFor();
    await page.clock.runFor(10_000);
    await page.getByText('The import goes on.').waitFor();
    assert.equal(await page.locator('.uploads .badge').textContent(), 'still reading');
    assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0);
  });

  test('a file over the limit is not sent', async (t) => {
    const page = await open(t);
    await page.evaluate(() => {
      document.querySelector('form.upload').dataset.upload = String(1 << 20);
    });
    const large = { ...pdf(20990005), buffer: Buffer.alloc((1 << 20) + 1) };
    await page.setInputFiles('#files', [large]);
    assert.deepEqual(await results(page, 1), [['20990005.pdf', 'not imported']]);
    assert.match(await page.locator('.uploads p').textContent(), /larger than 1 MiB/);
  });

  test('without a script the form shows the results', async (t) => {
    const page = await open(t, { script: false });
    await page.setInputFiles('#files', [pdf(20990001), pdf(20990006)]);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.waitForSelector('.uploads li');
    assert.deepEqual(await page.locator('.uploads .badge').allTextContents(), [
      'already here',
      'draft',
    ]);
  });
});
