// The owner's home and keys in a browser: valid, accessible, small, with script and without.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { checkMarkup } from './lib/html_checker.mjs';
import { checkPage, checkSilence } from './lib/browser_checks.mjs';
import { withSession } from './lib/sessions.mjs';
import { makeSite, useSite } from './lib/site.mjs';

const FILINGS = '/api/v1/filings';
const CONTACT = 'ops@example.org';

const ask = (server, key, target = FILINGS) => server.get(target, { key });

describe('keys in a browser', () => {
  const shared = useSite({ env: { STOCKACT_CONTACT: CONTACT } }, async (site) => {
    const minted = await site.mint({ plan: 'pack', name: 'Nightly copy' });
    const server = await site.serve();
    for (let i = 0; i < 5; i++) await ask(server, minted.key);
    await ask(server, minted.key, '/api/v1/trades/none');
    const old = await site.mint({ email: minted.email, name: 'Old laptop' });
    await site.stockact('keys', 'revoke', '--id', old.id);
    const visitor = await withSession(site, server, minted.email);
    return { server, minted, visitor };
  });
  const pages = () => ['/account', '/account/keys', `/account/keys/${shared.minted.id}`];

  test('pages are valid HTML with one heading', async () => {
    const files = [];
    for (const name of pages()) {
      const page = await shared.visitor.open(name);
      assert.equal(page.all('h1').length, 1, name);
      files.push({ name, html: page.html });
    }
    await checkMarkup(files);
  });

  describe('in Chromium', { skip: noChromium }, () => {
    const browser = useBrowser();

    test('pages are accessible, small and silent', async (t) => {
      for (const name of pages()) {
        const page = await browser.open(t, shared.server, name, { visitor: shared.visitor });
        t.diagnostic(`${name}: ${await checkPage(page)} bytes`);
      }
    });

    test('the page of ten busy keys is small too', async (t) => {
      const site = await makeSite(t);
      const first = await site.mint({ plan: 'den', name: 'key 0' });
      for (let i = 1; i < 10; i++) await site.mint({ email: first.email, name: `key ${i}` });
      const server = await site.serve();
      const day = Math.floor(Date.now() / 86_400_000);
      const days = Array.from({ length: 30 }, (_, i) => `(${day - i}, ${20_000 + 777 * i})`);
      await site.database.execute(
        `WITH day (day, n) AS (VALUES ${days})
         INSERT INTO key_day SELECT no, day, n, n / 2, n / 300, n / 900, 0 FROM api_key, day`,
      );
      await site.database.execute(
        `WITH day (day, n) AS (VALUES ${days})
         INSERT INTO key_error (key_no, at, status, error, path, count)
         SELECT no, ${Date.now()} - n, 404, 'not_found', '/api/v1/politicians/{slug}', 1
         FROM api_key, day WHERE day > ${day - 20}`,
      );
      const visitor = await withSession(site, server, first.email);
      const page = await browser.open(t, server, '/account', { visitor });
      assert.equal(await page.locator('figure.chart').count(), 3);
      assert.equal(await page.locator('[aria-label="Other keys"] tbody tr').count(), 7);
      t.diagnostic(`${await checkPage(page)} bytes`);
    });

    for (const script of [true, false]) {
      test(`a key is created and revoked ${script ? 'with' : 'without'} script`, async (t) => {
        const { server, visitor } = shared;
        const page = await browser.open(t, server, '/account/keys', { visitor, script });
        const name = `by hand ${script}`;
        await page.getByLabel('Name').fill(name);
        await page.getByRole('button', { name: 'Create it' }).dblclick();
        await page.getByRole('heading', { name: /Your new key|already sent/ }).waitFor();
        if (script) {
          const key = await page.locator('.secret code').textContent();
          assert.match(key, /^svc_[\w-]{43}$/);
          assert.equal((await ask(server, key)).status, 200);
        }
        await page.goto('/account/keys');
        const link = page.getByRole('link', { name });
        assert.equal(await link.count(), 1, 'one key');
        await link.click();
        await page.getByText('Revoke this key').click();
        await page.getByRole('button', { name: `Revoke “${name}”` }).click();
        await page.getByText('The key is revoked').waitFor();
        checkSilence(page);
      });
    }
  });
});
