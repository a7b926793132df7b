// What an admin does, in Chromium, with script and without.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { fillWithTrouble } from './lib/admin_trouble.mjs';
import { noChromium, recordOf, useBrowser } from './lib/browser.mjs';
import { makeOwner } from './lib/people.mjs';
import { makeSite } from './lib/site.mjs';
import { withSession } from './lib/sessions.mjs';

const ADMIN = 'morgan@example.org';

describe('an admin in Chromium', { skip: noChromium }, () => {
  const browser = useBrowser();

  for (const script of [true, false]) {
    test(`follows a warning to its cause and acts, script ${script ? 'on' : 'off'}`, async (t) => {
      const site = await makeSite(t, { env: fillWithTrouble.env });
      const { password } = await makeOwner(site, { email: ADMIN, role: 'admin' });
      const server = await site.serve();
      const trouble = await fillWithTrouble(t, site, server);
      const visitor = await withSession(site, server, ADMIN, { proved: false });
      const page = await browser.open(t, server, '/admin', { visitor, script });
      const main = page.locator('main');
      await main.getByRole('link', { name: 'Mail' }).click();
      await page.getByText('Drop', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Drop the e-mail' }).first().click();
      await page.locator('.flash').waitFor();
      assert.match(await page.locator('.flash').innerText(), /deleted/);

      await page.goto('/admin/deliveries');
      await main.getByRole('link', { name: trouble.email }).click();
      await page.getByText('Disable the account', { exact: true }).click();
      await page.getByRole('button', { name: `Disable ${trouble.email}` }).click();
      await page.getByRole('heading', { name: 'Enter your password again' }).waitFor();
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.locator('.flash').waitFor();
      assert.match(await page.locator('.flash').innerText(), /The account is disabled/);
      const [account] = await site.stockact('accounts', 'search', trouble.email);
      assert.notEqual(account.disabledAt, null);

      await page.goto('/admin/log');
      assert.match(await page.locator('tbody tr').first().innerText(), /account\.disable/);
      assert.deepEqual(recordOf(page).faults, []);
    });
  }
});
