// The pages of webhooks in Chromium: how they look and what they load; the way of an owner with the
// script and without it; hostile texts run nothing.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { markupFaults } from './lib/html_checker.mjs';
import { checkPage, checkSilence } from './lib/browser_checks.mjs';
import { answer, Receiver } from './lib/receivers.mjs';
import { makeSite } from './lib/site.mjs';
import { withSession } from './lib/sessions.mjs';
import { until } from './lib/until.mjs';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>';

async function open(t) {
  const site = await makeSite(t, { env: { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  await site.stockact('demo', '--trades', 20);
  const receiver = await Receiver.start(t, answer(500, '', HOSTILE));
  const server = await site.serve();
  const email = await site.account({ plan: 'pack' });
  const visitor = await withSession(site, server, email);
  return { site, receiver, server, email, visitor };
}

const attempts = (own, n) =>
  until(`${n} attempts`, async () => {
    const [row] = await own.site.database.query('select count(*) as n from attempt');
    return Number(row.n) === n;
  });

describe('pages of webhooks in Chromium', { skip: noChromium }, () => {
  const browser = useBrowser();

  test('each page is accessible, small and silent, with hostile texts too', async (t) => {
    const own = await open(t);
    const args = ['webhooks', 'add', '--email', own.email, '--url', `${own.receiver.url()}?%22%3E`];
    const [{ id }] = await own.site.stockact(...args, '--description', HOSTILE);
    await own.site.stockact('demo', '--publish', 3, '--rows', 2);
    await attempts(own, 3);
    const [{ id: delivery }] = await own.site.database.query('select id from delivery');
    await own.site.stockact('webhooks', 'rotate', '--id', id);
    const base = `/account/webhooks/${id}`;
    const files = [];
    for (const target of [
      '/account/webhooks',
      base,
      `${base}/replay`,
      `${base}/deliveries/${delivery}`,
    ]) {
      const page = await browser.open(t, own.server, target, { visitor: own.visitor });
      await checkPage(page);
      assert.equal(await page.locator('main img').count(), 0, target);
      files.push({ name: target, html: (await own.visitor.open(target)).html });
    }
    assert.deepEqual(await markupFaults(files), []);
    const page = await browser.open(t, own.server, base, { visitor: own.visitor });
    await page.getByText('Remove', { exact: true }).click();
    await page.getByText('Rotate', { exact: true }).click();
    await checkPage(page); // with both questions open
  });

  for (const script of [true, false]) {
    test(`the way from an endpoint to a replay, ${script ? 'with' : 'without'} script`, async (t) => {
      const own = await open(t);
      const page = await browser.open(t, own.server, '/account/webhooks', {
        visitor: own.visitor,
        script,
      });
      await page.getByLabel('URL').fill(own.receiver.url());
      await page.getByLabel('Description').fill('Desk');
      await page.getByRole('button', { name: 'Add the endpoint' }).click();
      assert.match(await page.locator('.secret code').textContent(), /^whsec_/);
      await page.getByRole('link', { name: 'Go to the endpoint' }).click();

      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('heading', { name: 'Test request' }).waitFor();
      await page.waitForLoadState();
      await attempts(own, 1);
      if (!script && (await page.getByText('Look again').count()) > 0)
        await page.getByText('Look again').click();
      await page.locator('article.attempt').waitFor();
      assert.match(await page.locator('article.attempt').textContent(), /status 500/);
      assert.match(await page.locator('article.attempt').textContent(), /<script>alert\(2\)/);
      await page.getByRole('link', { name: 'Desk' }).click();

      await own.site.stockact('demo', '--publish', 1, '--rows', 1);
      await attempts(own, 2);
      await page.reload();
      await page.getByRole('link', { name: 'trade.published' }).click();
      own.receiver.play = answer(204);
      await page.getByText('Replay', { exact: true }).click();
      await page.getByRole('button', { name: 'Send it again' }).click();
      await page.getByText('The delivery is sent again.').waitFor();
      await attempts(own, 3);
      await page.reload();
      assert.equal(await page.locator('article.attempt').count(), 2);
      assert.match(await page.locator('.facts').textContent(), /Delivered/);

      await page.getByRole('link', { name: 'Desk' }).click();
      await page.getByText('Rotate', { exact: true }).click();
      await page.getByLabel('1 hour: both secrets sign').check();
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      assert.match(await page.locator('.secret code').textContent(), /^whsec_/);
      await page.getByRole('link', { name: 'Go to the endpoint' }).click();
      await page.getByRole('button', { name: 'End the old secret now' }).click();
      await page.getByText('Only the current secret signs now.').waitFor();
      await page.getByText('Remove', { exact: true }).click();
      await page.getByRole('button', { name: 'Remove it for good' }).click();
      await page.getByText('The endpoint is removed.').waitFor();
      checkSilence(page);
    });
  }
});
